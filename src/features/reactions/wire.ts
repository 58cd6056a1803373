// Events about reactions.
import type { PlainEvent } from "../../contract/events.ts";
import type { Message, Reaction } from "../../schema/records-messages.ts";

export function reactionChanged(
  op: "add" | "remove",
  { id }: Pick<Message, "id">,
  { user_id, emoji_name, emoji_code, reaction_type }: Reaction,
): PlainEvent {
  return { type: "reaction", op, user_id, message_id: id, emoji_name, emoji_code, reaction_type };
}
