// Discord exports: imported into an organization in use, rejected, repeated and undone.
import { expect, test } from "bun:test";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { striped } from "../features/upload-fixture.ts";
import { SEED } from "../random.ts";
import { chanceOf } from "../store/sample-schema.ts";
import type { Json } from "../test-server.ts";
import { BO, channelFile, discordEntries, message, OLGA, PEOPLE } from "./discord-fixture.ts";
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

const CHOICES = { people: PEOPLE };
const CARD = [
  "`````quote",
  "**[Build 7](https://ci.example/7)**",
  "passed",
  "**Time**: 3 s",
  "CI",
  "`````",
].join("\n");

const [O, B, C, G] = ["Olga Owner", "Bo Member", "Cy Member", "general (Discord)"];

const READ_BY_BO = [
  [
    ...[O, G, ""],
    "Welcome @**Bo Member**, not @bob, see [a private channel](/#narrow/channel/ID) and `@bo`",
  ],
  [
    ...[B, G, ""],
    `@_**${O}** [said](LINK):\n` +
      "> Welcome @Bo Member, not @bob, see a private channel and @bo\n\n" +
      "thanks @**all** \n```spoiler\nsecret\n```\n :wizard: :wizard:",
  ],
  [
    ...[B, G, ""],
    "(sticker: Wave)\n[plan.txt](/user_uploads/ID/plan.txt)\n" +
      "`lost.txt` (file, 2 KiB, not available)",
  ],
  ["Robo", G, "", CARD],
  [O, G, "Lunch?", "a thread starts here"],
  [C, G, "", "Forwarded:\n`````quote\nfrom elsewhere\n`````"],
  [C, G, "", "votes"],
  [O, G, "", "the end"],
  [C, G, "Lunch?", "at noon"],
  [B, "help", "It does not start", "see the log"],
  [B, "help", "It does not start", "why?"],
  [B, "general: hush", "", "lantern"],
  [C, "general: hush", "", "yes"],
  [O, 2, "", "just you"],
  [B, 2, "", "me"],
];

test("imports channels, threads, replies, cards, files and direct messages", async () => {
  const testServer = await openServer();
  const report = await run(testServer, zipIn(testServer, discordEntries()), CHOICES);
  expect(report).toMatchObject({ outcome: "imported", product: "discord", faults: [] });
  expect(lossesOf(report)).toEqual([
    "A channel is renamed, since its name is taken or too long.",
    "A message has no text that can be shown.",
    "A message is of the unknown kind 99.",
    "A reaction loses its skin tone.",
    "A role is not imported.",
    "A sticker is shown by its name only.",
    "The content of a file is not in the export: only its name is imported.",
    "The export does not say who can read a channel: it is private.",
    "The users of a reaction are not in the export.",
  ]);
  expect(report.found).toMatchObject({ notices: 2, "pinned messages": 1 });
  const messages = await messagesTo(testServer, "bo", "Discord");
  const withoutIds = (text: string) => text.replaceAll(/channel\/\d+/g, "channel/ID");
  const rows = messages.map(({ content, ...message }) => {
    return summarize({ ...message, content: withoutIds(content) });
  });
  expect(rows).toEqual(READ_BY_BO);
  const reactions = messages[1]!.reactions.map((reaction: Json) => [
    reaction.emoji_name,
    reaction.reaction_type,
  ]);
  expect(reactions).toEqual([
    ["+1", "unicode_emoji"],
    ["+1", "unicode_emoji"],
    ["wizard", "realm_emoji"],
  ]);
  const stream_id = testServer.realm.read.channels.findBy("name", "general (discord)")!.stream_id;
  const { pins } = await testServer.request("bo", "GET /skein_pins", { stream_id });
  expect(pins.map(({ message_id }: Json) => message_id)).toEqual([messages[0]!.id]);
});

test("keeps a custom emoji that has a name of Slack's", async () => {
  const testServer = await openServer();
  const name = "simple_smile";
  const custom = { id: "77", name, code: name, isAnimated: false, imageUrl: "media/smile.png" };
  const posts = [
    message("300", 1, BO, "hello", { reactions: [{ emoji: custom, count: 1, users: [BO] }] }),
  ];
  const entries = [
    { name: "one.json", bytes: channelFile({ id: "20", name: "general" }, posts) },
    { name: "media/smile.png", bytes: striped(64, 64) },
  ];
  await run(testServer, zipIn(testServer, entries), CHOICES);
  const [hello] = await messagesTo(testServer, "bo", "Discord");
  expect(hello!.reactions).toMatchObject([{ emoji_name: name, reaction_type: "realm_emoji" }]);
});

test("keeps channels private unless the operator says otherwise", async () => {
  const testServer = await openServer();
  await run(testServer, zipIn(testServer, discordEntries()), CHOICES);
  const names = ["general (Discord)", "general: hush", "help"];
  expect(await channelsOf(testServer, "bo")).toEqual(expect.arrayContaining(names));
  for (const name of ["mo", "gus"] as const) {
    const channels = await channelsOf(testServer, name);
    expect(channels.filter((channel) => names.includes(channel))).toEqual([]);
    expect(await messagesTo(testServer, name, "Discord")).toEqual([]);
  }
  const olga = (await messagesTo(testServer, "olga", "Discord")).map(({ content }) => content);
  expect(olga).toContain("just you");
  expect(olga).not.toContain("lantern");
  const cy = (await messagesTo(testServer, "cy", "Discord")).map(({ content }) => content);
  expect(cy).toContain("lantern");
  expect(cy).not.toContain("just you");
});

test("makes channels public on request, but not private threads", async () => {
  const testServer = await openServer();
  const choices = { ...CHOICES, channels: "public" } as const;
  await run(testServer, zipIn(testServer, discordEntries()), choices);
  const channels = await channelsOf(testServer, "mo");
  expect(channels).toContain("help");
  expect(channels).not.toContain("general: hush");
});

test("lets owners join a channel of which no user has an account", async () => {
  const testServer = await openServer();
  await run(testServer, zipIn(testServer, discordEntries()));
  const olga = (await messagesTo(testServer, "olga", "Discord")).map(({ content }) => content);
  expect(olga).toContain("the end");
  expect(olga).not.toContain("lantern");
  expect(await messagesTo(testServer, "bo", "Discord")).toEqual([]);
});

test("writes nothing the second time, and is undone", async () => {
  const testServer = await openServer();
  await expectRepeatedAndUndone(testServer, zipIn(testServer, discordEntries()), CHOICES);
});

test("gives new accounts the pictures of the export", async () => {
  const testServer = await openServer();
  await run(testServer, zipIn(testServer, discordEntries()));
  const users = [...testServer.realm.read.users.range()];
  const usersWithAvatar = users.filter(({ avatar_source }) => avatar_source === "U");
  expect(usersWithAvatar.map(({ full_name }) => full_name)).toEqual(["bo"]);
});

const GENERAL = { id: "20", name: "general" };
const file = (bytes: string): ZipEntry[] => [{ name: "general.json", bytes }];

test("converts italic and underlined text, buttons and the emoji of cards", async () => {
  const testServer = await openServer();
  const styles =
    "_it_ __u__ ***__all__*** **_bi_** *__iu__* a_b_c https://a.example/_x_/__y__ \\_z_";
  const row = (...components: Json[]) => ({ type: "ActionRow", components });
  const open = { type: "Button", style: "Link", label: "Open", url: "https://a.example/" };
  const inlineEmojis = [{ id: "900", name: "Wizard", code: "Wizard", imageUrl: "x.png" }];
  const rows = [
    message("1", 0, OLGA, styles),
    message("2", 1, OLGA, "", { components: [row(open, { type: "Button", label: "Vote" })] }),
    message("3", 2, OLGA, "", { embeds: [{ description: ":Wizard:", inlineEmojis }] }),
  ];
  const topic = "***__Rules__*** in <#20>, ask <@11>";
  const channel = { ...GENERAL, name: "rules", topic };
  const report = await run(
    testServer,
    zipIn(testServer, file(channelFile(channel, rows))),
    CHOICES,
  );
  expect(lossesOf(report)).toContain("A button or menu of a bot is left out.");
  const messages = await messagesTo(testServer, "olga", "Discord");
  expect(messages.map(({ content }) => content)).toEqual([
    "*it* *u* ***all*** ***bi*** *iu* a_b_c https://a.example/_x_/__y__ &#95;z_",
    "[Open](https://a.example/)",
    "`````quote\n:wizard:\n`````",
  ]);
  const { description } = testServer.realm.read.channels.findBy("name", "rules")!;
  expect(description).toBe("***Rules*** in #rules, ask @Olga O");
});

test("reports that a group conversation may have more members", async () => {
  const testServer = await openServer();
  const group = { id: "50", type: "DirectGroupTextChat", name: "olga, bo, cy" };
  const rows = [message("1", 0, OLGA, "a"), message("2", 1, BO, "b")];
  const entries = file(channelFile(group, rows, { guild: { id: "0", name: "Direct Messages" } }));
  const report = await run(testServer, zipIn(testServer, entries), CHOICES);
  expect(report.losses).toContainEqual({
    kind: "A group conversation has only the members who wrote in it.",
    ...{ count: 1, examples: ["olga, bo, cy"] },
  });
});

const BAD_ARCHIVES: [what: string, some: ZipEntry[], fault: string][] = [
  [
    "Discord's own data package",
    [{ name: "messages/index.json", bytes: "{}" }],
    "It has only your own messages",
  ],
  ["no id", file(channelFile({}, [])), "general.json: the channel has no id"],
  [
    "truncated",
    file(channelFile(GENERAL, [message("1", 0, OLGA, "a")]).slice(0, -60)),
    "general.json#1: ends early",
  ],
  [
    "deep",
    file(channelFile(GENERAL, []).replace('"messages": []', `"messages": ${"[".repeat(200)}`)),
    "general.json",
  ],
  ["with ..", discordEntries([{ name: "../evil.json", bytes: "{}" }]), "leads out of the archive"],
  ["a bomb", discordEntries([{ name: "b.json", bytes: new Uint8Array(1e7) }]), "an archive bomb"],
];

test("rejects a damaged export with its place", async () => {
  const testServer = await openServer();
  for (const [, entries, fault] of BAD_ARCHIVES)
    await expectRefused(testServer, zipIn(testServer, entries), fault);
});

test("counts a message with an invalid kind, and imports the others", async () => {
  const testServer = await openServer();
  const oddMessage = { ...message("2", 1, OLGA, "odd"), type: { toString: null } };
  const entries = file(channelFile(GENERAL, [message("1", 0, OLGA, "good"), oddMessage]));
  const report = await run(testServer, zipIn(testServer, entries), CHOICES);
  expect(report).toMatchObject({ outcome: "imported", exit: 3 });
  expect(lossesOf(report)).toContain("A message is of the unknown kind ?.");
  const messages = await messagesTo(testServer, "olga", "Discord");
  expect(messages.map(({ content }) => content)).toEqual(["good", "odd"]);
});

test("counts a message without an author, and imports the others", async () => {
  const testServer = await openServer();
  const rows = [message("1", 0, OLGA, "first"), { id: "2" }, message("3", 2, OLGA, "last")];
  const report = await run(
    testServer,
    zipIn(testServer, file(channelFile(GENERAL, rows))),
    CHOICES,
  );
  expect(report).toMatchObject({ outcome: "imported", exit: 3 });
  expect(report.losses).toContainEqual({
    kind: "A message has no id, place, author or time: it is left out.",
    ...{ count: 1, examples: ["general.json#2"] },
  });
  const messages = await messagesTo(testServer, "olga", "Discord");
  expect(messages.map(({ content }) => content)).toEqual(["first", "last"]);
});

test("reads no file outside of the export", async () => {
  const testServer = await openServer();
  const attachments = [{ url: "../../../../../../etc/hostname", fileName: "a.txt" }];
  const entries = file(channelFile(GENERAL, [message("1", 0, OLGA, "", { attachments })]));
  await run(testServer, folderIn(testServer.directory, entries), CHOICES);
  const messages = await messagesTo(testServer, "olga", "Discord");
  expect(messages.map(({ content }) => content)).toEqual(["`a.txt` (file, not available)"]);
});

test("every command of the documentation works, in its order", async () => {
  const testServer = await openServer();
  const people = `${testServer.directory}/people.csv`;
  await Bun.write(people, PEOPLE.map((row) => row.join(",")).join("\n"));
  const paths = { "discord-export": folderIn(testServer.directory, discordEntries()) };
  const count = await followPage(testServer, "discord.md", { ...paths, "people.csv": people });
  expect(count).toBe(4);
});

const FUZZED = 60;

test("imports or refuses archives with changed bytes, without any other error", async () => {
  const testServer = await openServer();
  const random = chanceOf(SEED);
  for (let times = 0; times < FUZZED; times++) {
    const entries = discordEntries();
    const entry = random.pick(entries.filter(({ name }) => name.endsWith(".json")));
    const bytes = Buffer.from(String(entry.bytes));
    for (let changes = 0; changes < 3; changes++) {
      bytes[random.below(bytes.length)] = random.pick([0, 10, 34, 44, 48, 58, 92, 93, 125, 200]);
    }
    entry.bytes = bytes;
    const from = zipIn(testServer, entries);
    const report = await movingCommands.planImport(testServer.realm, { from, ...CHOICES });
    expect(["planned", "refused"]).toContain(report.outcome);
  }
});

test("gives each name of a webhook an account, also in a later export", async () => {
  const testServer = await openServer();
  const hook = (id: string, seconds: number, nickname: string) =>
    message(id, seconds, { ...BO, id: "55", name: "hook", nickname, isBot: true }, id);
  const entriesOf = (posts: Json[]) => [
    { name: "one.json", bytes: channelFile({ id: "20", name: "general" }, posts) },
  ];
  const posts = [message("1", 0, BO, "1"), hook("2", 1, "alice [irc]"), hook("3", 2, "bob [irc]")];
  await run(testServer, zipIn(testServer, entriesOf(posts)), CHOICES);
  const later = [...posts, hook("4", 3, "alice [irc]"), hook("5", 4, "cy [irc]")];
  await run(testServer, zipIn(testServer, entriesOf(later)), CHOICES);
  const senders = (await messagesTo(testServer, "bo", "Discord")).map(
    (row) => row["sender_full_name"],
  );
  expect(senders).toEqual([
    "Bo Member",
    ...["alice", "bob", "alice", "cy"].map((n) => `${n} [irc]`),
  ]);
});
