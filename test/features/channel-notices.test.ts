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

const idOf = (name: string) => testServer.idOf(name as "bo" | "cy");
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

test("names of channels and groups with markup mention no one", async () => {
  const name = "x** @**all";
  const general = testServer.realm.read.channels.findBy("name", "general")!.stream_id;
  const announcing = { new_stream_announcements_stream_id: general };
  await testServer.request("olga", "PATCH /realm", announcing);
  const cy = await testServer.listen("cy", { event_types: ["message"], apply_markdown: true });
  const created = { name, subscribers: ["bo", "cy"].map(idOf), announce: true };
  const { id } = await testServer.request("bo", "POST /channels/create", created);
  const path = `PATCH /streams/${id}`;
  await testServer.request("bo", path, { new_name: `y${name}` });
  const grouped = { name: "g* @**all** *", description: "", members: [idOf("cy")] };
  const { group_id } = await testServer.request("bo", "POST /user_groups/create", grouped);
  await testServer.request("bo", path, { can_send_message_group: { new: group_id } });
  await testServer.request("bo", `POST /user_groups/${group_id}/members`, { delete: [idOf("cy")] });
  const messages = (await cy.takeAll()).map(({ message, flags }) => ({ ...message, flags }));
  expect(messages.map(({ flags }) => flags)).toEqual(messages.map(() => []));
  const texts = messages.map(({ content }) =>
    content
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&#42;", "*")
      .replaceAll(/\s+/g, " "),
  );
  expect(texts).toEqual([
    "Bo Member created a new channel: #x** @**all.",
    "Bo Member created this public channel. It has no description yet.",
    "Bo Member renamed this channel from x** @**all to yx** @**all.",
    expect.stringContaining("to g* @**all** *."),
    "Bo Member removed you from the group g* @**all** *.",
  ]);
});
