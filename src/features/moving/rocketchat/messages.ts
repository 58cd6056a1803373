// Messages of Rocket.Chat in the form in which the importer reads messages.
import { isFields } from "../../../text/untrusted-json.ts";
import type { EmojiNames } from "../source/emoji-names.ts";
import { keyOfUser, type SourceFile, type SourceMessage } from "../source/records-rules.ts";
import { linkOf } from "../source/mrkdwn.ts";
import { isMessageTime, type Timed, tsOf } from "../source/time-order.ts";
import { cardsOf } from "./cards.ts";
import { joinTexts } from "../source/separate-blocks.ts";
import { markdownOf, type RocketNames } from "./markdown.ts";
import type { RocketFile, RocketMessage } from "./shapes.ts";
import type { Destination } from "./users-and-rooms.ts";

type Converted = Pick<Timed, "time" | "message"> & { readonly lost: string[] };

export interface Converting {
  readonly users: {
    /** The key of the user who has the name now. */
    byName(username: string): string | undefined;
  };
  readonly rooms: {
    /** The id of the channel or discussion that has the name now. */
    byName(name: string): string | undefined;
    destinationOf(id: string): Destination | undefined;
  };
  readonly emoji: EmojiNames;
  /** `ts` of the messages that began threads, by their ids. */
  readonly roots: ReadonlyMap<string, string>;
  /** The name under which the bytes of an upload are found. */
  findFile(id: string): string | undefined;
}

/** Adds six digits from the id, because several messages can have the same millisecond. */
export const tsOfMessage = (id: string, time: number) =>
  tsOf(time) + String(Bun.hash.crc32(id) % 1_000_000).padStart(6, "0");

/** Rocket.Chat keeps older versions of an edited message as hidden messages. */
export const isOldVersion = ({ _hidden }: RocketMessage) => _hidden === true;

export function messageOf(
  given: RocketMessage,
  place: Destination,
  converting: Converting,
): Converted | undefined {
  const { discussion } = place;
  const { _id: id = "", ts: time = 0, u, alias, t, tmid, tcount = 0, editedAt = 0 } = given;
  if (id === "" || !isMessageTime(time) || !u?._id) return undefined;
  const losses: string[] = [];
  if (t === "e2e" || t === "otr") losses.push("An encrypted message cannot be read.");
  const isNotice = t !== undefined && t !== "";
  const ts = tsOfMessage(id, time);
  const root = tmid === undefined ? undefined : (converting.roots.get(tmid) ?? `root ${tmid}`);
  const message: SourceMessage & { ts: string } = {
    type: "message",
    // The alias that an integration posts under becomes a bot of that name.
    ...(alias ? { username: alias } : { user: keyOfUser(u._id), ...nameOf(u) }),
    ...{ ts, key: id.slice(0, 100), text: given.msg ?? "" },
    markdown: isNotice ? "" : textOf(given, place, converting),
    ...(isNotice && { subtype: "channel_join" }),
    ...(isMessageTime(editedAt) && { edited: { ts: tsOf(editedAt) } }),
    reactions: reactionsOf(given, converting, losses),
    files: isNotice ? [] : filesOf(given, converting),
    is_pinned: given.pinned === true,
    starred_by: (given.starred ?? []).flatMap(({ _id }) => (_id ? [keyOfUser(_id)] : [])),
    ...(root !== undefined && { thread_ts: root }),
    ...(tcount > 0 && root === undefined && { thread_ts: ts, reply_count: tcount }),
    ...(tcount > 0 && { followed_by: (given.replies ?? []).map(keyOfUser) }),
    ...(discussion && {
      thread_ts: `discussion ${discussion.id}`,
      thread_name: discussion.name,
    }),
  };
  return { time, message, lost: losses };
}

const nameOf = ({ name, username }: NonNullable<RocketMessage["u"]>) => {
  const displayName = name || username;
  return displayName === undefined ? {} : { username: displayName };
};

function textOf(message: RocketMessage, place: Destination, converting: Converting): string {
  const { msg = "", attachments = [], location } = message;
  const names = namesIn(message, place, converting);
  // A quote begins with a link to the quoted message, which has no text.
  const withoutQuoteLinks = msg.replaceAll(/\[ ?\]\([^()\s]{1,2000}\) ?/g, "");
  const markdown = (text: string) => markdownOf(text, names);
  return joinTexts([
    ...cardsOf(attachments, markdown, true),
    markdown(withoutQuoteLinks),
    ...cardsOf(attachments, markdown),
    placeOf(location?.coordinates),
  ]);
}

/** Finds users and rooms by name or, if they were renamed since, by their ids in the message. */
function namesIn(
  { mentions = [], channels = [] }: RocketMessage,
  place: Destination,
  { users, rooms, emoji }: Converting,
): RocketNames {
  const userIds = new Map(mentions.map(({ username, _id }) => [username, _id]));
  const roomIds = new Map(channels.map(({ name, _id }) => [name, _id]));
  return {
    user(username) {
      const id = userIds.get(username);
      return users.byName(username) ?? (id === undefined ? undefined : keyOfUser(id));
    },
    channel(name) {
      const id = rooms.byName(name) ?? roomIds.get(name);
      const destination = rooms.destinationOf(id ?? "");
      if (!destination) return undefined;
      const { conversation, discussion } = destination;
      // Other users than the members must not learn the title of a discussion.
      const isHidden = conversation.kind === "private" && conversation !== place.conversation;
      const topic = discussion && !isHidden ? ` > ${discussion.name}` : "";
      return `\u0002${conversation.id}\u0002${topic}`;
    },
    emoji: (text) => emoji.inText(text),
  };
}

/** A shared location. */
function placeOf(coordinates: readonly number[] = []): string {
  const [longitude, latitude] = coordinates;
  if (longitude === undefined || latitude === undefined) return "";
  const url = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}`;
  return linkOf(url, `${latitude}, ${longitude}`);
}

/** Omits thumbnails of images. */
function filesOf({ file, files }: RocketMessage, { findFile }: Converting): SourceFile[] {
  const all: readonly RocketFile[] = files ?? (file ? [file] : []);
  const originals = all.filter(({ typeGroup, name }) => {
    return typeGroup !== "thumb" && !name?.startsWith("thumb-");
  });
  return originals.flatMap(({ _id, name = "file", type, size }): SourceFile[] => {
    if (!_id) return [];
    const id = findFile(_id);
    const facts = { ...(type !== undefined && { mimetype: type }), ...(size && { size }) };
    return [{ name, ...facts, ...(id !== undefined && { id }) }];
  });
}

/** The export contains the names of the users who reacted, not their ids. */
function reactionsOf(
  { reactions }: RocketMessage,
  { users: { byName }, emoji }: Converting,
  losses: string[],
): NonNullable<SourceMessage["reactions"]> {
  if (!isFields(reactions)) return [];
  return Object.entries(reactions).map(([name, value]) => {
    const usernames =
      isFields(value) && Array.isArray(value["usernames"]) ? value["usernames"] : [];
    const users = usernames.flatMap((username: unknown) => {
      const key = typeof username === "string" ? byName(username) : undefined;
      if (key === undefined) losses.push("A reaction is of a user who is not in the dump.");
      return key ?? [];
    });
    return { ...emoji.reactionOf(name.replaceAll(/^:|:$/g, "")), users };
  });
}
