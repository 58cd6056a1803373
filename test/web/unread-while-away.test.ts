// Messages stay unread while the user is away, and the feed marks the first of them on return.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { waitForMessage, waitForConnection, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

/** Simulates the browser's signals when another tab or window covers this one. */
const setAway = (page: Page, away: { isHidden: boolean; hasFocus: boolean }) =>
  page.evaluate(({ isHidden, hasFocus }) => {
    const constantProperty = (value: unknown) => ({ configurable: true, get: () => value });
    Object.defineProperty(document, "hidden", constantProperty(isHidden));
    Object.defineProperty(
      document,
      "visibilityState",
      constantProperty(isHidden ? "hidden" : "visible"),
    );
    document.hasFocus = () => hasFocus;
    document.dispatchEvent(new Event("visibilitychange"));
    window.dispatchEvent(new Event(hasFocus ? "focus" : "blur"));
  }, away);

/** The first message below the line "New". */
const newestRow = (page: Page) =>
  page.locator("[data-new] + * article.msg, [data-new] ~ .run article.msg").first();

test("marks new messages as read once an idle user interacts with the page", async () => {
  const topic = "lunch";
  const post = (content: string) =>
    fixture.testServer.request("bo", "POST /messages", {
      ...{ type: "channel", to: fixture.stream_id, topic, content },
    });
  // Clears unread messages that other tests have left.
  await fixture.testServer.request("cy", "POST /mark_all_as_read");
  await post("before");
  const browserSession = await fixture.sessionOf("cy");
  await browserSession.context.clock.install();
  const page = await browserSession.tab(
    `/#narrow/channel/${fixture.stream_id}-design/topic/${topic}`,
  );
  await waitForConnection(page, "live");
  await page.locator("article.msg").first().hover();
  const isNotified = (start: string) =>
    page.waitForFunction((start) => document.title.startsWith(start), start);
  await isNotified(topic);
  await browserSession.context.clock.fastForward("06:00");
  await post("while nobody is there");
  await waitForMessage(page, "while nobody is there");
  await isNotified(`(1) ${topic}`);
  await browserSession.context.clock.runFor(5000);
  expect(await page.title()).toStartWith(`(1) ${topic}`);
  await page.mouse.move(600, 320);
  await isNotified(topic);
});

test.each([
  { isHidden: true, hasFocus: false },
  { isHidden: false, hasFocus: false },
])(
  "messages that arrive while the user is away (%o) stay unread, below a New line",
  async (away) => {
    const topic = away.isHidden ? "another tab" : "another window";
    const post = (content: string) =>
      fixture.testServer.request("bo", "POST /messages", {
        type: "channel",
        to: fixture.stream_id,
        topic,
        content,
      });
    await fixture.testServer.request("ada", "POST /mark_all_as_read");
    await post("before");
    const browserSession = await fixture.sessionOf("ada");
    await browserSession.context.clock.install();
    const page = await browserSession.tab(
      `/#narrow/channel/${fixture.stream_id}-design/topic/${topic}`,
    );
    await waitForConnection(page, "live");
    await page.locator("article.msg").first().hover();
    const isNotified = (start: string) =>
      page.waitForFunction((start) => document.title.startsWith(start), start);
    await isNotified(topic);
    expect(await newestRow(page).innerText()).toContain("before");
    await setAway(page, away);
    for (const content of ["first", "second", "third"]) await post(content);
    await waitForMessage(page, "third");
    await isNotified(`(3) ${topic}`);
    // Moves the mouse and waits as long as it takes until a message counts as read.
    await page.mouse.move(600, 300);
    await browserSession.context.clock.runFor(5000);
    expect(await page.title()).toStartWith(`(3) ${topic}`);
    expect(await newestRow(page).innerText()).toContain("first");
    await page.waitForFunction(() =>
      /favicon-3/.test(document.querySelector("link[rel~=icon]")!.outerHTML),
    );
    await setAway(page, { isHidden: false, hasFocus: true });
    await isNotified(topic);
    expect(await newestRow(page).innerText()).toContain("first");
    // This message arrives while the user sees the page.
    await post("fourth");
    await waitForMessage(page, "fourth");
    expect(await newestRow(page).innerText()).toContain("first");
  },
);
