// An error in one message, row or view leaves the rest of the page in place.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { BrowserSession } from "./browser-session.ts";
import { waitForMessage, waitForConnection, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer } = fixture;
const toBo = { type: "direct", to: [testServer.idOf("bo")] };
await testServer.request("ada", "POST /messages", { ...toBo, content: "Only for Bo" });
await fixture.post("ada", "Before");
await fixture.post("bo", "the old box was at http://192.168.1.256/ I think");
await fixture.post("bo", "Of a sender who cannot be drawn");
await fixture.post("ada", "After");
const elsewhere = { type: "channel", to: fixture.stream_id, topic: "of Ada alone" };
await testServer.request("ada", "POST /messages", { ...elsewhere, content: "Alone" });

const browserSession = await fixture.sessionOf("ada");
let broken: BrowserSession;

/** Opens a tab in which Bo's avatar URL is a number, which the server never sends. */
async function brokenTab(path: string): Promise<Page> {
  // The cache on disk is still empty.
  broken = await fixture.sessionOf("ada");
  const page = await broken.context.newPage();
  await page.route("**/json/register", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    for (const person of json.realm_users ?? json.raw_users) {
      if (person.user_id === testServer.idOf("bo")) person.avatar_url = 7;
    }
    await route.fulfill({ response, json });
  });
  await page.goto(path);
  return page;
}

test("shows the messages around one with an address that is no URL", async () => {
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForMessage(page, "Before");
  await waitForMessage(page, "the old box was at http://192.168.1.256/ I think");
  await waitForMessage(page, "After");
  expect(await page.locator(".feed .feed-note").count()).toBe(0);
  expect(browserSession.faults).toEqual([]);
});

test("shows the sender and the text of a message whose row cannot be drawn", async () => {
  const page = await brokenTab(fixture.topicUrl);
  await waitForMessage(page, "After");
  await waitForMessage(page, "Before");
  const row = page.locator("article", { hasText: "Of a sender who cannot be drawn" });
  await row.waitFor();
  expect(await page.locator(".feed .feed-note").count()).toBe(0);
  expect(broken.faults.join()).toContain("includes");
});

test("keeps the other rows of a list when one cannot be drawn", async () => {
  const page = await brokenTab("/#recent");
  await page.locator(".list-row", { hasText: "of Ada alone" }).waitFor();
  await page.locator(".list-row", { hasText: "Couldn’t display this." }).first().waitFor();
  expect(broken.faults.join()).toContain("includes");
});

test("addresses such as #narrow/constructor/x leave the tab usable", async () => {
  const other = await fixture.sessionOf("ada");
  const page = await other.tab(fixture.topicUrl);
  for (const name of ["constructor", "__proto__", "toString"]) {
    for (const path of [`narrow/${name}/x`, `narrow/is/${name}`, `narrow/topic/${name}`, name]) {
      await page.goto(`/#${path}`);
      await waitForConnection(page, "live");
      await page.goto(fixture.topicUrl);
      await waitForMessage(page, "After");
    }
  }
  // The server refuses an operator that it does not know.
  expect(other.faults.filter((fault) => !fault.includes("status of 400"))).toEqual([]);
});
