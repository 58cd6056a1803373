// Changes a message: its content, topic or channel.
import Type from "typebox";
import {
  contentWithChannel,
  directsNotMovable,
  directsWithoutTopics,
  emptyTopicNotResolvable,
  nothingToChange,
  propagationWithoutMove,
  sendingNotAuthorized,
} from "../../../contract/errors/messages.ts";
import { attachmentShape } from "../../../contract/shapes/personal.ts";
import { list } from "../../../contract/shapes/value-types.ts";
import {
  bool,
  defaulted,
  endpoint,
  int,
  withAlias,
  oneOf,
  optional,
  text,
} from "../../../endpoint.ts";
import type { Reader, Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { User } from "../../../schema/records.ts";
import { accessChannel, canReadChannel } from "../../channels/access.ts";
import { reclaimFiles, detachedOf, filesOf } from "../../files/claim.ts";
import { enqueueEdited } from "../../notifications/enqueue.ts";
import { unfurlLinks } from "../../previews/actions.ts";
import { accessToChange } from "../access.ts";
import { type ComposedMessage, compose } from "../content/compose.ts";
import { editHistoryOf, withEntry } from "../edit-history-wire.ts";
import {
  contentBefore,
  type ContentChange,
  updateMentionFlags,
  withContent,
} from "../edit/content.ts";
import { messagesEdited } from "../edit/events.ts";
import { checkedContent, checkEditable, checkCanEdit } from "../edit/can-edit.ts";
import {
  checkCanChangeChannel,
  checkCanChangeTopic,
  checkCanMoveTopic,
  type Destination,
} from "../move/can-move.ts";
import { beginMove, finishMove, type MoveOptions } from "../move/move.ts";
import {
  afterPendingMoves,
  checkNoPendingMove,
  checkNotMoving,
  type Deletions,
  deletionsOf,
} from "../move/unfinished.ts";
import { MOVED_AT_ONCE_MAX } from "../move/step.ts";
import { isResolve, isResolvedEmpty } from "../resolve-rules.ts";
import { EMPTY_TOPIC_NAME } from "../rules.ts";
import { checkTopicsPolicy } from "../send/can-send.ts";
import { audienceOf } from "../sets/audience.ts";
import { countIn, topicSlice, type TopicSlice } from "../sets/topic-slice.ts";
import { subjectOf } from "../spelling-wire.ts";
import { existingSpelling, topicName, topicOf } from "../topic.ts";

export interface Changes extends MoveOptions {
  content?: ComposedMessage | undefined;
  prev_content_sha256?: string | undefined;
  topic?: string | undefined;
  stream_id?: number | undefined;
  /** Running deletions, for which a move waits. */
  deletions?: Deletions | undefined;
}

type MoveTarget = Destination & { name: string };

/**
 * Returns the number of the move if it needs more transactions. Must be called in
 * `afterPendingMoves`, because a move of the topic may be pending.
 */
export function editMessage(
  tx: Writer,
  user: User,
  message_id: number,
  changes: Changes,
): number | undefined {
  const message = accessToChange(tx, user, message_id);
  if (changes.content) checkCanEdit(tx, user, message);
  const isMove = changes.topic !== undefined || changes.stream_id !== undefined;
  if (!isMove) checkNotMoving(tx, message);
  else checkNoPendingMove(tx, changes.deletions, tx.topics.get(message.topic_id));
  const destination = checkedDestination(tx, user, message, changes);
  if (destination) checkNoPendingMove(tx, changes.deletions, destination.topic);
  if (destination?.topicChanges) checkCanChangeTopic(tx, user, message, destination);
  const content = changes.content && changedContent(tx, user, message, changes.content);
  if (destination && destination.from !== destination.to)
    checkCanChangeChannel(tx, user, message, destination);
  const slice = destination && movableMessages(tx, user, message, destination, changes);
  if (destination) {
    const isAll = changes.propagate_mode === "change_all";
    checkCanMoveTopic(
      tx,
      user,
      destination,
      isAll ? () => readableSlice(tx, user, message) : undefined,
    );
  }

  if (changes.content) reclaimFiles(tx, user, message_id, linkedUploads(changes.content));
  if (changes.content?.rendered) unfurlLinks(tx, user, message_id, changes.content.rendered);
  if (!destination || !slice) {
    changeContent(tx, user, content!);
    return undefined;
  }
  if (!content || countIn(slice) <= MOVED_AT_ONCE_MAX) {
    return beginMove(tx, user, message, destination, slice, changes, content);
  }
  changeContent(tx, user, content);
  return beginMove(tx, user, tx.messages.get(message_id)!, destination, slice, changes, undefined);
}

/**
 * The destination of a move; undefined if the message is not moved. Throws if the move is not
 * possible.
 */
function checkedDestination(
  reader: Reader,
  user: User,
  message: Message,
  changes: Changes,
): MoveTarget | undefined {
  const from = reader.channels.get(message.stream_id);
  const before = subjectOf(reader, message);
  const value = changes.topic === undefined ? undefined : decodedTopic(changes.topic);
  const topic = value === before ? undefined : value;
  const stream_id = changes.stream_id === message.stream_id ? undefined : changes.stream_id;
  const isMove = topic !== undefined || stream_id !== undefined;
  if (!isMove && !changes.content) throw nothingToChange();
  if (!from && stream_id !== undefined) throw directsNotMovable();
  if (!from && topic !== undefined) throw directsWithoutTopics();
  if (!isMove && changes.propagate_mode !== "change_one") throw propagationWithoutMove();
  if (topic !== undefined && isResolvedEmpty(topic)) throw emptyTopicNotResolvable();
  const newName = topic === undefined ? before : topicName(topic);
  if (changes.content && stream_id !== undefined) throw contentWithChannel();
  if (changes.content) checkEditable(message, changes.prev_content_sha256);
  if (!from || !isMove) return undefined;
  const to = stream_id === undefined ? from : accessChannel(reader, user, stream_id);
  if (to.is_archived || !canReadChannel(reader, user, to)) throw sendingNotAuthorized(to.name);
  const destination = topicOf(reader, to.stream_id, newName);
  // The spelling of a topic changes only if the request changes its own name.
  const name =
    destination?.topic_id === message.topic_id ? newName : existingSpelling(destination, newName);
  checkTopicsPolicy(reader, to, name);
  return {
    from,
    to,
    name,
    topic: destination,
    topicChanges: topic !== undefined,
    isResolve: from === to && isResolve(before, name),
  };
}

/** Accepts the displayed name of the empty topic for the empty topic. */
function decodedTopic(topic: string): string {
  const name = topic.trim();
  return name === EMPTY_TOPIC_NAME ? "" : name;
}

/** A move to another channel includes only messages that the user can read. */
function movableMessages(
  reader: Reader,
  user: User,
  message: Message,
  { from, to }: MoveTarget,
  { propagate_mode }: Changes,
): TopicSlice {
  const topic = reader.topics.get(message.topic_id)!;
  const range = {
    from: propagate_mode === "change_all" ? topic.first_id : message.id,
    to: propagate_mode === "change_one" ? message.id : topic.last_id,
  };
  return topicSlice(reader, topic, range, from === to ? undefined : user);
}

/** The messages of the topic that the user can read. */
function readableSlice(reader: Reader, user: User, message: Message): TopicSlice {
  const topic = reader.topics.get(message.topic_id)!;
  return topicSlice(reader, topic, { from: topic.first_id, to: topic.last_id }, user);
}

function changedContent(
  reader: Reader,
  user: User,
  message: Message,
  composed: ComposedMessage,
): ContentChange {
  const rendered = checkedContent(reader, user, message, composed);
  return { before: message, after: withContent(reader, user, message, composed.content, rendered) };
}

function changeContent(tx: Writer, { user_id }: User, { before, after }: ContentChange): void {
  const { id } = before;
  const audience = audienceOf(tx, before);
  const history = editHistoryOf(tx)(before);
  const entry = { user_id, timestamp: tx.now, ...contentBefore(before) };
  const edit_history = withEntry(entry, history.edit_history);
  tx.messages.put({ ...after, ...history, edit_history, last_edit_timestamp: tx.now });
  updateMentionFlags(tx, before, after);
  enqueueEdited(tx, before, after);
  const channel = tx.channels.get(before.stream_id);
  const payload = { user_id, timestamp: tx.now, message_id: id, message_ids: [id], channel };
  tx.emit(messagesEdited(tx, { ...payload, content: { before, after } }), audience);
}

const linkedUploads = ({ rendered }: ComposedMessage) => rendered?.upload_path_ids ?? [];

const DELETED = "(deleted)";

export const patchMessage = endpoint({
  summary: "Edit a message, or move it and others of its topic",
  tag: "Messages",
  params: {
    message_id: int,
    content: optional(text),
    prev_content_sha256: optional(text),
    topic: optional(withAlias("subject", text)),
    stream_id: optional(int),
    propagate_mode: defaulted(oneOf("change_one", "change_later", "change_all"), "change_one"),
    send_notification_to_old_thread: defaulted(bool, false),
    send_notification_to_new_thread: defaulted(bool, true),
  },
  answer: Type.Object({ detached_uploads: list(attachmentShape) }),
  refuses: [
    "EXPECTATION_MISMATCH",
    "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
    "STREAM_WILDCARD_MENTION_NOT_ALLOWED",
    "TOPIC_WILDCARD_MENTION_NOT_ALLOWED",
  ],
  async run({ realm, user }, { message_id, content, ...params }) {
    const changes: Changes = {
      ...params,
      content: content === undefined ? undefined : composed(realm.read, user, content),
      notify_old: params.send_notification_to_old_thread,
      notify_new: params.send_notification_to_new_thread,
      deletions: deletionsOf(realm),
    };
    const { move_id, detached_uploads } = await afterPendingMoves(realm, () =>
      realm.write((tx) => {
        const before = filesOf(tx, message_id);
        const number = editMessage(tx, user, message_id, changes);
        return { move_id: number, detached_uploads: detachedOf(tx, before) };
      }),
    );
    if (move_id !== undefined) await finishMove(realm, move_id);
    return { detached_uploads };
  },
});

const composed = (reader: Reader, user: User, content: string) =>
  compose(reader, user, content.trim() === "" ? DELETED : content);
