// Tabs of one browser share one poll, and recover from errors.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { endSessionsOf } from "../../src/features/sessions/actions.ts";
import { PASSWORD } from "../browser.ts";
import { emailOf } from "../users.ts";
import { LAN_HOST } from "./browser-session.ts";
import {
  recordRequests,
  countRegistrations,
  waitForMessage,
  waitForConnection,
  BrowserFixture,
  write,
} from "./browser-fixture.ts";

let fixture: BrowserFixture;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
});
afterEach(() => fixture.close());

const isLive = (page: Page) => waitForConnection(page, "live");

test("returns to the same view after signing in", async () => {
  const hash = await hashPassword(PASSWORD);
  const { testServer } = fixture;
  await testServer.realm.write((tx) => tx.passwords.put({ user_id: testServer.idOf("bo"), hash }));
  await fixture.post("ada", "a thread for the logo");
  const browserSession = await fixture.emptySession();
  const page = await browserSession.tab(fixture.topicUrl);
  await page.waitForURL(/\/login\//);
  await page.fill("input[name=username]", emailOf("bo"));
  await page.fill("input[name=password]", PASSWORD);
  await page.click("button[type=submit]");
  await waitForMessage(page, "a thread for the logo");
  expect(page.url()).toBe(testServer.url + fixture.topicUrl);
});

/** More than the connections that a browser opens to one server. */
const TABS = 8;

test("many tabs share one poll, and another takes over the lead", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const requests = recordRequests(browserSession);
  const pages: Page[] = [await browserSession.tab(fixture.topicUrl)];
  await isLive(pages[0]!);
  for (let count = 1; count < TABS; count += 1)
    pages.push(await browserSession.tab(fixture.topicUrl));
  await Promise.all(pages.map((page) => page.locator("main").waitFor()));
  await fixture.post("ada", "one for all");
  await Promise.all(pages.map((page) => waitForMessage(page, "one for all")));
  expect(countRegistrations(requests)).toBe(1);
  expect(fixture.testServer.realm.hub.of(fixture.testServer.idOf("bo"))).toHaveLength(1);

  await pages.shift()!.close();
  await fixture.post("ada", "after the leader");
  await Promise.all(pages.map((page) => waitForMessage(page, "after the leader")));
  expect(countRegistrations(requests)).toBe(1);
});

test("a new leading tab sends what the previous one stored", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const leader = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(leader, "live");
  const others = [
    await browserSession.tab(fixture.topicUrl),
    await browserSession.tab(fixture.topicUrl),
  ];
  for (const page of others) {
    await waitForConnection(page, "live");
    // Only this request returns it.
    await page.route("**/json/events?**", () => undefined);
  }
  await leader.evaluate(() => {
    BroadcastChannel.prototype.postMessage = () => undefined;
  });
  await fixture.post("ada", "kept, and told to nobody");
  await waitForMessage(leader, "kept, and told to nobody");
  await leader.close();
  for (const page of others) await waitForMessage(page, "kept, and told to nobody");
});

test("continues polling a restarted server without register or gap", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const requests = recordRequests(browserSession);
  const pages = [
    await browserSession.tab(fixture.topicUrl),
    await browserSession.tab(fixture.topicUrl),
    await browserSession.tab(fixture.topicUrl),
  ];
  await Promise.all(pages.map(isLive));
  await fixture.post("ada", "before");
  await Promise.all(pages.map((page) => waitForMessage(page, "before")));
  await fixture.testServer.restart();
  await fixture.post("ada", "after");
  await Promise.all(pages.map((page) => waitForMessage(page, "after")));
  expect(countRegistrations(requests)).toBe(1);
});

test("a reopened tab starts from the disk without a new queue", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const requests = recordRequests(browserSession);
  const first = await browserSession.tab(fixture.topicUrl);
  await isLive(first);
  await fixture.post("ada", "seen");
  await waitForMessage(first, "seen");
  await first.close();
  await fixture.post("ada", "while nobody looked");
  const second = await browserSession.tab(fixture.topicUrl);
  await isLive(second);
  await fixture.post("ada", "now");
  await waitForMessage(second, "now");
  expect(countRegistrations(requests)).toBe(1);
});

test("registers a lost queue anew, once for all tabs", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const requests = recordRequests(browserSession);
  const pages = [
    await browserSession.tab(fixture.topicUrl),
    await browserSession.tab(fixture.topicUrl),
  ];
  await Promise.all(pages.map(isLive));
  const { testServer } = fixture;
  const { hub } = testServer.realm;
  for (const { record } of hub.of(testServer.idOf("bo"))) hub.close(record.queue_id);
  while (hub.of(testServer.idOf("bo")).length === 0) await Bun.sleep(20);
  await fixture.post("ada", "on the new queue");
  await Promise.all(pages.map((page) => waitForMessage(page, "on the new queue")));
  expect(countRegistrations(requests)).toBe(2);
});

test("a worker polls for all tabs without HTTPS and locks", async () => {
  const browserSession = await fixture.sessionOf("bo", LAN_HOST);
  const requests = recordRequests(browserSession);
  const pages = [
    await browserSession.tab(fixture.topicUrl),
    await browserSession.tab(fixture.topicUrl),
  ];
  expect(await pages[0]!.evaluate(() => [isSecureContext, "locks" in navigator])).toEqual([
    false,
    false,
  ]);
  await Promise.all(pages.map(isLive));
  await fixture.post("ada", "over plain http");
  await Promise.all(pages.map((page) => waitForMessage(page, "over plain http")));
  await pages.shift()!.close();
  await write(pages[0]!, "and back");
  await waitForMessage(pages[0]!, "and back");
  expect(requests).not.toContain("GET /json/events");
  expect(fixture.testServer.realm.hub.of(fixture.testServer.idOf("bo"))).toHaveLength(1);
});

test("one tab leads by a lease without locks and shared workers", async () => {
  const browserSession = await fixture.sessionOf("bo", LAN_HOST);
  await browserSession.context.addInitScript(() =>
    Reflect.deleteProperty(globalThis, "SharedWorker"),
  );
  const requests = recordRequests(browserSession);
  const pages = [
    await browserSession.tab(fixture.topicUrl),
    await browserSession.tab(fixture.topicUrl),
  ];
  await Promise.all(pages.map(isLive));
  await pages.shift()!.close();
  await fixture.post("ada", "to the next one");
  await waitForMessage(pages[0]!, "to the next one");
  expect(countRegistrations(requests)).toBe(1);
});

test("an expired session leads to the sign-in and purges the disk", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await isLive(page);
  const { testServer } = fixture;
  const cache = `skein-${testServer.idOf("bo")}`;
  const names = (tab: Page) =>
    tab.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  expect(await names(page)).toContain(cache);
  await testServer.realm.write((tx) => endSessionsOf(tx, testServer.idOf("bo")));
  await page.waitForURL(/\/login\/\?next=/);
  await page.waitForFunction(async () => (await indexedDB.databases()).length === 0);
});

test("tabs pass the state to each other without storage", async () => {
  const browserSession = await fixture.sessionOf("bo");
  await browserSession.context.addInitScript(() => {
    const deny = () => {
      throw new DOMException("denied", "SecurityError");
    };
    Object.defineProperty(globalThis, "indexedDB", {
      get: () => ({ open: deny, deleteDatabase: deny }),
    });
  });
  const requests = recordRequests(browserSession);
  const pages = [
    await browserSession.tab(fixture.topicUrl),
    await browserSession.tab(fixture.topicUrl),
  ];
  await Promise.all(pages.map(isLive));
  await write(pages[1]!, "kept nowhere");
  await Promise.all(pages.map((page) => waitForMessage(page, "kept nowhere")));
  expect(countRegistrations(requests)).toBe(1);
});
