// Dumps of Rocket.Chat with the forms and fields that databases of real servers have.
import { expect, test } from "bun:test";
import { striped } from "../features/upload-fixture.ts";
import type { Json } from "../test-server.ts";
import { dumpFolder } from "./bson-writer.ts";
import { folderIn, lossesOf, messagesTo, openServer, run, summarize } from "./import-fixture.ts";
import { COLLECTIONS, message, USERS } from "./rocketchat-fixture.ts";

const ROOMS = COLLECTIONS["rocketchat_room"]!;

async function imported(posts: readonly Json[], more: Readonly<Record<string, Json[]>> = {}) {
  const testServer = await openServer();
  const collections = { ...COLLECTIONS, rocketchat_message: posts, ...more };
  const report = await run(testServer, folderIn(testServer.directory, dumpFolder(collections)));
  expect(report).toMatchObject({ outcome: "imported", faults: [] });
  return { testServer, report, messages: await messagesTo(testServer, "bo", "Rocket.Chat") };
}

const texts = (messages: readonly Json[]) =>
  messages.map(summarize).map(([, , topic, content]) => [topic, content]);

test("gives emoji the names that they have here, and keeps aliases of custom emoji", async () => {
  const names = [
    "x",
    "hugging",
    "thumbsup_tone3",
    "wave::skin-tone-3",
    "medal",
    "tick",
    "old_tick",
    "hug",
  ];
  const reactions = names.map((name) => [`:${name}:`, { usernames: ["olga"] }]);
  const { messages, report } = await imported(
    [
      message("e1", "GENERAL", 1, "u1", ":hugging: :x: :tick: :old_tick: :hug: `:x:`", {
        reactions: Object.fromEntries(reactions),
      }),
    ],
    {
      rocketchat_custom_emoji: [
        { _id: "c1", name: "tick", aliases: ["old_tick"], extension: "png" },
        { _id: "c2", name: "hug", aliases: [], extension: "png" },
      ],
      "custom_emoji.chunks": ["tick.png", "hug.png"].map((files_id) => {
        return { _id: files_id, files_id, n: 0, data: striped(64, 64) };
      }),
    },
  );
  expect(messages[0]!.content).toBe(":hug: :cross_mark: :tick: :old_tick: :hug_rocketchat: `:x:`");
  expect(messages[0]!.reactions.map(({ emoji_name }: Json) => emoji_name)).toEqual([
    ...["cross_mark", "hug", "thumbsup", "wave", "medal", "tick", "old_tick", "hug_rocketchat"],
  ]);
  expect(lossesOf(report)).toContain(
    "A custom emoji is renamed, since another emoji has its name.",
  );
});

test("links users and channels that were renamed, and names discussions", async () => {
  const mentions = [{ _id: "u2", username: "bo.old", type: "user" }];
  const channels = [{ _id: "news", name: "old-news" }];
  const { messages } = await imported([
    message("r1", "GENERAL", 1, "u1", "*@bo.old*... see #old-news and #x7Hq", {
      ...{ mentions, channels },
    }),
  ]);
  expect(texts(messages)).toEqual([
    ["", "@**Bo Member**... see #**News** and #**general (Rocket.Chat)** > Which colour?"],
  ]);
});

test("names a thread after the text of its first message, not after a quote in it", async () => {
  const quote = { author_name: "olga", text: "what now", message_link: "https://rc.example/1" };
  const { messages } = await imported([
    message("q1", "GENERAL", 1, "u1", "[ ](https://rc.example/1) [Ship it](https://a.example)", {
      ...{ attachments: [quote], tcount: 2 },
    }),
    message("q2", "GENERAL", 2, "u2", "yes", { tmid: "q1" }),
    message("q3", "GENERAL", 3, "u2", "now", { tmid: "q1" }),
  ]);
  expect(texts(messages).map(([topic]) => topic)).toEqual(["Ship it", "Ship it", "Ship it"]);
});

test("imports shared locations, and numbers in cards", async () => {
  const { messages, report } = await imported([
    message("l1", "GENERAL", 1, "u1", "", {
      location: { type: "Point", coordinates: [10.5, 53.25] },
    }),
    message("l2", "GENERAL", 2, "u1", "", {
      attachments: [{ title: "Build", fields: [{ title: "Try", value: 2 }] }],
    }),
    message("l3", "GENERAL", 3, "u1", "hidden", { t: "otr" }),
  ]);
  expect(texts(messages)).toEqual([
    ["", "[53.25, 10.5](https://www.openstreetmap.org/?mlat=53.25&mlon=10.5)"],
    ["", "````quote\n**Build**\n**Try**: 2\n````"],
  ]);
  expect(lossesOf(report)).toContain("An encrypted message cannot be read.");
});

test("keeps visitors signed out and channels with a join code private", async () => {
  const visitor = {
    ...{ _id: "v1", username: "guest-1", name: "Vera", type: "unknown" },
    ...{ active: true, emails: [{ address: "vera@web.example" }] },
  };
  const { testServer, report } = await imported([message("p1", "code", 1, "u1", "inside")], {
    users: [...USERS, visitor],
    rocketchat_room: [...ROOMS, { _id: "code", t: "c", name: "code", joinCodeRequired: true }],
  });
  const { read } = testServer.realm;
  expect(read.users.findBy("email", "vera@web.example")).toMatchObject({ is_active: false });
  expect(read.channels.findBy("name", "code")).toMatchObject({ invite_only: true });
  expect(lossesOf(report)).toContain("A channel with a join code becomes private.");
});

test("finds the teams of a dump without their collection", async () => {
  const { testServer } = await imported([message("t1", "team", 1, "u1", "hello")], {
    rocketchat_team: [],
    rocketchat_room: [
      ...ROOMS,
      { _id: "team", t: "c", name: "crew", teamId: "t7", teamMain: true },
      { _id: "deck", t: "c", name: "deck", teamId: "t7" },
    ],
  });
  const { read } = testServer.realm;
  const folder = [...read.channel_folders.range()].find(({ name }) => name === "crew")!;
  expect(read.channels.findBy("name", "deck")!.folder_id).toBe(folder.id);
});
