// Writes an imported message as a send would, but read by everyone and without notifications.
import type { Writer } from "../../realm.ts";
import type { Message, Reaction } from "../../schema/records-messages.ts";
import type { Topic, User } from "../../schema/records.ts";
import { setKey } from "../../store/set-key.ts";
import { markAlerts } from "../alert-words/alerts.ts";
import { isSubscribed } from "../channels/access.ts";
import { claimFiles } from "../files/claim.ts";
import { type ComposedMessage, compose } from "../messages/content/compose.ts";
import { NOT_NOTIFYING } from "../messages/rules.ts";
import { addParticipant, isMentionedBot, markMentions } from "../messages/mentions.ts";
import { type MessageLocation, newMessage } from "../messages/send/new-message.ts";
import { withSpelling, spellingIn, withSpellings } from "../messages/spelling-wire.ts";
import { putTopic, topicOf } from "../messages/topic.ts";
import { indexTopic } from "../search/topics.ts";
import { putRow, type Row } from "./write-row.ts";

export interface MovedMessage {
  readonly sender_id: number;
  readonly timestamp: number;
  /** A channel with a topic, or the users of a direct conversation, ascending. */
  readonly to: { stream_id: number; topic: string } | { user_ids: readonly number[] };
  /** Content that was rendered before, or text to render in the transaction. */
  readonly content: string | ComposedMessage;
  readonly client: string;
  readonly reactions: readonly Reaction[];
  readonly last_edit_timestamp: number | null;
}

/** Replaces a text that cannot be rendered. */
export const TOO_COMPLEX = "(This message is too complex to be shown.)";

/** Removes repeated reactions of a user with the same emoji. */
export function distinctReactions(reactions: readonly Reaction[]): Reaction[] {
  const keyOf = ({ user_id, reaction_type, emoji_code }: Reaction) =>
    `${user_id} ${reaction_type} ${emoji_code}`;
  return [
    ...new Map(reactions.toReversed().map((reaction) => [keyOf(reaction), reaction])).values(),
  ].reverse();
}

/** Returns the message's id and the checksum of its row. */
export function writeMessage(tx: Writer, moved: MovedMessage): { id: number; checksum: number } {
  const sender = tx.users.get(moved.sender_id)!;
  const { content } = moved;
  const composed = typeof content === "string" ? compose(tx, sender, content) : content;
  const { to } = moved;
  const id = tx.next("messages");
  return "stream_id" in to
    ? toChannel(tx, id, sender, to, composed, moved)
    : toPeople(tx, id, sender, to.user_ids, composed, moved);
}

function toChannel(
  tx: Writer,
  id: number,
  sender: User,
  { stream_id, topic: name }: { stream_id: number; topic: string },
  composed: ComposedMessage,
  moved: MovedMessage,
) {
  const channel = tx.channels.get(stream_id)!;
  const { topic_id, spelling } = placedTopic(tx, stream_id, name, id);
  const location = { stream_id, topic_id, recipient_id: channel.recipient_id, spelling };
  const row = rowOf(tx, id, sender, location, composed, moved);
  const people = [sender.user_id, ...moved.reactions.map(({ user_id }) => user_id)];
  for (const user_id of people) addParticipant(tx, topic_id, user_id);
  if (channel.first_message_id === null) tx.channels.put({ ...channel, first_message_id: id });
  const receives = (user: User) =>
    user.is_active &&
    (isSubscribed(tx, user.user_id, stream_id) || isMentionedBot(tx, user, channel));
  return finished(tx, row, receives);
}

/** Adds a message to the topic of that name, and creates the topic if needed. */
export function placedTopic(tx: Writer, stream_id: number, name: string, id: number) {
  const existingTopic = topicOf(tx, stream_id, name);
  const isNewest = existingTopic === undefined || id > existingTopic.last_id;
  const topic: Topic = existingTopic
    ? {
        ...(isNewest
          ? withSpelling(existingTopic, name)
          : withSpellings(existingTopic, [name], false)),
        first_id: Math.min(existingTopic.first_id, id),
        last_id: Math.max(existingTopic.last_id, id),
        count: existingTopic.count + 1,
      }
    : {
        topic_id: tx.next("topics"),
        stream_id,
        name,
        first_id: id,
        last_id: id,
        count: 1,
        rename_id: 0,
      };
  putTopic(tx, existingTopic, topic);
  indexTopic(tx, existingTopic, topic);
  return { topic_id: topic.topic_id, spelling: spellingIn(topic, name) };
}

function toPeople(
  tx: Writer,
  id: number,
  sender: User,
  user_ids: readonly number[],
  composed: ComposedMessage,
  moved: MovedMessage,
) {
  const conversation = tx.conversations.findBy("people", setKey(user_ids));
  const recipient_id = conversation?.recipient_id ?? tx.next("recipients");
  const location = { stream_id: 0, topic_id: 0, recipient_id, spelling: null };
  const row = rowOf(tx, id, sender, location, composed, moved);
  tx.conversations.put({ recipient_id, user_ids: [...user_ids], last_id: id });
  const receives = (user: User) => user.is_active && user_ids.includes(user.user_id);
  for (const user_id of user_ids) {
    if (receives(tx.users.get(user_id)!)) tx.user_directs.add([user_id], id);
  }
  return finished(tx, row, receives);
}

function rowOf(
  tx: Writer,
  id: number,
  sender: User,
  location: MessageLocation,
  composed: ComposedMessage,
  { timestamp, client, reactions, last_edit_timestamp }: MovedMessage,
): Message {
  const final = composed.rendered ? composed : compose(tx, sender, TOO_COMPLEX);
  const { content, rendered } = final;
  const message = newMessage(tx, id, sender, location, content, rendered!, {
    ...{ client, timestamp },
    bits: NOT_NOTIFYING,
  });
  claimFiles(tx, sender, id, rendered!.upload_path_ids);
  return {
    ...message,
    last_edit_timestamp,
    reactions: reactions.length > 0 ? [...reactions] : null,
  };
}

function finished(tx: Writer, message: Message, receives: (user: User) => boolean) {
  // The message is read from the start for everyone.
  tx.quiet.add([0], message.id);
  const checksum = putRow(tx, "messages", message as unknown as Row);
  markMentions(tx, message, receives);
  markAlerts(tx, message, receives);
  return { id: message.id, checksum };
}
