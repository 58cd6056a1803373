// An undo of an import keeps the users and channels that other rows name.
import { expect, test } from "bun:test";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import {
  CHANNEL_REFERENCES,
  type Reference,
  type References,
  USER_REFERENCES,
} from "../../src/schema/references.ts";
import { tables } from "../../src/schema/schema.ts";
import type { TableSpec } from "../../src/store/declare.ts";
import type { TestServer } from "../test-server.ts";
import { messagesTo, openServer, run, zipIn } from "./import-fixture.ts";
import { BO, OLGA, slackEntries, ts } from "./slack-fixture.ts";

/** Neither wrote a message in the fixture nor is a member of a channel. */
const TWIN = "U0TWIN";

async function importPost(testServer: TestServer, user: string, text: string, extra: object) {
  const bytes = JSON.stringify([{ type: "message", user, text, ts: ts(9_000), ...extra }]);
  const entries = slackEntries([{ name: "general/2018-01-22.json", bytes }]);
  await run(testServer, zipIn(testServer, entries));
  const messages = await messagesTo(testServer, "olga", "Slack");
  return messages.find(({ content }) => content.startsWith(text))!;
}

const undo = (testServer: TestServer) =>
  movingCommands.undoImport(testServer.realm, { id: 1 }, true);

test("keeps users whose reactions are on a kept message", async () => {
  const testServer = await openServer();
  const reactions = [{ name: "heart", users: [TWIN, OLGA], count: 2 }];
  const { id } = await importPost(testServer, BO, "keep me", { reactions });
  await testServer.request("olga", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  const { faults } = await undo(testServer);
  expect(faults).toContain(`users ${TWIN}: the account reacted to a message that was kept`);
  const { messages, users } = testServer.realm.read;
  const reacting = messages.get(id)!.reactions!.map(({ user_id }) => user_id);
  expect(reacting.map((user_id) => users.has(user_id))).toEqual([true, true, true]);
});

test("keeps the uploader of a file that a later message links to", async () => {
  const testServer = await openServer();
  const files = [{ id: "F0A", name: "plan.txt", mimetype: "text/plain", size: 12 }];
  const message = await importPost(testServer, TWIN, "my plan", { files });
  const [link] = /\[plan[^)]*\)/.exec(message.content)!;
  const own = { type: "stream", to: message.stream_id, topic: "x", content: `see ${link}` };
  await testServer.request("olga", "POST /messages", own);
  const { faults } = await undo(testServer);
  expect(faults).toContain(`users ${TWIN}: the account has a file that was kept`);
  const { users, attachments } = testServer.realm.read;
  const uploaders = [...attachments.range()].map(({ user_id }) => users.has(user_id));
  expect(uploaders).toEqual([true]);
});

test("keeps channels that settings and default channels name", async () => {
  const testServer = await openServer();
  await run(testServer, zipIn(testServer, slackEntries()));
  const { channels } = testServer.realm.read;
  const general = channels.findBy("name", "general (slack)")!.stream_id;
  const secret = channels.findBy("name", "secret")!.stream_id;
  const group = { group_name: "New", description: "x", stream_names: ["general (Slack)"] };
  await testServer.request("olga", "POST /default_stream_groups/create", group);
  const setting = { moderation_request_channel_id: secret };
  await testServer.request("olga", "PATCH /realm", setting);
  const { faults } = await undo(testServer);
  expect(faults).toContain("channels C0GEN: default channels include it");
  expect(faults).toContain("channels G0SEC: a setting names it");
  expect([general, secret].map((id) => channels.has(id))).toEqual([true, true]);
});

test("deletes the status and profile of deleted users", async () => {
  const testServer = await openServer();
  await run(testServer, zipIn(testServer, slackEntries()));
  const { users, user_statuses } = testServer.realm.read;
  const { user_id } = users.findBy("email", "guest@example.net")!;
  await testServer.request("olga", `POST /users/${user_id}/status`, { status_text: "away" });
  expect(user_statuses.has(user_id)).toBe(true);
  expect((await undo(testServer)).faults).toEqual([]);
  expect([users.has(user_id), user_statuses.has(user_id)]).toEqual([false, false]);
});

type Spec = TableSpec<Record<string, unknown>>;
// Every table has records of its own type.
const SPECS = Object.entries(tables) as unknown as [name: string, spec: Spec][];
const USER_FIELD = /(?:^|_)(?:user|author|owner|creator|sender|actor)_ids?$|_by$|^(?:to|made_ids)$/;
const CHANNEL_FIELD = /(?:^|_)(?:stream|channel)(?:_ids?)?$|^(?:channels|to)$/;

test.each([
  ["users", USER_FIELD, USER_REFERENCES],
  ["channels", CHANNEL_FIELD, CHANNEL_REFERENCES],
] as const)("every field that names %s is declared", (target, pattern, all: References) => {
  const declared = Object.entries(all).flatMap(([table, fields]) =>
    Object.keys(fields).map((field) => `${table}.${field}`),
  );
  const named = SPECS.flatMap(([table, { key, fields }]) => {
    const isOwnKey = (field: string) => table === target && key.includes(field);
    const found = fields.filter((field) => pattern.test(field) && !isOwnKey(field));
    return found.map((field) => `${table}.${field}`);
  });
  const notIds = ["scheduled_messages.read_by_sender", "profile_fields.editable_by_user"];
  expect(declared.toSorted()).toEqual(named.filter((name) => !notIds.includes(name)).toSorted());
});

/** Rows of work in progress. */
const SMALL = ["bulk_subscribe_parts", "unfinished_moves"];

test("an undo finds the rows of each declared reference", () => {
  const specs = new Map(SPECS);
  const isFindable = (table: string, field: string, reference: Reference) => {
    const { key, cached = false, indexes } = specs.get(table)!;
    if (typeof reference === "string") return true;
    if ("index" in reference) return Object.hasOwn(indexes, reference.index);
    if (reference.by === "key") return key.length === 1 && key[0] === field;
    return cached || SMALL.includes(table);
  };
  for (const all of [USER_REFERENCES, CHANNEL_REFERENCES]) {
    for (const [table, fields] of Object.entries(all)) {
      for (const [field, reference] of Object.entries(fields)) {
        expect(isFindable(table, field, reference), `${table}.${field}`).toBe(true);
      }
    }
  }
});
