// Messages of Microsoft Teams in the form in which the importer reads messages.
import { escapeMarkdown } from "../../../text/html/escape-markdown.ts";
import { keyOfUser, type SourceMessage } from "../source/records-rules.ts";
import { isMessageTime, type Timed, tsOf } from "../source/time-order.ts";
import { markdownOf } from "./message-body.ts";
import type { TeamsMessage } from "./shapes.ts";
import { isOfChat, type TeamsDirectory } from "./users-and-channels.ts";

/** Older exports use names for six reactions. */
const REACTIONS: ReadonlyMap<string, string> = new Map([
  ["like", "👍"],
  ["heart", "❤️"],
  ["laugh", "😆"],
  ["surprised", "😮"],
  ["sad", "😢"],
  ["angry", "😡"],
]);

type Converted = Pick<Timed, "time" | "message"> & { readonly lost: string[] };

/** Milliseconds, which are also the id of the message; undefined: it has no time. */
export function timeOf({ Id = "", CreatedDateTime = "" }: TeamsMessage): number | undefined {
  const times = [Number(Id), Date.parse(CreatedDateTime)];
  return times.find(isMessageTime);
}

export function messageOf(
  given: TeamsMessage,
  conversation: string,
  sources: TeamsDirectory,
): Converted | undefined {
  const { Id = "", ReplyToId, Subject = "", From, DeletedDateTime } = given;
  const isChat = isOfChat(given);
  const own = timeOf(given);
  if (own === undefined) return undefined;
  const root = ReplyToId || Id;
  const answered = Number(ReplyToId);
  const isTimed = isMessageTime(answered + 1);
  // A reply is never older than its root.
  const time = isTimed ? Math.max(own, answered + 1) : own;
  const losses: string[] = [];
  const { Importance = "normal" } = given;
  if (Importance !== "normal") losses.push("The importance of a message is left out.");
  const isNotice = given.MessageType !== "message" || DeletedDateTime !== undefined || !From;
  const edited = Date.parse(given.LastEditedDateTime ?? "");
  const count = sources.repliesTo(conversation, root);
  const subject = sources.subjectOf(conversation, root);
  const isThread = !isChat && (ReplyToId !== undefined || count > 0 || subject);
  // The subject of a post becomes the topic. Chats have no topics, so there the subject is added to
  // the text.
  const title = isChat && Subject.trim() !== "" ? `**${escapeMarkdown(Subject.trim())}**\n` : "";
  const message: SourceMessage & { ts: string } = {
    type: "message",
    ...senderOf(From),
    ...{ ts: tsOf(time), key: keyOf(given, time), text: "" },
    markdown: isNotice ? "" : title + markdownOf(given, losses, (key) => sources.isUser(key)),
    ...(isNotice && { subtype: "channel_join" }),
    ...(isMessageTime(edited) && { edited: { ts: tsOf(edited) } }),
    reactions: reactionsOf(given),
    ...(isThread && {
      thread_ts: ReplyToId && !isTimed ? `root ${ReplyToId}` : tsOf(isTimed ? answered : own),
      ...(ReplyToId === undefined && { reply_count: count }),
      ...(subject !== undefined && { thread_name: subject }),
    }),
  };
  return { time, message, lost: losses };
}

/** A message without an id is identified by its time and its text. */
function keyOf({ Id, Body }: TeamsMessage, time: number): string {
  return Id ? Id.slice(0, 100) : `${time} ${Bun.hash.crc32(Body?.Content ?? "")}`;
}

function senderOf(from: TeamsMessage["From"]): Pick<SourceMessage, "user" | "bot_id" | "username"> {
  const { User, Application } = from ?? {};
  const name = User?.DisplayName ?? Application?.DisplayName;
  const username = name === undefined ? {} : { username: name };
  if (User?.Id) return { user: keyOfUser(User.Id), ...username };
  // Guests of a meeting may have no account, only a name.
  if (User) return { user: keyOfUser(`without account ${name ?? ""}`), ...username };
  return { bot_id: `bot:${Application?.Id ?? name ?? ""}`.slice(0, 100), ...username };
}

function reactionsOf({ Reactions = [] }: TeamsMessage): NonNullable<SourceMessage["reactions"]> {
  const byType = Map.groupBy(Reactions, ({ ReactionType = "" }) => ReactionType);
  return [...byType].map(([type, reactionsOfType]) => {
    const users = reactionsOfType.flatMap(({ User }) =>
      User?.User?.Id ? [keyOfUser(User.User.Id)] : [],
    );
    const letters = REACTIONS.get(type) ?? type;
    return { name: letters, letters, users: [...new Set(users)] };
  });
}
