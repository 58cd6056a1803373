// Kinds of channels and messages of Discord, which older exports name by numbers.

type ChannelKind = "channel" | "thread" | "private thread" | "direct" | "group" | "none";

const CHANNEL_KINDS: ReadonlyMap<string, ChannelKind> = new Map<string, ChannelKind>([
  ...["GuildTextChat", "GuildNews", "GuildVoiceChat", "GuildStageVoice", "GuildForum"].map(
    (name) => [name, "channel"] as const,
  ),
  ...["0", "2", "5", "13", "15", "16"].map((number) => [number, "channel"] as const),
  ...["GuildPublicThread", "GuildNewsThread", "10", "11"].map((name) => [name, "thread"] as const),
  ...["GuildPrivateThread", "12"].map((name) => [name, "private thread"] as const),
  ...["DirectTextChat", "DirectMessage", "1"].map((name) => [name, "direct"] as const),
  ...["DirectGroupTextChat", "DirectGroupMessage", "3"].map((name) => [name, "group"] as const),
  ...["GuildCategory", "GuildDirectory", "4", "14"].map((name) => [name, "none"] as const),
]);

/** The name or number of a kind as text; "" for values of other types. */
export const kindName = (type: unknown): string =>
  typeof type === "string" || typeof type === "number" ? String(type) : "";

/** A channel of an unknown kind becomes a private thread, which only its authors can read. */
export function channelKindOf(type: unknown): ChannelKind {
  return CHANNEL_KINDS.get(kindName(type)) ?? "private thread";
}

/** Messages that users wrote, including commands. */
const IMPORTED_TYPES: ReadonlySet<string> = new Set([
  ...["Default", "0", "Reply", "19", "20", "23", "24"],
]);

/** Notices that Discord posts automatically. */
const NOTICES: ReadonlySet<string> = new Set([
  ...["RecipientAdd", "RecipientRemove", "Call", "ChannelNameChange", "ChannelIconChange"],
  ...["ChannelPinnedMessage", "GuildMemberJoin", "ThreadCreated", "1", "2", "3", "4", "5"],
  ...["6", "7", "8", "9", "10", "11", "12", "14", "15", "16", "17", "18", "21", "22", "25"],
  ...["26", "27", "28", "29", "31", "32", "36", "37", "38", "39", "44", "46"],
]);

type MessageKind = "written" | "notice" | "unknown";

export function messageKindOf(type: unknown): MessageKind {
  const name = kindName(type ?? "Default");
  if (IMPORTED_TYPES.has(name)) return "written";
  return NOTICES.has(name) ? "notice" : "unknown";
}
