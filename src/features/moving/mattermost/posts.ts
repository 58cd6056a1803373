// Converts Mattermost posts with their replies to the importer's message format.
import { markdownOfCard } from "../source/cards.ts";
import type { EmojiNames } from "../source/emoji-names.ts";
import type { SourceFile, SourceMessage } from "../source/records-rules.ts";
import { isMessageTime, type Timed } from "../source/time-order.ts";
import { isComplete, type MattermostPost } from "./shapes.ts";
import { keyOfUser } from "./users-and-channels.ts";

const CARDS_MAX = 20;

export interface Converting {
  markdownOf(text: string): string;
  readonly emoji: EmojiNames;
}

type Converted = Pick<Timed, "time" | "message" | "lost">;

const OLDER_REPLY = "A reply is older than its post: it gets the time of the post.";

/** The post, then its replies. */
export function* messagesOf(post: MattermostPost, converting: Converting): Iterable<Converted> {
  const replies = (post.replies ?? []).filter(isComplete);
  if (!isComplete(post)) return yield* withoutRoot(post, replies, converting);
  const root = messageOf(post, converting);
  const thread_ts = root.ts;
  const isThread = replies.length > 0;
  const followed_by = (post.thread_followers ?? []).flatMap(({ user }) => {
    return user ? [keyOfUser(user)] : [];
  });
  const thread = { thread_ts, reply_count: replies.length, followed_by };
  const message = isThread ? { ...root, ...thread } : root;
  yield { time: post.create_at, message };
  for (const reply of replies) {
    // A reply is never older than its root.
    const time = Math.max(reply.create_at, post.create_at + 1);
    const response = messageOf({ ...reply, create_at: time }, converting);
    const converted = { ...response, thread_ts, root: { text: post.message ?? "" } };
    yield { time, message: converted, ...(time !== reply.create_at && { lost: [OLDER_REPLY] }) };
  }
}

/** Keeps replies in a thread if the post that they answer is left out. */
function* withoutRoot(
  { message: text = "" }: MattermostPost,
  replies: readonly (MattermostPost & { create_at: number })[],
  converting: Converting,
): Iterable<Converted> {
  const responses = replies.map((reply) => messageOf(reply, converting));
  const thread_ts = `without root ${responses[0]?.ts}`;
  for (const [index, reply] of responses.entries()) {
    yield { time: replies[index]!.create_at, message: { ...reply, thread_ts, root: { text } } };
  }
}

function messageOf(post: MattermostPost, converting: Converting): SourceMessage & { ts: string } {
  const { user = "", message = "", create_at = 0, edit_at = 0, type = "", props } = post;
  const { markdownOf, emoji } = converting;
  const cards = (props?.attachments ?? []).slice(0, CARDS_MAX).map((card) => {
    return markdownOfCard(card, markdownOf);
  });
  const text = [markdownOf(message), ...cards].filter((part) => part.trim() !== "").join("\n\n");
  const reactions = Map.groupBy(post.reactions ?? [], ({ emoji_name = "" }) => emoji_name);
  return {
    type: "message",
    ...senderOf(post),
    ts: tsOf(create_at, user + message),
    text: message,
    markdown: type === "me" ? `/me ${text}` : text,
    // Notices that Mattermost posts automatically.
    ...(type.startsWith("system_") && { subtype: "channel_join" }),
    ...(isMessageTime(edit_at) && { edited: { ts: tsOf(edit_at, "") } }),
    reactions: [...reactions].map(([name, reactionsOfName]) => {
      return {
        ...emoji.reactionOf(name),
        users: reactionsOfName.flatMap((reaction) =>
          reaction.user ? [keyOfUser(reaction.user)] : [],
        ),
      };
    }),
    files: (post.attachments ?? []).flatMap(({ path }) => (path ? [fileOf(path)] : [])),
    starred_by: (post.flagged_by ?? []).map(keyOfUser),
    is_pinned: post.is_pinned === true,
  };
}

/** If an incoming webhook has chosen a name, the sender becomes a bot of that name. */
function senderOf({ user = "", props }: MattermostPost): Pick<SourceMessage, "user" | "username"> {
  const name = props?.from_webhook === "true" ? props.override_username : undefined;
  return name ? { username: name } : { user: keyOfUser(user) };
}

function fileOf(path: string): SourceFile {
  return { id: path, name: path.split("/").at(-1)! };
}

/** Posts of the same millisecond get different last digits, which are derived from the text. */
function tsOf(ms: number, text: string): string {
  const digits = String(Bun.hash.crc32(text)).padStart(10, "0");
  const thousandths = String(Math.floor(ms % 1_000)).padStart(3, "0");
  return `${Math.floor(ms / 1_000)}.${thousandths}${digits}`;
}
