/** Who is writing where; what nobody renews is ended by a timer of who shows it. */
import type { Changed, Event } from "../../snapshot.ts";
import { conversationKey, peopleOf } from "../conversations/state.ts";
import { topicKey } from "../topics/state.ts";

export interface Typing {
  /** By the key of the place: people, the latest last. */
  places: Map<string, Set<number>>;
}

export const noTyping = (): Typing => ({ places: new Map() });

export function reduceTyping(typing: Typing, event: Event, me: number, changed: Changed): void {
  if (event.type === "message") {
    const { message } = event;
    const key =
      message.type === "private"
        ? conversationKey(peopleOf(message.display_recipient.map(idOf), me))
        : topicKey(message.stream_id, message.subject);
    stopTyping(typing, key, message.sender_id, changed);
  }
  if (event.type !== "typing") return;
  const { op, sender } = event;
  const key =
    event.message_type === "direct"
      ? conversationKey(peopleOf(event.recipients.map(userIdOf), me))
      : topicKey(event.stream_id, event.topic);
  if (sender.user_id === me) return;
  stopTyping(typing, key, sender.user_id, changed);
  if (op !== "start") return;
  const people = typing.places.get(key) ?? new Set();
  typing.places.set(key, people.add(sender.user_id));
  changed.add(`typing:${key}`);
}

const idOf = ({ id }: { id: number }) => id;
const userIdOf = ({ user_id }: { user_id: number }) => user_id;

/** They sent, said that they stopped, or were not heard of for the server's period. */
export function stopTyping(typing: Typing, key: string, user_id: number, changed: Changed): void {
  const people = typing.places.get(key);
  if (!people?.delete(user_id)) return;
  if (people.size === 0) typing.places.delete(key);
  changed.add(`typing:${key}`);
}
