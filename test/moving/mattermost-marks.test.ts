// Marks of members of a Mattermost server: pins, followed threads, muted channels, pictures.
import { expect, test } from "bun:test";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { converted } from "../../src/features/moving/mattermost/markdown.ts";
import { striped } from "../features/upload-fixture.ts";
import type { Json } from "../test-server.ts";
import { entries, LINES, post, reply, START_MS, user } from "./mattermost-fixture.ts";
import { summarize, openServer, run, messagesTo, zipIn } from "./import-fixture.ts";

const userViewing = (channel: Json) => ({
  teams: [{ name: "acme", roles: "team_admin", channels: [channel] }],
});

const MARKED_POSTS: Json[] = [
  ...LINES.slice(0, 5),
  { type: "role", role: { name: "custom" } },
  user("olga", "olga@example.com"),
  user("bo", "bo@example.com", {
    position: "Baker",
    ...{ custom_status: { emoji: "tea" }, notify_props: { desktop: "all" } },
    ...userViewing({
      ...{ name: "town-square", last_viewed_at: START_MS + 1_000 },
      notify_props: { mark_unread: "mention" },
    }),
  }),
  user("cy", "cy@example.com", userViewing({ name: "town-square", last_viewed_at: START_MS * 2 })),
  user("nina", "nina@example.com", { profile_image: "profiles/nina.png" }),
  user("lost", "lost@example.com", { profile_image: "profiles/lost.png" }),
  post(10, "olga", "Shall we ship it?", {
    is_pinned: true,
    thread_followers: [{ user: "bo" }, { user: "gone" }],
    replies: [reply(20, "bo", "yes"), reply(30, "cy", "no", { is_pinned: true })],
  }),
  post(40, "olga", "one question", {
    thread_followers: [{ user: "bo" }],
    replies: [reply(45, "bo", "one answer")],
  }),
  post(50, "olga", "", {
    props: {
      ...{ from_webhook: "true", override_username: "CI" },
      attachments: [{ title: "Build 7", title_link: "https://ci.example/7", text: "passed" }],
    },
  }),
  {
    type: "direct_channel",
    direct_channel: {
      ...{ header: "h", favorited_by: ["bo"] },
      participants: [{ username: "olga", last_viewed_at: 1 }, { username: "bo" }],
    },
  },
  {
    type: "direct_post",
    direct_post: {
      ...{ channel_members: ["olga", "bo"], user: "olga", message: "just you" },
      ...{ create_at: START_MS + 80_000, is_pinned: true },
    },
  },
];

test("imports pins, follows, mutes and pictures, and counts all other losses", async () => {
  const testServer = await openServer();
  const allEntries = [
    ...entries(MARKED_POSTS),
    { name: "data/profiles/nina.png", bytes: striped(64, 64) },
  ];
  const report = await run(testServer, zipIn(testServer, allEntries));
  expect(report.losses.map(({ kind, count }) => [kind, count]).toSorted()).toEqual([
    ["A custom status of a user is left out.", 1],
    ["A favorite direct conversation is not pinned.", 1],
    ["A followed thread has no topic of its own: it is not followed.", 1],
    ["A header of a direct conversation is left out.", 1],
    ["A pinned direct message is not pinned here.", 1],
    ["A position of a user is left out.", 1],
    ["A private channel has no member with an account.", 1],
    ["A profile picture is not in the archive.", 1],
    ["A public channel of a team can be joined by members of the other teams, too.", 1],
    ["A role or permission scheme is left out.", 1],
    ["An administrator of a team or channel becomes a member of its channels.", 2],
    ["Notification settings of a user are left out.", 1],
    ["Unread messages of a conversation are marked as read.", 2],
  ]);
  const position = report.losses.find(({ kind }) => kind.startsWith("A position"))!;
  expect(position.examples).toEqual(["import.jsonl#8"]);
  const snapshot = await testServer.request("bo", "POST /register", {});
  const square = snapshot.subscriptions.find(({ name }: Json) => name === "Town Square");
  expect(square.is_muted).toBe(true);
  const followed = snapshot.user_topics.map(({ topic_name, visibility_policy }: Json) => [
    ...[topic_name, visibility_policy],
  ]);
  expect(followed).toEqual([["Shall we ship it?", 3]]);
  const { stream_id } = square;
  const { pins } = await testServer.request("bo", "GET /skein_pins", { stream_id });
  expect(pins.map(({ excerpt }: Json) => excerpt)).toEqual(["no", "Shall we ship it?"]);
  expect(testServer.realm.read.users.findBy("email", "nina@example.com")!.avatar_source).toBe("U");
  const messages = (await messagesTo(testServer, "bo", "Mattermost")).map(summarize);
  const card = "````quote\n**[Build 7](https://ci.example/7)**\npassed\n````";
  expect(messages).toContainEqual(["CI", "Town Square", "", card]);
  const undoResult = await movingCommands.undoImport(testServer.realm, { id: 1 }, true);
  expect(undoResult).toMatchObject({ outcome: "undone", faults: [] });
  expect(testServer.realm.read.message_pins.count()).toBe(0);
});

test("adds no edited post twice, and keeps its replies in its topic", async () => {
  const testServer = await openServer();
  const archiveOf = (...posts: Json[]) =>
    zipIn(testServer, entries([...LINES.slice(0, 9), ...posts]));
  const [yes, no] = [reply(20, "bo", "yes"), reply(30, "nina", "no")];
  const twins = [post(50, "bo", "one"), post(50, "bo", "two")];
  await run(testServer, archiveOf(post(10, "olga", "Wich?", { replies: [yes, no] }), ...twins));
  const edited = post(10, "olga", "Which?", {
    ...{ edit_at: START_MS + 60_000, replies: [yes, no, reply(60, "bo", "both")] },
  });
  const later = [edited, post(50, "bo", "one!"), twins[1]!, post(50, "nina", "three")];
  expect(await run(testServer, archiveOf(...later))).toMatchObject({ written: { messages: 2 } });
  const messages = await messagesTo(testServer, "bo", "Mattermost");
  const textsIn = (topic: string) =>
    messages.flatMap(({ subject, content }) => (subject === topic ? content : []));
  expect(textsIn("Wich?")).toEqual(["Wich?", "yes", "no", "both"]);
  expect(textsIn("general chat").toSorted()).toEqual(["one", "three", "two"]);
});

test("separates groups whose names of members begin in the same way", async () => {
  const testServer = await openServer();
  const long = Array.from({ length: 5 }, (_, index) => `${index}${"m".repeat(63)}`);
  const group = (last: string) => {
    const members = ["olga", "bo", ...long, last];
    const post = { channel_members: members, user: "olga", message: `to ${last}` };
    return { type: "direct_post", direct_post: { ...post, create_at: START_MS } };
  };
  const lines = [...LINES.slice(0, 9), group("nina"), group("zoe")];
  const from = zipIn(testServer, entries(lines));
  expect((await run(testServer, from)).found).toMatchObject({ "direct conversations": 2 });
  const people = (await messagesTo(testServer, "olga", "Mattermost")).map((message) => {
    return message["display_recipient"].map(({ full_name }: Json) => full_name);
  });
  expect(people.filter((names) => names.includes("Nina M"))).toHaveLength(1);
});

test("imports posts whose optional fields are null", async () => {
  const testServer = await openServer();
  const empty = {
    ...{ reactions: null, replies: null, attachments: null, props: null, flagged_by: null },
    ...{ edit_at: null, is_pinned: null, thread_followers: null, type: null },
  };
  const unknown = post(20, "nobody", "from an absent user", empty);
  const person = { username: "zed", email: null, teams: null, roles: null, nickname: null };
  const lines = [
    ...LINES.slice(0, 9),
    { type: "user", user: person },
    { type: "direct_channel", direct_channel: { members: null, participants: null } },
    ...[post(10, "zed", "fine", empty), unknown],
    post(30, "bo", "seconds instead of milliseconds", { create_at: START_MS / 1000 }),
  ];
  const report = await run(testServer, zipIn(testServer, entries(lines)));
  expect(report).toMatchObject({ outcome: "imported", faults: [], written: { messages: 2 } });
  const messages = await messagesTo(testServer, "olga", "Mattermost");
  expect(messages.map((message) => [message["sender_full_name"], message["content"]])).toEqual([
    ["zed", "fine"],
    ["Mattermost user nobody", "from an absent user"],
  ]);
});

test.each([
  ["_italic_ __bold__ **_both_** snake_case_name", "*italic* **bold** ***both*** snake_case_name"],
  ["`_code_` https://a.example/_x_", "`_code_` https://a.example/_x_"],
  ["\\*no markup\\* 5\\.", "&#42;no markup&#42; 5&#46;"],
])("converts the Markdown %p", (text, markdown) => {
  const names = { user: () => undefined, channel: () => undefined, emoji: (part: string) => part };
  expect(converted(text, names)).toBe(markdown);
});

test("finds the ends of code as Mattermost does", () => {
  const names = { user: () => "k", channel: () => undefined, emoji: (text: string) => text };
  const lines = [
    "```one line``` @bo",
    "~~~",
    "@bo ```",
    "```",
    "~~~~",
    "_bo_",
    "````js",
    "```",
    "_bo_",
    "````",
    "_bo_",
  ];
  expect(converted(lines.join("\n"), names).split("\n")).toEqual([
    "```one line``` \u0001k\u0001",
    ...lines.slice(1, 5),
    "*bo*",
    ...lines.slice(6, 10),
    "*bo*",
  ]);
});
