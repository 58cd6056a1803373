// The expected events of a move and of its inverse, applied before the server answers.
import { getState } from "../../store/store.ts";
import type { LocalEvent, LocalUpdate } from "../../contract/snapshot.ts";
import type { TopicRef } from "../../sync/mutations/reconcile.ts";
import { foldTopic, topicKey } from "../../conversation-keys.ts";

interface Move {
  /** The message that identifies the topic in the request. */
  message_id: number;
  mode: "change_one" | "change_later" | "change_all";
  from: TopicRef;
  to: TopicRef;
}

export function optimisticMove(move: Move): { local: LocalEvent[]; inverse: LocalEvent[] } {
  const { from, to, mode, message_id } = move;
  const ids = idsOf(move);
  const { me } = getState().people;
  const before = getState().messages.byId.get(message_id)?.last_moved_timestamp;
  const moveEvent = (
    source: TopicRef,
    target: TopicRef,
    edit_timestamp: number | undefined,
  ): LocalUpdate => ({
    type: "update_message",
    user_id: me,
    message_id,
    message_ids: ids,
    stream_id: source.stream_id,
    orig_subject: source.topic,
    propagate_mode: mode,
    rendering_only: false,
    flags: [],
    edit_timestamp,
    ...(source.topic !== target.topic && { subject: target.topic }),
    ...(source.stream_id !== target.stream_id && { new_stream_id: target.stream_id }),
  });
  const now = Math.floor(Date.now() / 1000);
  return { local: [moveEvent(from, to, now)], inverse: [moveEvent(to, from, before)] };
}

/** Includes messages of which only their unread state is known. */
function idsOf({ message_id, mode, from: { stream_id, topic } }: Move): number[] {
  if (mode === "change_one") return [message_id];
  const { messages, unread } = getState();
  const ids = new Set([
    message_id,
    ...(unread.conversations.get(topicKey(stream_id, topic))?.ids ?? []),
  ]);
  const folded = foldTopic(topic);
  for (const message of messages.byId.values()) {
    if (message.stream_id === stream_id && foldTopic(message.subject) === folded)
      ids.add(message.id);
  }
  const later = mode === "change_later" ? [...ids].filter((id) => id >= message_id) : [...ids];
  return later.sort((a, b) => a - b);
}
