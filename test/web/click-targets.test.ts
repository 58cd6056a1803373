// Clicks in views of many conversations, and links that open in the side panel.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { BrowserSession } from "./browser-session.ts";
import { waitForConnection, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

/** Presses the button for several frames, as a person does. */
async function press(page: Page, target: Locator): Promise<void> {
  // `hover` waits until the element is stable.
  await target.hover();
  await page.mouse.down();
  await page.evaluate(async () => {
    for (let offset = 0; offset < 5; offset += 1) await new Promise(requestAnimationFrame);
  });
  await page.mouse.up();
}

test("the first click in a view of many conversations hits its target", async () => {
  for (let offset = 0; offset < 6; offset += 1) await fixture.post("bo", `line ${offset}`);
  await fixture.post("ada", "see #**design>elsewhere**");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#feed");
  await waitForConnection(page, "live");
  await press(page, page.locator("article.msg a.topic-link").last());
  await page.waitForURL(/topic\/elsewhere/);
  await page.goBack();
  // A finished click on a row selects its conversation as the recipient.
  await page.locator("article.msg", { hasText: "line 4" }).click();
  await page.locator(".compose-to", { hasText: "logo" }).waitFor();
  expect(browserSession.faults).toEqual([]);
});

test("does not render a pressed element before release", async () => {
  const { id } = await fixture.post("bo", "see #**design>behind**");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await page.locator(`#m${id} a.topic-link`).hover();
  await page.mouse.down();
  await fixture.testServer.request("cy", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  const elsewhere = { type: "channel", to: fixture.stream_id, topic: "heard", content: "too" };
  await fixture.testServer.request("cy", "POST /messages", elsewhere);
  // The page has received the reaction, because it was sent before this message.
  await page.locator(".sidebar .sidebar-row", { hasText: "heard" }).waitFor();
  await page.mouse.up();
  await page.waitForURL(/topic\/behind/);
  await page.goBack();
  await page.locator(`#m${id} .react`).waitFor();
});

test("does not render an element pressed with the space bar before release", async () => {
  const { id } = await fixture.post("bo", "/poll Which?\nThis\nThat");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const option = page.locator(`#m${id} .opt`).first();
  await option.focus();
  await page.keyboard.down("Space");
  const vote = { type: "vote", key: "canned,1", vote: 1 };
  const added = { message_id: id, msg_type: "widget", content: JSON.stringify(vote) };
  await fixture.testServer.request("cy", "POST /submessage", added);
  const elsewhere = { type: "channel", to: fixture.stream_id, topic: "voted", content: "too" };
  await fixture.testServer.request("cy", "POST /messages", elsewhere);
  // The page has received the vote, because it was sent before this message.
  await page.locator(".sidebar .sidebar-row", { hasText: "voted" }).waitFor();
  await page.keyboard.up("Space");
  await page.locator(`#m${id} .opt:focus[aria-pressed=true]`, { hasText: "This" }).waitFor();
  await page.locator(`#m${id} .opt small`, { hasText: "Cy" }).waitFor();
});

/** A tab that Playwright has not reported after this time is never reported. */
const MISSED_CLICK_MS = 20_000;

async function opensBeside(
  browserSession: BrowserSession,
  page: Page,
  link: string,
  address: RegExp,
): Promise<void> {
  const addressBefore = page.url();
  for (const press of [{ modifiers: ["ControlOrMeta" as const] }, { button: "middle" as const }]) {
    const tab = () =>
      browserSession.context.waitForEvent("page", { timeout: MISSED_CLICK_MS }).catch(() => null);
    let newTab: Page | null = null;
    // The driver may miss a tab without an opener, or its URL; the page itself reports it.
    while (!newTab) [newTab] = await Promise.all([tab(), page.locator(link).first().click(press)]);
    const url = () => newTab.evaluate(() => location.href).catch(() => "");
    while (!address.test(await url())) await Bun.sleep(20);
    await newTab.close();
    expect(page.url()).toBe(addressBefore);
  }
}

test("Ctrl or the middle button open links in a new tab", async () => {
  const { id } = await fixture.post("bo", "see #**design**, and /m/1");
  await fixture.post("bo", `${fixture.testServer.url}/m/${id}`);
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab("/#inbox");
  const cases: [at: string, link: string, address: RegExp][] = [
    ["#inbox", ".sidebar a[href='#recent']", /#recent$/],
    ["#inbox", ".list-row a[href*='topic']", /topic\/logo/],
    ["#feed", ".msg a[href$=design]", /channel\/\d+-design$/],
    ["#feed", ".msg .md a[data-act=open-message]", /near\/\d+$/],
    ["#feed", ".msg .msg-time", /near\/\d+$/],
    ["#channels/all", ".list-row a", /#channels\/\d+/],
  ];
  for (const [path, link, address] of cases) {
    await page.goto(`/${path}`);
    await waitForConnection(page, "live");
    await page.locator(link).first().waitFor();
    await opensBeside(browserSession, page, link, address);
  }
  expect(await page.locator("[role=dialog], [role=menu]").count()).toBe(0);
});

test("a button pressed before its command has loaded waits for it", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const { promise: isAllowed, resolve: letThrough } = Promise.withResolvers<void>();
  await browserSession.context.route(/\/assets\/deferred-/, async (route) => {
    await isAllowed;
    await route.continue();
  });
  const page = await browserSession.context.newPage();
  await page.goto(fixture.topicUrl);
  await page.getByRole("button", { name: "Search here" }).click();
  letThrough();
  await page.getByRole("combobox", { name: "Search messages" }).waitFor();
  expect(await page.locator(".pill").count()).toBe(2);
});
