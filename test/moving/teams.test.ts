// Microsoft Teams exports: imported into an organization in use, rejected, repeated and undone.
import { expect, test } from "bun:test";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { SEED } from "../random.ts";
import { chanceOf } from "../store/sample-schema.ts";
import type { Json } from "../test-server.ts";
import { BO, channelId, message, START_MS, teamsEntries } from "./teams-fixture.ts";
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

const LABEL = "Microsoft Teams";
const POSTS = "teams/t1/messages_t1.json";
const [O, B, C, T, SHIP] = [
  "Olga Owner",
  "Bo Member",
  "Cy Member",
  "Acme Team",
  "Shall we ship it?",
];

const FORMATTED = [
  "@**Cy Member** and @**all** 🙂",
  "",
  "```js",
  "a",
  "b",
  "```",
  "",
  "| a | b |",
  "| --- | --- |",
  "",
  "(picture, not available: cat)",
].join("\n");

const READ_BY_BO = [
  [O, T, SHIP, "Shall we **ship** it?"],
  [B, T, SHIP, "yes"],
  [C, T, SHIP, "no"],
  [B, T, "Our plan", "the plan is"],
  [O, T, "Our plan", "good"],
  [O, T, "", "one question"],
  [B, T, "", "> one question\n\none answer"],
  [B, T, "", FORMATTED],
  [
    ...["Gone Person", T, ""],
    "see\n\n[plan.docx](https://acme.sharepoint.example/plan.docx)\n" +
      "`````quote\nBuild 7\nTime: 3 s\n`````",
  ],
  ["Robo", T, "", "from an app"],
  [B, "Plans", "", "closed room"],
  [O, 2, "", "just you"],
  [C, 3, "", "we three"],
  [B, 2, "", "Olga O:\n`````quote\njust you\n`````\n\nindeed"],
];

test("imports threads, subjects, formatted text, reactions and chats, each once", async () => {
  const testServer = await openServer();
  const report = await run(testServer, zipIn(testServer, teamsEntries()));
  expect(report).toMatchObject({ outcome: "imported", product: "teams", faults: [] });
  expect(report.found).toMatchObject({ messages: READ_BY_BO.length + 1, notices: 2 });
  expect(lossesOf(report)).toEqual([
    "A card is shown by its texts only.",
    "A file is in SharePoint or OneDrive: only a link to it is imported.",
    "A job title of a user is left out.",
    "A meeting in a calendar is left out.",
    "A picture is not in the export.",
    "A user has no address: the account is a placeholder.",
    "An app of a team is left out.",
    "The members of a chat are not in the export: only some of them are known.",
    "The members of a private channel are not in the export: they are its authors.",
    "Whether a member owns a team is not in the export.",
  ]);
  const messages = await messagesTo(testServer, "bo", LABEL);
  expect(messages.map(summarize)).toEqual(READ_BY_BO);
  const formatted = messages.find(({ content }) => content.includes("```js"))!;
  expect(formatted.reactions.map(({ emoji_name }: Json) => emoji_name)).toEqual(["heart", "+1"]);
  expect(formatted.last_edit_timestamp).toBe(Date.parse("2025-08-05T13:02:00Z") / 1000);
});

test("shows channels of private teams, private channels and chats only to members", async () => {
  const testServer = await openServer();
  await run(testServer, zipIn(testServer, teamsEntries()));
  for (const name of ["mo", "gus", "cy"] as const) {
    const messages = (await messagesTo(testServer, name, LABEL)).map(({ content }) => content);
    expect(messages).not.toContain("closed room");
    expect(messages).not.toContain("just you");
    const channels = await channelsOf(testServer, name);
    expect(channels).not.toContain("Plans");
    expect(channels.includes(T!)).toBe(name === "cy");
    if (name !== "cy") expect(messages).not.toContain("we three");
  }
  expect(await channelsOf(testServer, "mo")).toContain("Open Team");
  const cy = (await messagesTo(testServer, "cy", LABEL)).map(({ content }) => content);
  expect(cy).toContain("for all");
  const snapshot = await testServer.request("bo", "POST /register", {});
  const folders = snapshot.channel_folders.map(({ name }: Json) => name).sort();
  expect(folders).toEqual(["Acme Team", "Open Team"]);
});

test("counts a message of no conversation, and imports the others", async () => {
  const testServer = await openServer();
  const posts = JSON.stringify([message(1, BO, "nowhere")]);
  const report = await run(testServer, zipIn(testServer, teamsEntries({ [POSTS]: posts })));
  expect(report).toMatchObject({ outcome: "imported", exit: 3 });
  expect(lossesOf(report)).toContain("A message names no channel or chat: it is left out.");
  const messages = (await messagesTo(testServer, "bo", LABEL)).map(({ content }) => content);
  expect(messages).toContain("just you");
  expect(messages).not.toContain("nowhere");
});

const GENERAL_CHANNEL = { ChannelIdentity: { ChannelId: channelId("gen") } };

test("keeps the quote of a card closed that contains a longer fence", async () => {
  const testServer = await openServer();
  const text = "``````\ncode\n``````";
  const card = { Id: "1", ContentType: "x.card.adaptive", Content: JSON.stringify({ text }) };
  const posts = [message(1, BO, "", { ...GENERAL_CHANNEL, Attachments: [card] })];
  const entries = teamsEntries({ [POSTS]: JSON.stringify(posts) });
  await run(testServer, zipIn(testServer, entries));
  const messages = (await messagesTo(testServer, "bo", LABEL)).map(({ content }) => content);
  const fence = "`".repeat(7);
  expect(messages).toContain(`${fence}quote\n${text}\n${fence}`);
});

test("counts messages without a time, and imports the others", async () => {
  const testServer = await openServer();
  const posts = [
    message(1, BO, "first", GENERAL_CHANNEL),
    { ...message(2, BO, "bad", GENERAL_CHANNEL), Id: null, CreatedDateTime: 5 },
    message(3, BO, "last", GENERAL_CHANNEL),
  ];
  const entries = teamsEntries({ [POSTS]: JSON.stringify(posts) });
  const report = await run(testServer, zipIn(testServer, entries));
  expect(report).toMatchObject({ outcome: "imported", exit: 3 });
  expect(report.losses).toContainEqual({
    kind: "A message has no id, place, author or time: it is left out.",
    ...{ count: 1, examples: [`${POSTS}#2`] },
  });
  const messages = (await messagesTo(testServer, "bo", LABEL)).map(({ content }) => content);
  expect(messages).toEqual(expect.arrayContaining(["first", "last", "just you"]));
});

test("bounds ids of any length, and imports the messages", async () => {
  const testServer = await openServer();
  const long = "x".repeat(5_000);
  const channels = [{ Id: long, DisplayName: "Long", MembershipType: "standard" }];
  const posts = [
    message(1, BO, "in a channel with a long id", {
      ChannelIdentity: { ChannelId: long },
      Id: long,
    }),
  ];
  const members = [{ UserId: BO }, { UserId: long }];
  const entries = teamsEntries({
    [POSTS]: JSON.stringify(posts),
    ["teams/t1/channels_t1.json"]: JSON.stringify(channels),
    ["teams/t1/teamMembers_t1.json"]: JSON.stringify(members),
  });
  expect(await run(testServer, zipIn(testServer, entries))).toMatchObject({ outcome: "imported" });
  const messages = (await messagesTo(testServer, "bo", LABEL)).map(({ content }) => content);
  expect(messages).toContain("in a channel with a long id");
});

test("ignores an invalid time of an answered message", async () => {
  const testServer = await openServer();
  const posts = ["9e15", "Infinity", "-5", "x"].map((ReplyToId, index) => {
    return message(index, BO, `answer to ${ReplyToId}`, { ...GENERAL_CHANNEL, ReplyToId });
  });
  const entries = teamsEntries({ [POSTS]: JSON.stringify(posts) });
  expect(await run(testServer, zipIn(testServer, entries))).toMatchObject({ outcome: "imported" });
  const messages = await messagesTo(testServer, "bo", LABEL);
  const responses = messages.filter(({ content }) => content.startsWith("answer"));
  expect(responses.map(({ timestamp }) => timestamp - START_MS / 1000)).toEqual([0, 1, 2, 3]);
});

test("makes users of other organizations guests", async () => {
  const testServer = await openServer();
  await run(testServer, zipIn(testServer, teamsEntries()));
  const guest = testServer.realm.read.users.findBy("email", "guest@other.example")!;
  expect(guest.role).toBe(600);
});

test("writes nothing the second time, and is undone", async () => {
  const testServer = await openServer();
  await expectRepeatedAndUndone(testServer, folderIn(testServer.directory, teamsEntries()));
});

const BAD_ARCHIVES: [some: ZipEntry[], fault: string][] = [
  [teamsEntries({ "users/usersList.json": '[{"Id":"1"' }), "usersList.json: ends early"],
  [teamsEntries({ "teams/t1/channels_t1.json": "{}" }), "channels_t1.json: not a list"],
  [
    teamsEntries({ "teams/teamsList.json": `[{"a":${"[".repeat(99)}${"]".repeat(99)}}]` }),
    "nested deeper than 64",
  ],
  [teamsEntries({ "../x.json": "[]" }), "leads out of the archive"],
  [teamsEntries({ "b.json": " ".repeat(1e7) }), "an archive bomb"],
  [
    [...teamsEntries(), { name: "other/users/usersList.json", bytes: "[]" }],
    "There are several exports",
  ],
];

test("rejects a damaged export with its place", async () => {
  const testServer = await openServer();
  for (const [entries, fault] of BAD_ARCHIVES)
    await expectRefused(testServer, zipIn(testServer, entries), fault);
});

test("every command of the documentation works, in its order", async () => {
  const testServer = await openServer();
  const paths = { "teams-export.zip": zipIn(testServer, teamsEntries()) };
  expect(await followPage(testServer, "teams.md", paths)).toBe(4);
});

const FUZZED = 60;

test("imports or refuses archives with changed bytes, without any other error", async () => {
  const testServer = await openServer();
  const random = chanceOf(SEED);
  for (let times = 0; times < FUZZED; times++) {
    const entries = teamsEntries();
    const entry = random.pick(entries);
    const bytes = Buffer.from(String(entry.bytes));
    for (let changes = 0; changes < 3; changes++) {
      bytes[random.below(bytes.length)] = random.pick([0, 10, 34, 44, 48, 58, 92, 93, 125, 200]);
    }
    entry.bytes = bytes;
    const report = await movingCommands.planImport(testServer.realm, {
      from: zipIn(testServer, entries),
    });
    expect(["planned", "refused"]).toContain(report.outcome);
  }
});
