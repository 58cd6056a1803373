// Checks a send: the sender's permissions and everything else that can be rejected before a write.
import {
  directMessagesDisabled,
  directMessageStartNotAllowed,
  directMessageUnauthorized,
  emptyTopicNotAllowed,
  messageUnrenderable,
  namedTopicNotAllowed,
  postingNotAllowed,
  recipientDeactivated,
  recipientsHidden,
  sendingNotAuthorized,
  topicCreationNotAllowed,
} from "../../../contract/errors/messages.ts";
import type { Reader } from "../../../realm.ts";
import type { Conversation } from "../../../schema/records-messages.ts";
import type { Channel, Topic, User } from "../../../schema/records.ts";
import { setKey } from "../../../store/set-key.ts";
import type { Rendered } from "../../../text/markdown/render.ts";
import { canReadChannel, isSubscribed } from "../../channels/access.ts";
import { canSeeUser } from "../../people/access.ts";
import { emailOf } from "../../people/wire.ts";
import { hasPermission, hasChannelPermission, systemGroupId } from "../../rights/access.ts";
import { isBot, isGuest } from "../../rights/rules.ts";
import type { ComposedMessage } from "../content/compose.ts";
import { checkCanMention } from "../mentions.ts";
import { EMPTY_TOPIC_NAME } from "../rules.ts";
import { existingSpelling, requestedTopic, topicName } from "../topic.ts";
import { checkNewMember, checkNewMembersConversation } from "./new-member-limits.ts";
import type { ChannelRecipient, DirectRecipient, Recipient } from "./recipients.ts";

/** A system bot may send anywhere, also into an archived channel. */
export function checkCanPost(reader: Reader, sender: User, channel: Channel): void {
  if (sender.is_system_bot) return;
  if (!hasPermissionWithOwner(reader, sender, channel, "can_send_message_group"))
    throw postingNotAllowed();
  if (channel.is_archived || !canReach(reader, sender, channel)) {
    throw sendingNotAuthorized(channel.name);
  }
}

/** `topic`: the topic of that name, if it has messages. */
export function checkCanPostIn(
  reader: Reader,
  sender: User,
  channel: Channel,
  name: string,
  topic: Topic | undefined,
): void {
  if (sender.is_system_bot) return;
  if (!topic && !hasPermissionWithOwner(reader, sender, channel, "can_create_topic_group")) {
    throw topicCreationNotAllowed();
  }
  checkTopicsPolicy(reader, channel, name);
}

/** The channel decides whether messages need a topic. */
export function checkTopicsPolicy(reader: Reader, channel: Channel, name: string): void {
  const own = channel.topics_policy;
  const policy = own === "inherit" ? reader.settings.topics_policy : own;
  if (policy === "disable_empty_topic" && name === "") throw emptyTopicNotAllowed(EMPTY_TOPIC_NAME);
  if (policy === "empty_topic_only" && name !== "") throw namedTopicNotAllowed(EMPTY_TOPIC_NAME);
}

/**
 * `people`: all users of the conversation, including the sender; `direct`: their earlier
 * conversation.
 */
function checkCanWriteTo(
  reader: Reader,
  sender: User,
  people: readonly User[],
  direct: Conversation | undefined,
): void {
  if (sender.is_system_bot) return;
  if (!people.every((user) => canSeeUser(reader, sender, user))) throw recipientsHidden();
  const deactivated = people.find((user) => !user.is_active);
  if (deactivated) throw recipientDeactivated(emailOf(reader, deactivated));
  if (isBot(sender) || people.every((user) => user === sender || isBot(user))) return;
  if (!people.some((user) => hasPermission(reader, user, "direct_message_permission_group"))) {
    const setting = reader.settings.direct_message_permission_group;
    const isNobodyGroup = setting === systemGroupId(reader, "role:nobody");
    throw isNobodyGroup ? directMessagesDisabled() : directMessageUnauthorized();
  }
  const hasStarted = direct !== undefined && direct.last_id > 0;
  if (!hasStarted && !hasPermission(reader, sender, "direct_message_initiator_group")) {
    throw directMessageStartNotAllowed();
  }
  if (!hasStarted) checkNewMembersConversation(reader, sender);
}

/** A bot has the permissions of its owner. */
export function hasPermissionWithOwner(
  reader: Reader,
  sender: User,
  channel: Channel,
  name: "can_send_message_group" | "can_create_topic_group",
): boolean {
  if (hasChannelPermission(reader, sender, channel, name)) return true;
  const owner = ownerOf(reader, sender);
  return owner !== undefined && hasChannelPermission(reader, owner, channel, name);
}

/**
 * Whether an unsubscribed sender can post: in public channels, and in private ones that they could
 * join.
 */
function canReach(reader: Reader, sender: User, channel: Channel): boolean {
  if (channel.is_web_public || (!channel.invite_only && !isGuest(sender))) return true;
  if (isSubscribed(reader, sender.user_id, channel.stream_id)) return true;
  const owner = ownerOf(reader, sender);
  if (owner && isSubscribed(reader, owner.user_id, channel.stream_id)) return true;
  if (isGuest(sender) || !channel.history_public_to_subscribers) return false;
  return canReadChannel(reader, sender, channel);
}

function ownerOf(reader: Reader, user: User): User | undefined {
  return user.bot_owner_id === null ? undefined : reader.users.get(user.bot_owner_id);
}

/** A message that the sender may post in this channel. */
interface ChannelContext {
  channel: Channel;
  name: string;
  /** The topic of that name, if it has messages. */
  topic: Topic | undefined;
  rendered: Rendered;
}

interface PeopleContext {
  /** Includes the sender; ascending by id. */
  people: User[];
  /** The conversation that these users had before, if any. */
  conversation: Conversation | undefined;
  rendered: Rendered;
}

/** Rejects a message that the sender could not send now; does not send it. */
export function checkCanSend(
  reader: Reader,
  sender: User,
  recipient: Recipient,
  { rendered }: ComposedMessage,
): void {
  if ("stream_id" in recipient) validatedForChannel(reader, sender, recipient, rendered);
  else validatedForPeople(reader, sender, recipient, rendered);
}

export function validatedForChannel(
  reader: Reader,
  sender: User,
  recipient: ChannelRecipient,
  rendered: Rendered | undefined,
): ChannelContext {
  const topicText = topicName(recipient.topic);
  const channel = reader.channels.get(recipient.stream_id)!;
  checkCanPost(reader, sender, channel);
  const topic = requestedTopic(reader, channel.stream_id, recipient.topic);
  const name = existingSpelling(topic, topicText);
  checkCanPostIn(reader, sender, channel, name, topic);
  checkNewMember(reader, sender, rendered?.html);
  if (!rendered) throw messageUnrenderable();
  checkCanMention(reader, sender, rendered, channel, topic);
  return { channel, name, topic, rendered };
}

export function validatedForPeople(
  reader: Reader,
  sender: User,
  recipient: DirectRecipient,
  rendered: Rendered | undefined,
): PeopleContext {
  const user_ids = [...new Set([...recipient.user_ids, sender.user_id])].sort((a, b) => a - b);
  const people = user_ids.map((id) => reader.users.get(id)!);
  const conversation = reader.conversations.findBy("people", setKey(user_ids));
  checkCanWriteTo(reader, sender, people, conversation);
  checkNewMember(reader, sender, rendered?.html);
  if (!rendered) throw messageUnrenderable();
  const mentions = { ...rendered, topic_wildcard: false };
  checkCanMention(reader, sender, mentions);
  return { people, conversation, rendered: mentions };
}
