/** Users who are typing, by conversation, until views remove entries that are not renewed. */
import type { Changed, Event } from "../../contract/snapshot.ts";
import { conversationKey, peopleOf } from "../../conversation-keys.ts";
import { topicKey } from "../../conversation-keys.ts";

export interface TypingState {
  /** Users by conversation, with the time of their event. The latest is last. */
  byConversation: Map<string, Map<number, number>>;
}

export const emptyTypingState = (): TypingState => ({ byConversation: new Map() });

export function reduceTyping(
  typing: TypingState,
  event: Event,
  me: number,
  changed: Changed,
): void {
  if (event.type === "message") {
    const { message } = event;
    const key =
      message.type === "private"
        ? conversationKey(peopleOf(message.display_recipient.map(idOf), me))
        : topicKey(message.stream_id, message.subject);
    stopTyping(typing, key, message.sender_id, changed);
  }
  if (event.type === "typing") {
    const { op, sender } = event;
    const key =
      event.message_type === "direct"
        ? conversationKey(peopleOf(event.recipients.map(userIdOf), me))
        : topicKey(event.stream_id, event.topic);
    recordTyping(key, sender.user_id, op);
  }
  if (event.type === "typing_edit_message") {
    const { op, sender_id, recipient } = event;
    const key =
      recipient.type === "direct"
        ? conversationKey(peopleOf(recipient.user_ids, me))
        : topicKey(recipient.channel_id, recipient.topic);
    recordTyping(editsIn(key), sender_id, op);
  }

  function recordTyping(key: string, user_id: number, op: "start" | "stop"): void {
    if (user_id === me) return;
    stopTyping(typing, key, user_id, changed);
    if (op !== "start") return;
    const people = typing.byConversation.get(key) ?? new Map<number, number>();
    typing.byConversation.set(key, people.set(user_id, Date.now()));
    changed.add(`typing:${key}`);
  }
}

/** Key for users who edit an existing message. */
export const editsIn = (key: string): string => `edit ${key}`;

const idOf = ({ id }: { id: number }) => id;
const userIdOf = ({ user_id }: { user_id: number }) => user_id;

/** The user sent the message, stopped, or was silent for the server's period. */
export function stopTyping(
  typing: TypingState,
  key: string,
  user_id: number,
  changed: Changed,
): void {
  const people = typing.byConversation.get(key);
  if (!people?.delete(user_id)) return;
  if (people.size === 0) typing.byConversation.delete(key);
  changed.add(`typing:${key}`);
}
