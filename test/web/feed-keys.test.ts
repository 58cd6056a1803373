// The feed by keyboard: the selection stays at its message during changes.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../wait-until.ts";
import { BrowserFixture, waitForConnection } from "./browser-fixture.ts";

let fixture: BrowserFixture;
let ids: number[];
beforeEach(async () => {
  fixture = await BrowserFixture.open();
  ids = [];
  for (let index = 0; index < 30; index++) {
    const { id } = await fixture.post(index % 2 === 0 ? "ada" : "bo", `Message ${index}`);
    ids.push(id);
  }
  await fixture.testServer.request("cy", "POST /messages/flags", {
    messages: ids,
    op: "add",
    flag: "read",
  });
});
afterEach(() => fixture.close());

/** Returns the id of the message that has, or contains, the focus. */
const focusedId = (page: Page) =>
  page.evaluate(() => Number(document.activeElement?.closest<HTMLElement>(".msg")?.dataset["id"]));
const countTabStops = (page: Page) => page.locator('.msg[tabindex="0"]').count();
const isFocused = (page: Page, id: number) =>
  page.waitForFunction(
    (expected) =>
      document.activeElement?.closest<HTMLElement>(".msg")?.dataset["id"] === String(expected),
    id,
  );
/** Holds animation frames, and the timeout that the client uses if a frame does not come. */
const HOLD_FRAMES = `
  const [frame, timer, held] = [requestAnimationFrame, setTimeout, []];
  let isHeld = false;
  const STAND_IN_MS = 35;
  requestAnimationFrame = (run) => (isHeld ? held.push(() => frame(run)) : frame(run));
  setTimeout = (run, ms, ...more) =>
    isHeld && ms === STAND_IN_MS ? held.push(run) : timer(run, ms, ...more);
  globalThis.held_frames = {
    hold: () => (isHeld = true),
    release: () => { isHeld = false; for (const run of held.splice(0)) run(); },
  };`;

const waitForText = (page: Page, text: string) =>
  page.waitForFunction(
    (expected) =>
      document.querySelector<HTMLTextAreaElement>(".compose textarea")!.value.includes(expected),
    text,
  );

test("keys move the focus between messages, and Tab reaches one row", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(".msg").last().waitFor();
  await page.keyboard.press("j");
  await isFocused(page, ids.at(-1)!);
  await page.keyboard.press("k");
  await page.keyboard.press("ArrowUp");
  await isFocused(page, ids.at(-3)!);
  await page.keyboard.press("ArrowDown");
  await isFocused(page, ids.at(-2)!);
  expect(await countTabStops(page)).toBe(1);
  await page.keyboard.press("Home");
  await isFocused(page, ids[0]!);
  await page.keyboard.press("PageDown");
  await page.waitForFunction(
    (first) =>
      document.activeElement?.closest<HTMLElement>(".msg")?.dataset["id"] !== String(first),
    ids[0]!,
  );
  expect(await focusedId(page)).toBeGreaterThan(ids[0]!);
  await page.keyboard.press("G");
  await isFocused(page, ids.at(-1)!);
  expect(await countTabStops(page)).toBe(1);
  expect(browserSession.faults).toEqual([]);
});

test("Tab enters the tools of a row, leaves the feed after them, and returns", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(".msg").last().waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await isFocused(page, ids.at(-2)!);
  for (let index = 0; index < 10 && (await focusedId(page)) === ids.at(-2); index++) {
    await page.keyboard.press("Tab");
  }
  expect(await page.evaluate(() => document.activeElement?.closest(".feed") === null)).toBe(true);
  await page.keyboard.press("Shift+Tab");
  await isFocused(page, ids.at(-2)!);
  await page.keyboard.press("Shift+Tab");
  expect(await page.evaluate(() => document.activeElement?.closest(".feed") === null)).toBe(true);
});

test("Escape goes from a tool to its message, to the feed, and to the home view", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(".compose textarea").waitFor();
  const id = ids.at(-1)!;
  const leave = async () => {
    await page.locator(`#m${id} .msg-name, #m${id} [data-act=react]`).first().focus();
    await page.keyboard.press("Escape");
    await isFocused(page, id);
    await page.keyboard.press("Escape");
    await page.locator(".feed:focus").waitFor();
    await page.keyboard.press("Escape");
  };
  await leave();
  await page.locator("main h1", { hasText: "Inbox" }).waitFor();
  const settings = { web_escape_navigates_to_home_view: false };
  await fixture.testServer.request("cy", "PATCH /settings", settings);
  await page.goBack();
  await page.locator(".compose textarea").waitFor();
  const isNotified = () =>
    fixture.testServer.realm.read.users.get(fixture.testServer.idOf("cy"))!.settings;
  expect(isNotified()["web_escape_navigates_to_home_view"]).toBe(false);
  await page.reload();
  // Until the page is live, it may still apply the old value, which it stored on the disk.
  await waitForConnection(page, "live");
  await page.locator("body[data-whole]").waitFor();
  await leave();
  await page.keyboard.press("t");
  await page.locator("main h1", { hasText: "Recent" }).waitFor();
  await page.goBack();
  await page.locator(`#m${id}`).waitFor();
});

test("a held key repeats movement, but not single actions", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(`#m${ids.at(-1)!}`).focus();
  const holdKey = async (key: string) => {
    for (let index = 0; index < 4; index++) await page.keyboard.down(key);
    await page.keyboard.up(key);
  };
  await holdKey("k");
  await isFocused(page, ids.at(-5)!);
  const stars: string[] = [];
  page.on("request", (request) => {
    const body = request.url().endsWith("/messages/flags") ? request.postData() : null;
    if (body?.includes("starred")) stars.push(body);
  });
  await page.keyboard.down("Control");
  await holdKey("s");
  await page.keyboard.up("Control");
  const fetchStarred = () =>
    fixture.testServer.request("cy", "GET /messages", {
      ...{ anchor: "newest", num_before: 50, num_after: 0 },
      narrow: [{ operator: "is", operand: "starred" }],
    });
  // The server may have the star before Playwright reports the request.
  await until(async () => stars.length > 0 && (await fetchStarred()).messages.length > 0);
  expect(stars.length).toBe(1);
});

test("a held key that opens a text field types nothing there", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(`#m${ids.at(-1)!}`).focus();
  await page.keyboard.down("r");
  const field = page.locator(".compose textarea:focus");
  await field.waitFor();
  for (let index = 0; index < 4; index++) await page.keyboard.down("r");
  await page.keyboard.up("r");
  await page.keyboard.down("s");
  await page.keyboard.down("s");
  await page.keyboard.up("s");
  await page.keyboard.type("r");
  expect(await field.inputValue()).toBe("ssr");
});

test("keeps the message when switching views by keyboard", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const id = ids.at(-4)!;
  await page.locator(`#m${id}`).focus();
  // `s` opens the whole channel, `z` the messages around this one, and `T` renames the topic.
  await page.keyboard.press("s");
  await page.locator("main h1", { hasText: /^design$/ }).waitFor();
  await isFocused(page, id);
  await page.keyboard.press("z");
  await page.waitForFunction((messageId) => location.hash.endsWith(`/near/${messageId}`), id);
  await isFocused(page, id);
  await page.keyboard.press("T");
  await page.waitForFunction(() => location.hash.includes(".E2.9C.94"));
  await isFocused(page, id);
});

test("moves the focus to the neighbor of a deleted message", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(".msg").last().waitFor();
  const { id } = await fixture.post("ada", "Soon gone");
  const { id: next } = await fixture.post("bo", "Stays");
  await page.locator(`#m${next}`).waitFor();
  await page.locator(`#m${id}`).focus();
  await fixture.testServer.request("ada", `DELETE /messages/${id}`);
  await page.locator(`#m${id}`).waitFor({ state: "detached" });
  await isFocused(page, next);
  await fixture.testServer.request("bo", `PATCH /messages/${next}`, {
    content: "Stays, and is edited",
  });
  await page.getByText("Stays, and is edited").waitFor();
  expect(await focusedId(page)).toBe(next);
});

for (const key of ["Enter", ">"]) {
  test(`${key} opens the composer even before it has loaded`, async () => {
    const browserSession = await fixture.sessionOf("cy");
    const isPressed = Promise.withResolvers<void>();
    await browserSession.context.route(/assets\/loaded-/, async (route) => {
      await isPressed.promise;
      await route.continue();
    });
    await browserSession.context.addInitScript(HOLD_FRAMES);
    const page = await browserSession.tab(`/#narrow/channel/${fixture.stream_id}-design`);
    await page.locator(`#m${ids.at(-1)!}`).focus();
    await page.keyboard.press(key);
    // Delays the frame that sets the focus, while another user renames the channel.
    await page.evaluate("held_frames.hold()");
    isPressed.resolve();
    await page.locator(".compose textarea").waitFor();
    const { testServer, stream_id } = fixture;
    await testServer.request("ada", `PATCH /streams/${stream_id}`, { new_name: "drawing" });
    await page.locator(".compose-to", { hasText: "drawing" }).waitFor();
    await page.evaluate("held_frames.release()");
    await page.locator(".compose textarea:focus").waitFor();
    if (key === ">") await waitForText(page, `Message ${ids.length - 1}`);
    expect(browserSession.faults).toEqual([]);
  });
}

test("a key pressed before data is loaded takes effect afterwards", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const received = Promise.withResolvers<void>();
  await browserSession.context.route("**/json/register", async (route) => {
    await received.promise;
    await route.continue();
  });
  const page = await browserSession.tab(fixture.topicUrl);
  await page.keyboard.press("r");
  received.resolve();
  await page.locator(".compose textarea:focus").waitFor();
  expect(browserSession.faults).toEqual([]);
});

test("suggests emoji once their names are loaded, however late", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const typedAfter = Promise.withResolvers<void>();
  await browserSession.context.route(/assets\/render-/, async (route) => {
    await typedAfter.promise;
    await route.continue();
  });
  const page = await browserSession.tab(fixture.topicUrl);
  const text = page.locator(".compose textarea");
  await text.fill("");
  await text.pressSequentially("well :octop");
  expect(await page.getByRole("option").count()).toBe(0);
  typedAfter.resolve();
  await page.getByRole("option", { name: ":octopus:" }).waitFor();
  await page.keyboard.press("Enter");
  await waitForText(page, "well :octopus: ");
  expect(browserSession.faults).toEqual([]);
});

test("keys in a menu select items, and other letters search", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  const id = ids.at(-1)!;
  await page.locator(`#m${id}`).press("i");
  const item = (name: string) => page.getByRole("menuitem", { name });
  await page.keyboard.press("c");
  await item("Copy link").and(page.locator(":focus")).waitFor();
  expect(await item("Star").locator("kbd").textContent()).toBe("Ctrl S");
  await page.keyboard.press("Control+s");
  await page.locator(`#m${id}[data-starred]`).waitFor();
  expect(await page.getByRole("menu").count()).toBe(0);
  await isFocused(page, id);
  await page.keyboard.press("i");
  await item("Copy link").waitFor();
  await page.keyboard.press(">");
  await waitForText(page, "Message 29");
});

test("after sending, the keys continue at the own message", async () => {
  const browserSession = await fixture.sessionOf("gus");
  await fixture.testServer.request("ada", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "design" }],
    principals: [fixture.testServer.idOf("gus")],
  });
  // Opens at the first unread message, far above the end.
  const page = await browserSession.tab(`${fixture.topicUrl}/near/${ids[0]}`);
  await page.locator(`#m${ids[0]}`).waitFor();
  await page.locator(".compose textarea:enabled").fill("Done");
  await page.keyboard.press("Control+Enter");
  await fixture.untilPosted(page, "Done");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowUp");
  const own = page.locator("article").filter({ hasText: "Done" });
  await isFocused(page, Number(await own.getAttribute("data-id")));
});
