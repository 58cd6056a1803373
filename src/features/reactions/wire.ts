// What clients hear of reactions.
import type { PlainEvent } from "../../events.ts";
import { EXTRA_EMOJI, EXTRA_EMOJI_OTHER } from "../../names.ts";
import type { Message, Reaction } from "../../records-messages.ts";

export function reactionChanged(
  op: "add" | "remove",
  { id }: Pick<Message, "id">,
  { user_id, emoji_name, emoji_code, reaction_type }: Reaction,
): PlainEvent {
  return { type: "reaction", op, user_id, message_id: id, emoji_name, emoji_code, reaction_type };
}

/** For a client that spells the extra emoji's type the other way. */
export function reactionInService(event: PlainEvent): PlainEvent {
  if (event["reaction_type"] !== EXTRA_EMOJI) return event;
  return { ...event, reaction_type: EXTRA_EMOJI_OTHER };
}
