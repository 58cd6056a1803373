// The edit history of a message: its own entries, and the renames of its topic.
import type { Reader, Writer } from "../../realm.ts";
import type { EditHistoryEntry, Message, TopicRename } from "../../schema/records-messages.ts";
import { isMeMessage } from "../../text/markdown/render.ts";
import { isResolve } from "./resolve-rules.ts";
import { IS_ME, MOVED_IN } from "./rules.ts";
import { subjectOf } from "./spelling-wire.ts";

/** Maximum of entries per message, and of their total length. Older entries are removed. */
export const EDIT_HISTORY_MAX = 100;
export const EDIT_HISTORY_LENGTH_MAX = 100_000;
/** Maximum of renames per topic. Older ones are removed. */
export const TOPIC_RENAMES_MAX = 100;

export type EditHistory = Pick<
  Message,
  "edit_history" | "last_edit_timestamp" | "last_moved_timestamp" | "renames_seen" | "spelling"
>;

/**
 * Newest first. A record written by an edit includes the renames until then, so later renames come
 * first.
 */
export function editHistoryOf(reader: Reader): (message: Message) => EditHistory {
  const renamesByTopic = new Map<number, readonly TopicRename[]>();
  return (message) => {
    let renames = renamesByTopic.get(message.topic_id);
    if (!renames)
      renamesByTopic.set(message.topic_id, (renames = renamesOf(reader, message.topic_id)));
    const renamesSeen = message.renames_seen ?? 0;
    const laterRenames = renames.filter(
      ({ rename_id, last_id }) => rename_id > renamesSeen && message.id <= last_id,
    );
    const own = renamesSince(laterRenames, message.spelling);
    const { edit_history, last_edit_timestamp } = message;
    const renames_seen = renames[0]?.rename_id ?? 0;
    const lastMove = own.find(({ prev_topic, topic }) => !isResolve(prev_topic, topic));
    return {
      edit_history: own.length > 0 ? [...own.map(entryOf), ...(edit_history ?? [])] : edit_history,
      last_edit_timestamp,
      last_moved_timestamp: lastMove?.timestamp ?? message.last_moved_timestamp,
      renames_seen,
      spelling: laterRenames.length > 0 ? null : message.spelling,
    };
  };
}

/** The viewer's access to the channel with this id. */
export interface ChannelAccess {
  canSee: (stream_id: number) => boolean;
  canRead: (stream_id: number) => boolean;
}

/**
 * Returns the entries, newest first, without the ids of channels that the viewer cannot see and
 * without the topics of channels that the viewer cannot read. Omits entries of which nothing is
 * left.
 */
export function visibleEntries(
  entries: readonly EditHistoryEntry[],
  { canSee, canRead }: ChannelAccess,
): EditHistoryEntry[] {
  // Newest entry: the viewer can read the channel in which the message is now.
  let after = { isSeen: true, isRead: true };
  return entries.flatMap(({ prev_topic, topic, prev_stream, stream, ...edit }) => {
    const before =
      prev_stream === undefined
        ? after
        : { isSeen: canSee(prev_stream), isRead: canRead(prev_stream) };
    const entry = {
      ...edit,
      ...(before.isRead && prev_topic !== undefined && { prev_topic }),
      ...(before.isSeen && prev_stream && { prev_stream }),
      ...(after.isRead && topic !== undefined && { topic }),
      ...(after.isSeen && stream && { stream }),
    };
    after = before;
    return Object.keys(entry).length > Object.keys(BY).length ? [entry] : [];
  });
}

/** Fields of every entry. */
const BY = { user_id: 0, timestamp: 0 };

/** The renames, newest first, back to the one that started at the message's own spelling. */
function renamesSince(renames: readonly TopicRename[], spelling: string | null) {
  const oldest = renames.at(-1);
  if (!oldest || (spelling ?? null) === null) return renames;
  const newer = renames.slice(0, -1);
  if (oldest.topic === spelling) return newer;
  return [...newer, { ...oldest, prev_topic: spelling! }];
}

/**
 * Adds an entry to the history. If there are too many, removes those between the newest and the
 * oldest.
 */
export function withEntry(
  entry: EditHistoryEntry,
  history: readonly EditHistoryEntry[] | null,
): EditHistoryEntry[] {
  const [lastEntry] = history?.slice(-1) ?? [];
  const entries = [entry];
  let length = lengthOf(entry) + (lastEntry ? lengthOf(lastEntry) : 0);
  for (const older of history?.slice(0, -1) ?? []) {
    length += lengthOf(older);
    if (length > EDIT_HISTORY_LENGTH_MAX || entries.length >= EDIT_HISTORY_MAX - 1) break;
    entries.push(older);
  }
  return lastEntry ? [...entries, lastEntry] : entries;
}

const lengthOf = ({ prev_content = "", prev_rendered_content = "" }: EditHistoryEntry) =>
  prev_content.length + prev_rendered_content.length;

/** The message as it was sent, with its topic at that time. */
export function asSent(reader: Reader, message: Message): { message: Message; subject: string } {
  let { content, rendered_content, stream_id, recipient_id } = message;
  let subject = subjectOf(reader, message);
  for (const entry of editHistoryOf(reader)(message).edit_history ?? []) {
    subject = entry.prev_topic ?? subject;
    stream_id = entry.prev_stream ?? stream_id;
    if (entry.prev_content === undefined) continue;
    content = entry.prev_content;
    rendered_content = entry.prev_rendered_content!;
  }
  if (stream_id !== message.stream_id) {
    recipient_id = reader.channels.get(stream_id)?.recipient_id ?? recipient_id;
  }
  const is_me = isMeMessage(content) ? IS_ME : 0;
  const bits = (message.bits & ~(IS_ME | MOVED_IN)) | is_me;
  const version = { ...message, content, rendered_content, stream_id, recipient_id, bits };
  return { message: { ...version, ...NO_HISTORY }, subject };
}

const NO_HISTORY: EditHistory = {
  edit_history: null,
  last_edit_timestamp: null,
  last_moved_timestamp: null,
  renames_seen: Infinity,
  spelling: null,
};

function renamesOf(reader: Reader, topic_id: number): readonly TopicRename[] {
  if (!reader.topics.get(topic_id)?.rename_id) return [];
  const range = { from: [topic_id], to: [topic_id + 1], reverse: true };
  return [...reader.topic_renames.range(range)];
}

/** Removes the oldest renames beyond the maximum. */
export function forgetOldRenames(tx: Writer, topic_id: number): void {
  const range = { from: [topic_id], to: [topic_id + 1] };
  const renames = [...tx.topic_renames.range(range)];
  for (const { rename_id } of renames.slice(0, -TOPIC_RENAMES_MAX)) {
    tx.topic_renames.delete(topic_id, rename_id);
  }
}

/** Removes the renames of a topic without messages. */
export function forgetRenames(tx: Writer, topic_id: number): void {
  const range = { from: [topic_id], to: [topic_id + 1] };
  for (const { rename_id } of [...tx.topic_renames.range(range)]) {
    tx.topic_renames.delete(topic_id, rename_id);
  }
}

const entryOf = ({ user_id, timestamp, prev_topic, topic }: TopicRename): EditHistoryEntry => ({
  user_id,
  timestamp,
  prev_topic,
  topic,
});
