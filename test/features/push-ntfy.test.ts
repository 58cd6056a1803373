// Pushes to a topic of a person's own ntfy server, and what is taken away again when it is read.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { PUSHED_KEPT_MAX } from "../../src/features/push/queue/rules.ts";
import type { Name } from "../cast.ts";
import { Browser, openTownThatPushes, pushed, PushSite } from "../push/site.ts";
import type { Json, Town } from "../town.ts";

const LINE = "POST /users/me/push_subscriptions";
const NTFY = "POST /users/me/push_subscriptions/ntfy";

let town: Town;
let site: PushSite;
beforeEach(async () => {
  site = await PushSite.open();
  site.answers = () => 200;
  town = await openTownThatPushes();
});
afterEach(async () => {
  await town.close();
  site.close();
});

const tell = async (who: Name, to: Name, content: string) =>
  (await town.ask(who, "POST /messages", { type: "direct", to: [town.idOf(to)], content }))
    .id as number;
const say = async (content: string) =>
  (await town.ask("bo", "POST /messages", { type: "stream", to: "general", topic: "t", content }))
    .id as number;
const read = (who: Name, ...messages: number[]) =>
  town.ask(who, "POST /messages/flags", { messages, op: "add", flag: "read" });
const listed = async (): Promise<Json[]> =>
  (await town.ask("cy", "GET /users/me/push_subscriptions")).push_subscriptions;
const lines = () => site.arrived.map(({ method, path }) => `${method} ${path}`);

test("a message is published with title, words, address and tags", async () => {
  const topic_url = `${site.url}/cys-secret`;
  await town.ask("cy", NTFY, { topic_url, access_token: "tk_abc" });
  const direct = await tell("bo", "cy", "Hello, *you*");
  const mention = await say("@**Cy Member** come");
  await pushed(town);
  expect(lines()).toEqual(["POST /", "POST /"]);
  const [arrived] = site.arrived;
  expect(arrived!.headers["authorization"]).toBe("Bearer tk_abc");
  expect(arrived!.headers["content-type"]).toBe("application/json");
  expect(site.published).toEqual([
    {
      ...{ topic: "cys-secret", title: "Bo Member", message: "Hello, you", priority: 4 },
      ...{ tags: ["envelope"], sequence_id: `m${direct}` },
      click: expect.stringContaining(`/near/${direct}`),
    },
    {
      ...{ topic: "cys-secret", title: "#general > t", message: "Bo Member: @Cy Member come" },
      ...{ priority: 4, tags: ["bell"], sequence_id: `m${mention}` },
      click: expect.stringContaining(`${town.url}/#narrow/channel/`),
    },
  ]);
});

test("without a token none is shown, and a call to everyone is not loud", async () => {
  await town.ask("cy", NTFY, { topic_url: `${site.url}/open` });
  await say("@**all** hear");
  await pushed(town);
  expect(site.arrived[0]!.headers["authorization"]).toBeUndefined();
  expect(site.published).toMatchObject([{ priority: 3, tags: ["loudspeaker"] }]);
});

test("two people may listen to one topic", async () => {
  const topic_url = `${site.url}/family`;
  await town.ask("cy", NTFY, { topic_url });
  await town.ask("mo", NTFY, { topic_url });
  await say("@**all** dinner");
  await pushed(town);
  expect(site.published).toHaveLength(2);
});

test("where words may not leave the organization unsealed, none do", async () => {
  await town.ask("cy", NTFY, { topic_url: `${site.url}/open` });
  const browser = await Browser.open(site);
  await town.ask("cy", LINE, browser.subscription);
  await town.ask("ada", "PATCH /realm", { require_e2ee_push_notifications: true });
  await say("@**Cy Member** secret");
  await pushed(town);
  await town.ask("ada", "PATCH /realm", { require_e2ee_push_notifications: false });
  await town.ask("ada", "PATCH /realm", { message_content_allowed_in_email_notifications: false });
  await say("@**Cy Member** secret");
  await pushed(town);
  const toTopic = site.arrived.filter(({ path }) => path === "/").map(({ body }) => `${body}`);
  expect(toTopic).toHaveLength(2);
  for (const text of toTopic) {
    expect(text).not.toMatch(/secret|Bo Member|general|narrow/);
    expect(text).toContain("You have a new message.");
  }
  expect((await browser.opened()).map(({ body }) => body)).toEqual([
    "Bo Member: @Cy Member secret",
    "Bo Member: @Cy Member secret",
  ]);
});

test("what is read elsewhere, or deleted, is taken away", async () => {
  await town.ask("cy", NTFY, { topic_url: `${site.url}/mine`, access_token: "tk_abc" });
  const first = await tell("bo", "cy", "one");
  const second = await tell("bo", "cy", "two");
  const third = await tell("bo", "cy", "three");
  await pushed(town);
  site.arrived = [];
  await read("cy", first);
  await pushed(town);
  expect(lines()).toEqual([`PUT /mine/m${first}/clear`]);
  expect(site.arrived[0]!.headers["authorization"]).toBe("Bearer tk_abc");
  await town.ask("bo", `DELETE /messages/${second}`);
  await pushed(town);
  await town.ask("cy", "POST /mark_all_as_read");
  await pushed(town);
  await read("cy", first, third);
  await pushed(town);
  expect(lines().slice(1)).toEqual([`DELETE /mine/m${second}`, `PUT /mine/m${third}/clear`]);
});

test("a server that takes nothing away is asked once, and nothing is wrong with it", async () => {
  await town.ask("cy", NTFY, { topic_url: `${site.url}/mine` });
  site.answers = ({ method }) => (method === "PUT" ? 404 : 200);
  const ids = [await tell("bo", "cy", "one"), await tell("bo", "cy", "two")];
  await pushed(town);
  for (const id of ids) {
    await read("cy", id);
    await pushed(town);
  }
  const later = await tell("bo", "cy", "three");
  await pushed(town);
  await read("cy", later);
  await pushed(town);
  expect(lines().filter((line) => line.startsWith("PUT"))).toHaveLength(1);
  expect(await listed()).toMatchObject([{ with_removals: false, failure: null }]);
});

test("an app that asked for it is told what was read, all of it in one push", async () => {
  const [app, browser] = [await Browser.open(site), await Browser.open(site)];
  await town.ask("cy", LINE, { ...app.subscription, with_removals: true });
  await town.ask("cy", LINE, browser.subscription);
  const ids = [await tell("bo", "cy", "one"), await tell("bo", "cy", "two")];
  await pushed(town);
  site.arrived = [];
  await read("cy", ...ids);
  await pushed(town);
  expect(await app.opened()).toEqual([
    {
      ...{ type: "remove", realm_url: town.url, user_id: town.idOf("cy") },
      ...{ message_ids: ids, tags: ids.map((id) => `m${id}`) },
    },
  ]);
  expect(browser.arrived).toEqual([]);
});

test("who reads a message while it is under way gets it taken away again", async () => {
  await town.ask("cy", NTFY, { topic_url: `${site.url}/mine` });
  const { promise, resolve } = Promise.withResolvers<void>();
  site.answers = () => (resolve(), 200);
  site.pause();
  const id = await tell("bo", "cy", "one");
  const all = pushed(town);
  await promise;
  await read("cy", id);
  site.goOn();
  await all;
  expect(lines()).toEqual(["POST /", `PUT /mine/m${id}/clear`]);
});

test("of what can be taken away the newest is remembered", async () => {
  await town.ask("cy", NTFY, { topic_url: `${site.url}/mine` });
  for (let n = 0; n <= PUSHED_KEPT_MAX; n++) await tell("bo", "cy", `${n}`);
  await pushed(town);
  const kept = [...town.realm.read.pushed_messages.range()];
  expect(kept).toHaveLength(PUSHED_KEPT_MAX);
  expect(kept.some(({ message_id }) => message_id === 1)).toBe(false);
});
