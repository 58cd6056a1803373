// Tabs of one browser: what all of them hear of one poll, and what each does when things go wrong.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { endSessionsOf } from "../../src/features/sessions/actions.ts";
import { PASSWORD } from "../browser.ts";
import { emailOf } from "../cast.ts";
import { LAN_HOST, withWorkers } from "./browser-session.ts";
import { askedBy, registered, shows, stands, BrowserFixture, write } from "./browser-fixture.ts";

withWorkers();

let fixture: BrowserFixture;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
});
afterEach(() => fixture.close());

const isLive = (page: Page) => stands(page, "live");

test("who is not signed in comes back to the very view after signing in", async () => {
  const hash = await hashPassword(PASSWORD);
  const { testServer } = fixture;
  await testServer.realm.write((tx) => tx.passwords.put({ user_id: testServer.idOf("bo"), hash }));
  await fixture.post("ada", "a thread for the logo");
  const browserSession = await fixture.emptySession();
  const page = await browserSession.tab(fixture.place);
  await page.waitForURL(/\/login\//);
  await page.fill("input[name=username]", emailOf("bo"));
  await page.fill("input[name=password]", PASSWORD);
  await page.click("button[type=submit]");
  await shows(page, "a thread for the logo");
  expect(page.url()).toBe(testServer.url + fixture.place);
});

test("twelve tabs share one poll, and when the leading one dies the next takes over", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const asked = askedBy(browserSession);
  const pages: Page[] = [await browserSession.tab(fixture.place)];
  await isLive(pages[0]!);
  for (let count = 1; count < 12; count += 1) pages.push(await browserSession.tab(fixture.place));
  await Promise.all(pages.map((page) => page.locator("main").waitFor()));
  await fixture.post("ada", "one for all");
  await Promise.all(pages.map((page) => shows(page, "one for all")));
  expect(registered(asked)).toBe(1);
  expect(fixture.testServer.realm.hub.of(fixture.testServer.idOf("bo"))).toHaveLength(1);

  await pages.shift()!.close();
  await fixture.post("ada", "after the leader");
  await Promise.all(pages.map((page) => shows(page, "after the leader")));
  expect(registered(asked)).toBe(1);
});

test("what a leading tab kept and did not tell, the next one tells to all", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const leader = await browserSession.tab(fixture.place);
  await stands(leader, "live");
  const others = [await browserSession.tab(fixture.place), await browserSession.tab(fixture.place)];
  for (const page of others) {
    await stands(page, "live");
    // Nothing else brings it.
    await page.route("**/json/events?**", () => undefined);
  }
  await leader.evaluate(() => {
    BroadcastChannel.prototype.postMessage = () => undefined;
  });
  await fixture.post("ada", "kept, and told to nobody");
  await shows(leader, "kept, and told to nobody");
  await leader.close();
  for (const page of others) await shows(page, "kept, and told to nobody");
});

test("a server that was killed and comes back is polled on: no register, no gap", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const asked = askedBy(browserSession);
  const pages = [
    await browserSession.tab(fixture.place),
    await browserSession.tab(fixture.place),
    await browserSession.tab(fixture.place),
  ];
  await Promise.all(pages.map(isLive));
  await fixture.post("ada", "before");
  await Promise.all(pages.map((page) => shows(page, "before")));
  await fixture.testServer.restart();
  await fixture.post("ada", "after");
  await Promise.all(pages.map((page) => shows(page, "after")));
  expect(registered(asked)).toBe(1);
});

test("a tab that is opened again starts from the disk, and no queue is made for it", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const asked = askedBy(browserSession);
  const first = await browserSession.tab(fixture.place);
  await isLive(first);
  await fixture.post("ada", "seen");
  await shows(first, "seen");
  await first.close();
  await fixture.post("ada", "while nobody looked");
  const second = await browserSession.tab(fixture.place);
  await isLive(second);
  await fixture.post("ada", "now");
  await shows(second, "now");
  expect(registered(asked)).toBe(1);
});

test("a queue that is lost is registered anew, once for all tabs", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const asked = askedBy(browserSession);
  const pages = [await browserSession.tab(fixture.place), await browserSession.tab(fixture.place)];
  await Promise.all(pages.map(isLive));
  const { testServer } = fixture;
  const { hub } = testServer.realm;
  for (const { record } of hub.of(testServer.idOf("bo"))) hub.close(record.queue_id);
  while (hub.of(testServer.idOf("bo")).length === 0) await Bun.sleep(20);
  await fixture.post("ada", "on the new queue");
  await Promise.all(pages.map((page) => shows(page, "on the new queue")));
  expect(registered(asked)).toBe(2);
});

test("without https there are no locks, and a worker polls for all tabs", async () => {
  const browserSession = await fixture.sessionOf("bo", LAN_HOST);
  const asked = askedBy(browserSession);
  const pages = [await browserSession.tab(fixture.place), await browserSession.tab(fixture.place)];
  expect(await pages[0]!.evaluate(() => [isSecureContext, "locks" in navigator])).toEqual([
    false,
    false,
  ]);
  await Promise.all(pages.map(isLive));
  await fixture.post("ada", "over plain http");
  await Promise.all(pages.map((page) => shows(page, "over plain http")));
  await pages.shift()!.close();
  await write(pages[0]!, "and back");
  await shows(pages[0]!, "and back");
  expect(asked).not.toContain("GET /json/events");
  expect(fixture.testServer.realm.hub.of(fixture.testServer.idOf("bo"))).toHaveLength(1);
});

test("with neither locks nor shared workers one tab leads by a lease", async () => {
  const browserSession = await fixture.sessionOf("bo", LAN_HOST);
  await browserSession.context.addInitScript(() =>
    Reflect.deleteProperty(globalThis, "SharedWorker"),
  );
  const asked = askedBy(browserSession);
  const pages = [await browserSession.tab(fixture.place), await browserSession.tab(fixture.place)];
  await Promise.all(pages.map(isLive));
  await pages.shift()!.close();
  await fixture.post("ada", "to the next one");
  await shows(pages[0]!, "to the next one");
  expect(registered(asked)).toBe(1);
});

test("a session that ends leads to the sign-in page and purges the disk", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.place);
  await isLive(page);
  const { testServer } = fixture;
  const cache = `skein-${testServer.idOf("bo")}`;
  const names = (on: Page) =>
    on.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  expect(await names(page)).toContain(cache);
  await testServer.realm.write((tx) => endSessionsOf(tx, testServer.idOf("bo")));
  await page.waitForURL(/\/login\/\?next=/);
  await page.waitForFunction(async () => (await indexedDB.databases()).length === 0);
});

test("where the disk is denied the tabs hand the state to each other", async () => {
  const browserSession = await fixture.sessionOf("bo");
  await browserSession.context.addInitScript(() => {
    const deny = () => {
      throw new DOMException("denied", "SecurityError");
    };
    Object.defineProperty(globalThis, "indexedDB", {
      get: () => ({ open: deny, deleteDatabase: deny }),
    });
  });
  const asked = askedBy(browserSession);
  const pages = [await browserSession.tab(fixture.place), await browserSession.tab(fixture.place)];
  await Promise.all(pages.map(isLive));
  await write(pages[1]!, "kept nowhere");
  await Promise.all(pages.map((page) => shows(page, "kept nowhere")));
  expect(registered(asked)).toBe(1);
});
