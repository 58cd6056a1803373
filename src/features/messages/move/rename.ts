// Renames a whole topic without changing the records of its messages.
import type { Writer } from "../../../realm.ts";
import type { UnfinishedMove } from "../../../schema/records-messages.ts";
import { indexTopic } from "../../search/topics.ts";
import { editHistoryOf, forgetOldRenames, withEntry } from "../edit-history-wire.ts";
import { contentBefore, type ContentChange, updateMentionFlags } from "../edit/content.ts";
import { messagesEdited } from "../edit/events.ts";
import { audienceOfTopic } from "../sets/audience.ts";
import { baseOf } from "../spelling-wire.ts";
import { idsIn, topicSlice } from "../sets/topic-slice.ts";
import { putTopic } from "../topic.ts";

/** A topic may have many messages, so each event lists at most this number. */
const EVENT_MESSAGES_MAX = 5_000;

export function renameTopic(
  tx: Writer,
  move: UnfinishedMove,
  content: ContentChange | undefined,
  beforeEvents: () => void,
): void {
  const { user_id, timestamp, message_id, prev_topic, topic, propagate_mode, stream_id } = move;
  const before = tx.topics.get(move.from_topic_id)!;
  const { topic_id, last_id } = before;
  const slice = topicSlice(tx, before, { from: before.first_id, to: last_id });
  const ids = idsIn(slice);
  const target = tx.messages.get(message_id)!;
  const audienceOf = audienceOfTopic(tx, tx.channels.get(stream_id)!, slice);
  const history = editHistoryOf(tx)(target);
  const rename_id = tx.next("renames");
  const renamed = { ...before, name: topic, base: undefined, rename_id };
  putTopic(tx, before, renamed);
  indexTopic(tx, before, renamed);
  const editor = { user_id, timestamp };
  const fromTopic = baseOf(before);
  tx.topic_renames.put({ topic_id, rename_id, last_id, ...editor, prev_topic: fromTopic, topic });
  forgetOldRenames(tx, topic_id);
  if (content) {
    const entry = { ...editor, ...contentBefore(content.before), prev_topic, topic };
    tx.messages.put({
      ...content.after,
      edit_history: withEntry(entry, history.edit_history),
      last_edit_timestamp: timestamp,
      last_moved_timestamp: move.is_toggle ? history.last_moved_timestamp : timestamp,
      renames_seen: rename_id,
      spelling: null,
    });
    updateMentionFlags(tx, content.before, content.after);
  }
  move.to_topic_id = topic_id;
  move.moved = ids.length;
  move.first_moved_id = ids[0]!;

  beforeEvents();
  const channel = tx.channels.get(stream_id);
  const payload = { propagate_mode, orig_subject: prev_topic, subject: topic, stream_id };
  for (let index = 0; index < ids.length; index += EVENT_MESSAGES_MAX) {
    const message_ids = ids.slice(index, index + EVENT_MESSAGES_MAX);
    const isHere = message_ids.includes(message_id);
    const edited = {
      ...editor,
      message_id: isHere ? message_id : message_ids[0]!,
      message_ids,
      channel,
      content: isHere ? content : undefined,
      move: payload,
    };
    tx.emit(messagesEdited(tx, edited), audienceOf(message_ids));
  }
}
