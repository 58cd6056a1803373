/** Bulk exports of Mattermost, made from the fields that they have. */
import { striped } from "../features/upload-fixture.ts";
import type { Json } from "../test-server.ts";
import type { ZipEntry } from "./zip.ts";

export const START_MS = 1_600_000_000_000;

export const user = (username: string, email: string, extra: Json = {}) => ({
  type: "user",
  user: {
    ...{ username, email, first_name: username[0]!.toUpperCase() + username.slice(1) },
    ...{ last_name: "M", roles: "system_user" },
    teams: [{ name: "acme", channels: [{ name: "town-square", favorite: username === "bo" }] }],
    ...extra,
  },
});

export const post = (seconds: number, from: string, message: string, extra: Json = {}) => ({
  type: "post",
  post: {
    ...{ team: "acme", channel: "town-square", user: from, message },
    ...{ create_at: START_MS + seconds * 1000, ...extra },
  },
});

export const reply = (seconds: number, from: string, message: string, extra: Json = {}) => ({
  ...{ user: from, message, create_at: START_MS + seconds * 1000, ...extra },
});

/** The posts are not sorted by time. */
export const LINES: Json[] = [
  { type: "version", version: 1, info: { generator: "mattermost-server" } },
  { type: "team", team: { name: "acme", display_name: "Acme", type: "O" } },
  { type: "team", team: { name: "labs", display_name: "Labs", type: "O" } },
  {
    type: "channel",
    channel: {
      ...{ team: "acme", name: "town-square", display_name: "Town Square", type: "O" },
      ...{ header: "the header", purpose: "the purpose" },
    },
  },
  {
    type: "channel",
    channel: { team: "labs", name: "secret", display_name: "Secret", type: "P" },
  },
  user("olga", "olga@example.com", { roles: "system_admin system_user" }),
  user("bo", "bo@example.com"),
  user("nina", "nina@example.com", {
    teams: [{ name: "labs", channels: [{ name: "secret" }] }],
  }),
  user("gone", "", { delete_at: START_MS }),
  { type: "bot", bot: { username: "robo", display_name: "Robo Bot", owner: "olga" } },
  post(50, "bo", "later, @nina. See ~town-square and `@olga`", {
    reactions: [
      { user: "olga", emoji_name: "tada", create_at: START_MS },
      { user: "olga", emoji_name: "party-wizard", create_at: START_MS },
    ],
    flagged_by: ["olga"],
  }),
  post(10, "olga", "Shall we **ship** it?\n```\n@bo in code\n```", {
    replies: [reply(20, "bo", "yes"), reply(30, "robo", "no @channel")],
  }),
  post(40, "olga", "one question", { replies: [reply(45, "bo", "one answer", { edit_at: 1 })] }),
  post(5, "bo", "joined", { type: "system_join_channel" }),
  post(60, "bo", "with a file", { attachments: [{ path: "2020/plan.txt" }] }),
  post(70, "bo", "lost", { attachments: [{ path: "2020/lost.txt" }] }),
  {
    type: "post",
    post: {
      team: "labs",
      channel: "secret",
      user: "nina",
      message: "lantern",
      create_at: START_MS,
    },
  },
  { type: "direct_channel", direct_channel: { members: ["olga", "bo"] } },
  {
    type: "direct_channel",
    direct_channel: {
      participants: [{ username: "olga" }, { username: "bo" }, { username: "nina" }],
    },
  },
  {
    type: "direct_post",
    direct_post: {
      ...{ channel_members: ["olga", "bo"], user: "olga", message: "just you" },
      create_at: START_MS + 80_000,
    },
  },
  {
    type: "direct_post",
    direct_post: {
      ...{ channel_members: ["bo", "nina", "olga"], user: "nina", message: "we three" },
      create_at: START_MS + 90_000,
    },
  },
  { type: "emoji", emoji: { name: "party-wizard", image: "emoji/party-wizard.png" } },
];

export const entries = (lines: Json[] = LINES): ZipEntry[] => [
  { name: "import.jsonl", bytes: lines.map((line) => JSON.stringify(line)).join("\n") },
  { name: "data/2020/plan.txt", bytes: "the plan" },
  { name: "data/emoji/party-wizard.png", bytes: striped(64, 64) },
];
