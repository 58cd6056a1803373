// Mentions of private channels do not name them to users who cannot see them.
import { expect, test } from "bun:test";
import type { Json } from "../test-server.ts";
import { dumpFolder } from "./bson-writer.ts";
import * as discord from "./discord-fixture.ts";
import { folderIn, messagesTo, openServer, run, zipIn } from "./import-fixture.ts";
import { COLLECTIONS, message as rocketMessage } from "./rocketchat-fixture.ts";
import { OLGA, slackEntries, ts } from "./slack-fixture.ts";

const UNNAMED = "[a private channel](/#narrow/channel/N)";

const textOf = ({ content, subject }: Json) => [
  subject,
  String(content).replaceAll(/channel\/\d+/g, "channel/N"),
];

const slackPost = (seconds: number, user: string, text: string, extra: Json = {}) => ({
  ...{ type: "message", user, text, ts: ts(seconds), ...extra },
});

test("mentions Slack's private channels by a link without the name", async () => {
  const testServer = await openServer();
  const element = { type: "channel", channel_id: "G0SEC" };
  const section = { type: "rich_text_section", elements: [element] };
  const thread = { thread_ts: ts(3) };
  const entries = slackEntries([
    {
      name: "general/2018-01-20.json",
      bytes: JSON.stringify([
        slackPost(1, OLGA, "see <#G0SEC> and <#G0SEC|>, *<#G0SEC|secret>*, <#C0APFEL|>"),
        slackPost(2, OLGA, "", { blocks: [{ type: "rich_text", elements: [section] }] }),
        slackPost(3, OLGA, "about <#G0SEC|>", { ...thread, reply_count: 2 }),
        slackPost(4, OLGA, "one", thread),
        slackPost(5, OLGA, "two", thread),
        slackPost(6, OLGA, "only <#G0SEC>", { thread_ts: ts(6), reply_count: 1 }),
        slackPost(7, OLGA, "answer", { thread_ts: ts(6) }),
      ]),
    },
    { name: "general/2018-01-21.json", bytes: "[]" },
    {
      name: "secret/2018-01-20.json",
      bytes: JSON.stringify([slackPost(15, OLGA, "here, in <#G0SEC>")]),
    },
    {
      name: "D0ONE/2018-01-20.json",
      bytes: JSON.stringify([slackPost(25, OLGA, "direct <#G0SEC>")]),
    },
  ]);
  const from = zipIn(testServer, entries);
  await run(testServer, from);
  const toBo = await messagesTo(testServer, "bo", "Slack");
  const topic = "about #private channel";
  expect(toBo.filter(({ sender_full_name: name }) => name === "Olga Owner").map(textOf)).toEqual([
    ["general chat", `see ${UNNAMED} and ${UNNAMED}, ${UNNAMED}, #**äpfel**`],
    ["general chat", UNNAMED],
    [topic, `about ${UNNAMED}`],
    [topic, "one"],
    [topic, "two"],
    ["general chat", `only ${UNNAMED}`],
    ["general chat", "> only #private channel\n\nanswer"],
    ["", `direct ${UNNAMED}`],
  ]);
  expect(JSON.stringify(toBo)).not.toContain("secret");
  const toOlga = (await messagesTo(testServer, "olga", "Slack")).map(textOf);
  expect(toOlga).toContainEqual(["general chat", "here, in #**secret**"]);
  expect((await run(testServer, from)).written).toEqual({});
});

test("mentions Rocket.Chat's private channels and their discussions without names", async () => {
  const testServer = await openServer();
  const dump = {
    ...COLLECTIONS,
    rocketchat_room: [
      ...COLLECTIONS["rocketchat_room"]!,
      { _id: "sdisc", t: "p", name: "z9", fname: "Layoffs", prid: "sec" },
    ],
    rocketchat_message: [
      rocketMessage("q1", "GENERAL", 300, "u1", "see #secret, #y8, #z9, #x7Hq"),
      rocketMessage("q2", "sec", 301, "u2", "see #secret, #z9"),
    ],
  };
  await run(testServer, folderIn(testServer.directory, dumpFolder(dump)));
  const messages = (await messagesTo(testServer, "bo", "Rocket.Chat")).map(textOf);
  expect(messages.map(([, content]) => content)).toEqual([
    `see ${UNNAMED}, ${UNNAMED}, ${UNNAMED}, #**general (Rocket.Chat)** > Which colour?`,
    "see #**secret**, #**secret** > Layoffs",
  ]);
});

test("mentions Discord's private threads without names, also in descriptions", async () => {
  const testServer = await openServer();
  const posts = [discord.message("1001", 500, discord.OLGA, "see <#31> and <#21>")];
  const channel = { id: "22", name: "plans", topic: "not <#31>" };
  const bytes = discord.channelFile(channel, posts);
  const entries = discord.discordEntries([{ name: "Acme/z.json", bytes }]);
  const from = folderIn(testServer.directory, entries);
  await run(testServer, from, { people: discord.PEOPLE, channels: "public" });
  const messages = (await messagesTo(testServer, "olga", "Discord")).map(textOf);
  expect(messages).toContainEqual(["general chat", `see ${UNNAMED} and #**help**`]);
  const { description } = testServer.realm.read.channels.findBy("name", "plans")!;
  expect(description).toBe("not #private channel");
});
