// All that is checked of a message before anything of it is written, in the protocol's order.
import { messageUnrenderable } from "../../errors-messages.ts";
import type { Reader } from "../../realm.ts";
import type { Conversation } from "../../records-messages.ts";
import type { Channel, Topic, User } from "../../records.ts";
import { setKey } from "../../store/set-key.ts";
import type { Rendered } from "../../text/markdown/render.ts";
import type { Composed } from "./compose.ts";
import { checkMayPost, checkMayPostIn, checkMayWrite } from "./may-send.ts";
import { checkMayMention } from "./mentions.ts";
import type { ChannelRecipient, DirectRecipient, Recipient } from "./recipients.ts";
import { topicName, topicOf } from "./topic.ts";

/** A message that may go where it is to go. */
interface ForChannel {
  channel: Channel;
  name: string;
  /** The topic of that name, if it has messages. */
  known: Topic | undefined;
  rendered: Rendered;
}

interface ForPeople {
  /** The sender too, by ascending ids. */
  people: User[];
  /** What they said before. */
  known: Conversation | undefined;
  rendered: Rendered;
}

/** Refuses what the sender could not send now; nothing is sent. */
export function checkMaySend(
  reader: Reader,
  sender: User,
  recipient: Recipient,
  { rendered }: Composed,
): void {
  if ("stream_id" in recipient) checkedForChannel(reader, sender, recipient, rendered);
  else checkedForPeople(reader, sender, recipient, rendered);
}

export function checkedForChannel(
  reader: Reader,
  sender: User,
  recipient: ChannelRecipient,
  rendered: Rendered | undefined,
): ForChannel {
  const name = topicName(recipient.topic);
  const channel = reader.channels.get(recipient.stream_id)!;
  checkMayPost(reader, sender, channel);
  const known = topicOf(reader, channel.stream_id, name);
  checkMayPostIn(reader, sender, channel, name, known);
  if (!rendered) throw messageUnrenderable();
  checkMayMention(reader, sender, rendered, channel, known);
  return { channel, name, known, rendered };
}

export function checkedForPeople(
  reader: Reader,
  sender: User,
  recipient: DirectRecipient,
  rendered: Rendered | undefined,
): ForPeople {
  const user_ids = [...new Set([...recipient.user_ids, sender.user_id])].sort((a, b) => a - b);
  const people = user_ids.map((id) => reader.users.get(id)!);
  const known = reader.conversations.one("people", setKey(user_ids));
  checkMayWrite(reader, sender, people, known);
  if (!rendered) throw messageUnrenderable();
  const found = { ...rendered, topic_wildcard: false };
  checkMayMention(reader, sender, found);
  return { people, known, rendered: found };
}
