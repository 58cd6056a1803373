/** Exports of DiscordChatExporter, made from the fields that it writes. */
import { striped } from "../features/upload-fixture.ts";
import type { Json } from "../test-server.ts";
import type { ZipEntry } from "./zip.ts";

export const START_MS = Date.parse("2024-05-01T10:00:00Z");

/** Olga, Bo and Cy also have accounts on the server. */
export const PEOPLE = [
  ["U:11", "olga@example.com"],
  ["U:12", "bo@example.com"],
  ["U:13", "cy@example.com"],
];

const ROLES = [{ id: "70", name: "Crew", color: null, position: 1 }];

const user = (id: string, name: string, extra: Json = {}) => ({
  ...{ id, name, discriminator: "0000", nickname: name, color: null, isBot: false, roles: ROLES },
  ...{ avatarUrl: "https://cdn.example/a.png", ...extra },
});

export const OLGA = user("11", "olga", { nickname: "Olga O" });
export const BO = user("12", "bo", { avatarUrl: "media\\bo.png" });
export const CY = user("13", "cy");
const ROBO = user("14", "Robo", { isBot: true });

/** With the offset of the machine that wrote the export. */
export const timeAfter = (seconds: number) =>
  new Date(START_MS + seconds * 1000 + 7_200_000).toISOString().replace("Z", "0000+02:00");

export const message = (
  id: string,
  seconds: number,
  author: Json,
  content: string,
  extra = {},
) => ({
  ...{ id, type: "Default", timestamp: timeAfter(seconds), timestampEdited: null },
  ...{ callEndedTimestamp: null, isPinned: false, content, author, attachments: [], embeds: [] },
  ...{ stickers: [], reactions: [], mentions: [], inlineEmojis: [], ...extra },
});

const emoji = (name: string, id = "", imageUrl = "https://cdn.example/e.svg") => ({
  ...{ id, name, code: name, isAnimated: false, imageUrl },
});

export function channelFile(channel: Json, messages: Json[], extra: Json = {}): string {
  const guild = { id: "1", name: "Acme", iconUrl: "icon.png" };
  const input = { categoryId: "5", category: "Work", topic: null, type: "GuildTextChat" };
  const dateRange = { after: null, before: null };
  const exportedAt = timeAfter(9_000);
  const file = { guild, channel: { ...input, ...channel }, dateRange, exportedAt, messages };
  return JSON.stringify({ ...file, messageCount: messages.length, ...extra }, null, 2);
}

const GENERAL = [
  message("101", 0, OLGA, "Joined the server.", { type: "GuildMemberJoin" }),
  message("102", 10, OLGA, "Welcome @bo, not @bob, see <#21> and `@bo`", {
    mentions: [BO],
    isPinned: true,
    timestampEdited: timeAfter(20),
  }),
  message("103", 30, BO, "thanks @everyone ||secret|| <:Wizard:900> :Wizard:", {
    type: "Reply",
    reference: { messageId: "102", channelId: "20", guildId: "1", type: "Default" },
    inlineEmojis: [emoji("Wizard", "900", "general.json_Files\\wizard.png")],
    reactions: [
      { emoji: emoji("👍🏽"), count: 2, users: [OLGA, CY] },
      {
        emoji: emoji("Wizard", "900", "general.json_Files\\wizard.png"),
        count: 3,
        users: [OLGA],
      },
    ],
  }),
  message("104", 40, BO, "", {
    attachments: [
      {
        id: "1",
        url: "general.json_Files\\plan-AB12.txt",
        fileName: "plan.txt",
        fileSizeBytes: 8,
      },
      { id: "2", url: "https://cdn.example/x", fileName: "lost.txt", fileSizeBytes: 2048 },
    ],
    stickers: [{ id: "3", name: "Wave", format: "Lottie", sourceUrl: "w.json" }],
  }),
  message("105", 50, ROBO, "", {
    embeds: [
      {
        ...{
          title: "Build 7",
          url: "https://ci.example/7",
          timestamp: null,
          description: "passed",
        },
        ...{ fields: [{ name: "Time", value: "3 s", isInline: true }], images: [] },
        footer: { text: "CI" },
      },
    ],
  }),
  message("106", 60, OLGA, "a thread starts here"),
  message("107", 61, OLGA, "olga started a thread.", { type: "ThreadCreated" }),
  message("108", 70, CY, "", {
    reference: { messageId: "9", channelId: "77", guildId: "8", type: "Forward" },
    forwardedMessage: { content: "from elsewhere", timestamp: timeAfter(0), attachments: [] },
  }),
  message("109", 75, CY, "votes", { type: "99" }),
  message("110", 80, CY, "", { poll: {} }),
];

/** Files of channels, of a thread, a forum post and a private thread, and of direct messages. */
export const discordEntries = (extra: readonly ZipEntry[] = []): ZipEntry[] => [
  {
    name: "Acme/thread.json",
    bytes: channelFile(
      {
        id: "106",
        type: "GuildPublicThread",
        categoryId: "20",
        category: "general",
        name: "Lunch?",
      },
      [message("120", 100, CY, "at noon")],
    ),
  },
  {
    name: "Acme/post.json",
    bytes: channelFile(
      { id: "30", type: 11, categoryId: "21", category: "help", name: "It does not start" },
      [message("130", 110, BO, "why?"), message("30", 105, BO, "see the log")],
    ),
  },
  {
    name: "Acme/private.json",
    bytes: channelFile(
      { id: "31", type: "GuildPrivateThread", categoryId: "20", category: "general", name: "hush" },
      [message("140", 120, BO, "lantern"), message("141", 121, CY, "yes")],
    ),
  },
  {
    name: "Acme/general.json",
    bytes: channelFile({ id: "20", name: "general", topic: "**all** of it" }, GENERAL),
  },
  {
    name: "Acme/general [part 2].json",
    bytes: channelFile({ id: "20", name: "general" }, [message("111", 85, OLGA, "the end")]),
  },
  {
    name: "DM.json",
    bytes: channelFile(
      { id: "40", type: "DirectTextChat", name: "bo", categoryId: "0", category: "Private" },
      [message("150", 130, OLGA, "just you"), message("151", 131, BO, "me")],
      { guild: { id: "0", name: "Direct Messages" } },
    ),
  },
  { name: "Acme/general.json_Files/plan-AB12.txt", bytes: "the plan" },
  { name: "Acme/general.json_Files/wizard.png", bytes: striped(64, 64) },
  { name: "media/bo.png", bytes: striped(64, 64) },
  ...extra,
];
