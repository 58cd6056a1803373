// The oracle of visibility: who sees which channel, reads which message and gets its events.
import type { Name } from "../users.ts";
import {
  CHANNEL_SETTINGS,
  lateRow,
  pairOf,
  REALM_SETTINGS,
  type Channel,
  type ChannelSetting,
  type RealmSetting,
  type ModelMessage,
  type Setting,
  type World,
} from "./model.ts";

/** The highest role number in each group; lower numbers have more permissions. */
const ROLE_GROUPS: Record<string, number> = {
  "role:nobody": 0,
  "role:owners": 100,
  "role:administrators": 200,
  "role:moderators": 300,
  "role:fullmembers": 400,
  "role:members": 400,
  "role:everyone": 600,
};

export const roleOf = (world: World, name: Name) => world.roles.get(name)!;
export const isGuest = (world: World, name: Name) => roleOf(world, name) === 600;
export const isAdmin = (world: World, name: Name) => roleOf(world, name) <= 200;
export const isModerator = (world: World, name: Name) => roleOf(world, name) <= 300;
export const isHere = (world: World, name: Name) => !world.away.has(name);
export const isPrivate = ({ kind }: Channel) => kind === "shared" || kind === "protected";

export const subscribersOf = (world: World, channel: Channel) =>
  [...channel.subscribers].filter((name) => isHere(world, name));

export function isInGroup(world: World, userName: Name, name: string): boolean {
  const lowest = ROLE_GROUPS[name];
  if (lowest !== undefined) return roleOf(world, userName) <= lowest;
  const { members, subgroups } = world.groups.get(name)!;
  return members.has(userName) || subgroups.some((below) => isInGroup(world, userName, below));
}

function isIncluded(world: World, userName: Name, { people, groups }: Setting): boolean {
  return people.includes(userName) || groups.some((name) => isInGroup(world, userName, name));
}

/** Whether this setting of the channel includes the user. */
export function passes(
  world: World,
  userName: Name,
  channel: Channel,
  name: ChannelSetting,
): boolean {
  if (isGuest(world, userName) && !CHANNEL_SETTINGS[name].everyone) return false;
  return isIncluded(world, userName, channel.settings[name]);
}

/** Whether this setting of the organization includes the user. */
export function passesRealm(world: World, userName: Name, name: RealmSetting): boolean {
  if (isGuest(world, userName) && !REALM_SETTINGS[name].everyone) return false;
  return isIncluded(world, userName, world.realm[name]);
}

/** Whether `name` can see the user `other`. */
export function seesPerson(world: World, name: Name, other: Name): boolean {
  if (!isGuest(world, name) || world.guestsSeeAll || name === other || other === "bot") return true;
  const isWith = (channel: Channel) =>
    channel.subscribers.has(name) && subscribersOf(world, channel).includes(other);
  return [...world.channels.values()].some(isWith) || world.met.has(pairOf(name, other));
}

/** Whether the user can read the channel's messages and subscribe to it. */
export function hasContent(world: World, name: Name, channel: Channel): boolean {
  if (channel.kind === "web" || channel.subscribers.has(name)) return true;
  if (channel.kind === "public") return !isGuest(world, name);
  return (
    passes(world, name, channel, "can_subscribe_group") ||
    passes(world, name, channel, "can_add_subscribers_group")
  );
}

/** Whether the user can see the channel's name, members and settings. */
export function hasMetadata(world: World, name: Name, channel: Channel): boolean {
  return (
    hasContent(world, name, channel) ||
    isAdmin(world, name) ||
    passes(world, name, channel, "can_administer_channel_group")
  );
}

/** Whether the channel is web-public, so that spectators can read it. */
export const isOnTheWeb = (world: World, { kind, is_archived }: Channel) =>
  world.letsSpectatorsIn && kind === "web" && !is_archived;

export const channelOf = (world: World, { channel }: ModelMessage): Channel | undefined =>
  channel === undefined ? undefined : world.channels.get(channel)!;

export function canRead(world: World, name: Name, message: ModelMessage): boolean {
  const channel = channelOf(world, message);
  if (channel === undefined) return message.rows.has(name);
  if (!hasContent(world, name, channel)) return false;
  return channel.kind !== "protected" || message.rows.has(name);
}

/** Returns the users who receive events of edits, deletions and reactions of a message. */
export function audienceOf(world: World, message: ModelMessage): Name[] {
  const channel = channelOf(world, message);
  return [...world.roles.keys()].filter((name) => {
    if (!isHere(world, name)) return false;
    const hasRow = message.rows.has(name);
    if (channel === undefined) return hasRow;
    const isSubscribed = channel.subscribers.has(name);
    if (channel.kind === "protected") return isSubscribed && hasRow;
    if (channel.kind === "shared") return isSubscribed;
    return isSubscribed || (hasRow && !isGuest(world, name));
  });
}

/** Whether the user's searches can include the whole history of the channel. */
export const seesHistory = (world: World, name: Name, channel: Channel) =>
  channel.kind !== "protected" && hasContent(world, name, channel);

/** Whether the user can open the file: their own, or one shared in a message they can read. */
export function canOpen(world: World, name: Name, file: string): boolean {
  if (world.files.get(file) === name) return true;
  return [...world.said.values()].some(
    (message) => message.file === file && canRead(world, name, message),
  );
}

export const isReceipt = (world: World, name: Name, message: ModelMessage) =>
  name !== message.sender && isHere(world, name) && message.rows.get(name)?.read === true;

/** Whether the message counts as unread for the user. */
export function isUnread(world: World, name: Name, message: ModelMessage): boolean {
  const row = message.rows.get(name);
  if (row === undefined || row.read) return false;
  const channel = channelOf(world, message);
  return channel === undefined || channel.subscribers.has(name);
}

/**
 * Returns the message's flags for the user. A user who got it later has only mentions by later
 * edits.
 */
export function flagsOf(name: Name, { rows }: ModelMessage): string[] {
  const row = rows.get(name) ?? lateRow();
  const flags = (["read", "starred", "historical"] as const).filter((flag) => row[flag]);
  return [...flags, ...row.marks];
}
