// Cached views are shown at once and offline, and deleted when permission is lost.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../wait-until.ts";
import { type BrowserSession, withWorkers } from "./browser-session.ts";
import { waitForMessage, waitForConnection, BrowserFixture } from "./browser-fixture.ts";

withWorkers();

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await BrowserFixture.open();
});
afterEach(async () => {
  for (const browserSession of fixture.testServer.browserSessions.splice(0))
    await browserSession.close();
});
afterAll(() => fixture.close());

/** Returns the message data on the disk as text, by view. */
const onDisk = (page: Page): Promise<string[]> =>
  page.evaluate(
    (name) =>
      new Promise<string[]>((resolve) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => {
          const all = opening.result.transaction("windows").objectStore("windows").getAll();
          all.onsuccess = () => resolve(all.result.map((view) => JSON.stringify(view)));
        };
      }),
    `skein-${fixture.testServer.idOf("bo")}`,
  );

/** `view`: a part of its key; the inbox stores the last message of each conversation, too. */
async function untilCached(page: Page, text: string, view = ""): Promise<void> {
  const isIt = (row: string) => row.includes(text) && row.includes(view);
  await until(async () => (await onDisk(page)).some(isIt));
}
/** A part of the key of a topic's view, in a row that is JSON itself. */
const keyOf = (topic: string) => JSON.stringify(JSON.stringify(["topic", topic])).slice(1, -1);
async function untilNotCached(page: Page, text: string): Promise<void> {
  await until(async () => !(await onDisk(page)).some((row) => row.includes(text)));
}

const post = (stream_id: number, topic: string, content: string) =>
  fixture.testServer.request("ada", "POST /messages", {
    type: "channel",
    to: stream_id,
    topic,
    content,
  });
const placeIn = (stream_id: number, topic: string) =>
  `/#narrow/channel/${stream_id}-x/topic/${topic}`;

/** Opens a tab of Bo's and waits for the service worker, which starts pages without a network. */
async function openTabOfBo(path: string): Promise<{ browserSession: BrowserSession; page: Page }> {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(path);
  await waitForConnection(page, "live");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  return { browserSession, page };
}

function loseQueues(): void {
  const { hub } = fixture.testServer.realm;
  for (const { record } of hub.of(fixture.testServer.idOf("bo"))) hub.close(record.queue_id);
}

test("shows the last view, read messages and the inbox without a server", async () => {
  const { stream_id } = fixture;
  await post(stream_id, "read", "what was read yesterday");
  await post(stream_id, "new", "what is unread");
  const { browserSession, page } = await openTabOfBo("/#inbox");
  await page.getByText("what is unread").first().waitFor();
  await untilCached(page, "what is unread");
  await page.goto(`${browserSession.url}${placeIn(stream_id, "read")}`);
  await waitForMessage(page, "what was read yesterday");
  await untilCached(page, "what was read yesterday", keyOf("read"));
  await page.goto(`${browserSession.url}${fixture.topicUrl}`);
  for (let offset = 0; offset < 30; offset += 1) await fixture.post("ada", `left at ${offset}`);
  await waitForMessage(page, "left at 29");
  await untilCached(page, "left at 29", keyOf("logo"));
  await browserSession.context.setOffline(true);
  await page.reload();
  await waitForMessage(page, "left at 29");
  expect(await page.locator("[role=alert]").count()).toBe(0);
  await page
    .locator(".status-banner")
    .getByText(/^Offline, last updated .*\d\d/)
    .waitFor();
  const note = page.getByText("These messages are not saved on this device.");
  await page.goto(`${browserSession.url}${placeIn(stream_id, "never opened")}`);
  await note.waitFor();
  // Another view in this tab and new tabs start offline as well.
  await page.goto(`${browserSession.url}${placeIn(stream_id, "read")}`);
  await waitForMessage(page, "what was read yesterday");
  await note.waitFor({ state: "hidden" });
  for (let tab = 0; tab < 2; tab += 1) {
    const other = await browserSession.tab("/#inbox");
    await other.getByText("what is unread").first().waitFor();
    await other.close();
  }
  await browserSession.context.setOffline(false);
  // The test browser dispatches no `online` event.
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await waitForConnection(page, "live");
  await post(stream_id, "read", "and today");
  await waitForMessage(page, "and today");
});

test("joins cached messages with new ones without moving a pixel", async () => {
  const { stream_id, testServer } = fixture;
  const ids: number[] = [];
  for (let offset = 0; offset < 60; offset += 1)
    ids.push((await post(stream_id, "long", `line ${offset}`)).id);
  const { browserSession, page } = await openTabOfBo(placeIn(stream_id, "long"));
  await waitForMessage(page, "line 20");
  await page.locator(`#m${ids[30]}`).scrollIntoViewIfNeeded();
  await untilCached(page, "line 30");
  await page.waitForFunction(() => history.state?.left !== undefined);
  await page.close();
  // Simulates a night: the event queue expires, and other users change messages.
  loseQueues();
  await testServer.request("ada", `PATCH /messages/${ids[28]}`, { content: "line 28, mended" });
  await testServer.request("ada", `DELETE /messages/${ids[29]}`);
  await post(stream_id, "long", "line 60");
  let release = () => {};
  const responseHeld = new Promise<void>((resolve) => (release = resolve));
  await browserSession.context.route("**/json/**", async (route) => {
    await responseHeld;
    await route.continue();
  });
  const repeated = await browserSession.tab(placeIn(stream_id, "long"));
  await waitForMessage(repeated, "line 30");
  const row = await repeated.waitForFunction(() => {
    const edge = document.querySelector(".feed")!.getBoundingClientRect();
    const rows = [...document.querySelectorAll(".msg")];
    const first = rows.find((row) => row.getBoundingClientRect().top >= edge.top);
    const top = first?.getBoundingClientRect().top;
    // The first frames may still restore the position.
    const recorder = globalThis as { lastTop?: number | undefined; still?: number };
    recorder.still = top === recorder.lastTop ? (recorder.still ?? 0) + 1 : 0;
    recorder.lastTop = top;
    return first && recorder.still >= 10 && { id: first.id, top: recorder.lastTop! };
  });
  const before = (await row.jsonValue()) as { id: string; top: number };
  expect(await repeated.getByText("line 29").count()).toBe(1);
  release();
  await waitForMessage(repeated, "line 28, mended");
  await repeated.getByText("line 29").waitFor({ state: "detached" });
  const top = (id: string) =>
    repeated.evaluate((item) => document.getElementById(item)!.getBoundingClientRect().top, id);
  expect(Math.abs((await top(before.id)) - before.top)).toBeLessThanOrEqual(1);
  await waitForConnection(repeated, "live");
  await untilCached(repeated, "line 28, mended");
  await untilNotCached(repeated, "line 29");
});

test("stores nothing of a private channel after removal from it", async () => {
  const { testServer } = fixture;
  const subscriptions = [{ name: "secret" }];
  const principals = [testServer.idOf("ada"), testServer.idOf("bo")];
  const params = { subscriptions, principals, invite_only: true };
  await testServer.request("ada", "POST /users/me/subscriptions", params);
  const { stream_id } = await testServer.request("ada", "GET /get_stream_id", { stream: "secret" });
  await post(stream_id, "plans", "the plan is secret");
  const { browserSession, page } = await openTabOfBo(placeIn(stream_id, "plans"));
  await waitForMessage(page, "the plan is secret");
  await untilCached(page, "the plan is secret");
  const all = { anchor: "newest", num_before: 5000, num_after: 0, narrow: [] };
  await testServer.request("bo", "POST /messages/flags/narrow", {
    ...all,
    op: "add",
    flag: "read",
  });
  await page.goto(`${browserSession.url}/#feed`);
  await waitForMessage(page, "the plan is secret");
  const removal = { subscriptions: ["secret"], principals: [testServer.idOf("bo")] };
  await testServer.request("ada", "DELETE /users/me/subscriptions", removal);
  await untilNotCached(page, "the plan is secret");
  // Rendering the view does not store the removed message again.
  await fixture.post("ada", "something else");
  await waitForMessage(page, "something else");
  await untilCached(page, "something else");
  expect((await onDisk(page)).join()).not.toContain("the plan is secret");
});

test("removes what was deleted offline, after reconnecting", async () => {
  const { testServer } = fixture;
  const subscriptions = [{ name: "closed" }];
  const principals = [testServer.idOf("ada"), testServer.idOf("bo")];
  const params = { subscriptions, principals, invite_only: true };
  await testServer.request("ada", "POST /users/me/subscriptions", params);
  const { stream_id } = await testServer.request("ada", "GET /get_stream_id", { stream: "closed" });
  await post(stream_id, "plans", "behind closed doors");
  const { browserSession, page } = await openTabOfBo(placeIn(stream_id, "plans"));
  await untilCached(page, "behind closed doors");
  await page.close();
  loseQueues();
  const removal = { subscriptions: ["closed"], principals: [testServer.idOf("bo")] };
  await testServer.request("ada", "DELETE /users/me/subscriptions", removal);
  const repeated = await browserSession.tab("/#inbox");
  await waitForConnection(repeated, "live");
  await untilNotCached(repeated, "behind closed doors");
});

test("adds new messages below the last read one, and nothing moves", async () => {
  const { stream_id } = fixture;
  for (let offset = 0; offset < 30; offset += 1) await post(stream_id, "below", `known ${offset}`);
  const { browserSession, page } = await openTabOfBo(placeIn(stream_id, "below"));
  const path = placeIn(stream_id, "below");
  await page.locator("article").filter({ hasText: "known 29" }).focus();
  await page.keyboard.press("End");
  await untilCached(page, "known 29");
  const waitForUnreadInTitle = (count: number) =>
    page.waitForFunction((expected) => document.title.startsWith(expected), `(${count})`);
  const all = { anchor: "newest", num_before: 5000, num_after: 0, narrow: [] };
  await fixture.testServer.request("bo", "POST /messages/flags/narrow", {
    ...all,
    op: "add",
    flag: "read",
  });
  await page.goto(`${browserSession.url}/#inbox`);
  await page.reload();
  await waitForConnection(page, "live");
  for (let offset = 0; offset < 20; offset += 1) await post(stream_id, "below", `fresh ${offset}`);
  await waitForUnreadInTitle(20);
  const response = Promise.withResolvers<void>();
  await browserSession.context.route("**/json/messages?**", async (route) => {
    await response.promise;
    await route.continue();
  });
  await page.goto(`${browserSession.url}${path}`);
  await waitForMessage(page, "known 29");
  const topOf = (text: string) =>
    page.evaluate((expected) => {
      const rows = [...document.querySelectorAll(".msg")];
      const row = rows.find(({ textContent }) => textContent!.includes(expected))!;
      return row.getBoundingClientRect().top;
    }, text);
  const before = await topOf("known 29");
  response.resolve();
  await waitForMessage(page, "fresh 0");
  expect(Math.abs((await topOf("known 29")) - before)).toBeLessThanOrEqual(1);
  const edge = (await page.locator(".feed").boundingBox())!;
  expect(await topOf("fresh 0")).toBeLessThan(edge.y + edge.height);
});

test("a first start loads messages beside the state, and misses none", async () => {
  await fixture.post("ada", "before all");
  const browserSession = await fixture.sessionOf("bo");
  const early = Promise.withResolvers<void>();
  await browserSession.context.route("**/json/messages?**", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response });
    early.resolve();
  });
  await browserSession.context.route("**/json/register", async (route) => {
    await early.promise;
    await fixture.post("ada", "in between");
    await route.continue();
  });
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForMessage(page, "in between");
  await waitForMessage(page, "before all");
});

test("shows a sent message to a user who was far above", async () => {
  const { stream_id } = fixture;
  for (let offset = 0; offset < 70; offset += 1) await post(stream_id, "high", `row ${offset}`);
  const { page } = await openTabOfBo(placeIn(stream_id, "high"));
  await waitForMessage(page, "row 3");
  await page.waitForFunction(() => document.querySelectorAll(".msg").length >= 40);
  await page.locator("form textarea:enabled").fill("from far above");
  await page.locator("form textarea:enabled").press("Control+Enter");
  await page.locator("article:not([data-state])").filter({ hasText: "from far above" }).waitFor();
});
