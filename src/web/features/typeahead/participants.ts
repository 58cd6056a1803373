// Users who take part in a conversation, as far as the client knows them.
import type { State } from "../../store/state.ts";
import type { ConversationRef } from "../../views.ts";
import type { Person } from "../people/state.ts";

/** Whether the user is certainly not in the conversation. */
export function isOutside(
  { user_id }: Person,
  state: State,
  conversation?: ConversationRef,
): boolean {
  if (!conversation) return false;
  if ("user_ids" in conversation)
    return user_id !== state.people.me && !conversation.user_ids.includes(user_id);
  return knownSubscribers(conversation, state)?.has(user_id) === false;
}

/** undefined if not all subscribers are known. */
export function knownSubscribers({ stream_id }: { stream_id: number }, { channels }: State) {
  const channel = channels.channels.get(stream_id);
  return channel?.isPartial ? undefined : channel?.subscribers;
}
