/** Dumps of Rocket.Chat, made from the fields that an import reads. */
import { striped } from "../features/upload-fixture.ts";
import type { Json } from "../test-server.ts";
import type { Collections } from "./bson-writer.ts";

export const START_MS = Date.parse("2024-05-01T10:00:00Z");

export const timeAfter = (seconds: number) => new Date(START_MS + seconds * 1000);

const user = (_id: string, username: string, name: string, extra: Json = {}) => ({
  ...{
    _id,
    username,
    name,
    type: "user",
    active: true,
    roles: ["user"],
    createdAt: timeAfter(-100),
  },
  emails: [{ address: `${username}@example.com`, verified: true }],
  services: { password: { bcrypt: "$2b$10$abcdefghijklmnopqrstuv" } },
  ...extra,
});

export const USERS: Json[] = [
  user("u1", "olga", "Olga", { roles: ["user", "admin"] }),
  user("u2", "bo", "Bo"),
  user("u3", "cy", "Cy"),
  user("u4", "nina", "Nina Neu", { __rooms: ["GENERAL"] }),
  user("u5", "robo", "Robo Bot", { type: "bot", roles: ["bot"], emails: [] }),
  user("rocket.cat", "rocket.cat", "Rocket.Cat", { type: "bot", emails: [] }),
];

const subscription = (rid: string, id: string, extra: Json = {}) => ({
  ...{ _id: `${rid}${id}`, rid, u: { _id: id, username: id }, open: true, f: false, unread: 0 },
  ...extra,
});

const ROOMS: Json[] = [
  {
    _id: "GENERAL",
    t: "c",
    name: "general",
    default: true,
    ts: timeAfter(-90),
    description: "the hall",
  },
  { _id: "news", t: "c", name: "news", fname: "News", ro: true, topic: "only news", teamId: "t1" },
  { _id: "sec", t: "p", name: "secret" },
  { _id: "disc", t: "c", name: "x7Hq", fname: "Which colour?", prid: "GENERAL" },
  { _id: "pdisc", t: "p", name: "y8", fname: "Hush", prid: "GENERAL" },
  { _id: "dm", t: "d", uids: ["u1", "u2"], usernames: ["olga", "bo"] },
  { _id: "grp", t: "d", uids: ["u1", "u2", "u3"] },
  { _id: "live", t: "l", fname: "Visitor", open: false, servedBy: { _id: "u2", username: "bo" } },
  { _id: "old", t: "c", name: "old-stuff", archived: true },
];

const SUBSCRIPTIONS: Json[] = [
  subscription("GENERAL", "u1", { roles: ["owner"] }),
  subscription("GENERAL", "u2", { f: true, unread: 3 }),
  subscription("news", "u2", { disableNotifications: true }),
  subscription("sec", "u2"),
  subscription("sec", "u3"),
  subscription("pdisc", "u3"),
];

export const message = (
  id: string,
  rid: string,
  seconds: number,
  sender: string,
  msg: string,
  extra = {},
) => ({
  ...{
    _id: id,
    rid,
    msg,
    ts: timeAfter(seconds),
    u: { _id: sender, username: sender, name: sender },
  },
  ...{ _updatedAt: timeAfter(seconds), urls: [], mentions: [], channels: [], ...extra },
});

const MESSAGES: Json[] = [
  message("m3", "GENERAL", 30, "u2", "yes", { tmid: "m2" }),
  message("m4", "GENERAL", 31, "u5", "no @all", { tmid: "m2" }),
  message("m2", "GENERAL", 20, "u1", "Shall we *ship* it?", { tcount: 2, replies: ["u1", "u2"] }),
  message("m1", "GENERAL", 10, "u1", "", { t: "uj" }),
  message("m5", "GENERAL", 40, "u1", "one question", { tcount: 1, replies: ["u1"] }),
  message("m6", "GENERAL", 45, "u2", "one answer", { tmid: "m5", editedAt: timeAfter(46) }),
  message(
    "m7",
    "GENERAL",
    50,
    "u2",
    "ask @nina in #news, `@olga` _now_ :wizard: https://a.b/_x_y",
    {
      pinned: true,
      starred: [{ _id: "u1" }],
      reactions: { ":tada:": { usernames: ["olga", "gone"] }, ":wizard:": { usernames: ["olga"] } },
    },
  ),
  message("m8", "GENERAL", 60, "u2", "", {
    file: { _id: "f1", name: "plan.txt", type: "text/plain" },
    files: [
      { _id: "f1", name: "plan.txt", type: "text/plain", size: 8 },
      { _id: "th", name: "thumb-plan.txt", typeGroup: "thumb" },
      { _id: "f2", name: "disk.txt", type: "text/plain" },
      { _id: "f3", name: "lost.txt", type: "text/plain", size: 2_048 },
    ],
    attachments: [{ type: "file", title: "plan.txt", description: "as agreed", title_link: "/f1" }],
  }),
  message("m9", "GENERAL", 70, "u3", "[ ](https://chat/general?msg=m2) I agree", {
    attachments: [{ text: "Shall we *ship* it?", author_name: "olga", message_link: "https://c" }],
  }),
  message("m10", "GENERAL", 71, "rocket.cat", "built", {
    alias: "CI",
    attachments: [{ title: "Build 7", title_link: "https://ci.example/7", text: "passed" }],
  }),
  message("h1", "GENERAL", 72, "u1", "before", { _hidden: true, parent: "m7" }),
  message("e1", "sec", 73, "u2", "xyz", { t: "e2e" }),
  message("d1", "disc", 80, "u2", "blue"),
  message("p1", "pdisc", 81, "u3", "hidden colours"),
  message("s1", "sec", 82, "u3", "lantern"),
  message("x1", "dm", 83, "u1", "just you"),
  message("g1", "grp", 84, "u3", "we three"),
  message("l1", "live", 85, "visitor", "help"),
  message("o1", "gone", 86, "u1", "lost room"),
];

const bytes = (text: string) => Buffer.from(text);

export const COLLECTIONS: Collections = {
  rocketchat_message: MESSAGES,
  "rocketchat_uploads.chunks": [
    { _id: "c2", files_id: "f1", n: 1, data: bytes(" plan") },
    { _id: "c1", files_id: "f1", n: 0, data: bytes("the") },
  ],
  rocketchat_uploads: [{ _id: "f1", name: "plan.txt", store: "GridFS:Uploads" }],
  rocketchat_custom_emoji: [
    { _id: "e", name: "wizard", extension: "png", aliases: [] },
    { _id: "e2", name: "Old One", extension: "png", aliases: [] },
  ],
  "custom_emoji.files": [{ _id: "0a1b2c", filename: "Old%20One.png" }],
  "custom_emoji.chunks": [
    { _id: "c", files_id: "wizard.png", n: 0, data: striped(64, 64) },
    { _id: "d", files_id: "0a1b2c", n: 0, data: striped(64, 64) },
  ],
  rocketchat_avatars: [{ _id: "a4", name: "nina" }],
  "rocketchat_avatars.chunks": [{ _id: "ac", files_id: "a4", n: 0, data: striped(64, 64) }],
  users: USERS,
  rocketchat_room: ROOMS,
  rocketchat_subscription: SUBSCRIPTIONS,
  rocketchat_team: [{ _id: "t1", name: "Press", type: 0 }],
  rocketchat_settings: [{ _id: "Site_Name", value: /a/ }],
};
