// Records are imported although fields of others are null, missing or have odd values.
import { expect, test } from "bun:test";
import type { MovingReport } from "../../src/features/moving/report.ts";
import { dumpFolder } from "./bson-writer.ts";
import { campfireFolder, timeAfter } from "./campfire-fixture.ts";
import * as discord from "./discord-fixture.ts";
import { openServer, run, zipIn } from "./import-fixture.ts";
import * as rocketchat from "./rocketchat-fixture.ts";
import { BO, OLGA, ts, USERS } from "./slack-fixture.ts";
import * as teams from "./teams-fixture.ts";
import type { Json, TestServer } from "../test-server.ts";
import type { ZipEntry } from "./zip.ts";

/** Imports the entries, and returns each message as its sender, its place and its text. */
async function importEntries(entries: readonly ZipEntry[]) {
  const testServer = await openServer();
  return importedFrom(testServer, zipIn(testServer, entries));
}

async function importedFrom(testServer: TestServer, from: string) {
  const report = await run(testServer, from);
  expect(report).toMatchObject({ outcome: "imported", exit: 3, faults: [] });
  const { read } = testServer.realm;
  const rows = [...read.messages.range()].filter(({ client }) => client !== "website");
  const messages = rows.map(({ sender_id, stream_id, recipient_id, content }) => {
    const people = read.conversations.get(recipient_id)?.user_ids ?? [];
    const name = read.channels.get(stream_id)?.name ?? people.length;
    return [read.users.get(sender_id)!.full_name, name, content];
  });
  // The responses are compared with the contract.
  for (const name of ["olga", "bo"] as const) await testServer.request(name, "POST /register", {});
  expect((await run(testServer, from)).written).toEqual({});
  return { report, messages };
}

const examplesOf = ({ losses }: MovingReport, kind: string) =>
  losses.find((loss) => loss.kind.startsWith(kind))?.examples;
const INCOMPLETE_LOSS = "A message has no id";
const json = (name: string, value: unknown): ZipEntry => ({ name, bytes: JSON.stringify(value) });

const post = (seconds: number, text: unknown, extra: Json = {}) => ({
  ...{ type: "message", user: BO, text, ts: ts(seconds), ...extra },
});

const EMPTY_RECORD = {
  ...{ blocks: null, attachments: null, files: null, reactions: null, edited: null },
  ...{ thread_ts: null, reply_count: null, root: null, user_profile: null },
};

const ODD_POSTS = [
  post(9, "first in the file"),
  post(1, "null", EMPTY_RECORD),
  post(2, "blocks", { blocks: [null, 5, { type: "rich_text", elements: null }, { type: 7 }] }),
  post(3, "cards", { attachments: [null, {}, { fields: [{ title: null, value: "v" }] }] }),
  post(4, "files", { files: [null, {}, { name: "../../x", size: -5 }] }),
  post(5, "reactions", { reactions: [null, { name: "toString", users: [BO, null, 7] }] }),
  post(6, "same", { client_msg_id: "a" }),
  post(6, "same", { client_msg_id: "a" }),
  post(6, "other"),
  post(7, "time", { ts: 1_516_449_600.1 }),
  post(7, "far", { ts: "99999999999.000100" }),
  post(8, "nobody", { user: null }),
  post(10, "liked", { reactions: [{ name: "+1", users: ["U404", "U1"] }] }),
];

test("imports Slack messages before and after invalid ones", async () => {
  const { report, messages } = await importEntries([
    json("users.json", [USERS[0], { id: BO, profile: null }, { id: "U1", name: "x".repeat(300) }]),
    json("channels.json", [{ id: "C1", name: "odd", members: [BO, null, 7], purpose: null }]),
    json("groups.json", null),
    json("dms.json", [{ id: "D1", members: null }]),
    json("odd/2018-01-19.json", null),
    json("odd/2018-01-20.json", ODD_POSTS),
    json("D1/2018-01-20.json", [post(20, "to whom?"), post(21, "me", { user: OLGA })]),
  ]);
  expect(messages).toEqual([
    ...["null", "blocks", "cards\n\n````quote\nv\n````"].map((text) => [BO, "odd", text]),
    [BO, "odd", "files\n`file` (file, not available)\n`../../x` (file, not available)"],
    ...["reactions", "same"].map((text) => [BO, "odd", text]),
    ["Slack bot", "odd", "nobody"],
    ...["first in the file", "liked"].map((text) => [BO, "odd", text]),
    [BO, 2, "to whom?"],
    ["Olga Owner", 2, "me"],
  ]);
  const file = "odd/2018-01-20.json";
  expect(examplesOf(report, INCOMPLETE_LOSS)).toEqual([`${file}#10`, `${file}#11`]);
  expect(examplesOf(report, "A message has the id of another")).toEqual([`${file}#9`]);
  expect(examplesOf(report, "The users of a reaction")).toEqual([`${file}#13`]);
});

test("imports Discord messages before and after invalid ones", async () => {
  const { channelFile, message, OLGA: olga, BO: bo } = discord;
  const nulls = {
    ...{ attachments: null, embeds: null, stickers: null, reactions: null, mentions: null },
    ...{ inlineEmojis: null, reference: null, forwardedMessage: null, type: null },
  };
  const namedUser = (id: string | null, name: unknown) => ({
    id,
    name,
    nickname: null,
    roles: [null],
  });
  const rows = [
    message("9", 9, bo, "last"),
    message("1", 1, olga, "null", nulls),
    ...[null, namedUser(null, "x")].map((author, index) =>
      message(`2${index}`, 2, author!, "author"),
    ),
    message("3", 3, namedUser("78", "n".repeat(300)), "long name"),
    message("4", 4, bo, "", { embeds: [null, {}, { fields: [null, {}], title: "t" }] }),
    message("5", 5, bo, "year 1", { timestamp: "0001-01-01T00:00:00+00:00" }),
    message("6", 6, bo, "files", { attachments: [null, {}, { url: "..\\..\\x" }] }),
    message("7", 7, bo, "emoji", { reactions: [null, { emoji: null }, { emoji: { name: "👍" } }] }),
    message("9", 9, bo, "last"),
  ];
  const { report, messages } = await importEntries([
    { name: "a.json", bytes: channelFile({ id: "20", name: "odd", type: null }, rows) },
    { name: "b.json", bytes: channelFile({ id: "21", name: "" }, [], { guild: null }) },
    { name: "c.json", bytes: channelFile({ id: "22", name: "no list" }, [], { messages: null }) },
  ]);
  const channelName = "Work: odd";
  expect(messages.map(([, ...rows]) => rows)).toEqual([
    [channelName, "null"],
    [channelName, "long name"],
    [channelName, "`````quote\n**t**\n`````"],
    [channelName, "files\n`file` (file, not available)\n`file` (file, not available)"],
    ...["emoji", "last"].map((text) => [channelName, text]),
  ]);
  expect(examplesOf(report, INCOMPLETE_LOSS)).toEqual(["a.json#3", "a.json#4", "a.json#7"]);
});

test("imports Rocket.Chat messages before and after invalid ones", async () => {
  const { message, COLLECTIONS } = rocketchat;
  const nulls = {
    ...{ reactions: null, attachments: null, files: null, file: null, starred: null, t: null },
    ...{ replies: null, tmid: null, tcount: null, editedAt: null, alias: null },
  };
  const reactions = { ":+1:": { usernames: null }, ":tada:": { usernames: ["olga", 7, "olga"] } };
  const { report, messages } = await importEntries(
    dumpFolder({
      ...COLLECTIONS,
      users: [...rocketchat.USERS, { _id: "x", emails: null, roles: null }, { username: "no id" }],
      rocketchat_room: [
        { _id: "GENERAL", t: "c", name: "general" },
        { _id: "old", t: "d", usernames: ["olga", "bo"] },
        ...["a", "b"].map((_id) => ({ _id, t: "c", name: _id, prid: _id === "a" ? "b" : "a" })),
        { t: "c", name: "no id" },
      ],
      rocketchat_subscription: [{ rid: null }, { rid: "GENERAL", u: null }],
      rocketchat_message: [
        message("m9", "GENERAL", 9, "u2", "last"),
        message("m1", "GENERAL", 1, "u2", "null", nulls),
        message("m2", "GENERAL", 2, "u2", "odd", { reactions, attachments: [null], files: [{}] }),
        message("m3", "GENERAL", 3, "u404", "stranger"),
        message("m4", "GENERAL", 4, "u2", "self", { tmid: "m4", tcount: 3 }),
        message("m5", "GENERAL", 5, "u2", "text", { ts: "2024-01-01" }),
        message("m6", "GENERAL", 5, "u2", "seconds", { ts: 1_714_557_600 }),
        message("m7", "a", 6, "u2", "circle"),
        message("m8", "old", 7, "u2", "two"),
      ],
    }),
  );
  expect(messages.map(([, ...rows]) => rows)).toEqual([
    ...["null", "odd", "stranger", "self"].map((text) => ["general (Rocket.Chat)", text]),
    ["b: a", "circle"],
    [2, "two"],
    ["general (Rocket.Chat)", "last"],
  ]);
  expect(examplesOf(report, INCOMPLETE_LOSS)).toEqual([
    "rocketchat_message#6",
    "rocketchat_message#7",
  ]);
  expect(examplesOf(report, "A record is no object")).toEqual(["users#8", "rocketchat_room#5"]);
});

test("imports Teams messages before and after invalid ones", async () => {
  const { message, channelId, OLGA: olga } = teams;
  const channelRow = (extra: Json = {}) => ({
    ...{ ChannelIdentity: { TeamId: "t1", ChannelId: channelId("gen") }, ...extra },
  });
  const Reactions = [null, { ReactionType: "👍", User: null }];
  const rows = [
    message(9, olga, "last", channelRow()),
    message(1, olga, "null", channelRow({ Attachments: null, Mentions: null, Reactions: null })),
    message(2, olga, "plain", channelRow({ Body: { ContentType: "text", Content: "a <b>" } })),
    ...["one", "two"].map((text) => message(3, olga, text, channelRow({ Id: "" }))),
    message(4, olga, "no time", channelRow({ Id: "abc", CreatedDateTime: "x" })),
    message(5, olga, '<at id="9">x</at>!', channelRow({ Mentions: [null, {}], Reactions })),
    message(6, "unknown-user", "stranger", channelRow()),
    message(7, olga, "no place", {}),
  ];
  const { report, messages } = await importEntries(
    teams.teamsEntries({ "teams/t1/messages_t1.json": JSON.stringify(rows) }),
  );
  expect(messages.slice(0, 7).map(([name, , text]) => [name, text])).toEqual([
    ...["null", "a <b>", "one", "two", "@!"].map((text) => ["Olga Owner", text]),
    ["unknown-user", "stranger"],
    ["Olga Owner", "last"],
  ]);
  const file = "teams/t1/messages_t1.json";
  expect(examplesOf(report, INCOMPLETE_LOSS)).toEqual([`${file}#6`]);
  expect(examplesOf(report, "A message names no channel")).toEqual([`${file}#9`]);
});

test("imports Campfire messages before and after invalid ones", async () => {
  const testServer = await openServer();
  let id = 100;
  const from = campfireFolder(testServer.directory, (database) => {
    const put = (table: string, ...values: (string | number | null)[]) =>
      void database.run(`INSERT INTO ${table} VALUES (${values.map(() => "?").join()})`, values);
    const send = (
      room: number | null,
      user: number | null,
      text: string | null,
      time = timeAfter(id),
    ) => {
      put("messages", ++id, room, user, null, time, time);
      put("action_text_rich_texts", id, "Message", id, "body", text, time, "junk");
    };
    put("users", 20, null, null, null, null, null, null);
    put("rooms", 20, "", "Rooms::Open", null, "junk");
    put("rooms", 21, null, "Rooms::Direct", 1, timeAfter(0));
    put("memberships", 900, 99, 1, null, null);
    put("memberships", 901, 20, 999, null, null);
    for (const user of [999, null, 20]) send(20, user, "<p>odd</p>");
    for (const user of [1, 2]) send(21, user, "<p>two</p>");
    send(null, 1, "<p>no room</p>");
    send(1, 1, null);
    send(1, 1, "<p>no time</p>", "junk");
    put("boosts", 90, 101, null, "🎉");
    put("boosts", 91, 101, 1, null);
    put("active_storage_attachments", 90, "Message", 101, "attachment", 999);
  });
  const { report, messages } = await importedFrom(testServer, from);
  expect(messages.slice(8)).toEqual([
    ...["Campfire user 999", "Campfire user 0", "20"].map((name) => [name, "campfire-20", "odd"]),
    ["Olga Owner", 2, "two"],
    ["Bo Member", 2, "two"],
  ]);
  expect(examplesOf(report, INCOMPLETE_LOSS)).toEqual(["messages#108"]);
  expect(examplesOf(report, "A message has no text")).toEqual(["messages#107"]);
  expect(examplesOf(report, "A message belongs to a deleted room")).toContain("messages#106");
});
