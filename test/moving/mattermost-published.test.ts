// Mattermost exports with the forms and fields that exports of real servers have.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { striped } from "../features/upload-fixture.ts";
import type { Json, TestServer } from "../test-server.ts";
import {
  folderIn,
  lossesOf,
  messagesTo,
  openServer,
  run,
  summarize,
  zipIn,
} from "./import-fixture.ts";
import { LINES, post, reply, START_MS } from "./mattermost-fixture.ts";
import type { ZipEntry } from "./zip.ts";

const jsonl = (lines: readonly Json[]) => lines.map((line) => JSON.stringify(line)).join("\n");

/** The lines before the posts and emoji. */
const HEAD = LINES.filter(({ type }) => !/post|emoji/.test(type));

const emoji = (name: string, image: string) => ({ type: "emoji", emoji: { name, image } });

async function imported(posts: readonly Json[], files: readonly ZipEntry[] = []) {
  const testServer = await openServer();
  const archive = [{ name: "import.jsonl", bytes: jsonl([...HEAD, ...posts]) }, ...files];
  const report = await run(testServer, zipIn(testServer, archive));
  expect(report).toMatchObject({ outcome: "imported", faults: [] });
  return { testServer, report, messages: await messagesTo(testServer, "bo", "Mattermost") };
}

const losses = (report: { losses: { kind: string; examples: string[] }[] }, word: string) =>
  report.losses.filter(({ kind }) => kind.includes(word)).flatMap(({ examples }) => examples);

test("reads exports of the server's command line, which have no import.jsonl", async () => {
  const entries = [
    { name: "export.json", bytes: jsonl([...LINES, emoji("tick", "exported_emoji/a/image.png")]) },
    { name: "exported_emoji/a/image.png", bytes: striped(64, 64) },
    { name: "data/2020/plan.txt", bytes: "the plan" },
    { name: "._export.json", bytes: "metadata" },
  ];
  const below = entries.map((entry) => ({ ...entry, name: `backup/${entry.name}` }));
  const paths: ((testServer: TestServer) => string)[] = [
    ({ directory }) => folderIn(directory, entries),
    (testServer) => zipIn(testServer, entries),
    (testServer) => zipIn(testServer, below),
    ({ directory }) => join(folderIn(directory, entries), "export.json"),
  ];
  for (const [nth, path] of paths.entries()) {
    const testServer = await openServer();
    const report = await run(testServer, path(testServer));
    expect(report, `${nth}`).toMatchObject({ outcome: "imported", product: "mattermost" });
    const names = [...testServer.realm.read.custom_emoji.range()].map(({ name }) => name);
    expect(names).toEqual(nth < 3 ? ["tick"] : []);
  }
});

test("gives emoji the names that they have here", async () => {
  const reactions = ["x", "dog", "hugs", "bowing_man", "canada", "flag-nl", "grin", "hug", "Up+Up"];
  const tonedNames = ["thumbsup_medium_light_skin_tone", "running_woman_dark_skin_tone"];
  const { messages, report, testServer } = await imported(
    [
      post(1, "bo", ":x: :hugs: :+1_light_skin_tone: :hug: :gone: 10:30:45 `:x:`", {
        reactions: [...reactions, ...tonedNames].map((emoji_name) => ({ user: "bo", emoji_name })),
      }),
      emoji("hug", "emoji/a"),
      emoji("Up+Up", "emoji/a"),
      emoji("gone", "emoji/gone"),
    ],
    [{ name: "data/emoji/a", bytes: striped(64, 64) }],
  );
  expect(messages[0]!.content).toBe(
    ":cross_mark: :hug: :+1: :hug_mattermost: :gone: 10:30:45 `:x:`",
  );
  expect(messages[0]!.reactions.map(({ emoji_name }: Json) => emoji_name)).toEqual([
    ...["cross_mark", "puppy", "hug", "man_bowing", "flag_canada", "flag_nl", "grin"],
    ...["hug_mattermost", "up_up", "thumbsup", "woman_running"],
  ]);
  expect(losses(report, "skin tone")).toHaveLength(2);
  expect(losses(report, "is renamed, since another emoji")).toEqual([
    ":hug: → :hug_mattermost:",
    ":Up+Up: → :up_up:",
  ]);
  expect(losses(report, "picture of a custom emoji is not in")).toEqual([
    `import.jsonl#${HEAD.length + 4} :gone:`,
  ]);
  expect(testServer.realm.read.custom_emoji.count()).toBe(2);
});

test("recognizes names before punctuation and underscores", async () => {
  const { messages } = await imported([
    post(1, "bo", "thanks @olga... _@nina_, @all.- and ~town-square. but not @olgas or a@bo"),
  ]);
  expect(messages.map(summarize)[0]![3]).toBe(
    "thanks @**Olga Owner**... @**Nina M**, @**all**.- and #**Town Square**. " +
      "but not @olgas or a@bo",
  );
});

test("reads the text of message attachments as Markdown", async () => {
  const card = {
    ...{ title: "Build 7", title_link: "https://ci.example/7", footer: "ci" },
    text: "**failed** in [job](https://ci.example/j) for @bo",
    fields: [
      { title: "Tries", value: 3 },
      { title: "Final", value: true },
    ],
  };
  const { messages } = await imported([
    post(1, "robo", "", {
      props: { attachments: [card] },
      replies: [reply(2, "bo", "on it"), reply(3, "bo", "fixed")],
    }),
    post(4, "robo", "", { props: { attachments: [{ fallback: "only this" }] } }),
  ]);
  expect(messages.map(summarize)).toMatchObject([
    [
      ...["Robo Bot", "Town Square", "Build 7"],
      "````quote\n**[Build 7](https://ci.example/7)**\n" +
        "**failed** in [job](https://ci.example/j) for @**Bo Member**\n" +
        "**Tries**: 3\n**Final**: true\nci\n````",
    ],
    ["Bo Member", "Town Square", "Build 7", "on it"],
    ["Bo Member", "Town Square", "Build 7", "fixed"],
    ["Robo Bot", "Town Square", "", "````quote\nonly this\n````"],
  ]);
});

test("reports absent channels, replies with an older time, and cut descriptions", async () => {
  const old = { create_at: START_MS, user: "bo", message: "earlier" };
  const { report } = await imported([
    { type: "channel", channel: { team: "acme", name: "long", purpose: "x".repeat(1_100) } },
    post(1, "bo", "later", { replies: [old] }),
    post(2, "bo", "where", { channel: "nowhere" }),
    {
      type: "user",
      user: { username: "nick", nickname: "Nicky", first_name: "N", email: "nick@example.com" },
    },
  ]);
  expect(lossesOf(report)).toEqual(
    expect.arrayContaining([
      "A channel description is too long: its end is left out.",
      "A nickname of a user is left out: the full name is imported.",
      "A post is of a channel that is not in the export: it is archived and private.",
      "A reply is older than its post: it gets the time of the post.",
    ]),
  );
});

test("finds the export among files of the same kind, and reports unknown records", async () => {
  const testServer = await openServer();
  const wiki = { type: "wiki", wiki: { title: "Plans" } };
  const entries = [
    { name: "data/attached.jsonl", bytes: '{"any":"line"}\n' },
    { name: "mattermost_import.jsonl", bytes: jsonl([...LINES, wiki]) },
  ];
  const report = await run(testServer, zipIn(testServer, entries));
  expect(report).toMatchObject({ outcome: "imported", product: "mattermost" });
  expect(losses(report, "unknown kind")).toEqual([
    `mattermost_import.jsonl#${LINES.length + 1} wiki`,
  ]);
});
