// A Zulip export whose rows refer to rows that it lacks is imported, and its server works.
import { expect, spyOn, test } from "bun:test";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { executeCommand } from "../../src/commands/control.ts";
import { groupsOf } from "../../src/features/rights/access.ts";
import { emailOf, type Name } from "../users.ts";
import type { TestServer } from "../test-server.ts";
import { openServer } from "./import-fixture.ts";
import { withRealm } from "./random-organization.ts";
import { tarOf, zulipFiles } from "./zulip-fixture.ts";
import { ADA, BO, GENERAL, OLGA, type Tables } from "./zulip-tables.ts";

const NAMES: Name[] = ["olga", "ada", "bo", "gus"];
/** The id of no row. */
const MISSING_ID = 777;
const CREATED = { creator: MISSING_ID, author: MISSING_ID, owner: MISSING_ID };

/** Makes every reference of the organization one to a row that does not exist. */
function dangle(tables: Tables, messages: Tables): void {
  const change = (table: string, fields: object) => {
    for (const row of tables[table] ?? []) Object.assign(row, fields);
  };
  change("zerver_realm", {
    ...{ new_stream_announcements_stream: MISSING_ID, signup_notifications_stream: MISSING_ID },
    ...{ moderation_request_channel: MISSING_ID, can_create_groups: MISSING_ID },
  });
  change("zerver_stream", {
    ...{
      ...CREATED,
      folder: MISSING_ID,
      first_message_id: MISSING_ID,
      can_administer_channel_group: 121,
    },
  });
  for (const table of ["zerver_realmemoji", "zerver_channelfolder"]) change(table, CREATED);
  for (const group of tables["zerver_namedusergroup"] ?? []) {
    if (!group["is_system_group"]) Object.assign(group, { ...CREATED, can_manage_group: 121 });
  }
  for (const user of tables["zerver_userprofile"]!.filter(({ is_bot }) => is_bot)) {
    Object.assign(user, { bot_owner: MISSING_ID, default_sending_stream: MISSING_ID });
  }
  for (const [table, rows] of Object.entries(ROWS)) (tables[table] ??= []).push(...rows);
  messages["zerver_usermessage"]!.push(
    { user_profile: MISSING_ID, message: 1001, flags_mask: 1 },
    { user_profile: BO, message: MISSING_ID, flags_mask: 1 },
    { user_profile: BO, message: 1001, flags_mask: null },
  );
  for (const [id, edit_history] of Object.entries(HISTORIES)) {
    const row = messages["zerver_message"]!.find((message) => message["id"] === Number(id))!;
    Object.assign(row, { edit_history, sending_client: MISSING_ID });
  }
}

const MOVES = [
  { user_id: MISSING_ID, timestamp: 1, prev_stream: MISSING_ID, stream: MISSING_ID, topic: 5 },
  null,
  7,
];
const HISTORIES = { 1005: JSON.stringify(MOVES), 1006: "{broken" };

const TADA = { emoji_name: "tada", emoji_code: "1f389", reaction_type: "unicode_emoji" };
const SCHEDULED = { content: "x", scheduled_timestamp: 4e9, delivery_type: 1 };
const JOIN_EVENT = { event_type: 301, event_last_message_id: 2 ** 40 };

/** Group 110 and its subgroup 111 contain each other. */
const ROWS: Tables = {
  zerver_usergroup: [{ id: 121 }],
  zerver_usergroupmembership: [
    ...[121, 110].map((user_group) => ({ id: 50, user_group, user_profile: MISSING_ID })),
    { id: 52, user_group: MISSING_ID, user_profile: BO },
  ],
  zerver_groupgroupmembership: [
    ...[121, 111].map((supergroup) => ({ id: 60, supergroup, subgroup: MISSING_ID })),
    ...[110, 111].map((supergroup) => ({ id: 61, supergroup, subgroup: 110 })),
  ],
  zerver_usertopic: [
    { id: 90, user_profile: MISSING_ID, stream: MISSING_ID, topic_name: "x", visibility_policy: 2 },
    { id: 91, user_profile: BO, stream: GENERAL, topic_name: "y".repeat(90), visibility_policy: 2 },
  ],
  zerver_userstatus: [
    { id: 90, user_profile: MISSING_ID },
    { id: 91, user_profile: BO, status_text: null, emoji_name: "no", reaction_type: "wrong" },
  ],
  zerver_customprofilefield: [
    { id: 40, field_type: 6, name: "Boss", order: 3, field_data: "{broken", hint: null },
    { id: 41, field_type: 3, name: "Team", order: 4, field_data: "{broken" },
    { id: 42, field_type: 7, name: "Site", order: 5, field_data: "{}" },
  ],
  zerver_customprofilefieldvalue: [
    { id: 90, user_profile: BO, field: MISSING_ID, value: "x" },
    { id: 91, user_profile: ADA, field: 40, value: [MISSING_ID] },
    { id: 92, user_profile: BO, field: 40, value: `[${ADA}, ${MISSING_ID}, "x"]` },
    { id: 93, user_profile: OLGA, field: 40, value: "5" },
    { id: 94, user_profile: BO, field: 41, value: "a" },
  ],
  zerver_scheduledmessage: [
    { id: 90, sender: BO, recipient: MISSING_ID, ...SCHEDULED },
    { id: 91, sender: MISSING_ID, recipient: 200 + GENERAL, ...SCHEDULED },
  ],
  zerver_navigationview: [
    { id: 90, user: MISSING_ID, fragment: "x" },
    { id: 91, user: ADA, fragment: "nope/\0", is_pinned: null, name: 5 },
  ],
  zerver_reaction: [
    { id: 90, user_profile: MISSING_ID, message: 1001, ...TADA },
    { id: 91, user_profile: ADA, message: 1001, ...TADA },
    { id: 92, user_profile: ADA, message: MISSING_ID, ...TADA },
    { id: 93, user_profile: ADA, message: 1002, ...TADA, emoji_code: "1" },
  ],
  zerver_defaultstream: [{ id: 90, stream: MISSING_ID }],
  zerver_subscription: [
    ...[MISSING_ID, 200 + GENERAL].map((recipient) => ({
      user_profile: BO,
      recipient,
      active: true,
    })),
    ...[301, 200 + GENERAL].map((recipient) => ({
      user_profile: MISSING_ID,
      recipient,
      active: true,
    })),
  ],
  zerver_realmauditlog: [
    { id: 90, modified_user: MISSING_ID, modified_stream: MISSING_ID, ...JOIN_EVENT },
    { id: 91, modified_user: ADA, modified_stream: GENERAL, ...JOIN_EVENT, event_type: 303 },
  ],
  zerver_muteduser: [{ id: 90, user_profile: BO, muted_user: MISSING_ID }],
};

/** Replaces the organization of a server; its users keep their API keys. */
async function replaceBy(testServer: TestServer, fresh: string): Promise<void> {
  const rows = [...testServer.realm.read.api_keys.range()];
  const names = new Map(NAMES.map((name) => [testServer.idOf(name), name]));
  await testServer.stop();
  const { data } = testServer.realm.config;
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
}

test.each(["2.1", "12"] as const)("imports an export of version %s", async (version) => {
  const testServer = await openServer();
  const { directory } = testServer;
  const from = join(directory, "zulip.tar.gz");
  writeFileSync(from, tarOf(zulipFiles(version, dangle)));
  const report = await executeCommand(join(directory, "new"), "runImport", { from });
  expect(report).toMatchObject({ outcome: "imported", faults: [] });
  const kinds = report.losses.map(({ kind }) => kind);
  expect(kinds).toContain("The owner of a bot is not in the export.");
  expect(kinds).toContain("A subgroup is not in the export, or contains its own group.");
  expect(kinds).toContain(
    "A profile field whose options or site cannot be imported becomes a text field.",
  );
  await replaceBy(testServer, join(directory, "new"));
  for (const name of NAMES) {
    const { realm_name } = await testServer.request(name, "POST /register", {});
    expect(realm_name).toBe("Acme");
    const window = { anchor: "newest", num_before: 100, num_after: 0 };
    await testServer.request(name, "GET /messages", window);
  }
  const { read } = testServer.realm;
  const fields = Array.from(read.profile_fields.range(), ({ type, field_data }) => [
    type,
    field_data,
  ]);
  expect(fields).toEqual([1, 6, 1, 1].map((type) => [type, ""]));
  const values = Array.from(read.profile_values.range(), ({ field_id, value }) => [
    field_id,
    value,
  ]);
  expect(values).toEqual([
    [4, "*cook*"],
    [40, `[${ADA}]`],
    [41, "a"],
  ]);
  const reacted = read.messages.get(1001)!.reactions!.filter(({ user_id }) => user_id === ADA);
  expect(reacted.map(({ emoji_name }) => emoji_name)).toEqual(["tada"]);
  const to = JSON.stringify("general");
  const message = { type: "stream", to, topic: "x", content: "hi @*Cooks*" };
  await testServer.request("bo", "POST /messages", message);
  // A JSONL import checks all references.
  const movedDirectory = join(directory, "moved");
  await movingCommands.exportJsonl(testServer.realm, { to: movedDirectory });
  const again = await executeCommand(join(directory, "again"), "runImport", {
    from: movedDirectory,
  });
  expect(again).toMatchObject({ outcome: "imported", faults: [] });
});

test("finds members of a group conversation without subscriptions by its messages", async () => {
  const { directory } = await openServer();
  const from = join(directory, "zulip.tar.gz");
  const withoutList = (tables: Tables, messages: Tables) => {
    const subs = tables["zerver_subscription"]!;
    tables["zerver_subscription"] = subs.filter(({ recipient }) => recipient !== 300);
    // The direct message of two users has a member who is not in the export.
    tables["zerver_subscription"].push({ user_profile: MISSING_ID, recipient: 301, active: true });
    tables["zerver_recipient"]!.push({ id: 399, type: 1, type_id: MISSING_ID });
    const sent = { recipient: 300, subject: "\u0007", date_sent: 1.5e9 + 900, sending_client: 1 };
    messages["zerver_message"]!.push(
      { id: 1100, sender: BO, content: "and I", ...sent },
      { id: 1101, sender: BO, content: "who?", ...sent, recipient: 399 },
    );
    messages["zerver_usermessage"]!.push({ user_profile: OLGA, message: 1100, flags_mask: 1 });
  };
  writeFileSync(from, tarOf(zulipFiles("12", withoutList)));
  const fresh = join(directory, "new");
  const report = await executeCommand(fresh, "runImport", { from });
  expect(report).toMatchObject({ outcome: "imported", faults: [] });
  const placesOf = (kind: string) => report.losses.find((loss) => loss.kind.startsWith(kind));
  expect(placesOf("A group conversation has no list")?.examples).toEqual(["zerver_recipient 300"]);
  expect(placesOf("A member of a group conversation")?.count).toBe(1);
  expect(placesOf("A message of an unknown sender")?.count).toBe(1);
  await withRealm(fresh, ({ read }) => {
    const usersOf = (id: number) => {
      const { recipient_id } = read.messages.get(id)!;
      return read.conversations.get(recipient_id)?.user_ids;
    };
    expect([1009, 1100].map(usersOf)).toEqual([
      [OLGA, ADA, BO],
      [OLGA, ADA, BO],
    ]);
    expect(usersOf(1007)).toEqual([OLGA, BO]);
    expect(read.messages.has(1101)).toBe(false);
  });
});

const CHAIN = Array.from({ length: 2_000 }, (_, index) => 1_000 + index);
const STEPS_PER_GROUP_MAX = 50;

/** A cycle, of which the import removes the last step: the first group in the second. */
function chain(tables: Tables): void {
  tables["zerver_usergroup"]!.push(...CHAIN.map((id) => ({ id })));
  const groups = CHAIN.map((id) => ({ usergroup_ptr: id, name: `group ${id}` }));
  tables["zerver_namedusergroup"]!.push(...groups);
  tables["zerver_usergroupmembership"]!.push({ user_group: CHAIN[1], user_profile: BO });
  const nested = CHAIN.map((id, index) => ({ supergroup: id, subgroup: CHAIN.at(index - 1) }));
  tables["zerver_groupgroupmembership"]!.push(...nested);
}

test("imports a long chain of groups at a cost in proportion to its length", async () => {
  const testServer = await openServer();
  const { directory } = testServer;
  const from = join(directory, "zulip.tar.gz");
  writeFileSync(from, tarOf(zulipFiles("12", chain)));
  const addSpy = spyOn(Set.prototype, "add");
  const report = await executeCommand(join(directory, "new"), "runImport", { from });
  expect(addSpy.mock.calls.length).toBeLessThan(CHAIN.length * STEPS_PER_GROUP_MAX);
  addSpy.mockRestore();
  expect(report).toMatchObject({ outcome: "imported", faults: [] });
  const kind = "A subgroup is not in the export, or contains its own group.";
  expect(report.losses).toContainEqual(expect.objectContaining({ kind, count: 1 }));
  await replaceBy(testServer, join(directory, "new"));
  const { read } = testServer.realm;
  const getSpy = spyOn(read.groups, "get");
  await testServer.request("bo", "POST /register", {});
  expect(getSpy.mock.calls.length).toBeLessThan(CHAIN.length * STEPS_PER_GROUP_MAX);
  getSpy.mockRestore();
  const [all, none] = [BO, ADA].map((id) => groupsOf(read, read.users.get(id)!));
  expect(CHAIN.filter((id) => all!.has(id))).toHaveLength(CHAIN.length);
  expect(CHAIN.filter((id) => none!.has(id))).toEqual([]);
});
