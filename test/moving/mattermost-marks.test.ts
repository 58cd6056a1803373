// Marks of members of a Mattermost server: pins, followed threads, muted channels, pictures.
import { expect, test } from "bun:test";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { striped } from "../features/upload-fixture.ts";
import type { Json } from "../test-server.ts";
import { entries, LINES, post, reply, START_MS, user } from "./mattermost-fixture.ts";
import { summarize, opened, run, messagesTo, zipIn } from "./import-fixture.ts";

const viewed = (channel: Json) => ({
  teams: [{ name: "acme", roles: "team_admin", channels: [channel] }],
});

const MARKED: Json[] = [
  ...LINES.slice(0, 5),
  { type: "role", role: { name: "custom" } },
  user("olga", "olga@example.com"),
  user("bo", "bo@example.com", {
    position: "Baker",
    ...{ custom_status: { emoji: "tea" }, notify_props: { desktop: "all" } },
    ...viewed({
      ...{ name: "town-square", last_viewed_at: START_MS + 1_000 },
      notify_props: { mark_unread: "mention" },
    }),
  }),
  user("cy", "cy@example.com", viewed({ name: "town-square", last_viewed_at: START_MS * 2 })),
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
  const testServer = await opened();
  const some = [...entries(MARKED), { name: "data/profiles/nina.png", bytes: striped(64, 64) }];
  const report = await run(testServer, zipIn(testServer, some));
  expect(report.losses.map(({ kind, count }) => [kind, count]).toSorted()).toEqual([
    ["A custom status of a user is left out.", 1],
    ["A favorite direct conversation is not pinned.", 1],
    ["A followed thread is no topic of its own: it is not followed.", 1],
    ["A header of a direct conversation is left out.", 1],
    ["A pinned direct message is not pinned here.", 1],
    ["A position of a user is left out.", 1],
    ["A profile picture is not in the archive.", 1],
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
  expect(testServer.realm.read.users.one("email", "nina@example.com")!.avatar_source).toBe("U");
  const messages = (await messagesTo(testServer, "bo", "Mattermost")).map(summarize);
  const card = "````quote\n**[Build 7](https://ci.example/7)**\npassed\n````";
  expect(messages).toContainEqual(["CI", "Town Square", "", card]);
  const undone = await movingCommands.undoImport(testServer.realm, { id: 1 }, true);
  expect(undone).toMatchObject({ outcome: "undone", faults: [] });
  expect(testServer.realm.read.message_pins.count()).toBe(0);
});
