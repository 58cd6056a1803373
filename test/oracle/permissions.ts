// The oracle of permissions: whether a user may do something now, from the rules alone.
import type { Name } from "../users.ts";
import {
  channelOf,
  hasContent,
  hasMetadata,
  isAdmin,
  isGuest,
  isActive,
  isModerator,
  isPrivate,
  canRead,
  passesChannelSetting,
  passesRealmSetting,
  canSeePerson,
  subscribersOf,
} from "./visibility.ts";
import {
  BOT_OWNER,
  type Channel,
  type ChannelSetting,
  group,
  type Kind,
  type ModelMessage,
  type Setting,
  type Model,
} from "./model.ts";

export interface Move {
  mode: "change_one" | "change_later" | "change_all";
  topic: string | undefined;
  channel: Channel | undefined;
}

/** Whether the user passes the test, or, for a bot, its owner does. */
const isTrueOfOwner = (name: Name, test: (userName: Name) => boolean) =>
  test(name) || (name === "bot" && test(BOT_OWNER));

const isNew = (model: Model, { id }: Channel, topic: string) =>
  ![...model.messages.values()].some(
    (message) => message.channel === id && message.topic === topic,
  );

function canPost(model: Model, name: Name, channel: Channel): boolean {
  return isTrueOfOwner(name, (userName) =>
    passesChannelSetting(model, userName, channel, "can_send_message_group"),
  );
}

function canBegin(model: Model, name: Name, channel: Channel, topic: string): boolean {
  if (!isNew(model, channel, topic)) return true;
  return isTrueOfOwner(name, (userName) =>
    passesChannelSetting(model, userName, channel, "can_create_topic_group"),
  );
}

function canReachChannel(model: Model, name: Name, channel: Channel): boolean {
  const isIncluded = isTrueOfOwner(name, (userName) => channel.subscribers.has(userName));
  return isIncluded || (channel.kind !== "protected" && hasContent(model, name, channel));
}

export function canSend(model: Model, name: Name, channel: Channel, topic: string): boolean {
  if (channel.is_archived || !canPost(model, name, channel)) return false;
  return canReachChannel(model, name, channel) && canBegin(model, name, channel, topic);
}

/** Whether there are messages among exactly these users. */
const hasBegun = (model: Model, people: readonly Name[]) =>
  [...model.messages.values()].some(
    ({ channel, rows }) =>
      channel === undefined &&
      rows.size === people.length &&
      people.every((name) => rows.has(name)),
  );

/** Whether the sender may write to these users, who include the sender. */
export function canWriteTo(model: Model, sender: Name, people: readonly Name[]): boolean {
  if (!people.every((name) => isActive(model, name) && canSeePerson(model, sender, name)))
    return false;
  if (sender === "bot" || people.every((name) => name === sender || name === "bot")) return true;
  const isAllowed = people.some((name) =>
    passesRealmSetting(model, name, "direct_message_permission_group"),
  );
  const canInitiate = passesRealmSetting(model, sender, "direct_message_initiator_group");
  return isAllowed && (canInitiate || hasBegun(model, people));
}

/** Requirement of every change of a message. */
function canChange(model: Model, name: Name, message: ModelMessage): boolean {
  return canRead(model, name, message) && !channelOf(model, message)?.is_archived;
}

export const canReact = (model: Model, name: Name, message: ModelMessage) =>
  canChange(model, name, message) && !message.reactions.has(name);

export const canUnreact = (model: Model, name: Name, message: ModelMessage) =>
  canChange(model, name, message) && message.reactions.has(name);

const isYoung = (model: Model, { era }: ModelMessage) => era === model.era;

export const canEdit = (model: Model, name: Name, message: ModelMessage) =>
  canChange(model, name, message) && message.sender === name && isYoung(model, message);

export function canDelete(model: Model, userName: Name, message: ModelMessage): boolean {
  if (!canChange(model, userName, message)) return false;
  const channel = channelOf(model, message);
  const hasPermission = (name: "can_delete_any_message_group" | "can_delete_own_message_group") =>
    passesRealmSetting(model, userName, name) ||
    (channel !== undefined && passesChannelSetting(model, userName, channel, name));
  if (hasPermission("can_delete_any_message_group")) return true;
  const isOwn = message.sender === userName || (message.sender === "bot" && userName === BOT_OWNER);
  return isOwn && hasPermission("can_delete_own_message_group") && isYoung(model, message);
}

/** Archived channels cannot be changed. */
export const canClear = (model: Model, name: Name, channel: Channel) =>
  isAdmin(model, name) && !channel.is_archived && hasContent(model, name, channel);

/** Returns the messages that a move affects. */
export function movedBy(
  model: Model,
  name: Name,
  message: ModelMessage,
  move: Move,
): ModelMessage[] {
  const topic = [...model.messages.values()].filter(
    (other) => other.channel === message.channel && other.topic === message.topic,
  );
  const messages = topic.filter(({ id }) => {
    if (move.mode === "change_one") return id === message.id;
    return move.mode === "change_all" || id >= message.id;
  });
  if (move.channel === undefined) return messages;
  return messages.filter((other) => canRead(model, name, other));
}

export function canMove(model: Model, name: Name, message: ModelMessage, move: Move): boolean {
  const source = channelOf(model, message);
  if (source === undefined || !canChange(model, name, message)) return false;
  const topic = move.topic === message.topic ? undefined : move.topic;
  const target = move.channel?.id === source.id ? undefined : move.channel;
  if (topic === undefined && target === undefined) return false;
  if (target && (target.is_archived || !hasContent(model, name, target))) return false;
  if (topic !== undefined && !canMoveTopic(model, name, source, target ?? source)) return false;
  if (target && !canMoveOut(model, name, source)) return false;
  if (target && !canPost(model, name, target)) return false;
  if (!isModerator(model, name) && !isInTime(model, name, message, move)) return false;
  return canBegin(model, name, target ?? source, topic ?? message.topic);
}

/** Whether the user may resolve or unresolve the message's topic. No time limit applies. */
export function canResolve(model: Model, name: Name, message: ModelMessage): boolean {
  const channel = channelOf(model, message);
  if (channel === undefined || !canChange(model, name, message)) return false;
  const isAllowed = passesRealmSetting(model, name, "can_resolve_topics_group");
  return isAllowed || passesChannelSetting(model, name, channel, "can_resolve_topics_group");
}

function canMoveTopic(model: Model, name: Name, source: Channel, target: Channel): boolean {
  if (isAdmin(model, name)) return true;
  if (passesRealmSetting(model, name, "can_move_messages_between_topics_group")) return true;
  return [source, target].some(
    (channel) =>
      passesChannelSetting(model, name, channel, "can_administer_channel_group") ||
      passesChannelSetting(model, name, channel, "can_move_messages_within_channel_group"),
  );
}

function canMoveOut(model: Model, name: Name, source: Channel): boolean {
  return (
    isAdmin(model, name) ||
    passesRealmSetting(model, name, "can_move_messages_between_channels_group") ||
    passesChannelSetting(model, name, source, "can_administer_channel_group") ||
    passesChannelSetting(model, name, source, "can_move_messages_out_of_channel_group")
  );
}

function isInTime(model: Model, name: Name, message: ModelMessage, move: Move): boolean {
  if (!isYoung(model, message)) return false;
  if (move.mode !== "change_all") return true;
  const moved = movedBy(model, name, message, move).filter((other) => canRead(model, name, other));
  return moved.every((other) => isYoung(model, other));
}

export const canAdminister = (model: Model, name: Name, channel: Channel) =>
  isAdmin(model, name) ||
  passesChannelSetting(model, name, channel, "can_administer_channel_group");

export const canSubscribe = (model: Model, name: Name, channel: Channel) =>
  !isGuest(model, name) && !channel.is_archived && hasContent(model, name, channel);

export function canSubscribeOther(model: Model, name: Name, channel: Channel): boolean {
  if (!canSubscribe(model, name, channel)) return false;
  return (
    passesRealmSetting(model, name, "can_add_subscribers_group") ||
    canAdminister(model, name, channel) ||
    passesChannelSetting(model, name, channel, "can_add_subscribers_group")
  );
}

export function canUnsubscribe(model: Model, name: Name, channel: Channel, other: Name): boolean {
  if (!hasMetadata(model, name, channel) || !canSeePerson(model, name, other)) return false;
  if (name === other || (other === "bot" && name === BOT_OWNER)) return true;
  const isAllowed = passesChannelSetting(model, name, channel, "can_remove_subscribers_group");
  return isAllowed || canAdminister(model, name, channel);
}

export const canArchive = (model: Model, name: Name, channel: Channel) =>
  canAdminister(model, name, channel) && !channel.is_archived;

export function canReopen(model: Model, name: Name, channel: Channel): boolean {
  if (!channel.is_archived || !canAdminister(model, name, channel)) return false;
  return !isPrivate(channel) || subscribersOf(model, channel).length > 0;
}

export const canCreateChannel = (model: Model, name: Name, kind: Kind) => {
  const right = kind === "web" ? "web_public" : kind === "public" ? "public" : "private";
  if (kind === "web" && !model.allowsSpectators) return false;
  return (
    !isGuest(model, name) && passesRealmSetting(model, name, `can_create_${right}_channel_group`)
  );
};

const isSame = (a: Setting, b: Setting) => JSON.stringify(a) === JSON.stringify(b);

const isEveryone = (value: Setting) => isSame(value, group("role:everyone"));

export function canChangeKind(model: Model, name: Name, channel: Channel, kind: Kind): boolean {
  if (!canAdminister(model, name, channel) || !hasContent(model, name, channel)) return false;
  if (kind === "protected" && !isEveryone(channel.settings.can_create_topic_group)) return false;
  return canCreateChannel(model, name, kind);
}

export function canGrant(
  model: Model,
  userName: Name,
  channel: Channel,
  name: ChannelSetting,
  value: Setting,
): boolean {
  if (!canAdminister(model, userName, channel)) return false;
  // Setting the current value needs no further permission.
  if (isSame(channel.settings[name], value)) return true;
  if (name === "can_create_topic_group" && channel.kind === "protected") return isEveryone(value);
  if (name === "can_add_subscribers_group" || name === "can_subscribe_group")
    return hasContent(model, userName, channel);
  const isDeletePermission = /^can_delete_/.test(name);
  if (!isDeletePermission || isAdmin(model, userName)) return true;
  return passesRealmSetting(model, userName, "can_set_delete_message_policy_group");
}
