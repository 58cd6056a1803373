// The oracle of permissions: whether a user may do something now, from the rules alone.
import type { Name } from "../users.ts";
import {
  channelOf,
  hasContent,
  hasMetadata,
  isAdmin,
  isGuest,
  isHere,
  isModerator,
  isPrivate,
  canRead,
  passes,
  passesRealm,
  seesPerson,
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
  type World,
} from "./model.ts";

export interface Move {
  mode: "change_one" | "change_later" | "change_all";
  topic: string | undefined;
  channel: Channel | undefined;
}

/** Whether the user passes the test, or, for a bot, its owner does. */
const orOwner = (name: Name, test: (userName: Name) => boolean) =>
  test(name) || (name === "bot" && test(BOT_OWNER));

const isNew = (world: World, { id }: Channel, topic: string) =>
  ![...world.said.values()].some((message) => message.channel === id && message.topic === topic);

function canPost(world: World, name: Name, channel: Channel): boolean {
  return orOwner(name, (userName) => passes(world, userName, channel, "can_send_message_group"));
}

function canBegin(world: World, name: Name, channel: Channel, topic: string): boolean {
  if (!isNew(world, channel, topic)) return true;
  return orOwner(name, (userName) => passes(world, userName, channel, "can_create_topic_group"));
}

function reaches(world: World, name: Name, channel: Channel): boolean {
  const isIncluded = orOwner(name, (userName) => channel.subscribers.has(userName));
  return isIncluded || (channel.kind !== "protected" && hasContent(world, name, channel));
}

export function canSend(world: World, name: Name, channel: Channel, topic: string): boolean {
  if (channel.is_archived || !canPost(world, name, channel)) return false;
  return reaches(world, name, channel) && canBegin(world, name, channel, topic);
}

/** Whether there are messages among exactly these users. */
const hasBegun = (world: World, people: readonly Name[]) =>
  [...world.said.values()].some(
    ({ channel, rows }) =>
      channel === undefined &&
      rows.size === people.length &&
      people.every((name) => rows.has(name)),
  );

/** Whether the sender may write to these users, who include the sender. */
export function canWriteTo(world: World, sender: Name, people: readonly Name[]): boolean {
  if (!people.every((name) => isHere(world, name) && seesPerson(world, sender, name))) return false;
  if (sender === "bot" || people.every((name) => name === sender || name === "bot")) return true;
  const isAllowed = people.some((name) =>
    passesRealm(world, name, "direct_message_permission_group"),
  );
  const canInitiate = passesRealm(world, sender, "direct_message_initiator_group");
  return isAllowed && (canInitiate || hasBegun(world, people));
}

/** Requirement of every change of a message. */
function canChange(world: World, name: Name, message: ModelMessage): boolean {
  return canRead(world, name, message) && !channelOf(world, message)?.is_archived;
}

export const canReact = (world: World, name: Name, message: ModelMessage) =>
  canChange(world, name, message) && !message.reactions.has(name);

export const canUnreact = (world: World, name: Name, message: ModelMessage) =>
  canChange(world, name, message) && message.reactions.has(name);

const isYoung = (world: World, { era }: ModelMessage) => era === world.era;

export const canEdit = (world: World, name: Name, message: ModelMessage) =>
  canChange(world, name, message) && message.sender === name && isYoung(world, message);

export function canDelete(world: World, userName: Name, message: ModelMessage): boolean {
  if (!canChange(world, userName, message)) return false;
  const channel = channelOf(world, message);
  const lets = (name: "can_delete_any_message_group" | "can_delete_own_message_group") =>
    passesRealm(world, userName, name) ||
    (channel !== undefined && passes(world, userName, channel, name));
  if (lets("can_delete_any_message_group")) return true;
  const isOwn = message.sender === userName || (message.sender === "bot" && userName === BOT_OWNER);
  return isOwn && lets("can_delete_own_message_group") && isYoung(world, message);
}

/** Archived channels cannot be changed. */
export const canClear = (world: World, name: Name, channel: Channel) =>
  isAdmin(world, name) && !channel.is_archived && hasContent(world, name, channel);

/** Returns the messages that a move affects. */
export function movedBy(
  world: World,
  name: Name,
  message: ModelMessage,
  move: Move,
): ModelMessage[] {
  const topic = [...world.said.values()].filter(
    (other) => other.channel === message.channel && other.topic === message.topic,
  );
  const messages = topic.filter(({ id }) => {
    if (move.mode === "change_one") return id === message.id;
    return move.mode === "change_all" || id >= message.id;
  });
  if (move.channel === undefined) return messages;
  return messages.filter((other) => canRead(world, name, other));
}

export function canMove(world: World, name: Name, message: ModelMessage, move: Move): boolean {
  const source = channelOf(world, message);
  if (source === undefined || !canChange(world, name, message)) return false;
  const topic = move.topic === message.topic ? undefined : move.topic;
  const target = move.channel?.id === source.id ? undefined : move.channel;
  if (topic === undefined && target === undefined) return false;
  if (target && (target.is_archived || !hasContent(world, name, target))) return false;
  if (topic !== undefined && !canMoveTopic(world, name, source, target ?? source)) return false;
  if (target && !canMoveOut(world, name, source)) return false;
  if (target && !canPost(world, name, target)) return false;
  if (!isModerator(world, name) && !isInTime(world, name, message, move)) return false;
  return canBegin(world, name, target ?? source, topic ?? message.topic);
}

/** Whether the user may resolve or unresolve the message's topic. No time limit applies. */
export function canResolve(world: World, name: Name, message: ModelMessage): boolean {
  const channel = channelOf(world, message);
  if (channel === undefined || !canChange(world, name, message)) return false;
  const isAllowed = passesRealm(world, name, "can_resolve_topics_group");
  return isAllowed || passes(world, name, channel, "can_resolve_topics_group");
}

function canMoveTopic(world: World, name: Name, source: Channel, target: Channel): boolean {
  if (isAdmin(world, name)) return true;
  if (passesRealm(world, name, "can_move_messages_between_topics_group")) return true;
  return [source, target].some(
    (channel) =>
      passes(world, name, channel, "can_administer_channel_group") ||
      passes(world, name, channel, "can_move_messages_within_channel_group"),
  );
}

function canMoveOut(world: World, name: Name, source: Channel): boolean {
  return (
    isAdmin(world, name) ||
    passesRealm(world, name, "can_move_messages_between_channels_group") ||
    passes(world, name, source, "can_administer_channel_group") ||
    passes(world, name, source, "can_move_messages_out_of_channel_group")
  );
}

function isInTime(world: World, name: Name, message: ModelMessage, move: Move): boolean {
  if (!isYoung(world, message)) return false;
  if (move.mode !== "change_all") return true;
  const moved = movedBy(world, name, message, move).filter((other) => canRead(world, name, other));
  return moved.every((other) => isYoung(world, other));
}

export const canAdminister = (world: World, name: Name, channel: Channel) =>
  isAdmin(world, name) || passes(world, name, channel, "can_administer_channel_group");

export const canSubscribe = (world: World, name: Name, channel: Channel) =>
  !isGuest(world, name) && !channel.is_archived && hasContent(world, name, channel);

export function canSubscribeOther(world: World, name: Name, channel: Channel): boolean {
  if (!canSubscribe(world, name, channel)) return false;
  return (
    passesRealm(world, name, "can_add_subscribers_group") ||
    canAdminister(world, name, channel) ||
    passes(world, name, channel, "can_add_subscribers_group")
  );
}

export function canUnsubscribe(world: World, name: Name, channel: Channel, other: Name): boolean {
  if (!hasMetadata(world, name, channel) || !seesPerson(world, name, other)) return false;
  if (name === other || (other === "bot" && name === BOT_OWNER)) return true;
  const isAllowed = passes(world, name, channel, "can_remove_subscribers_group");
  return isAllowed || canAdminister(world, name, channel);
}

export const canArchive = (world: World, name: Name, channel: Channel) =>
  canAdminister(world, name, channel) && !channel.is_archived;

export function canReopen(world: World, name: Name, channel: Channel): boolean {
  if (!channel.is_archived || !canAdminister(world, name, channel)) return false;
  return !isPrivate(channel) || subscribersOf(world, channel).length > 0;
}

export const canCreateChannel = (world: World, name: Name, kind: Kind) => {
  const right = kind === "web" ? "web_public" : kind === "public" ? "public" : "private";
  if (kind === "web" && !world.letsSpectatorsIn) return false;
  return !isGuest(world, name) && passesRealm(world, name, `can_create_${right}_channel_group`);
};

const isSame = (a: Setting, b: Setting) => JSON.stringify(a) === JSON.stringify(b);

const isEveryone = (value: Setting) => isSame(value, group("role:everyone"));

export function canChangeKind(world: World, name: Name, channel: Channel, kind: Kind): boolean {
  if (!canAdminister(world, name, channel) || !hasContent(world, name, channel)) return false;
  if (kind === "protected" && !isEveryone(channel.settings.can_create_topic_group)) return false;
  return canCreateChannel(world, name, kind);
}

export function canGrant(
  world: World,
  userName: Name,
  channel: Channel,
  name: ChannelSetting,
  value: Setting,
): boolean {
  if (!canAdminister(world, userName, channel)) return false;
  // Setting the current value needs no further permission.
  if (isSame(channel.settings[name], value)) return true;
  if (name === "can_create_topic_group" && channel.kind === "protected") return isEveryone(value);
  if (name === "can_add_subscribers_group" || name === "can_subscribe_group")
    return hasContent(world, userName, channel);
  const isOfDeleting = /^can_delete_/.test(name);
  if (!isOfDeleting || isAdmin(world, userName)) return true;
  return passesRealm(world, userName, "can_set_delete_message_policy_group");
}
