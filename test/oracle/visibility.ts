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
  type Model,
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

const roleOf = (model: Model, name: Name) => model.roles.get(name)!;
export const isGuest = (model: Model, name: Name) => roleOf(model, name) === 600;
export const isAdmin = (model: Model, name: Name) => roleOf(model, name) <= 200;
export const isModerator = (model: Model, name: Name) => roleOf(model, name) <= 300;
export const isActive = (model: Model, name: Name) => !model.absent.has(name);
export const isPrivate = ({ kind }: Channel) => kind === "shared" || kind === "protected";

export const subscribersOf = (model: Model, channel: Channel) =>
  [...channel.subscribers].filter((name) => isActive(model, name));

export function isInGroup(model: Model, userName: Name, name: string): boolean {
  const lowest = ROLE_GROUPS[name];
  if (lowest !== undefined) return roleOf(model, userName) <= lowest;
  const { members, subgroups } = model.groups.get(name)!;
  return members.has(userName) || subgroups.some((below) => isInGroup(model, userName, below));
}

function isIncluded(model: Model, userName: Name, { people, groups }: Setting): boolean {
  return people.includes(userName) || groups.some((name) => isInGroup(model, userName, name));
}

/** Whether this setting of the channel includes the user. */
export function passesChannelSetting(
  model: Model,
  userName: Name,
  channel: Channel,
  name: ChannelSetting,
): boolean {
  if (isGuest(model, userName) && !CHANNEL_SETTINGS[name].everyone) return false;
  return isIncluded(model, userName, channel.settings[name]);
}

/** Whether this setting of the organization includes the user. */
export function passesRealmSetting(model: Model, userName: Name, name: RealmSetting): boolean {
  if (isGuest(model, userName) && !REALM_SETTINGS[name].everyone) return false;
  return isIncluded(model, userName, model.realm[name]);
}

/** Whether `name` can see the user `other`. */
export function canSeePerson(model: Model, name: Name, other: Name): boolean {
  if (!isGuest(model, name) || model.guestsSeeAll || name === other || other === "bot") return true;
  const isWithBoth = (channel: Channel) =>
    channel.subscribers.has(name) && subscribersOf(model, channel).includes(other);
  return [...model.channels.values()].some(isWithBoth) || model.dms.has(pairOf(name, other));
}

/** Whether the user can read the channel's messages and subscribe to it. */
export function hasContent(model: Model, name: Name, channel: Channel): boolean {
  if (channel.kind === "web" || channel.subscribers.has(name)) return true;
  if (channel.kind === "public") return !isGuest(model, name);
  return (
    passesChannelSetting(model, name, channel, "can_subscribe_group") ||
    passesChannelSetting(model, name, channel, "can_add_subscribers_group")
  );
}

/** Whether the user can see the channel's name, members and settings. */
export function hasMetadata(model: Model, name: Name, channel: Channel): boolean {
  return (
    hasContent(model, name, channel) ||
    isAdmin(model, name) ||
    passesChannelSetting(model, name, channel, "can_administer_channel_group")
  );
}

/** Whether the channel is web-public, so that spectators can read it. */
export const isOnTheWeb = (model: Model, { kind, is_archived }: Channel) =>
  model.allowsSpectators && kind === "web" && !is_archived;

export const channelOf = (model: Model, { channel }: ModelMessage): Channel | undefined =>
  channel === undefined ? undefined : model.channels.get(channel)!;

export function canRead(model: Model, name: Name, message: ModelMessage): boolean {
  const channel = channelOf(model, message);
  if (channel === undefined) return message.rows.has(name);
  if (!hasContent(model, name, channel)) return false;
  return channel.kind !== "protected" || message.rows.has(name);
}

/** Returns the users who receive events of edits, deletions and reactions of a message. */
export function audienceOf(model: Model, message: ModelMessage): Name[] {
  const channel = channelOf(model, message);
  return [...model.roles.keys()].filter((name) => {
    if (!isActive(model, name)) return false;
    const hasRow = message.rows.has(name);
    if (channel === undefined) return hasRow;
    const isSubscribed = channel.subscribers.has(name);
    if (channel.kind === "protected") return isSubscribed && hasRow;
    if (channel.kind === "shared") return isSubscribed;
    return isSubscribed || (hasRow && !isGuest(model, name));
  });
}

/** Whether the user's searches can include the whole history of the channel. */
export const canSeeHistory = (model: Model, name: Name, channel: Channel) =>
  channel.kind !== "protected" && hasContent(model, name, channel);

/** Whether the user can open the file: their own, or one shared in a message they can read. */
export function canOpen(model: Model, name: Name, file: string): boolean {
  if (model.files.get(file) === name) return true;
  return [...model.messages.values()].some(
    (message) => message.file === file && canRead(model, name, message),
  );
}

export const isReceipt = (model: Model, name: Name, message: ModelMessage) =>
  name !== message.sender && isActive(model, name) && message.rows.get(name)?.read === true;

/** Whether the message counts as unread for the user. */
export function isUnread(model: Model, name: Name, message: ModelMessage): boolean {
  const row = message.rows.get(name);
  if (row === undefined || row.read) return false;
  const channel = channelOf(model, message);
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
