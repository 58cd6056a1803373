// Zulip exports of several versions keep their ids, and look as they did in Zulip.
import { afterEach, expect, test } from "bun:test";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executeCommand } from "../../src/commands/control.ts";
import { SPARE_IDS } from "../../src/features/moving/zulip/reserve-ids.ts";
import type { MovingReport } from "../../src/features/moving/report.ts";
import { emailOf, type Name } from "../users.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { tarOf, zulipFiles } from "./zulip-fixture.ts";
import * as zulip from "./zulip-tables.ts";

const testServers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(testServers.splice(0).map((testServer) => testServer.close()));
});

const NAMES: Name[] = ["olga", "ada", "bo", "gus"];

type Options = Omit<Parameters<typeof executeCommand<"runImport">>[2], "from">;

/** Starts a server on an imported organization; its users have the API keys that the test uses. */
async function importFiles(
  files: zulip.Files,
  options: Options = {},
): Promise<{ testServer: TestServer; report: MovingReport }> {
  const testServer = await startTestServer({ url: "https://chat.example" });
  testServers.push(testServer);
  const rows = [...testServer.realm.read.api_keys.range()];
  const names = new Map(NAMES.map((name) => [testServer.idOf(name), name]));
  await testServer.stop();
  const from = join(testServer.directory, "zulip.tar.gz");
  writeFileSync(from, tarOf(files));
  const [{ data }, fresh] = [testServer.realm.config, join(testServer.directory, "new")];
  const report = await executeCommand(fresh, "runImport", { from, ...options });
  renameSync(data, join(testServer.directory, "before"));
  renameSync(fresh, data);
  await testServer.start();
  await testServer.realm.write((tx) => {
    for (const row of rows) {
      const name = names.get(row.user_id);
      const user = name && tx.users.findBy("email", emailOf(name));
      if (user) tx.api_keys.put({ ...row, user_id: user.user_id });
    }
  });
  return { testServer, report };
}

const NEWEST = { anchor: "newest", num_before: 1_000, num_after: 0, apply_markdown: false };

async function readBy(testServer: TestServer, name: Name, narrow: Json[] = []) {
  const { messages } = await testServer.request(name, "GET /messages", { ...NEWEST, narrow });
  return messages as Json[];
}

const flagsOf = (messages: Json[]) =>
  Object.fromEntries(messages.map(({ id, flags }) => [id, flags.toSorted()]));

const channel = (id: number) => [{ operator: "channel", operand: id }];

test.each([...zulip.VERSIONS])("shows an export of version %s as it was", async (version) => {
  const { testServer, report } = await importFiles(zulipFiles(version));
  expect(report).toMatchObject({ outcome: "imported", exit: 3, faults: [] });
  expect(report.losses.map(({ kind }) => kind).toSorted()).toEqual([
    "A table is not taken over.",
    "An owner, administrator or moderator becomes a member.",
    "The audit log is read for the times of subscriptions alone.",
  ]);
  const boSees = await readBy(testServer, "bo");
  expect(flagsOf(boSees)).toEqual({
    1001: ["mentioned", "stream_wildcard_mentioned", "wildcard_mentioned"],
    1002: ["read"],
    1003: ["collapsed", "read"],
    1005: ["read"],
    1006: ["has_alert_word"],
    1007: [],
    1008: ["read"],
    1009: ["read"],
    1012: ["read"],
  });
  expect(flagsOf(await readBy(testServer, "olga"))).toMatchObject({
    1002: ["mentioned", "read", "starred"],
    1004: ["read"],
    1006: ["read"],
    1008: [],
  });
  // Protected history: Bo joined after 1004, and Ada never did.
  expect((await readBy(testServer, "bo", channel(zulip.SECRET))).map(({ id }) => id)).toEqual([
    1006,
  ]);
  const narrow = JSON.stringify(channel(zulip.SECRET));
  expect(await testServer.refused("gus", "GET /messages", { ...NEWEST, narrow })).toMatchObject({
    status: 400,
  });
  const response = await readBy(testServer, "bo", [{ operator: "search", operand: "lantern" }]);
  expect(response.map(({ id }) => id)).toEqual([1006]);
});

test("keeps ids, texts, topics, reactions, edits and files", async () => {
  const { testServer } = await importFiles(zulipFiles("9"));
  const messages = await readBy(testServer, "olga");
  const byId = Object.fromEntries(messages.map((message) => [message.id, message]));
  expect(messages.map(({ id }) => id)).toEqual([
    1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1012,
  ]);
  expect(byId[1001]).toMatchObject({ sender_id: zulip.OLGA, timestamp: zulip.START });
  expect(byId[1001].reactions).toMatchObject([
    { emoji_name: "parrot", reaction_type: "realm_emoji", user_id: zulip.BO },
    { emoji_name: "tada", reaction_type: "unicode_emoji", user_id: zulip.ADA },
  ]);
  // The text contained a former name of the user. The old HTML is not stored.
  expect(byId[1002].content).toBe(
    "thanks @**Olga Owner|10**, see [above](#narrow/channel/20-general/topic/lunch/near/1001)",
  );
  expect(JSON.stringify([...testServer.realm.read.messages.range()])).not.toContain("<script>");
  expect(byId[1003]).toMatchObject({ subject: "Lunch", last_edit_timestamp: zulip.START + 900 });
  const { message_history } = await testServer.request("bo", "GET /messages/1003/history");
  expect(message_history.map(({ topic, content }: Json) => [topic, content])).toEqual([
    ["old topic", "before"],
    ["Lunch", "after"],
  ]);
  const link = "/user_uploads/1/ab/AbCdEfGhIjKlMnOpQrStUvWx/plan.txt";
  expect(byId[1005].content).toBe(`[plan.txt](${link})`);
  expect(await (await testServer.send("ada", `GET /${link}`)).text()).toBe(zulip.FILE_BYTES);
  expect((await testServer.send("gus", `GET /${link}`)).status).not.toBe(200);
  expect(byId[1012].submessages[0].content).toContain("Tea?");
  const { id } = await testServer.request("bo", "POST /messages", {
    ...{ type: "stream", to: zulip.GENERAL, topic: "lunch", content: "new here" },
  });
  expect(id).toBe(1013 + SPARE_IDS.messages!);
});

test("keeps accounts, channels, groups and settings", async () => {
  const { testServer } = await importFiles(zulipFiles("12"));
  const snapshot = await testServer.request("olga", "POST /register", {});
  const active = snapshot.realm_users.map((user: Json) => ({ ...user, is_active: true }));
  const people = new Map<number, Json>(
    [...active, ...snapshot.realm_non_active_users].map((user: Json) => [user.user_id, user]),
  );
  const roles = [...people].map(([id, { role, is_active }]) => [id, role, is_active === true]);
  expect(roles.toSorted(([a], [b]) => a - b)).toEqual([
    [10, 100, true],
    [11, 200, true],
    [12, 400, true],
    [13, 600, true],
    [14, 400, false],
    [15, 400, true],
    [16, 400, false],
  ]);
  expect(people.get(zulip.OLGA).avatar_url).toContain("/user_avatars/1/");
  expect(people.get(zulip.ROBO)).toMatchObject({ is_bot: true, bot_owner_id: zulip.BO });
  expect(testServer.realm.read.bots.get(zulip.ROBO)!.service!.token).not.toBe("a secret token");
  expect(snapshot).toMatchObject({
    realm_name: "Acme",
    realm_default_language: "de",
    realm_topics_policy: "disable_empty_topic",
    realm_message_content_edit_limit_seconds: 1200,
    realm_new_stream_announcements_stream_id: zulip.GENERAL,
    realm_domains: [{ domain: "example.com", allow_subdomains: true }],
  });
  // The setting's value is an anonymous group: Bo and the administrators.
  expect(snapshot.realm_can_add_custom_emoji_group).toEqual({
    direct_members: [zulip.BO],
    direct_subgroups: [104],
  });
  const cooks = snapshot.realm_user_groups.find(({ id }: Json) => id === 110);
  expect(cooks).toMatchObject({ name: "Cooks", members: [zulip.BO], direct_subgroup_ids: [111] });
  const general = snapshot.subscriptions.find(({ stream_id }: Json) => stream_id === zulip.GENERAL);
  expect(general).toMatchObject({ name: "general", folder_id: 5, color: "#76ce90" });
  expect(snapshot.realm_default_streams).toEqual([zulip.GENERAL]);
  const archived = testServer.realm.read.channels.get(zulip.OLD);
  expect(archived).toMatchObject({ is_archived: true, name: "old" });
  const bo = await testServer.request("bo", "POST /register", {});
  expect(bo).toMatchObject({
    alert_words: ["Lantern"],
    muted_users: [{ id: zulip.GUS }],
    user_topics: [{ topic_name: "noise", visibility_policy: 1 }],
    saved_snippets: [{ id: 6, title: "Hi" }],
    scheduled_messages: [{ scheduled_message_id: 8, content: "soon", topic: "later" }],
    user_settings: { color_scheme: 2, twenty_four_hour_time: true, timezone: "Europe/Berlin" },
  });
  expect(bo.realm_users.find(({ user_id }: Json) => user_id === zulip.BO).profile_data).toEqual({
    4: { value: "*cook*", rendered_value: "<p><em>cook</em></p>" },
  });
  const { linkifiers } = testServer.realm.read;
  expect(linkifiers.get(3)).toMatchObject({ url_template: "https://bugs.example/{id}" });
});

test("takes policies of early versions as groups", async () => {
  const { testServer } = await importFiles(zulipFiles("2.1"));
  const { read } = testServer.realm;
  const { settings } = read;
  const admins = read.groups.findBy("name", "role:administrators")!.id;
  expect(settings.can_create_public_channel_group).toBe(admins);
  expect(settings.can_add_custom_emoji_group).toBe(admins);
  expect(read.channels.get(zulip.NEWS)!.can_send_message_group).toBe(admins);
  expect(read.users.get(zulip.BO)!.settings["email_address_visibility"]).toBe(3);
});

test("emits no events, and raises no notifications", async () => {
  const { testServer } = await importFiles(zulipFiles("12"));
  const { read } = testServer.realm;
  const kinds = [...read.due.range()].map(({ kind }) => kind);
  expect(kinds.filter((kind) => /mail|push|webhook/i.test(kind))).toEqual([]);
  expect(read.mail_progress.get(1)!.message_id).toBe(read.last("messages"));
  expect([read.missed_mail.count(), read.waiting_pushes.count()]).toEqual([0, 0]);
  expect(read.webhook_calls.count()).toBe(0);
});

test("maps people, chooses roles, and turns links to the old address", async () => {
  const change = (_tables: zulip.Tables, messages: zulip.Tables) => {
    messages["zerver_message"]![0]!["content"] = "[x](https://old.example/#narrow/near/1) end";
  };
  const { testServer, report } = await importFiles(zulipFiles("12", change), {
    people: [
      ["source", "address", "role"],
      [String(zulip.DORA), "dora.new@example.com", "moderator"],
      ["GUS@example.com", "", "member"],
    ],
    roles: "members",
    old_url: "https://old.example/",
  });
  expect(report.exit).toBe(3);
  const { read } = testServer.realm;
  const roles = [10, 11, 12, 13, 14].map((id) => read.users.get(id)!.role);
  expect(roles).toEqual([400, 400, 400, 400, 300]);
  expect(read.users.get(zulip.DORA)!.delivery_email).toBe("dora.new@example.com");
  expect(read.messages.get(1001)!.content).toBe("[x](/#narrow/near/1) end");
});

test("keeps the roles of placeholders only if the operator says so", async () => {
  const { testServer } = await importFiles(zulipFiles("12"), { roles: "keep" });
  const { read } = testServer.realm;
  expect([zulip.DORA, zulip.DUMMY].map((id) => read.users.get(id)!.role)).toEqual([200, 100]);
});
