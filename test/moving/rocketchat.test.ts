// Dumps of Rocket.Chat: imported into an organization in use, rejected, repeated and undone.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { SEED } from "../random.ts";
import { chanceOf } from "../store/sample-schema.ts";
import type { Json } from "../test-server.ts";
import { bsonOf, dumpArchive, dumpFolder } from "./bson-writer.ts";
import { COLLECTIONS, message } from "./rocketchat-fixture.ts";
import {
  channelsOf,
  expectRefused,
  expectRepeatedAndUndone,
  folderIn,
  followPage,
  summarize,
  lossesOf,
  openServer,
  run,
  messagesTo,
  zipIn,
} from "./import-fixture.ts";
import type { ZipEntry } from "./zip.ts";

const entries = (): ZipEntry[] => [
  ...dumpFolder(COLLECTIONS),
  { name: "dump/uploads/f2.txt", bytes: "on disk" },
];

const [O, B, C, G] = ["Olga Owner", "Bo Member", "Cy Member", "general (Rocket.Chat)"];

const READ_BY_BO = [
  [O, G, "Shall we ship it?", "Shall we **ship** it?"],
  [B, G, "Shall we ship it?", "yes"],
  ["Robo Bot", G, "Shall we ship it?", "no @**all**"],
  [O, G, "", "one question"],
  [B, G, "", "> one question\n\none answer"],
  [...[B, G, ""], "ask @**Nina Neu** in #**News**, `@olga` *now* :wizard: https://a.b/_x_y"],
  [
    ...[B, G, ""],
    "as agreed\n[plan.txt](/user_uploads/ID/plan.txt)\n[disk.txt](/user_uploads/ID/disk.txt)\n" +
      "`lost.txt` (file, 2 KiB, not available)",
  ],
  [C, G, "", "````quote\nolga\nShall we **ship** it?\n````\nI agree"],
  ["CI", G, "", "built\n````quote\n**[Build 7](https://ci.example/7)**\npassed\n````"],
  [B, G, "Which colour?", "blue"],
  [C, "secret", "", "lantern"],
  [O, 2, "", "just you"],
  [C, 3, "", "we three"],
  ["visitor", "Livechat: Visitor", "", "help"],
];

test("imports threads, discussions, quotes, files and direct messages", async () => {
  const testServer = await openServer();
  const report = await run(testServer, folderIn(testServer.directory, entries()));
  expect(report).toMatchObject({ outcome: "imported", product: "rocketchat", faults: [] });
  expect(lossesOf(report)).toEqual([
    "A channel is renamed, since its name is taken or too long.",
    "A channel that new users join is not a default channel.",
    "A followed thread has no topic of its own: it is not followed.",
    "A message belongs to a room that is not in the dump.",
    "A password cannot be imported: the user sets a new one.",
    "A reaction is of a user who is not in the dump.",
    "A role in a channel, such as its owner, is left out.",
    "An earlier version of an edited message is left out.",
    "An encrypted message cannot be read.",
    "An owner or administrator becomes a member: change the role.",
    "The content of a file is not in the export: only its name is imported.",
    "Unread messages are marked as read.",
  ]);
  const messages = await messagesTo(testServer, "bo", "Rocket.Chat");
  expect(messages.map(summarize)).toEqual(READ_BY_BO);
  expect(messages[4]!.last_edit_timestamp).toBe(Date.parse("2024-05-01T10:00:46Z") / 1000);
  const reactions = messages[5]!.reactions.map((reaction: Json) => [
    reaction.emoji_name,
    reaction.reaction_type,
  ]);
  expect(reactions).toEqual([
    ["tada", "unicode_emoji"],
    ["wizard", "realm_emoji"],
  ]);
  const emoji = [...testServer.realm.read.custom_emoji.range()].map(({ name }) => name);
  expect(emoji).toEqual(["wizard", "old_one"]);
  const { stream_id } = testServer.realm.read.channels.findBy("name", G!.toLowerCase())!;
  const { pins } = await testServer.request("bo", "GET /skein_pins", { stream_id });
  expect(pins.map(({ message_id }: Json) => message_id)).toEqual([messages[5]!.id]);
});

test("reads folders, archive files and zip files, compressed or not, alike", async () => {
  const plain = dumpArchive(COLLECTIONS);
  for (const [name, bytes] of [
    ["dump.archive", plain],
    ["dump.archive.gz", gzipSync(plain)],
  ] as const) {
    const testServer = await openServer();
    const from = join(testServer.directory, name);
    writeFileSync(from, bytes);
    expect(await run(testServer, from)).toMatchObject({ outcome: "imported", faults: [] });
    const messages = (await messagesTo(testServer, "bo", "Rocket.Chat")).map(summarize);
    expect(messages.length, name).toBe(READ_BY_BO.length);
    expect(messages[10]).toEqual(READ_BY_BO[10]!);
    expect(JSON.stringify(messages)).toContain("plan.txt](/user_uploads/ID/plan.txt)");
  }
  const testServer = await openServer();
  const packed = zipIn(testServer, dumpFolder(COLLECTIONS, true));
  expect(await run(testServer, packed)).toMatchObject({ outcome: "imported", faults: [] });
  const message = (await messagesTo(testServer, "bo", "Rocket.Chat")).map(summarize);
  expect(JSON.stringify(message)).toContain("plan.txt](/user_uploads/ID/plan.txt)");
});

test("shows private channels and discussions only to their members", async () => {
  const testServer = await openServer();
  await run(testServer, folderIn(testServer.directory, entries()));
  const bo = await channelsOf(testServer, "bo");
  expect(bo).toEqual(expect.arrayContaining([G!, "News", "secret"]));
  expect(bo).not.toContain("general: Hush");
  for (const name of ["mo", "gus", "bo"] as const) {
    const messages = (await messagesTo(testServer, name, "Rocket.Chat")).map(
      ({ content }) => content,
    );
    expect(messages).not.toContain("hidden colours");
    if (name === "bo") continue;
    expect(await channelsOf(testServer, name)).not.toContain("secret");
    for (const secretText of ["lantern", "just you", "we three", "help"]) {
      expect(messages).not.toContain(secretText);
    }
  }
  const cy = (await messagesTo(testServer, "cy", "Rocket.Chat")).map(({ content }) => content);
  expect(cy).toContain("hidden colours");
  expect(cy).not.toContain("just you");
});

test("makes public channels of a private team private", async () => {
  const testServer = await openServer();
  const room = (_id: string, extra: Json) => ({ _id, t: "c", name: _id, ...extra });
  const dump = {
    ...COLLECTIONS,
    rocketchat_team: [
      { _id: "t1", name: "Press", type: 0 },
      { _id: "t2", name: "Board", type: 1 },
    ],
    rocketchat_team_member: [{ _id: "tm", teamId: "t2", userId: "u2" }],
    rocketchat_room: [
      ...COLLECTIONS["rocketchat_room"]!,
      room("board", { t: "p", teamId: "t2", teamMain: true }),
      room("salaries", { teamId: "t2" }),
      room("raises", { prid: "salaries", fname: "Raises" }),
      room("closed-part", { teamId: "t2", prid: "GENERAL", fname: "Closed part" }),
      room("lost-team", { teamId: "gone" }),
    ],
    rocketchat_subscription: [{ _id: "sx", rid: "board", u: { _id: "u1", username: "olga" } }],
    rocketchat_message: ["salaries", "raises", "closed-part", "lost-team"].map((rid, index) =>
      message(`q${index}`, rid, 200 + index, "u1", `in ${rid}`),
    ),
  };
  const report = await run(testServer, folderIn(testServer.directory, dumpFolder(dump)));
  expect(report.losses).toContainEqual({
    kind: "A public channel of a private team becomes private.",
    ...{ count: 3, examples: ["#salaries", "#Closed part", "#lost-team"] },
  });
  for (const name of ["olga", "bo"] as const) {
    const messages = await messagesTo(testServer, name, "Rocket.Chat");
    expect(messages.map(({ content }) => content)).toEqual([
      ...["in salaries", "in raises", "in closed-part"],
    ]);
  }
  const channels = await channelsOf(testServer, "cy");
  expect(channels).toContain("News");
  for (const hidden of ["salaries", "general: Closed part", "lost-team", "board"]) {
    expect(channels).not.toContain(hidden);
  }
  expect(await messagesTo(testServer, "cy", "Rocket.Chat")).toEqual([]);
});

test("imports memberships, folders, permissions and pictures", async () => {
  const testServer = await openServer();
  await run(testServer, folderIn(testServer.directory, entries()));
  const snapshot = await testServer.request("bo", "POST /register", {});
  const userNamed = (name: string) =>
    snapshot.subscriptions.find((subscription: Json) => subscription.name === name);
  const [folder] = snapshot.channel_folders.filter(
    ({ id }: Json) => id === userNamed("News").folder_id,
  );
  expect(folder.name).toBe("Press");
  expect(userNamed("News")).toMatchObject({ is_muted: true, pin_to_top: false });
  expect(userNamed(G!)).toMatchObject({ is_muted: false, pin_to_top: true });
  const response = await testServer.send("bo", "POST /messages", {
    ...{ type: "stream", to: [userNamed("News").stream_id], topic: "x", content: "y" },
  });
  expect(response.status).toBe(400);
  expect(snapshot.user_topics.map(({ topic_name }: Json) => topic_name)).toEqual([
    "Shall we ship it?",
  ]);
  const nina = testServer.realm.read.users.findBy("email", "nina@example.com")!;
  expect(nina.avatar_source).toBe("U");
  expect(testServer.realm.read.channels.findBy("name", "old-stuff")!.is_archived).toBe(true);
});

test("writes nothing the second time, and is undone", async () => {
  const testServer = await openServer();
  await expectRepeatedAndUndone(testServer, folderIn(testServer.directory, entries()));
});

const messages = (bytes: Uint8Array): ZipEntry[] => [
  { name: "rocketchat_message.bson", bytes },
  { name: "rocketchat_room.bson", bytes: bsonOf({ _id: "r", t: "c", name: "r" }) },
];

function nested(depth: number): Json {
  let value: Json = {};
  for (let index = 0; index < depth; index++) value = { a: value };
  return value;
}

const ONE_MESSAGE = bsonOf(message("a", "r", 1, "u1", "text"));

const BAD_ARCHIVES: [some: ZipEntry[], fault: string][] = [
  [messages(ONE_MESSAGE.subarray(0, -1)), "rocketchat_message.bson: ends early"],
  [messages(bsonOf(nested(80))), "rocketchat_message#1: nested deeper than 64"],
  [messages(Buffer.from([255, 255, 255, 127, 0])), "rocketchat_message#1: not a BSON document"],
  [messages(Buffer.from([6, 0, 0, 0, 0, 0])), "rocketchat_message#1: not valid BSON"],
  [[{ name: "rocketchat_message.bson", bytes: ONE_MESSAGE }], "Not a dump of Rocket.Chat"],
  [
    [...messages(ONE_MESSAGE), { name: "../x.bson", bytes: ONE_MESSAGE }],
    "leads out of the archive",
  ],
  [[...messages(ONE_MESSAGE), { name: "x.bson", bytes: new Uint8Array(1e7) }], "an archive bomb"],
];

test("counts messages without a time or an author, and imports the others", async () => {
  const testServer = await openServer();
  const bad = [
    { _id: "b", rid: "r", msg: "bad" },
    { ...message("c", "r", 2, "u1", "bad"), u: { username: "x" } },
    { ...message("d", "r", 2, "u1", "bad"), ts: { a: 1 } },
  ];
  const last = message("e", "r", 3, "u1", "last");
  const bytes = Buffer.concat([ONE_MESSAGE, ...[...bad, last].map(bsonOf)]);
  const report = await run(testServer, zipIn(testServer, messages(bytes)));
  expect(report).toMatchObject({ outcome: "imported", exit: 3 });
  expect(report.losses).toContainEqual({
    kind: "A message has no id, place, author or time: it is left out.",
    ...{ count: 3, examples: [2, 3, 4].map((index) => `rocketchat_message#${index}`) },
  });
  const entries = [...testServer.realm.read.messages.range()].filter(({ client }) => {
    return client === "Rocket.Chat";
  });
  expect(entries.map(({ content }) => content)).toEqual(["text", "last"]);
});

/** A size above which compression ratios are limited. */
const BOMB_BYTES = 70 * 1_048_576;

test("rejects a damaged dump with its place", async () => {
  const testServer = await openServer();
  for (const [archive, fault] of BAD_ARCHIVES)
    await expectRefused(testServer, zipIn(testServer, archive), fault);
  const intact = dumpArchive(COLLECTIONS);
  for (let length = 5; length < intact.length; length += Math.ceil(intact.length / 9)) {
    const from = join(testServer.directory, "cut.archive");
    writeFileSync(from, intact.subarray(0, length));
    await expectRefused(testServer, from, "");
  }
  const bomb = join(testServer.directory, "bomb.archive.gz");
  const zeros = new Uint8Array(BOMB_BYTES);
  writeFileSync(bomb, gzipSync(Buffer.concat([intact.subarray(0, 4), zeros])));
  await expectRefused(testServer, bomb, "an archive bomb");
  const nameless = join(testServer.directory, "nameless.archive");
  const block = bsonOf({ db: "rocketchat", collection: { toString: null } });
  const end = Buffer.from([255, 255, 255, 255]);
  writeFileSync(nameless, Buffer.concat([intact.subarray(0, 4), end, block]));
  await expectRefused(testServer, nameless, "a block names no collection");
  const other = join(testServer.directory, "other.archive");
  writeFileSync(other, dumpArchive({ accounts: [{ _id: "1" }] }));
  await expectRefused(testServer, other, "Not a dump of Rocket.Chat");
});

test("every command of the documentation works, in its order", async () => {
  const testServer = await openServer();
  const paths = { "rocketchat-dump": folderIn(testServer.directory, entries()) };
  expect(await followPage(testServer, "rocketchat.md", paths)).toBe(4);
});

const FUZZED = 60;

test("imports or refuses archives with changed bytes, without any other error", async () => {
  const testServer = await openServer();
  const random = chanceOf(SEED);
  const intact = dumpArchive(COLLECTIONS);
  const from = join(testServer.directory, "fuzzed.archive");
  for (let times = 0; times < FUZZED; times++) {
    const bytes = Buffer.from(intact);
    for (let changes = 0; changes < 3; changes++) {
      bytes[4 + random.below(bytes.length - 4)] = random.pick([0, 1, 2, 3, 4, 10, 127, 200, 255]);
    }
    writeFileSync(from, bytes);
    const report = await movingCommands.planImport(testServer.realm, { from });
    expect(["planned", "refused"]).toContain(report.outcome);
  }
});
