// Messages of the notification bot about changed channel settings.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let stream_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  const subscribers = [testServer.idOf("bo"), testServer.idOf("olga")];
  const params = { name: "rules", subscribers, can_send_message_group: group("role:everyone") };
  stream_id = (await testServer.request("olga", "POST /channels/create", params)).id;
  await testServer.request("olga", "PATCH /realm", { send_channel_events_messages: true });
});
afterEach(() => testServer.close());

const group = (name: string) => testServer.realm.read.groups.findBy("name", name)!.id;

/** Returns the bot's notices after the owner changes the channel. */
async function messagesOf(change: Params): Promise<string[]> {
  const bo = await testServer.listen("bo", { event_types: ["message"] });
  await testServer.request("olga", `PATCH /streams/${stream_id}`, change);
  const lines = (await bo.takeAll()).map(({ message }) => message);
  for (const { subject, sender_full_name } of lines) {
    expect([subject, sender_full_name]).toEqual(["channel events", "Notification Bot"]);
  }
  return lines.map(({ content }) => content);
}

const anonymousGroup = (...names: ("bo" | "cy")[]) => ({
  direct_members: names.map((name) => testServer.idOf(name)),
  direct_subgroups: names.length > 1 ? [group("role:moderators")] : [],
});

const CASES: [string, () => Params, RegExp][] = [
  [
    "days",
    () => ({ message_retention_days: 30 }),
    /from \*as in the organization\* to \*30 days\*/,
  ],
  ["one day", () => ({ message_retention_days: 1 }), /to \*1 day\*/],
  ["for ever", () => ({ message_retention_days: "unlimited" }), /to \*forever\*/],
  ["topics", () => ({ topics_policy: "disable_empty_topic" }), /to \*with a name\*/],
  [
    "a role",
    () => ({ can_send_message_group: { new: group("role:members") } }),
    /including guests\* to \*Members of this organization/,
  ],
  [
    "one person",
    () => ({ can_send_message_group: { new: anonymousGroup("bo") } }),
    /to \*1 person\*/,
  ],
  [
    "people and a group",
    () => ({ can_send_message_group: { new: anonymousGroup("bo", "cy") } }),
    /to \*Moderators of this organization, .*, 2 users\*/,
  ],
];

test.each(CASES)("the bot announces changed permissions: %s", async (_title, change, words) => {
  const [text, ...more] = await messagesOf(change());
  expect(text).toMatch(words);
  expect(text).toStartWith(`@_**Olga Owner|${testServer.idOf("olga")}**`);
  expect(more).toEqual([]);
});

test("notices contain the old and the new value", async () => {
  await messagesOf({ message_retention_days: 30 });
  const [text] = await messagesOf({ message_retention_days: 1 });
  expect(text).toMatch(/from \*30 days\* to \*1 day\*/);
});

test("posts no notice about unchanged values and other settings", async () => {
  await messagesOf({ message_retention_days: "unlimited" });
  expect(await messagesOf({ message_retention_days: "unlimited" })).toEqual([]);
  expect(await messagesOf({ can_resolve_topics_group: { new: group("role:members") } })).toEqual(
    [],
  );
});

test("posts no notices if the organization disabled them", async () => {
  await testServer.request("olga", "PATCH /realm", { send_channel_events_messages: false });
  expect(await messagesOf({ message_retention_days: 7, topics_policy: "inherit" })).toEqual([]);
  expect(await messagesOf({ can_send_message_group: { new: group("role:everyone") } })).toEqual([]);
});
