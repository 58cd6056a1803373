// Messages of Discord in the form in which the importer reads messages.
import { keyOfUser, type SourceFile, type SourceMessage } from "../source/records-rules.ts";
import { type Timed, tsOf, isMessageTime } from "../source/time-order.ts";
import { linkOf } from "../source/mrkdwn.ts";
import { embedsOf, quoteBlock } from "./embeds.ts";
import { kindName, messageKindOf } from "./kinds-rules.ts";
import { type DiscordNames, markdownOf } from "./markdown.ts";
import type {
  DiscordComponent,
  DiscordContent,
  DiscordMessage,
  DiscordSticker,
  DiscordUser,
} from "./shapes.ts";
import { type DiscordDirectory, type Destination, emojiIn } from "./users-and-channels.ts";

interface Converting {
  readonly sources: DiscordDirectory;
  /** The entry with the bytes of an asset. */
  entryOf(url: string | undefined): string | undefined;
}

type Converted = Pick<Timed, "time" | "message"> & { readonly lost: string[] };

/** Milliseconds; undefined: the message has no time. */
export function timeOf({ timestamp }: DiscordMessage): number | undefined {
  const time = Date.parse(timestamp ?? "");
  return isMessageTime(time) ? time : undefined;
}

export function messageOf(
  given: DiscordMessage,
  { conversation, thread }: Destination,
  converting: Converting,
): Converted | undefined {
  const { id, author, timestampEdited, reference } = given;
  const time = timeOf(given);
  if (time === undefined || !id || !author?.id) return undefined;
  const kind = messageKindOf(given.type);
  const losses: string[] = [];
  if (kind === "unknown")
    losses.push(`A message is of the unknown kind ${nameOf(given.type) || "?"}.`);
  const text = textOf(given, converting, losses);
  const edited = Date.parse(timestampEdited ?? "");
  const own = threadOf(id, thread, converting);
  const isReply = reference?.messageId !== undefined && reference.type !== "Forward";
  const message: SourceMessage & { ts: string } = {
    type: "message",
    ...senderOf(author),
    ts: tsOf(time),
    key: id.slice(0, 100),
    text: given.content ?? "",
    markdown: text,
    ...(kind === "notice" && { subtype: "channel_join" }),
    ...(isMessageTime(edited) && { edited: { ts: tsOf(edited) } }),
    reactions: reactionsOf(given, converting, losses),
    files: [given, given.forwardedMessage ?? {}].flatMap((part) => filesOf(part, converting)),
    is_pinned: given.isPinned === true,
    ...own,
  };
  if (isReply && kind === "written") {
    const answered = converting.sources.destinationOf(reference.channelId ?? "");
    const isHere = reference.channelId === undefined || answered?.conversation === conversation;
    if (isHere) message.reply_to = reference.messageId!.slice(0, 100);
    else losses.push("A reply answers a message that is not in the export.");
  }
  return { time, message, lost: kind === "notice" ? [] : losses };
}

/** A webhook may choose another name for each message. */
function senderOf({ id = "", name, nickname, isBot }: DiscordUser) {
  const [key, username] = [keyOfUser(id), nickname || name];
  return isBot && username ? { bot_id: key, username } : { user: key };
}

const nameOf = (type: unknown) =>
  kindName(type)
    .replaceAll(/[^\w ]/g, "")
    .slice(0, 40);

/** A thread has the same id as the message that started it. */
function threadOf(
  id: string,
  thread: Destination["thread"],
  { sources }: Converting,
): Pick<SourceMessage, "thread_ts" | "thread_name"> {
  const threadId = thread ?? sources.destinationOf(id)?.thread;
  return threadId ? { thread_ts: `thread ${threadId.id}`, thread_name: threadId.name } : {};
}

function textOf(
  message: DiscordMessage,
  { sources, entryOf }: Converting,
  losses: string[],
): string {
  const names: DiscordNames = {
    mentioned: firstOf(
      (message.mentions ?? []).flatMap(({ id, name, nickname }) => {
        const key = id && keyOfUser(id);
        return [nickname, name].flatMap((spelling) =>
          spelling && key ? [[spelling, key] as const] : [],
        );
      }),
    ),
    isUser: (id) => sources.isUser(id),
    channel: (id) => (sources.destinationOf(id)?.conversation ?? sources.byKey(id))?.id,
    emoji: (id, name) => sources.emojiNameOf({ id, name }),
    shortNames: firstOf(
      emojiIn(message).flatMap(({ id, name }) => {
        return id && name ? [[name, sources.emojiNameOf({ id, name })] as const] : [];
      }),
    ),
    role: (id) => sources.roles.get(id)?.name,
  };
  const markdown = (text: string) => markdownOf(text, names);
  const partsOf = ({ content = "", embeds, components, stickers = [] }: DiscordContent) => [
    markdown(content),
    ...embedsOf(embeds, content, markdown),
    buttonsOf(components, losses).join(" "),
    ...stickers.flatMap((sticker) => stickerOf(sticker, entryOf, losses)),
  ];
  const forwarded = message.forwardedMessage ? partsOf(message.forwardedMessage) : [];
  const nonEmptyParts = forwarded.filter((part) => part.trim() !== "").join("\n\n");
  const parts = [
    ...partsOf(message),
    nonEmptyParts ? `Forwarded:\n${quoteBlock(nonEmptyParts)}` : "",
  ];
  return parts.filter((part) => part.trim() !== "").join("\n\n");
}

/** Keeps the first value of each name. */
const firstOf = (pairs: readonly (readonly [string, string])[]) => new Map(pairs.toReversed());

function stickerOf(
  { name = "", sourceUrl }: DiscordSticker,
  entryOf: Converting["entryOf"],
  losses: string[],
): string[] {
  if (isPicture(entryOf(sourceUrl))) return [];
  losses.push("A sticker is shown by its name only.");
  return [`(sticker: ${name.replaceAll(/[`*_[\]\n]/g, "")})`];
}

/** Links to the pages that buttons open; other buttons are losses. */
function buttonsOf(components: readonly DiscordComponent[] = [], losses: string[]): string[] {
  return components.flatMap(({ type, label = "", url = "", components: inner = [] }) => {
    if (/^https?:/.test(url)) return [linkOf(url, label)];
    if (type !== "ActionRow") losses.push("A button or menu of a bot is left out.");
    return buttonsOf(inner, losses);
  });
}

/** Lottie stickers are animations that only Discord draws. */
const isPicture = (entry: string | undefined): entry is string =>
  entry !== undefined && !entry.endsWith(".json");

function filesOf(
  { attachments = [], stickers = [] }: DiscordContent,
  { entryOf }: Converting,
): SourceFile[] {
  const files = attachments.map(({ url, fileName = "file", fileSizeBytes }): SourceFile => {
    const id = entryOf(url);
    const size = fileSizeBytes !== undefined && { size: fileSizeBytes };
    return { name: fileName, ...size, ...(id !== undefined && { id }) };
  });
  const pictures = stickers.flatMap(({ name = "sticker", sourceUrl }): SourceFile[] => {
    const id = entryOf(sourceUrl);
    return isPicture(id) ? [{ id, name: `${name}.${id.split(".").at(-1)}` }] : [];
  });
  return [...files, ...pictures];
}

function reactionsOf(
  { reactions = [] }: DiscordMessage,
  { sources }: Converting,
  losses: string[],
): NonNullable<SourceMessage["reactions"]> {
  return reactions.flatMap(({ emoji, count = 0, users = [] }) => {
    if (!emoji?.name) return [];
    if (users.length < count) losses.push("The users of a reaction are not in the export.");
    const keys = users.flatMap(({ id }) => (id ? [keyOfUser(id)] : []));
    if (keys.length === 0) return [];
    return emoji.id
      ? [{ name: sources.emojiNameOf(emoji), users: keys }]
      : [{ name: emoji.code || emoji.name, letters: emoji.name, users: keys }];
  });
}
