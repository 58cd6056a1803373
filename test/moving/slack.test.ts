// Slack exports: imported whole into an organization in use, resumed, continued and undone.
import { afterEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { MovingRefused } from "../../src/features/moving/errors.ts";
import { MAIL } from "../../src/features/mail/actions.ts";
import { skein } from "../commands/skein.ts";
import { SEED } from "../random.ts";
import { chanceOf } from "../store/sample-schema.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { striped } from "../features/upload-fixture.ts";
import { BO, OLGA, slackEntries, START, ts } from "./slack-fixture.ts";
import { type ZipEntry, zipOf } from "./zip.ts";

const testServers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(testServers.splice(0).map((testServer) => testServer.close()));
});

async function openServer(): Promise<TestServer> {
  const testServer = await startTestServer({ url: "https://chat.example" });
  testServers.push(testServer);
  return testServer;
}

function writeFileIn(testServer: TestServer, name: string, bytes: Uint8Array): string {
  const path = join(testServer.directory, name);
  writeFileSync(path, bytes);
  return path;
}

const slackZip = (testServer: TestServer, extra: readonly ZipEntry[] = [], name = "slack.zip") =>
  writeFileIn(testServer, name, zipOf(slackEntries(extra)));

const run = (testServer: TestServer, from: string) =>
  movingCommands.runImport(testServer.realm, { from }, true);

const NEWEST = { anchor: "newest", num_before: 1_000, num_after: 0, apply_markdown: false };

async function messagesOf(
  testServer: TestServer,
  name: "olga" | "bo" | "cy" | "gus",
): Promise<Json[]> {
  const { messages } = await testServer.request(name, "GET /messages", NEWEST);
  return messages.filter(({ client }: Json) => client === "Slack");
}

const summarize = ({ sender_full_name, display_recipient, subject, content }: Json) => [
  sender_full_name,
  typeof display_recipient === "string" ? display_recipient : display_recipient.length,
  subject.replace("general chat", ""),
  content
    .replaceAll(/\|\d+\*\*/g, "**")
    .replace(/1\/..\/[\w-]{24}/, "ID")
    .slice(0, 100),
];

const GENERAL = "general (Slack)";
const [B, O, N] = ["Bo Member", "Olga Owner", "Nina New"];
const SHIP = "Shall we ship it?";
const QUOTED = "````quote\n**[Build 7](https://ci.example/7)**\npassed\n````";

const EXPECTED = [
  [
    B,
    GENERAL,
    "",
    "Hello @**Nina New** & **all**, see [the site](https://example.com) and #**äpfel**",
  ],
  [O, "secret", "", "lantern secret"],
  [B, GENERAL, "", "**only blocks**"],
  [O, 2, "", "hi @**Bo Member**"],
  [B, 2, "", "hi"],
  [O, GENERAL, SHIP, "Shall we **ship** it?\nMore below"],
  [N, 3, "", "we three"],
  [B, GENERAL, SHIP, "yes"],
  [O, GENERAL, "", "small one"],
  [B, GENERAL, "", "> small one\n\nsmall answer"],
  [B, GENERAL, "", "edited"],
  [B, GENERAL, "", "liked"],
  [B, GENERAL, "", "parrot"],
  ["CI", GENERAL, "", QUOTED],
  [B, GENERAL, "", "*This message was deleted.*"],
  [B, GENERAL, "", "/me dances"],
  [B, GENERAL, "", "`a *b* <c>` and **bold**"],
  [B, GENERAL, "", "canvas"],
  [B, GENERAL, "", "file\n[plan.txt](/user_uploads/ID/plan.txt)"],
  [B, GENERAL, "", "lost\n`lost.pdf` (file, 2 KiB, not available)"],
  [N, GENERAL, "", "@**all** look"],
  [N, GENERAL, SHIP, "next day in the thread"],
  [B, GENERAL, `${SHIP} · 21 Jan`, SHIP],
  [O, GENERAL, `${SHIP} · 21 Jan`, "again?"],
  [O, GENERAL, `${SHIP} · 21 Jan`, "again!"],
  [B, GENERAL, "", "x".repeat(100)],
  [B, GENERAL, "", "x".repeat(100)],
];

test("imports messages of every kind in order of time, with topics of threads", async () => {
  const testServer = await openServer();
  const report = await run(testServer, slackZip(testServer));
  expect(report).toMatchObject({ outcome: "imported", exit: 3, faults: [] });
  const messages = await messagesOf(testServer, "olga");
  expect(messages.map(summarize)).toEqual(EXPECTED);
  const times = messages.map(({ timestamp }) => timestamp);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times[0]).toBe(START + 10);
  const edited = messages.find(({ content }) => content === "edited")!;
  expect(edited.last_edit_timestamp).toBe(START + 75);
  const { stream_id } = testServer.realm.read.channels.findBy("name", GENERAL.toLowerCase())!;
  const { pins } = await testServer.request("olga", "GET /skein_pins", { stream_id });
  expect(pins.map(({ message_id }: Json) => message_id)).toEqual([edited.id]);
  expect(report.losses.map(({ kind }) => kind)).toContain("A pinned file is not pinned.");
  const likedMessage = messages.find(({ content }) => content === "liked")!;
  expect(likedMessage.reactions.map(({ emoji_name }: Json) => emoji_name)).toEqual(["+1", "+1"]);
  const lengths = messages.slice(-2).map(({ content }) => content.length);
  expect(lengths).toEqual([10_000, 2_000]);
  const narrow = [{ operator: "search", operand: "lantern" }];
  const response = await testServer.request("olga", "GET /messages", { ...NEWEST, narrow });
  expect(response.messages.map(({ content }: Json) => content)).toEqual(["lantern secret"]);
  const [link = ""] = /\/user_uploads\/[^)]+/.exec(messages[18].content) ?? [];
  const file = await testServer.send("olga", `GET /${link}`);
  expect(await file.text()).toBe("all is well\n");
});

test("shows private channels and direct messages only to their members", async () => {
  const testServer = await openServer();
  await run(testServer, slackZip(testServer));
  for (const name of ["cy", "gus"] as const) expect(await messagesOf(testServer, name)).toEqual([]);
  const places = (await messagesOf(testServer, "bo")).map(
    ({ display_recipient }) => display_recipient,
  );
  expect(places).not.toContain("secret");
  const { streams } = await testServer.request("cy", "GET /streams");
  const names = streams.map(({ name }: Json) => name);
  expect(names).toContain(GENERAL);
  expect(names).not.toContain("secret");
  const narrow = [{ operator: "search", operand: "lantern" }];
  const response = await testServer.request("bo", "GET /messages", { ...NEWEST, narrow });
  expect(response.messages).toEqual([]);
});

test("matches accounts by address, with at most the member role", async () => {
  const testServer = await openServer();
  await run(testServer, slackZip(testServer));
  const { members } = await testServer.request("olga", "GET /users");
  const member = (name: string) => members.find(({ full_name }: Json) => full_name === name);
  const nina = { role: 400, is_active: true, email: "nina@example.com" };
  expect(member("Nina New")).toMatchObject(nina);
  expect(member("Guest")).toMatchObject({ role: 600, is_active: true });
  for (const name of ["Gone Person", "Twin"])
    expect(member(name)).toMatchObject({ is_active: false });
  expect(member("CI")).toMatchObject({ is_active: false, is_bot: true });
  expect(members.filter(({ full_name }: Json) => /^Olga/.test(full_name))).toHaveLength(1);
});

test("notifies nobody: no unread messages, no emails, one register per client", async () => {
  const testServer = await openServer();
  const listener = await testServer.listen("bo");
  await run(testServer, slackZip(testServer));
  const poll = { queue_id: listener.queue_id, last_event_id: -1, dont_block: true };
  expect(await testServer.refused("bo", "GET /events", poll)).toMatchObject({
    code: "BAD_EVENT_QUEUE_ID",
  });
  const { unread_msgs } = await testServer.request("bo", "POST /register", {});
  expect(unread_msgs).toMatchObject({ count: 0, mentions: [] });
  expect([...testServer.realm.read.due.range()].filter(({ kind }) => kind === MAIL)).toEqual([]);
  expect(testServer.realm.read.missed_mail.count()).toBe(0);
  const { subscriptions } = await testServer.request("bo", "GET /users/me/subscriptions");
  expect(subscriptions.map(({ name }: Json) => name)).toContain(GENERAL);
});

test("a second run writes nothing, and a later export adds what is new", async () => {
  const testServer = await openServer();
  const from = slackZip(testServer);
  await run(testServer, from);
  const before = await messagesOf(testServer, "olga");
  expect(await run(testServer, from)).toMatchObject({ outcome: "imported", written: {} });
  const later = { user: OLGA, text: "later", ts: ts(30 * 86_400), thread_ts: ts(30) };
  const bytes = JSON.stringify([{ type: "message", ...later }]);
  const more = slackZip(testServer, [{ name: "general/2018-02-19.json", bytes }], "later.zip");
  expect(await run(testServer, more)).toMatchObject({ import_id: 1, written: { messages: 1 } });
  const after = await messagesOf(testServer, "olga");
  expect(after.slice(0, -1)).toEqual(before);
  expect(after.at(-1)).toMatchObject({ content: "later", subject: SHIP });
});

test("resumes an interrupted import without duplicates", async () => {
  const testServer = await openServer();
  const day = Array.from({ length: 400 }, (_, index) => ({
    user: BO,
    text: `n ${index}`,
    ts: ts(300, index),
  }));
  const name = "general/2018-01-22.json";
  const intact = slackZip(testServer, [{ name, bytes: JSON.stringify(day) }]);
  const random = chanceOf(SEED);
  for (let times = 0; times < 3; times++) {
    let remaining = 1 + random.below(4);
    const { write } = testServer.realm;
    testServer.realm.write = ((body: never) => {
      const fails = remaining-- <= 0;
      return fails
        ? Promise.reject(new MovingRefused("it broke"))
        : write.call(testServer.realm, body);
    }) as typeof write;
    expect(await run(testServer, intact)).toMatchObject({ outcome: "broken", exit: 1 });
    testServer.realm.write = write;
  }
  expect(await run(testServer, intact)).toMatchObject({ outcome: "imported" });
  const messages = await messagesOf(testServer, "olga");
  expect(messages).toHaveLength(EXPECTED.length + 400);
  expect(new Set(messages.map(({ content }) => content)).size).toBe(EXPECTED.length + 400);
});

test("undo leaves nothing of the import", async () => {
  const testServer = await openServer();
  const readOrganization = async () => {
    const { members } = await testServer.request("olga", "GET /users");
    const { streams } = await testServer.request("olga", "GET /streams");
    return [members, streams, (await testServer.request("olga", "GET /messages", NEWEST)).messages];
  };
  const before = await readOrganization();
  await run(testServer, slackZip(testServer));
  const report = await movingCommands.undoImport(testServer.realm, { id: 1 }, true);
  expect(report).toMatchObject({ outcome: "undone", exit: 0, faults: [] });
  expect(await readOrganization()).toEqual(before);
  expect(testServer.realm.read.imported.count()).toBe(0);
  expect(testServer.realm.read.archive.count()).toBe(0);
  expect(testServer.realm.read.attachments.count()).toBe(0);
});

test("undo keeps what users wrote and changed since, and says why", async () => {
  const testServer = await openServer();
  await run(testServer, slackZip(testServer));
  const message = await messagesOf(testServer, "olga");
  const [first] = message;
  await testServer.request("olga", `POST /messages/${first.id}/reactions`, { emoji_name: "tada" });
  const { stream_id } = message[0];
  const own = { type: "stream", to: stream_id, topic: SHIP, content: "written since" };
  await testServer.request("olga", "POST /messages", own);
  const report = await movingCommands.undoImport(testServer.realm, { id: 1 }, true);
  expect(report).toMatchObject({ outcome: "undone", exit: 3 });
  const reason = report.faults.join("\n");
  expect(reason).toContain(`messages C0GEN/${ts(10)}: it was changed since the import`);
  expect(reason).toContain("channels C0GEN: it has messages");
  const { messages } = await testServer.request("olga", "GET /messages", NEWEST);
  const remaining = messages.filter(({ stream_id: id }: Json) => id === stream_id);
  expect(remaining.map(({ content }: Json) => content)).toEqual([first.content, "written since"]);
});

test("reads an unpacked folder, also inside of another", async () => {
  const testServer = await openServer();
  const from = join(testServer.directory, "unpacked");
  for (const { name, bytes } of slackEntries()) {
    const path = join(from, "workspace", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  expect(await run(testServer, from)).toMatchObject({ outcome: "imported" });
  expect((await messagesOf(testServer, "olga")).map(summarize)).toEqual(EXPECTED);
});

test("the documentation's commands work on a Slack export", async () => {
  const testServer = await openServer();
  const from = slackZip(testServer);
  const data = join(testServer.directory, "data");
  await testServer.stop();
  const page = await Bun.file(join(import.meta.dir, "../../docs/moving/slack.md")).text();
  const lines = [...page.matchAll(/^skein (.*)$/gm)].map(([, line = ""]) => line);
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    const args = line.replace("/var/lib/skein", data).replace("slack-export.zip", from);
    const { code, out } = await skein(args.split(" "), { isSource: true });
    const hasLosses = /import (plan|run)/.test(line);
    expect([line, code], out).toEqual([line, hasLosses ? 3 : 0]);
  }
  await testServer.start();
});

test("maps people to addresses and roles as the operator says", async () => {
  const testServer = await openServer();
  const from = slackZip(testServer);
  const people = [
    ["U0GONE", "gone@example.com", "moderator"],
    ["guest@example.net", "", "member"],
  ];
  await movingCommands.runImport(testServer.realm, { from, people, roles: "keep" }, true);
  const { read } = testServer.realm;
  const roleOf = (email: string) => read.users.findBy("email", email)?.role;
  expect(roleOf("gone@example.com")).toBe(300);
  expect(roleOf("guest@example.net")).toBe(400);
  // An account that existed before the import keeps its role.
  expect(roleOf("bo@example.com")).toBe(400);
  const bad = { from, people: [["U0GONE", "nowhere", ""]] };
  const refusal = movingCommands.planImport(testServer.realm, bad);
  await expect(refusal).rejects.toThrow("--people, row 1: nowhere is no address");
});

test("takes custom emoji from a folder, with the reactions that use them", async () => {
  const testServer = await openServer();
  const emoji = join(testServer.directory, "emoji");
  mkdirSync(emoji);
  writeFileSync(join(emoji, "party-parrot.png"), striped(64, 64));
  writeFileSync(join(emoji, "notes.txt"), "no picture");
  const message = {
    ...{ type: "message", user: BO, text: "hooray", ts: ts(9_000) },
    reactions: [{ name: "party-parrot", users: [OLGA, BO], count: 2 }],
  };
  const day = "general/2018-01-21.json";
  const from = slackZip(testServer, [{ name: day, bytes: JSON.stringify([message]) }]);
  const report = await movingCommands.runImport(testServer.realm, { from, emoji }, true);
  expect(report.losses.map(({ kind }) => kind)).toContain(
    "A file cannot be used as a custom emoji.",
  );
  const messages = (await messagesOf(testServer, "bo")).find(({ content }) => content === "hooray");
  const { emoji: own } = await testServer.request("bo", "GET /realm/emoji");
  const [id] = Object.keys(own);
  expect(own[id!]).toMatchObject({ name: "party-parrot", deactivated: false });
  expect(messages!.reactions).toMatchObject([
    { emoji_code: id, reaction_type: "realm_emoji" },
    { emoji_code: id, reaction_type: "realm_emoji" },
  ]);
  expect((await testServer.send("bo", `GET /${own[id!].source_url}`)).status).toBe(200);
  const repeated = await movingCommands.runImport(testServer.realm, { from, emoji }, true);
  expect(repeated.written).toEqual({});
  await movingCommands.undoImport(testServer.realm, { id: 1 }, true);
  expect(testServer.realm.read.custom_emoji.get(Number(id))).toMatchObject({ deactivated: true });
});
