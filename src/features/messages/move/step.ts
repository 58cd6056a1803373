// One batch of a move: moves messages and updates all indexes and user data.
import type { Writer } from "../../../realm.ts";
import type { Message, UnfinishedMove } from "../../../schema/records-messages.ts";
import type { Channel, Topic } from "../../../schema/records.ts";
import { andNot, or } from "../../../store/bitmap/bitmap.ts";
import { decodeChunk, encodeChunk } from "../../../store/bitmap/encodings.ts";
import type { BitmapWriter } from "../../../store/declare.ts";
import { changeProperty } from "../../channels/manage/change.ts";
import { dropPin } from "../../pins/remove.ts";
import { indexTopic } from "../../search/topics.ts";
import { updateChannel, updateTopic } from "../delete/remove.ts";
import { type EditHistory, editHistoryOf, withEntry } from "../edit-history-wire.ts";
import { contentBefore, type ContentChange, updateMentionFlags } from "../edit/content.ts";
import { type EditedMessage, messagesArrived, messagesEdited } from "../edit/events.ts";
import { type Stars, emitStarsRemoved } from "../flags/stars.ts";
import { addParticipant } from "../mentions.ts";
import { recordMove } from "../moved-access.ts";
import { recordSpelling } from "../older-spellings.ts";
import { MOVED_IN } from "../rules.ts";
import { idsIn, topicSlice, type TopicSlice } from "../sets/topic-slice.ts";
import { spellingIn, subjectOf, withSpellings } from "../spelling-wire.ts";
import { putTopic, topicOf } from "../topic.ts";
import { messagesDeleted } from "../wire.ts";
import {
  audienceOfMove,
  addMovedAsRead,
  type MoveAudience,
  updateNonSubscribers,
  updateStars,
} from "./affected-users.ts";

/** Maximum of a move in one transaction; larger moves use several transactions of this size. */
export const MOVED_AT_ONCE_MAX = 500;
/** Keeps other requests from waiting long. */
const STEP_MESSAGES_MAX = 50;

interface FirstStep {
  isOneStep?: boolean;
  content?: ContentChange | undefined;
  /** Emits events after those about lost access and before the move. */
  beforeEvents?: () => void;
}

/** Moves the next messages and updates the progress in `move`. Returns false if none were left. */
export function moveStep(tx: Writer, move: UnfinishedMove, first: FirstStep = {}): boolean {
  const from = tx.topics.get(move.from_topic_id);
  const channel = tx.channels.get(move.stream_id)!;
  const limit = first.isOneStep ? MOVED_AT_ONCE_MAX : STEP_MESSAGES_MAX;
  const slice = from && nextSlice(tx, move, from, limit);
  if (!slice || slice.size === 0) return false;
  const ids = idsIn(slice);
  const messages = ids.map((id) => tx.messages.get(id)!);
  const isElsewhere = from.stream_id !== channel.stream_id;
  const audience = audienceOfMove(tx, messages, channel);
  const histories = messages.map(editHistoryOf(tx));
  const subjects = messages.map((message) => subjectOf(tx, message, from));
  const spellings = subjects.map((subject) => spellingAfter(move, subject));

  const to = moveToTopic(tx, move, from, slice, ids, channel, spellings);
  const message_id = ids.includes(move.message_id) ? move.message_id : ids[0]!;
  rewrite(tx, move, messages, histories, subjects, from, to, first.content);
  if (isElsewhere) emitLosses(tx, audience, ids, from);
  first.beforeEvents?.();
  const edited: EditedMessage = {
    user_id: move.user_id,
    timestamp: move.timestamp,
    message_id,
    message_ids: ids,
    channel: tx.channels.get(from.stream_id),
    content: first.content,
    move: {
      propagate_mode: move.propagate_mode,
      orig_subject: move.prev_topic,
      subject: move.topic,
      stream_id: channel.stream_id,
    },
  };
  const seq = emitMove(tx, edited, audience);
  if (isElsewhere) {
    recordMove(tx, slice, from.stream_id, channel.stream_id, seq);
    emitStarsLost(tx, audience, updateStars(tx, slice, messages, from, channel));
    updateNonSubscribers(tx, slice, messages, channel);
    addMovedAsRead(tx, slice, channel);
    updateChannel(tx, tx.channels.get(from.stream_id)!);
  }
  move.first_moved_id ||= ids[0]!;
  move.moved += ids.length;
  move.after_id = ids.at(-1)!;
  return true;
}

/**
 * Selects the next messages. Users can move messages to another channel only if they can read them.
 */
function nextSlice(tx: Writer, move: UnfinishedMove, from: Topic, limit: number): TopicSlice {
  const range = { from: move.after_id + 1, to: move.last_id, limit };
  const isElsewhere = from.stream_id !== move.stream_id;
  return topicSlice(tx, from, range, isElsewhere ? tx.users.get(move.user_id) : undefined);
}

/** Moves the messages from their topic and channel to the destination. */
function moveToTopic(
  tx: Writer,
  move: UnfinishedMove,
  from: Topic,
  slice: TopicSlice,
  ids: readonly number[],
  channel: Channel,
  spellings: readonly string[],
): Topic {
  if (from.topic_id === move.to_topic_id) {
    const isNewest = ids.includes(from.last_id);
    const topicWithSpellings = withSpellings(from, spellings, isNewest);
    putTopic(tx, from, topicWithSpellings);
    indexTopic(tx, from, topicWithSpellings);
    return topicWithSpellings;
  }
  tx.next("moved_messages");
  removeFromSource(tx.topic_messages, from.topic_id, slice);
  updateTopic(tx, from.topic_id, ids.length);
  const to = updateDestination(tx, move, channel, ids, spellings);
  const before = tx.topics.get(to.topic_id);
  putTopic(tx, before, to);
  indexTopic(tx, before, to);
  move.to_topic_id = to.topic_id;
  addToDestination(tx.topic_messages, to.topic_id, slice);
  if (from.stream_id !== channel.stream_id) {
    removeFromSource(tx.channel_messages, from.stream_id, slice);
    addToDestination(tx.channel_messages, channel.stream_id, slice);
    const first_message_id = Math.min(channel.first_message_id ?? Infinity, ids[0]!);
    if (first_message_id !== channel.first_message_id) {
      changeProperty(tx, channel, "first_message_id", first_message_id);
    }
  }
  return to;
}

/** If only the channel changes, each message keeps its spelling of the topic. */
const spellingAfter = ({ prev_topic, topic }: UnfinishedMove, subject: string) =>
  topic === prev_topic ? subject : topic;

/** Updates the destination topic, which is named after its newest message. */
function updateDestination(
  tx: Writer,
  move: UnfinishedMove,
  channel: Channel,
  ids: readonly number[],
  spellings: readonly string[],
): Topic {
  const { stream_id } = channel;
  const destinationTopic = tx.topics.get(move.to_topic_id) ?? topicOf(tx, stream_id, move.topic);
  const [first_id, last_id] = [ids[0]!, ids.at(-1)!];
  if (!destinationTopic) {
    const newTopic = { topic_id: tx.next("topics"), stream_id, name: spellings.at(-1)! };
    recordSpelling(tx, stream_id, newTopic.name);
    const created = { ...newTopic, first_id, last_id, count: ids.length, rename_id: 0 };
    return withSpellings(created, spellings, true);
  }
  return {
    ...withSpellings(destinationTopic, spellings, last_id > destinationTopic.last_id),
    first_id: Math.min(first_id, destinationTopic.first_id),
    last_id: Math.max(last_id, destinationTopic.last_id),
    count: destinationTopic.count + ids.length,
  };
}

function rewrite(
  tx: Writer,
  move: UnfinishedMove,
  messages: readonly Message[],
  histories: readonly EditHistory[],
  subjects: readonly string[],
  from: Topic,
  to: Topic,
  content: ContentChange | undefined,
): void {
  const { user_id, timestamp } = move;
  const { recipient_id } = tx.channels.get(to.stream_id)!;
  const isElsewhere = from.stream_id !== to.stream_id;
  const isResolve = move.is_toggle && !isElsewhere;
  for (const [index, message] of messages.entries()) {
    const before = histories[index]!;
    const edited = message.id === move.message_id ? content : undefined;
    const fields = edited ? contentBefore(edited.before) : {};
    const now = edited?.after ?? message;
    const prev_topic = subjects[index]!;
    const topic = spellingAfter(move, prev_topic);
    const change = {
      ...(prev_topic !== topic && { prev_topic, topic }),
      ...(isElsewhere && { prev_stream: from.stream_id, stream: to.stream_id }),
    };
    tx.messages.put({
      ...now,
      ...before,
      stream_id: to.stream_id,
      topic_id: to.topic_id,
      recipient_id,
      bits: isElsewhere ? now.bits | MOVED_IN : now.bits,
      edit_history: withEntry({ user_id, timestamp, ...fields, ...change }, before.edit_history),
      last_edit_timestamp: edited ? timestamp : before.last_edit_timestamp,
      last_moved_timestamp: isResolve ? before.last_moved_timestamp : timestamp,
      renames_seen: to.rename_id,
      spelling: spellingIn(to, topic),
    });
    if (from.topic_id === to.topic_id) continue;
    addParticipants(tx, to.topic_id, message);
    dropPin(tx, message.id);
  }
  if (content) updateMentionFlags(tx, content.before, tx.messages.get(move.message_id)!);
}

function addParticipants(tx: Writer, topic_id: number, { sender_id, reactions }: Message): void {
  addParticipant(tx, topic_id, sender_id);
  for (const { user_id } of reactions ?? []) addParticipant(tx, topic_id, user_id);
}

/** Returns the number of the first event. */
function emitMove(
  tx: Writer,
  edited: EditedMessage,
  { audiences, newReaders }: MoveAudience,
): number {
  const event = messagesEdited(tx, edited);
  const [seq = 0] = audiences.map((audience) => tx.emit(event, audience));
  if (newReaders.length > 0) {
    tx.emit(messagesArrived(tx, edited), { to: "people", user_ids: newReaders });
  }
  return seq;
}

function emitLosses(tx: Writer, audience: MoveAudience, ids: readonly number[], from: Topic): void {
  const { losing, part } = audience;
  if (losing.length > 0) {
    tx.emit(messagesDeleted(ids, from), { to: "people", user_ids: losing }, ids.length);
  }
  for (const [user_id, messageIds] of part) {
    tx.emit(
      messagesDeleted(messageIds, from),
      { to: "people", user_ids: [user_id] },
      messageIds.length,
    );
  }
}

/** Users who could not read the messages receive no event about losing them. */
function emitStarsLost(tx: Writer, { losing, part }: MoveAudience, lostStars: Stars): void {
  for (const [user_id, ids] of lostStars) {
    if (losing.includes(user_id)) continue;
    const starredIds = part.get(user_id) ?? [];
    const unsent = ids.filter((id) => !starredIds.includes(id));
    emitStarsRemoved(tx, user_id, unsent);
  }
}

function removeFromSource(bitmap: BitmapWriter, key: number, slice: TopicSlice): void {
  for (const [n, chunk] of slice) {
    const rest = andNot(decodeChunk(bitmap.chunk([key], n)), chunk);
    bitmap.set([key], n, encodeChunk(rest));
  }
}

function addToDestination(bitmap: BitmapWriter, key: number, slice: TopicSlice): void {
  for (const [n, chunk] of slice) {
    bitmap.set([key], n, encodeChunk(or(decodeChunk(bitmap.chunk([key], n)), chunk)));
  }
}
