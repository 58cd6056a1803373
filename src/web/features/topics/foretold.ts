// The expected events of a move and of its inverse, applied before the server answers.
import { now } from "../../live.ts";
import type { Deed } from "../../snapshot.ts";
import type { Spot } from "../../sync/doings/heard.ts";
import { foldTopic, topicKey } from "./state.ts";

interface Move {
  /** The message by which it is asked for. */
  message_id: number;
  mode: "change_one" | "change_later" | "change_all";
  from: Spot;
  to: Spot;
}

export function foretoldMove(move: Move): { foretold: Deed[]; inverse: Deed[] } {
  const { from, to, mode, message_id } = move;
  const ids = idsOf(move);
  const { me } = now().people;
  const before = now().messages.byId.get(message_id)?.last_moved_timestamp;
  const told = (source: Spot, target: Spot, edit_timestamp: number | undefined) => ({
    type: "update_message" as const,
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
  const at = Math.floor(Date.now() / 1000);
  // Only the fields that the reducers need.
  const [there, back] = [told(from, to, at), told(to, from, before)];
  return { foretold: [there as unknown as Deed], inverse: [back as unknown as Deed] };
}

/** Includes messages of which only their unread state is known. */
function idsOf({ message_id, mode, from: { stream_id, topic } }: Move): number[] {
  if (mode === "change_one") return [message_id];
  const { messages, unread } = now();
  const ids = new Set([message_id, ...(unread.places.get(topicKey(stream_id, topic))?.ids ?? [])]);
  const folded = foldTopic(topic);
  for (const message of messages.byId.values()) {
    if (message.stream_id === stream_id && foldTopic(message.subject) === folded)
      ids.add(message.id);
  }
  const later = mode === "change_later" ? [...ids].filter((id) => id >= message_id) : [...ids];
  return later.sort((a, b) => a - b);
}
