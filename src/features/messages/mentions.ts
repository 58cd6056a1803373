// Mentions in new messages: permissions and flags.
import {
  groupMentionNotAllowed,
  streamWildcardNotAllowed,
  topicWildcardNotAllowed,
} from "../../contract/errors/messages.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { Channel, Topic, User } from "../../schema/records.ts";
import { ascending, idOf } from "../../store/bitmap/bitmap.ts";
import { decodeChunk } from "../../store/bitmap/encodings.ts";
import type { Rendered } from "../../text/markdown/render.ts";
import { canReadChannel } from "../channels/access.ts";
import { hasPermission, hasGroupPermission } from "../rights/access.ts";
import {
  FLAG_MENTIONED,
  FLAG_MENTIONED_LATER,
  FLAG_TOPIC_WILDCARD,
  STREAM_WILDCARD,
  TOPIC_WILDCARD,
  WILDCARD_FREE_PEOPLE_MAX,
} from "./rules.ts";

/** @throws if the sender may not mention so many users. Without a channel: in direct messages. */
export function checkCanMention(
  reader: Reader,
  sender: User,
  rendered: Rendered,
  channel?: Channel,
  topic?: Topic,
): void {
  if (sender.is_system_bot) return;
  const canMentionMany = () => hasPermission(reader, sender, "can_mention_many_users_group");
  if (channel && rendered.stream_wildcard) {
    const isLarge = subscribersOf(reader, channel).length > WILDCARD_FREE_PEOPLE_MAX;
    if (isLarge && !canMentionMany()) throw streamWildcardNotAllowed();
  }
  if (topic && rendered.topic_wildcard) {
    const isLarge = participantsOf(reader, topic.topic_id).length > WILDCARD_FREE_PEOPLE_MAX;
    if (isLarge && !canMentionMany()) throw topicWildcardNotAllowed();
  }
  for (const id of rendered.mentioned_group_ids) {
    const group = reader.groups.get(id)!;
    if (hasGroupPermission(reader, sender, group, "can_mention_group")) continue;
    throw groupMentionNotAllowed(group.name);
  }
}

/** Sets the mention flags and returns the users mentioned by name. */
export function markMentions(
  tx: Writer,
  message: Message,
  receives: (user: User) => boolean,
): User[] {
  const { id, bits } = message;
  if (bits & STREAM_WILDCARD) tx.wildcards.add([0], id);
  for (const group_id of message.mentioned_group_ids ?? []) tx.group_mentions.add([group_id], id);
  if (bits & TOPIC_WILDCARD) {
    for (const user_id of participantsOf(tx, message.topic_id)) {
      const user = tx.users.get(user_id);
      if (user && receives(user)) tx.flags.add([user_id, FLAG_TOPIC_WILDCARD], id);
    }
  }
  const mentionedUsers = (message.mentioned_user_ids ?? []).flatMap(
    (user_id) => tx.users.get(user_id) ?? [],
  );
  const mentioned = mentionedUsers.filter(receives);
  for (const { user_id } of mentioned) tx.flags.add([user_id, FLAG_MENTIONED], id);
  if (mentioned.length === mentionedUsers.length) return mentioned;
  for (const user of mentionedUsers) {
    if (!mentioned.includes(user)) tx.flags.add([user.user_id, FLAG_MENTIONED_LATER], id);
  }
  return mentioned;
}

/** A bot that is mentioned in a channel receives that message without being subscribed. */
export function isMentionedBot(reader: Reader, user: User, channel: Channel): boolean {
  return user.bot_type === GENERIC_BOT && user.is_active && canReadChannel(reader, user, channel);
}

const GENERIC_BOT = 1;

/** Users who sent or reacted in the topic. */
export function participantsOf(reader: Reader, topic_id: number): number[] {
  const people: number[] = [];
  for (const chunk of reader.topic_participants.chunks([topic_id])) {
    const bytes = reader.topic_participants.chunk([topic_id], chunk);
    people.push(...ascending(decodeChunk(bytes), idOf(chunk, 0)));
  }
  return people;
}

/** Must be called for everyone who sends or reacts in a topic. */
export function addParticipant(tx: Writer, topic_id: number, user_id: number): void {
  if (tx.topic_participants.has([topic_id], user_id)) return;
  tx.topic_participants.add([topic_id], user_id);
}

function subscribersOf(reader: Reader, channel: Channel) {
  return reader.subscriptions
    .listBy("channel", channel.stream_id)
    .filter((sub) => sub.active && reader.users.get(sub.user_id)?.is_active);
}
