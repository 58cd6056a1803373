// Later exports of a product that stays in use: only what is new is added, and nobody is notified.
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executeCommand } from "../../src/commands/control.ts";
import { SPARE_IDS } from "../../src/features/moving/zulip/reserve-ids.ts";
import type { Reader } from "../../src/realm.ts";
import { onEndOfTest } from "../cleanup.ts";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { dumpFolder } from "./bson-writer.ts";
import * as discord from "./discord-fixture.ts";
import { folderIn, run } from "./import-fixture.ts";
import { entries as mattermostEntries, LINES, post } from "./mattermost-fixture.ts";
import { COLLECTIONS, message as rocketMessage } from "./rocketchat-fixture.ts";
import { BO as SLACK_BO, OLGA as SLACK_OLGA, slackEntries, ts, USERS } from "./slack-fixture.ts";
import { teamsEntries } from "./teams-fixture.ts";
import { withRealm } from "./random-organization.ts";
import { type ZipEntry, zipOf } from "./zip.ts";
import { tarOf, zulipFiles } from "./zulip-fixture.ts";
import * as zulip from "./zulip-tables.ts";

const testServers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(testServers.splice(0).map((testServer) => testServer.close()));
});

function writeFileIn(directory: string, name: string, bytes: Uint8Array): string {
  const path = join(directory, name);
  writeFileSync(path, bytes);
  return path;
}

const NEWEST = { anchor: "newest", num_before: 1_000, num_after: 0, apply_markdown: false };

async function textsOf(testServer: TestServer, name: Name): Promise<string[]> {
  const { messages } = await testServer.request(name, "GET /messages", NEWEST);
  return messages.map(({ content }: Json) => content);
}

const unreadOf = async (testServer: TestServer) =>
  (await testServer.request("bo", "POST /register", {})).unread_msgs;

/** Everything that would notify a user: emails, pushes, webhook calls. */
const readState = (read: Reader) => ({
  jobs: [...read.due.range()]
    .map(({ kind }) => kind)
    .filter((kind) => /mail|push|call/i.test(kind)),
  mails: read.missed_mail.count(),
  pushes: read.waiting_pushes.count(),
  calls: read.webhook_calls.count(),
});
const NOTHING_PENDING = { jobs: [], mails: 0, pushes: 0, calls: 0 };

/** Adds an outgoing webhook bot that Slack's messages mention. It must not be called. */
async function addHook(testServer: TestServer): Promise<number> {
  const hook = { full_name: "Hook", short_name: "hook", bot_type: 3, interface_type: 1 };
  const payload = JSON.stringify("https://hooks.example/");
  return (await testServer.request("olga", "POST /bots", { ...hook, payload_url: payload }))
    .user_id;
}

test("a later Slack export adds what is new, and reaches nobody", async () => {
  const testServer = await startTestServer({ url: "https://chat.example" });
  testServers.push(testServer);
  await addHook(testServer);
  await run(testServer, writeFileIn(testServer.directory, "first.zip", zipOf(slackEntries())));
  const before = await textsOf(testServer, "bo");
  await testServer.request("bo", "POST /messages", {
    ...{ type: "direct", to: [testServer.idOf("olga")], content: "written here" },
  });
  const unread = await unreadOf(testServer);
  const stateBefore = readState(testServer.realm.read);
  const listeners = [await testServer.listen("bo"), await testServer.listen("olga")];
  const laterMessages = [
    {
      type: "message",
      user: SLACK_OLGA,
      text: `<@${SLACK_BO}> new @**Hook**`,
      ts: ts(30 * 86_400),
    },
    { type: "message", user: SLACK_BO, text: "newest", ts: ts(30 * 86_400 + 1) },
  ];
  const entry = { name: "general/2018-02-19.json", bytes: JSON.stringify(laterMessages) };
  const more = writeFileIn(testServer.directory, "later.zip", zipOf(slackEntries([entry])));
  expect(await run(testServer, more)).toMatchObject({ import_id: 1, written: { messages: 2 } });
  expect(await textsOf(testServer, "bo")).toEqual([
    ...before,
    "written here",
    ...[expect.stringContaining("new"), "newest"],
  ]);
  expect(readState(testServer.realm.read)).toEqual(stateBefore);
  // The import ends existing queues once; a client that registers again keeps its queue.
  for (const [index, name] of (["bo", "olga"] as const).entries()) {
    const { queue_id } = listeners[index]!;
    const poll = { queue_id, last_event_id: -1, dont_block: true };
    const refusal = await testServer.refused(name, "GET /events", poll);
    expect(refusal).toMatchObject({ code: "BAD_EVENT_QUEUE_ID" });
  }
  const repeated = await testServer.listen("bo");
  expect(await run(testServer, more)).toMatchObject({ written: {} });
  expect(await repeated.takeAll()).toEqual([]);
  expect(await unreadOf(testServer)).toEqual(unread);
});

const { rocketchat_message: rocketMessages, users: rocketUsers } = COLLECTIONS;
const anyUser = rocketUsers![1]!;
const rocketDump = (users: Json[], settings: Json[] = []) =>
  dumpFolder({
    ...COLLECTIONS,
    rocketchat_message: [...rocketMessages!, rocketMessage("new", "dm", 900, "u1", "newest")],
    users: [...rocketUsers!, ...users],
    rocketchat_settings: settings,
  });
const first = { ...anyUser, _id: "A0", username: "zoe", emails: [{ address: "zoe@example.com" }] };
const newTeam = { type: "team", team: { name: "a-new-team", display_name: "New", type: "O" } };
const otherWorkspace = { id: "U0OTHER", team_id: "T0OTHER", name: "other" };
const ofOtherServer = discord.channelFile({ id: "900", name: "lobby" }, [], {
  guild: { id: "0001", name: "Second" },
});

const withoutTenant = (entries: ZipEntry[]) =>
  entries.map(({ name, bytes }) => {
    const text = Buffer.from(bytes).toString();
    return { name, bytes: text.replaceAll(/"TenantId":\s*"[^"]*"/g, '"TenantId":null') };
  });

/** The first export of a product, and later ones whose source is derived differently. */
const LATER: Record<string, [first: ZipEntry[], ...later: ZipEntry[][]]> = {
  "Rocket.Chat": [
    dumpFolder({ ...COLLECTIONS, rocketchat_settings: [] }),
    rocketDump([first]),
    rocketDump([first], [{ _id: "uniqueID", value: "abcdef" }]),
    rocketDump([{ ...first, _id: "A1" }], [{ _id: "uniqueID", value: "abcdef" }]),
  ],
  Mattermost: [
    mattermostEntries(LINES),
    mattermostEntries([LINES[0]!, newTeam, ...LINES.slice(1), post(900, "bo", "newest")]),
  ],
  Slack: [
    slackEntries(),
    slackEntries([{ name: "users.json", bytes: JSON.stringify([otherWorkspace, ...USERS]) }]),
    slackEntries([
      { name: "users.json", bytes: JSON.stringify([otherWorkspace]) },
      { name: "general/2018-02-19.json", bytes: "[]" },
    ]),
  ],
  Discord: [
    discord.discordEntries(),
    discord.discordEntries([{ name: "Second/lobby.json", bytes: ofOtherServer }]),
  ],
  Teams: [
    withoutTenant(teamsEntries()),
    withoutTenant(
      teamsEntries({ "users/usersList.json": JSON.stringify([{ Id: "0", DisplayName: "First" }]) }),
    ),
  ],
};

test.each(Object.keys(LATER))("a later export of %s continues the first import", async (name) => {
  const testServer = await startTestServer({ url: "https://chat.example" });
  testServers.push(testServer);
  const { read } = testServer.realm;
  for (const [index, entries] of LATER[name]!.entries()) {
    const channels = read.channels.count();
    const conversations = read.conversations.count();
    const from = folderIn(testServer.directory, entries, `export-${index}`);
    expect(await run(testServer, from), name).toMatchObject({ outcome: "imported", import_id: 1 });
    if (index === 0) continue;
    expect(read.channels.count() - channels, name).toBeLessThan(2);
    expect(read.conversations.count(), name).toBe(conversations);
  }
});

test("an export of another server with channels of the same names is a new import", async () => {
  const testServer = await startTestServer({ url: "https://chat.example" });
  testServers.push(testServer);
  const from = folderIn(testServer.directory, mattermostEntries(LINES), "first");
  expect(await run(testServer, from)).toMatchObject({ import_id: 1 });
  const others = LINES.filter(({ type }) => !/post|direct/.test(type));
  const entries = mattermostEntries([...others.toSpliced(1, 0, newTeam), post(950, "bo", "other")]);
  const other = folderIn(testServer.directory, entries, "other");
  expect(await run(testServer, other)).toMatchObject({ import_id: 2 });
});

/** An export of the same server, a week later. */
const laterFiles = () =>
  zulipFiles("12", (tables, messages) => {
    const first = messages["zerver_message"]![0]!;
    const times = { date_sent: zulip.START + 7 * 86_400, rendered_content: null };
    messages["zerver_message"]!.push(
      { ...first, id: 1013, content: "a week later @**Bo Member**", ...times },
      { ...first, id: 1014, content: "newest", ...times },
    );
    messages["zerver_usermessage"]!.push({ user_profile: zulip.BO, message: 1013, flags_mask: 8 });
    tables["zerver_reaction"]!.push({
      ...{ id: 900, user_profile: zulip.ADA, message: 1014, emoji_name: "tada" },
      ...{ emoji_code: "1f389", reaction_type: "unicode_emoji" },
    });
  });

async function zulipServer(): Promise<{ directory: string; data: string }> {
  const directory = mkdtempSync(join(tmpdir(), "skein-later-"));
  onEndOfTest(async () => rmSync(directory, { recursive: true, force: true }));
  const data = join(directory, "data");
  const from = writeFileIn(directory, "first.tar.gz", tarOf(zulipFiles("12")));
  expect(await executeCommand(data, "runImport", { from })).toMatchObject({ outcome: "imported" });
  return { directory, data };
}

/** A channel of another Discord server than that of the fixture. */
const SECOND_SERVER: ZipEntry = {
  name: "beta.json",
  bytes: discord.channelFile(
    { id: "99", name: "beta" },
    [discord.message("991", 5, discord.BO, "in beta")],
    { guild: { id: "2", name: "Beta", iconUrl: "icon.png" } },
  ),
};

test("rejects an archive of two Discord servers that were imported separately", async () => {
  const testServer = await startTestServer({ url: "https://chat.example" });
  testServers.push(testServer);
  const zipOfServers = (name: string, entries: readonly ZipEntry[]) =>
    run(testServer, writeFileIn(testServer.directory, name, zipOf(entries)));
  const first = discord.discordEntries();
  expect((await zipOfServers("first.zip", first)).import_id).toBe(1);
  expect((await zipOfServers("second.zip", [SECOND_SERVER])).import_id).toBe(2);
  const count = testServer.realm.read.channels.count();
  const both = await zipOfServers("both.zip", [...first, SECOND_SERVER]);
  expect(both).toMatchObject({ outcome: "refused", exit: 4, written: {} });
  expect(both.faults.join()).toContain("conversations of the imports 1 and 2");
  expect(testServer.realm.read.channels.count()).toBe(count);
  // Each of them can still be continued.
  expect((await zipOfServers("second.zip", [SECOND_SERVER])).written).toEqual({});
});

test("a later Zulip export adds what is new beside what was written here", async () => {
  const { directory, data } = await zulipServer();
  const own = await withRealm(data, (realm) =>
    realm.write((tx) => {
      const id = tx.next("messages");
      tx.messages.put({ ...tx.messages.get(1001)!, id, content: "written here" });
      tx.topic_messages.add([tx.messages.get(1001)!.topic_id], id);
      return id;
    }),
  );
  expect(own).toBe(1012 + SPARE_IDS.messages! + 1);
  const from = writeFileIn(directory, "later.tar.gz", tarOf(laterFiles()));
  const report = await executeCommand(data, "runImport", { from });
  expect(report).toMatchObject({ outcome: "imported", import_id: 1, written: { messages: 2 } });
  await withRealm(data, ({ read }) => {
    const texts = [1001, 1013, 1014, own].map((id) => read.messages.get(id)!.content);
    expect(texts.slice(1)).toEqual(["a week later @**Bo Member**", "newest", "written here"]);
    expect(read.messages.get(1014)!.reactions).toMatchObject([{ emoji_name: "tada" }]);
    expect(readState(read)).toEqual(NOTHING_PENDING);
    // The email job skips the imported messages.
    expect(read.mail_progress.get(1)!.message_id).toBe(own);
  });
  expect(await executeCommand(data, "runImport", { from })).toMatchObject({ written: {} });
});

test("a later Zulip export overwrites nothing whose numbers are in use here", async () => {
  const { directory, data } = await zulipServer();
  await withRealm(data, (realm) =>
    realm.write((tx) => {
      tx.messages.put({ ...tx.messages.get(1001)!, id: 1013, content: "written here" });
    }),
  );
  const from = writeFileIn(directory, "later.tar.gz", tarOf(laterFiles()));
  const report = await executeCommand(data, "runImport", { from });
  expect(report).toMatchObject({ exit: 3, written: { messages: 1 } });
  expect(report.losses).toContainEqual({
    ...{ kind: "The number of a message is in use here.", count: 1, examples: ["1013"] },
  });
  await withRealm(data, (realm) =>
    realm.write((tx) => {
      expect(tx.messages.get(1013)!.content).toBe("written here");
      tx.users.put({ ...tx.users.get(zulip.BO)!, user_id: 77, delivery_email: "taken@x.example" });
    }),
  );
  const files = zulipFiles("12", ({ zerver_userprofile }) => {
    const bo = zerver_userprofile!.find(({ id }) => id === zulip.BO)!;
    zerver_userprofile!.push({
      ...bo,
      id: 77,
      email: "x@x.example",
      delivery_email: "x@x.example",
    });
  });
  const archivePath = writeFileIn(directory, "taken.tar.gz", tarOf(files));
  const refusal = await executeCommand(data, "runImport", { from: archivePath });
  expect(refusal).toMatchObject({ outcome: "refused", exit: 4, written: {} });
  expect(refusal.faults[0]).toContain("user 77 (Bo Member): its number is in use here");
});
