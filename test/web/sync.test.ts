// Tabs of one browser: what all of them hear of one poll, and what each does when things go wrong.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { endSessionsOf } from "../../src/features/sessions/actions.ts";
import { PASSWORD } from "../browser.ts";
import { emailOf } from "../cast.ts";
import { LAN_HOST, withWorkers } from "./browser.ts";
import { askedBy, registered, shows, stands, Street, write } from "./street.ts";

withWorkers();

let street: Street;
beforeEach(async () => {
  street = await Street.open();
});
afterEach(() => street.close());

const isLive = (page: Page) => stands(page, "live");

test("who is not signed in comes back to the very view after signing in", async () => {
  const hash = await hashPassword(PASSWORD);
  const { town } = street;
  await town.realm.write((tx) => tx.passwords.put({ user_id: town.idOf("bo"), hash }));
  await street.post("ada", "a thread for the logo");
  const seat = await street.emptySeat();
  const page = await seat.tab(street.place);
  await page.waitForURL(/\/login\//);
  await page.fill("input[name=username]", emailOf("bo"));
  await page.fill("input[name=password]", PASSWORD);
  await page.click("button[type=submit]");
  await shows(page, "a thread for the logo");
  expect(page.url()).toBe(town.url + street.place);
});

test("twelve tabs share one poll, and when the leading one dies the next takes over", async () => {
  const seat = await street.seatOf("bo");
  const asked = askedBy(seat);
  const pages: Page[] = [await seat.tab(street.place)];
  await isLive(pages[0]!);
  for (let count = 1; count < 12; count += 1) pages.push(await seat.tab(street.place));
  await Promise.all(pages.map((page) => page.locator("main").waitFor()));
  await street.post("ada", "one for all");
  await Promise.all(pages.map((page) => shows(page, "one for all")));
  expect(registered(asked)).toBe(1);
  expect(street.town.realm.hub.of(street.town.idOf("bo"))).toHaveLength(1);

  await pages.shift()!.close();
  await street.post("ada", "after the leader");
  await Promise.all(pages.map((page) => shows(page, "after the leader")));
  expect(registered(asked)).toBe(1);
});

test("what a leading tab kept and did not tell, the next one tells to all", async () => {
  const seat = await street.seatOf("bo");
  const leader = await seat.tab(street.place);
  await stands(leader, "live");
  const others = [await seat.tab(street.place), await seat.tab(street.place)];
  for (const page of others) {
    await stands(page, "live");
    // Nothing else brings it.
    await page.route("**/json/events?**", () => undefined);
  }
  await leader.evaluate(() => {
    BroadcastChannel.prototype.postMessage = () => undefined;
  });
  await street.post("ada", "kept, and told to nobody");
  await shows(leader, "kept, and told to nobody");
  await leader.close();
  for (const page of others) await shows(page, "kept, and told to nobody");
});

test("a server that was killed and comes back is polled on: no register, no gap", async () => {
  const seat = await street.seatOf("bo");
  const asked = askedBy(seat);
  const pages = [
    await seat.tab(street.place),
    await seat.tab(street.place),
    await seat.tab(street.place),
  ];
  await Promise.all(pages.map(isLive));
  await street.post("ada", "before");
  await Promise.all(pages.map((page) => shows(page, "before")));
  await street.town.restart();
  await street.post("ada", "after");
  await Promise.all(pages.map((page) => shows(page, "after")));
  expect(registered(asked)).toBe(1);
});

test("a tab that is opened again starts from the disk, and no queue is made for it", async () => {
  const seat = await street.seatOf("bo");
  const asked = askedBy(seat);
  const first = await seat.tab(street.place);
  await isLive(first);
  await street.post("ada", "seen");
  await shows(first, "seen");
  await first.close();
  await street.post("ada", "while nobody looked");
  const second = await seat.tab(street.place);
  await isLive(second);
  await street.post("ada", "now");
  await shows(second, "now");
  expect(registered(asked)).toBe(1);
});

test("a queue that is lost is registered anew, once for all tabs", async () => {
  const seat = await street.seatOf("bo");
  const asked = askedBy(seat);
  const pages = [await seat.tab(street.place), await seat.tab(street.place)];
  await Promise.all(pages.map(isLive));
  const { town } = street;
  const { hub } = town.realm;
  for (const { record } of hub.of(town.idOf("bo"))) hub.close(record.queue_id);
  while (hub.of(town.idOf("bo")).length === 0) await Bun.sleep(20);
  await street.post("ada", "on the new queue");
  await Promise.all(pages.map((page) => shows(page, "on the new queue")));
  expect(registered(asked)).toBe(2);
});

test("without https there are no locks, and a worker polls for all tabs", async () => {
  const seat = await street.seatOf("bo", LAN_HOST);
  const asked = askedBy(seat);
  const pages = [await seat.tab(street.place), await seat.tab(street.place)];
  expect(await pages[0]!.evaluate(() => [isSecureContext, "locks" in navigator])).toEqual([
    false,
    false,
  ]);
  await Promise.all(pages.map(isLive));
  await street.post("ada", "over plain http");
  await Promise.all(pages.map((page) => shows(page, "over plain http")));
  await pages.shift()!.close();
  await write(pages[0]!, "and back");
  await shows(pages[0]!, "and back");
  expect(asked).not.toContain("GET /json/events");
  expect(street.town.realm.hub.of(street.town.idOf("bo"))).toHaveLength(1);
});

test("with neither locks nor shared workers one tab leads by a lease", async () => {
  const seat = await street.seatOf("bo", LAN_HOST);
  await seat.context.addInitScript(() => Reflect.deleteProperty(globalThis, "SharedWorker"));
  const asked = askedBy(seat);
  const pages = [await seat.tab(street.place), await seat.tab(street.place)];
  await Promise.all(pages.map(isLive));
  await pages.shift()!.close();
  await street.post("ada", "to the next one");
  await shows(pages[0]!, "to the next one");
  expect(registered(asked)).toBe(1);
});

test("a session that ends leads to the sign-in page and purges the disk", async () => {
  const seat = await street.seatOf("bo");
  const page = await seat.tab(street.place);
  await isLive(page);
  const { town } = street;
  const cache = `skein-${town.idOf("bo")}`;
  const names = (on: Page) =>
    on.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  expect(await names(page)).toContain(cache);
  await town.realm.write((tx) => endSessionsOf(tx, town.idOf("bo")));
  await page.waitForURL(/\/login\/\?next=/);
  expect(await names(page)).toEqual([`skein-kept-${town.idOf("bo")}`]);
});

test("where the disk is denied the tabs hand the state to each other", async () => {
  const seat = await street.seatOf("bo");
  await seat.context.addInitScript(() => {
    const deny = () => {
      throw new DOMException("denied", "SecurityError");
    };
    Object.defineProperty(globalThis, "indexedDB", {
      get: () => ({ open: deny, deleteDatabase: deny }),
    });
  });
  const asked = askedBy(seat);
  const pages = [await seat.tab(street.place), await seat.tab(street.place)];
  await Promise.all(pages.map(isLive));
  await write(pages[1]!, "kept nowhere");
  await Promise.all(pages.map((page) => shows(page, "kept nowhere")));
  expect(registered(asked)).toBe(1);
});
