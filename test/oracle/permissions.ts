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
  mayRead,
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
  type Said,
  type Setting,
  type World,
} from "./model.ts";

export interface Move {
  mode: "change_one" | "change_later" | "change_all";
  topic: string | undefined;
  channel: Channel | undefined;
}

/** Whether the user passes the test, or, for a bot, its owner does. */
const orOwner = (who: Name, test: (who: Name) => boolean) =>
  test(who) || (who === "bot" && test(BOT_OWNER));

const isNew = (world: World, { id }: Channel, topic: string) =>
  ![...world.said.values()].some((said) => said.channel === id && said.topic === topic);

function mayPost(world: World, who: Name, channel: Channel): boolean {
  return orOwner(who, (one) => passes(world, one, channel, "can_send_message_group"));
}

function mayBegin(world: World, who: Name, channel: Channel, topic: string): boolean {
  if (!isNew(world, channel, topic)) return true;
  return orOwner(who, (one) => passes(world, one, channel, "can_create_topic_group"));
}

function reaches(world: World, who: Name, channel: Channel): boolean {
  const isIn = orOwner(who, (one) => channel.subscribers.has(one));
  return isIn || (channel.kind !== "protected" && hasContent(world, who, channel));
}

export function maySend(world: World, who: Name, channel: Channel, topic: string): boolean {
  if (channel.is_archived || !mayPost(world, who, channel)) return false;
  return reaches(world, who, channel) && mayBegin(world, who, channel, topic);
}

/** Whether there are messages among exactly these users. */
const hasBegun = (world: World, people: readonly Name[]) =>
  [...world.said.values()].some(
    ({ channel, rows }) =>
      channel === undefined && rows.size === people.length && people.every((who) => rows.has(who)),
  );

/** Whether the sender may write to these users, who include the sender. */
export function mayWriteTo(world: World, sender: Name, people: readonly Name[]): boolean {
  if (!people.every((who) => isHere(world, who) && seesPerson(world, sender, who))) return false;
  if (sender === "bot" || people.every((who) => who === sender || who === "bot")) return true;
  const isLet = people.some((who) => passesRealm(world, who, "direct_message_permission_group"));
  const mayBegin = passesRealm(world, sender, "direct_message_initiator_group");
  return isLet && (mayBegin || hasBegun(world, people));
}

/** Requirement of every change of a message. */
function mayTouch(world: World, who: Name, said: Said): boolean {
  return mayRead(world, who, said) && !channelOf(world, said)?.is_archived;
}

export const mayReact = (world: World, who: Name, said: Said) =>
  mayTouch(world, who, said) && !said.reactions.has(who);

export const mayUnreact = (world: World, who: Name, said: Said) =>
  mayTouch(world, who, said) && said.reactions.has(who);

const isYoung = (world: World, { era }: Said) => era === world.era;

export const mayEdit = (world: World, who: Name, said: Said) =>
  mayTouch(world, who, said) && said.sender === who && isYoung(world, said);

export function mayDelete(world: World, who: Name, said: Said): boolean {
  if (!mayTouch(world, who, said)) return false;
  const channel = channelOf(world, said);
  const lets = (name: "can_delete_any_message_group" | "can_delete_own_message_group") =>
    passesRealm(world, who, name) || (channel !== undefined && passes(world, who, channel, name));
  if (lets("can_delete_any_message_group")) return true;
  const isOwn = said.sender === who || (said.sender === "bot" && who === BOT_OWNER);
  return isOwn && lets("can_delete_own_message_group") && isYoung(world, said);
}

/** Archived channels cannot be changed. */
export const mayClear = (world: World, who: Name, channel: Channel) =>
  isAdmin(world, who) && !channel.is_archived && hasContent(world, who, channel);

/** Returns the messages that a move affects. */
export function movedBy(world: World, who: Name, said: Said, move: Move): Said[] {
  const topic = [...world.said.values()].filter(
    (other) => other.channel === said.channel && other.topic === said.topic,
  );
  const asked = topic.filter(({ id }) => {
    if (move.mode === "change_one") return id === said.id;
    return move.mode === "change_all" || id >= said.id;
  });
  if (move.channel === undefined) return asked;
  return asked.filter((other) => mayRead(world, who, other));
}

export function mayMove(world: World, who: Name, said: Said, move: Move): boolean {
  const source = channelOf(world, said);
  if (source === undefined || !mayTouch(world, who, said)) return false;
  const topic = move.topic === said.topic ? undefined : move.topic;
  const target = move.channel?.id === source.id ? undefined : move.channel;
  if (topic === undefined && target === undefined) return false;
  if (target && (target.is_archived || !hasContent(world, who, target))) return false;
  if (topic !== undefined && !mayMoveTopic(world, who, source, target ?? source)) return false;
  if (target && !mayMoveOut(world, who, source)) return false;
  if (target && !mayPost(world, who, target)) return false;
  if (!isModerator(world, who) && !isInTime(world, who, said, move)) return false;
  return mayBegin(world, who, target ?? source, topic ?? said.topic);
}

/** Whether the user may resolve or unresolve the message's topic. No time limit applies. */
export function mayResolve(world: World, who: Name, said: Said): boolean {
  const channel = channelOf(world, said);
  if (channel === undefined || !mayTouch(world, who, said)) return false;
  const isLet = passesRealm(world, who, "can_resolve_topics_group");
  return isLet || passes(world, who, channel, "can_resolve_topics_group");
}

function mayMoveTopic(world: World, who: Name, source: Channel, target: Channel): boolean {
  if (isAdmin(world, who)) return true;
  if (passesRealm(world, who, "can_move_messages_between_topics_group")) return true;
  return [source, target].some(
    (channel) =>
      passes(world, who, channel, "can_administer_channel_group") ||
      passes(world, who, channel, "can_move_messages_within_channel_group"),
  );
}

function mayMoveOut(world: World, who: Name, source: Channel): boolean {
  return (
    isAdmin(world, who) ||
    passesRealm(world, who, "can_move_messages_between_channels_group") ||
    passes(world, who, source, "can_administer_channel_group") ||
    passes(world, who, source, "can_move_messages_out_of_channel_group")
  );
}

function isInTime(world: World, who: Name, said: Said, move: Move): boolean {
  if (!isYoung(world, said)) return false;
  if (move.mode !== "change_all") return true;
  const moved = movedBy(world, who, said, move).filter((other) => mayRead(world, who, other));
  return moved.every((other) => isYoung(world, other));
}

export const mayAdminister = (world: World, who: Name, channel: Channel) =>
  isAdmin(world, who) || passes(world, who, channel, "can_administer_channel_group");

export const maySubscribe = (world: World, who: Name, channel: Channel) =>
  !isGuest(world, who) && !channel.is_archived && hasContent(world, who, channel);

export function maySubscribeOther(world: World, who: Name, channel: Channel): boolean {
  if (!maySubscribe(world, who, channel)) return false;
  return (
    passesRealm(world, who, "can_add_subscribers_group") ||
    mayAdminister(world, who, channel) ||
    passes(world, who, channel, "can_add_subscribers_group")
  );
}

export function mayUnsubscribe(world: World, who: Name, channel: Channel, other: Name): boolean {
  if (!hasMetadata(world, who, channel) || !seesPerson(world, who, other)) return false;
  if (who === other || (other === "bot" && who === BOT_OWNER)) return true;
  const isLet = passes(world, who, channel, "can_remove_subscribers_group");
  return isLet || mayAdminister(world, who, channel);
}

export const mayArchive = (world: World, who: Name, channel: Channel) =>
  mayAdminister(world, who, channel) && !channel.is_archived;

export function mayReopen(world: World, who: Name, channel: Channel): boolean {
  if (!channel.is_archived || !mayAdminister(world, who, channel)) return false;
  return !isPrivate(channel) || subscribersOf(world, channel).length > 0;
}

export const mayMake = (world: World, who: Name, kind: Kind) => {
  const right = kind === "web" ? "web_public" : kind === "public" ? "public" : "private";
  if (kind === "web" && !world.letsSpectatorsIn) return false;
  return !isGuest(world, who) && passesRealm(world, who, `can_create_${right}_channel_group`);
};

const isSame = (a: Setting, b: Setting) => JSON.stringify(a) === JSON.stringify(b);

const isEveryone = (value: Setting) => isSame(value, group("role:everyone"));

export function mayTurn(world: World, who: Name, channel: Channel, kind: Kind): boolean {
  if (!mayAdminister(world, who, channel) || !hasContent(world, who, channel)) return false;
  if (kind === "protected" && !isEveryone(channel.settings.can_create_topic_group)) return false;
  return mayMake(world, who, kind);
}

export function mayGrant(
  world: World,
  who: Name,
  channel: Channel,
  name: ChannelSetting,
  value: Setting,
): boolean {
  if (!mayAdminister(world, who, channel)) return false;
  // Setting the current value needs no further permission.
  if (isSame(channel.settings[name], value)) return true;
  if (name === "can_create_topic_group" && channel.kind === "protected") return isEveryone(value);
  if (name === "can_add_subscribers_group" || name === "can_subscribe_group")
    return hasContent(world, who, channel);
  const isOfDeleting = /^can_delete_/.test(name);
  if (!isOfDeleting || isAdmin(world, who)) return true;
  return passesRealm(world, who, "can_set_delete_message_policy_group");
}
