// Campfire's storage: imported into an organization in use, rejected, repeated and undone.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { removeMessages } from "../../src/features/messages/delete/remove.ts";
import { SEED } from "../random.ts";
import { chanceOf } from "../store/sample-schema.ts";
import type { Json } from "../test-server.ts";
import { campfireDatabase, campfireFolder, PASSWORD } from "./campfire-fixture.ts";
import {
  channelsOf,
  expectRefused,
  expectRepeatedAndUndone,
  followPage,
  summarize,
  lossesOf,
  openServer,
  run,
  messagesTo,
  zipIn,
} from "./import-fixture.ts";

const [O, B, C, T] = ["Olga Owner", "Bo Member", "Cy Member", "All Talk"];

const READ_BY_BO = [
  [O, T, "", "Hello @**Bo Member** and @**Nina Neu**, **look**"],
  [B, T, "", "one\ntwo\n\n* a\n* b"],
  ["Robo Bot", T, "", "```\ncode *is* code\n```\n\nsee [this](https://a.example/)"],
  [C, "Secret", "", "lantern"],
  [O, 2, "", "just you"],
  [C, 3, "", "we three"],
  [B, T, "", "[plan.txt](/user_uploads/ID/plan.txt)"],
  [B, T, "", "`lost.txt` (file, 2 KiB, not available)"],
];

test("imports rooms, rich text, boosts, files and direct messages", async () => {
  const testServer = await openServer();
  const from = campfireFolder(testServer.directory);
  const before = readFileSync(join(from, "db/production.sqlite3"));
  const report = await run(testServer, from);
  expect(report).toMatchObject({ outcome: "imported", product: "campfire", faults: [] });
  expect(lossesOf(report)).toEqual([
    "A biography of a user is left out.",
    "A boost is text instead of an emoji.",
    "A message belongs to a deleted room.",
    "A password cannot be imported: the user sets a new one.",
    "A user has no address: the account is a placeholder.",
    "A webhook of a bot is left out: create it again.",
    "An owner or administrator becomes a member: change the role.",
    "The content of a file is not in the export: only its name is imported.",
    "Unread messages are marked as read.",
  ]);
  const messages = await messagesTo(testServer, "bo", "Campfire");
  expect(messages.map(summarize)).toEqual(READ_BY_BO);
  expect(messages[0]!.reactions.map(({ emoji_name }: Json) => emoji_name)).toEqual([
    "tada",
    "heart",
  ]);
  expect(messages.map(({ last_edit_timestamp }) => last_edit_timestamp !== undefined)).toEqual(
    READ_BY_BO.map((_one, index) => index === 1),
  );
  expect(readFileSync(join(from, "db/production.sqlite3")).equals(before)).toBe(true);
  expect(existsSync(join(from, "db/production.sqlite3-shm"))).toBe(false);
});

test("shows closed and direct rooms only to their members", async () => {
  const testServer = await openServer();
  await run(testServer, campfireFolder(testServer.directory));
  for (const name of ["mo", "gus", "olga"] as const) {
    const messages = (await messagesTo(testServer, name, "Campfire")).map(({ content }) => content);
    expect(messages).not.toContain("lantern");
    if (name === "olga") continue;
    expect(await channelsOf(testServer, name)).not.toContain("Secret");
    expect(messages).not.toContain("just you");
    expect(messages).not.toContain("we three");
  }
  const snapshot = await testServer.request("bo", "POST /register", {});
  const talkSubscription = snapshot.subscriptions.find(({ name }: Json) => name === T);
  expect(talkSubscription).toMatchObject({ is_muted: true, invite_only: false });
});

test("keeps notifications of all messages, and boosts of several emoji", async () => {
  const testServer = await openServer();
  const from = campfireFolder(testServer.directory, (database) => {
    database.run("UPDATE memberships SET involvement = 'everything' WHERE user_id = 3");
    for (const [nth, content] of ["👍👋🏽", "!!", "1️⃣", ":)"].entries()) {
      const values = [10 + nth, 4, 2, content];
      database.run("INSERT INTO boosts VALUES (?, ?, ?, ?)", values);
    }
  });
  const report = await run(testServer, from);
  const texts = report.losses.find(({ kind }) => kind.startsWith("A boost is text"));
  expect(texts?.count).toBe(3);
  expect(lossesOf(report).filter((kind) => kind.includes("custom emoji"))).toEqual([]);
  const messages = await messagesTo(testServer, "bo", "Campfire");
  const lantern = messages.find(({ content }) => content === "lantern")!;
  const names = lantern["reactions"].map(({ emoji_name }: Json) => emoji_name);
  expect(names).toEqual(["+1", "wave", "one"]);
  const { subscriptions } = await testServer.request("cy", "POST /register", {});
  const talkSubscription = subscriptions.find(({ name }: Json) => name === T);
  expect(talkSubscription).toMatchObject({ desktop_notifications: true, push_notifications: true });
});

test("lets new users sign in with their passwords, which are then hashed anew", async () => {
  const testServer = await openServer();
  await run(testServer, campfireFolder(testServer.directory));
  const { read } = testServer.realm;
  const nina = read.users.findBy("email", "nina@example.com")!;
  expect(nina.avatar_source).toBe("U");
  const hash = () => read.passwords.get(nina.user_id)!.hash;
  expect(hash()).toStartWith("$2b$");
  const signIn = (username: string, password: string) =>
    testServer.send(null, "POST /fetch_api_key", { username, password });
  expect((await signIn("nina@example.com", "wrong")).status).toBe(401);
  expect((await signIn("nina@example.com", PASSWORD)).status).toBe(200);
  expect(hash()).toStartWith("$argon2id$");
  expect((await signIn("nina@example.com", PASSWORD)).status).toBe(200);
  // An account that existed before keeps its own password; deactivated accounts have none.
  expect((await signIn("cy@example.com", PASSWORD)).status).toBe(401);
  const without = [...read.users.range()].filter(({ full_name }) =>
    ["Gone", "Odd Hash", "Robo Bot"].includes(full_name),
  );
  expect(without.map(({ user_id }) => read.passwords.has(user_id))).toEqual([false, false, false]);
});

test("reads a zip file, a database alone, and rows that are only in its log", async () => {
  const testServer = await openServer();
  const path = join(testServer.directory, "live/db/production.sqlite3");
  campfireDatabase(path);
  const live = new Database(path);
  live.run("PRAGMA wal_autocheckpoint = 0");
  live.run("UPDATE action_text_rich_texts SET body = '<p>from the log</p>' WHERE record_id = 1");
  const entries = ["", "-wal"].map((end) => ({
    name: `storage/db/production.sqlite3${end}`,
    bytes: readFileSync(path + end),
  }));
  await expectRefused(testServer, path, "production.sqlite3-wal: has newer rows");
  live.close();
  await run(testServer, zipIn(testServer, entries));
  const messages = (await messagesTo(testServer, "bo", "Campfire")).map(summarize);
  expect(messages[0]).toEqual([O!, T!, "", "from the log"]);
  expect(messages.length).toBe(READ_BY_BO.length);
  const other = await openServer();
  const single = join(other.directory, "campfire.sqlite3");
  campfireDatabase(single);
  expect(await run(other, single)).toMatchObject({ outcome: "imported", faults: [] });
});

test("writes nothing the second time, and is undone", async () => {
  const testServer = await openServer();
  await expectRepeatedAndUndone(testServer, campfireFolder(testServer.directory));
  expect([...testServer.realm.read.passwords.range()].length).toBeLessThanOrEqual(7);
});

test("keeps the conversation of a deleted message when the import is undone", async () => {
  const testServer = await openServer();
  const { realm } = testServer;
  const path = join(testServer.directory, "campfire.sqlite3");
  campfireDatabase(path, (database) => {
    const time = "2024-01-01 00:00:00";
    database.run("INSERT INTO messages VALUES (50, 3, 1, 'c50', ?, ?)", [time, time]);
    database.run(
      "INSERT INTO action_text_rich_texts VALUES (50, 'Message', 50, 'body', 'more', ?, ?)",
      [time, time],
    );
  });
  await run(testServer, path);
  const messages = [...realm.read.messages.range()].filter(({ stream_id }) => stream_id === 0);
  // The undo deletes the other message of the conversation.
  const [deleted] = [...Map.groupBy(messages, ({ recipient_id }) => recipient_id).values()].find(
    (group) => group.length > 1,
  )!;
  const author = realm.read.users.get(deleted!.sender_id)!;
  await realm.write((tx) => removeMessages(tx, [deleted!], author));
  await movingCommands.undoImport(realm, { id: 1 }, true);
  expect(realm.read.archive.get(deleted!.id)).toBeDefined();
  expect(realm.read.conversations.has(deleted!.recipient_id)).toBe(true);
});

test("counts messages without a time or a room, and imports the others", async () => {
  const testServer = await openServer();
  const path = join(testServer.directory, "campfire.sqlite3");
  campfireDatabase(path, (database) => {
    database.run("INSERT INTO messages VALUES (50, 1, 1, 'x', 'yesterday', 'x')");
    database.run("INSERT INTO messages VALUES (51, 'lobby', 1, 'x', '2024-01-01 00:00:00', 'x')");
  });
  const report = await run(testServer, path);
  expect(report).toMatchObject({ outcome: "imported", exit: 3 });
  expect(report.losses).toContainEqual({
    kind: "A message has no id, place, author or time: it is left out.",
    ...{ count: 1, examples: ["messages#50"] },
  });
  const deleted = report.losses.find(({ kind }) => kind.includes("belongs to a deleted room"));
  expect(deleted?.examples).toContain("messages#51");
  expect((await messagesTo(testServer, "bo", "Campfire")).length).toBe(READ_BY_BO.length);
});

test("rejects a damaged database and that of another program", async () => {
  const testServer = await openServer();
  const path = join(testServer.directory, "campfire.sqlite3");
  campfireDatabase(path);
  const intact = readFileSync(path);
  writeFileSync(path, intact.subarray(0, intact.length - 8_000));
  await expectRefused(testServer, path, "campfire.sqlite3: not a whole SQLite database");
  const other = join(testServer.directory, "other.sqlite3");
  const database = new Database(other);
  database.run("CREATE TABLE a (b)");
  database.run("CREATE VIEW messages AS SELECT 1");
  database.close();
  await expectRefused(testServer, other, "Not a Campfire database");
});

test("every command of the documentation works, in its order", async () => {
  const testServer = await openServer();
  const paths = { "campfire-storage": campfireFolder(testServer.directory) };
  expect(await followPage(testServer, "campfire.md", paths)).toBe(4);
});

const FUZZED = 60;

test("imports or refuses archives with changed bytes, without any other error", async () => {
  const testServer = await openServer();
  const random = chanceOf(SEED);
  const from = join(testServer.directory, "campfire.sqlite3");
  campfireDatabase(from);
  const intact = readFileSync(from);
  for (let times = 0; times < FUZZED; times++) {
    const bytes = Buffer.from(intact);
    for (let changes = 0; changes < 3; changes++) {
      bytes[random.below(bytes.length)] = random.pick([0, 1, 10, 13, 127, 200, 255]);
    }
    writeFileSync(from, bytes);
    const report = await movingCommands.planImport(testServer.realm, { from });
    expect(["planned", "refused"]).toContain(report.outcome);
  }
});
