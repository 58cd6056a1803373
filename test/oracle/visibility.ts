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
  type Said,
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

export const roleOf = (world: World, who: Name) => world.roles.get(who)!;
export const isGuest = (world: World, who: Name) => roleOf(world, who) === 600;
export const isAdmin = (world: World, who: Name) => roleOf(world, who) <= 200;
export const isModerator = (world: World, who: Name) => roleOf(world, who) <= 300;
export const isHere = (world: World, who: Name) => !world.away.has(who);
export const isPrivate = ({ kind }: Channel) => kind === "shared" || kind === "protected";

export const subscribersOf = (world: World, channel: Channel) =>
  [...channel.subscribers].filter((who) => isHere(world, who));

export function isInGroup(world: World, who: Name, name: string): boolean {
  const lowest = ROLE_GROUPS[name];
  if (lowest !== undefined) return roleOf(world, who) <= lowest;
  const { members, subgroups } = world.groups.get(name)!;
  return members.has(who) || subgroups.some((below) => isInGroup(world, who, below));
}

function isIn(world: World, who: Name, { people, groups }: Setting): boolean {
  return people.includes(who) || groups.some((name) => isInGroup(world, who, name));
}

/** Whether this setting of the channel includes the user. */
export function passes(world: World, who: Name, channel: Channel, name: ChannelSetting): boolean {
  if (isGuest(world, who) && !CHANNEL_SETTINGS[name].everyone) return false;
  return isIn(world, who, channel.settings[name]);
}

/** Whether this setting of the organization includes the user. */
export function passesRealm(world: World, who: Name, name: RealmSetting): boolean {
  if (isGuest(world, who) && !REALM_SETTINGS[name].everyone) return false;
  return isIn(world, who, world.realm[name]);
}

/** Whether `who` can see the user `other`. */
export function seesPerson(world: World, who: Name, other: Name): boolean {
  if (!isGuest(world, who) || world.guestsSeeAll || who === other || other === "bot") return true;
  const isWith = (channel: Channel) =>
    channel.subscribers.has(who) && subscribersOf(world, channel).includes(other);
  return [...world.channels.values()].some(isWith) || world.met.has(pairOf(who, other));
}

/** Whether the user can read the channel's messages and subscribe to it. */
export function hasContent(world: World, who: Name, channel: Channel): boolean {
  if (channel.kind === "web" || channel.subscribers.has(who)) return true;
  if (channel.kind === "public") return !isGuest(world, who);
  return (
    passes(world, who, channel, "can_subscribe_group") ||
    passes(world, who, channel, "can_add_subscribers_group")
  );
}

/** Whether the user can see the channel's name, members and settings. */
export function hasMetadata(world: World, who: Name, channel: Channel): boolean {
  return (
    hasContent(world, who, channel) ||
    isAdmin(world, who) ||
    passes(world, who, channel, "can_administer_channel_group")
  );
}

/** Whether the channel is web-public, so that spectators can read it. */
export const isOnTheWeb = (world: World, { kind, is_archived }: Channel) =>
  world.letsSpectatorsIn && kind === "web" && !is_archived;

export const channelOf = (world: World, { channel }: Said): Channel | undefined =>
  channel === undefined ? undefined : world.channels.get(channel)!;

export function mayRead(world: World, who: Name, said: Said): boolean {
  const channel = channelOf(world, said);
  if (channel === undefined) return said.rows.has(who);
  if (!hasContent(world, who, channel)) return false;
  return channel.kind !== "protected" || said.rows.has(who);
}

/** Returns the users who receive events of edits, deletions and reactions of a message. */
export function audienceOf(world: World, said: Said): Name[] {
  const channel = channelOf(world, said);
  return [...world.roles.keys()].filter((who) => {
    if (!isHere(world, who)) return false;
    const hasRow = said.rows.has(who);
    if (channel === undefined) return hasRow;
    const isSubscribed = channel.subscribers.has(who);
    if (channel.kind === "protected") return isSubscribed && hasRow;
    if (channel.kind === "shared") return isSubscribed;
    return isSubscribed || (hasRow && !isGuest(world, who));
  });
}

/** Whether the user's searches can include the whole history of the channel. */
export const seesHistory = (world: World, who: Name, channel: Channel) =>
  channel.kind !== "protected" && hasContent(world, who, channel);

/** Whether the user can open the file: their own, or one shared in a message they can read. */
export function mayOpen(world: World, who: Name, file: string): boolean {
  if (world.files.get(file) === who) return true;
  return [...world.said.values()].some((said) => said.file === file && mayRead(world, who, said));
}

export const isReceipt = (world: World, who: Name, said: Said) =>
  who !== said.sender && isHere(world, who) && said.rows.get(who)?.read === true;

/** Whether the message counts as unread for the user. */
export function isUnread(world: World, who: Name, said: Said): boolean {
  const row = said.rows.get(who);
  if (row === undefined || row.read) return false;
  const channel = channelOf(world, said);
  return channel === undefined || channel.subscribers.has(who);
}

/**
 * Returns the message's flags for the user. A user who got it later has only mentions by later
 * edits.
 */
export function flagsOf(who: Name, { rows }: Said): string[] {
  const row = rows.get(who) ?? lateRow();
  const flags = (["read", "starred", "historical"] as const).filter((flag) => row[flag]);
  return [...flags, ...row.marks];
}
