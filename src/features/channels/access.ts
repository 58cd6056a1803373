// Loads a channel for a user or rejects the request: who sees it, and who reads it.
import {
  channelNameNotFound,
  channelNotAdministered,
  channelNotFound,
  tooMany,
} from "../../contract/errors/channels.ts";
import { spectatorsNotAllowed } from "../../contract/errors/general.ts";
import type { Reader } from "../../realm.ts";
import type { Channel, Subscription, User } from "../../schema/records.ts";
import { hasPermission, hasChannelPermission } from "../rights/access.ts";
import type { ChannelPermission, RealmPermission } from "../rights/permission-rules.ts";
import { SPECTATOR, type Viewer } from "../rights/rules.ts";
import * as rules from "./permission-rules.ts";
import { CHANNELS_PER_CREATOR_MAX, foldedName, type Privacy } from "./rules.ts";
import { channelsOnTheWeb, isOnTheWeb } from "./spectator-wire.ts";

/** Returns the user, or a spectator if there is no account and the organization is public. */
export function accessAsViewer(reader: Reader, user: User | undefined): Viewer {
  if (user) return user;
  if (channelsOnTheWeb(reader).length === 0) throw spectatorsNotAllowed();
  return SPECTATOR;
}

export function isSubscribed(reader: Reader, user_id: number, stream_id: number): boolean {
  return reader.subscriptions.get(user_id, stream_id)?.active === true;
}

/**
 * Whether the user was subscribed at the event with this number. Also correct after later actions
 * of the same commit, and after a crash.
 */
export function wasSubscribed(
  { intervals }: Pick<Subscription, "intervals">,
  seq: number,
): boolean {
  for (let index = intervals.length - 4; index >= 0; index -= 4) {
    const [from, to] = [intervals[index + 1]!, intervals[index + 3]!];
    if (seq > from) return to === 0 || seq < to;
  }
  return false;
}

/**
 * Whether the subscription was active at that event. Deactivated accounts stay subscribed; see
 * `begin`.
 */
export function wasActiveAt(sub: Subscription, seq: number): boolean {
  return wasSubscribed(sub, seq) || (sub.suspended && seq > sub.intervals.at(-1)!);
}

/** Subscribed, or deactivated and subscribed again after reactivation. */
export function isActiveOrSuspended(reader: Reader, user_id: number, stream_id: number): boolean {
  const sub = reader.subscriptions.get(user_id, stream_id);
  return sub !== undefined && (sub.active || sub.suspended);
}

/** Content access: reading messages, and subscribing. */
export function canReadChannel(reader: Reader, viewer: Viewer, channel: Channel): boolean {
  if (viewer === SPECTATOR) return isOnTheWeb(reader, channel);
  return rules.canRead(new ChannelPermissions(reader, viewer, channel), channel);
}

/** Metadata access: the name, the description, the settings, the subscribers. */
export function canSeeChannel(reader: Reader, viewer: Viewer, channel: Channel): boolean {
  if (viewer === SPECTATOR) return isOnTheWeb(reader, channel);
  return rules.canSee(new ChannelPermissions(reader, viewer, channel), channel);
}

/** A viewer's access to channels by id. */
export function channelAccessOf(reader: Reader, viewer: Viewer) {
  const checkById = (hasPermission: typeof canReadChannel) => (stream_id: number) => {
    const channel = reader.channels.get(stream_id);
    return channel !== undefined && hasPermission(reader, viewer, channel);
  };
  return { canSee: checkById(canSeeChannel), canRead: checkById(canReadChannel) };
}

/** Administrators administer every channel; others by `can_administer_channel_group`. */
export function canAdminister(reader: Reader, user: User, channel: Channel): boolean {
  return rules.canAdminister(new ChannelPermissions(reader, user, channel));
}

/** A user's permissions in a channel. */
class ChannelPermissions implements rules.Requester {
  constructor(
    private readonly reader: Reader,
    private readonly user: User,
    private readonly channel: Channel,
  ) {}

  get role(): number {
    return this.user.role;
  }

  isSubscribed(): boolean {
    return isSubscribed(this.reader, this.user.user_id, this.channel.stream_id);
  }

  hasPermission(name: RealmPermission): boolean {
    return hasPermission(this.reader, this.user, name);
  }

  hasChannelPermission(name: ChannelPermission): boolean {
    return hasChannelPermission(this.reader, this.user, this.channel, name);
  }
}

/** Returns the channel if this user may know that it exists. */
export function accessChannel(reader: Reader, viewer: Viewer, stream_id: number): Channel {
  const channel = reader.channels.get(stream_id);
  if (!channel || !canSeeChannel(reader, viewer, channel)) throw channelNotFound();
  return channel;
}

/** Returns the channel if this user may read it. */
export function accessContent(reader: Reader, viewer: Viewer, stream_id: number): Channel {
  const channel = reader.channels.get(stream_id);
  if (!channel || !canReadChannel(reader, viewer, channel)) throw channelNotFound();
  return channel;
}

/** Finds a channel by name, ignoring case and archived channels, if the user may read it. */
export function accessContentByName(reader: Reader, user: User, name: string): Channel {
  const channel = reader.channels.findBy("name", foldedName(name));
  if (!channel || channel.is_archived || !canReadChannel(reader, user, channel)) {
    throw channelNameNotFound(name);
  }
  return channel;
}

/** Returns the channel if this user may change it. */
export function accessToAdminister(reader: Reader, user: User, stream_id: number): Channel {
  const channel = accessChannel(reader, user, stream_id);
  if (!canAdminister(reader, user, channel)) throw channelNotAdministered();
  return channel;
}

/** Whether the user may subscribe others to a channel that the user can read. */
export function canAddSubscribers(reader: Reader, user: User, channel: Channel): boolean {
  return rules.canAddSubscribers(new ChannelPermissions(reader, user, channel));
}

/** Whether the user may unsubscribe others from a channel that the user can see. */
export function canRemoveSubscribers(reader: Reader, user: User, channel: Channel): boolean {
  return rules.canRemoveSubscribers(new ChannelPermissions(reader, user, channel));
}

const inRealm = (reader: Reader, user: User) => ({
  role: user.role,
  hasPermission: (name: RealmPermission) => hasPermission(reader, user, name),
});

export function canSetTopicsPolicy(reader: Reader, user: User): boolean {
  return rules.canSetTopicsPolicy(inRealm(reader, user));
}

export function canSetDeletePolicy(reader: Reader, user: User): boolean {
  return rules.canSetDeletePolicy(inRealm(reader, user));
}

/** Checks the limit before the user creates `count` more channels. */
export function checkChannelLimit(reader: Reader, { user_id }: User, count: number): void {
  if (count === 0) return;
  const channels = [...reader.channels.range()].filter((channel) => channel.creator_id === user_id);
  if (channels.length + count <= CHANNELS_PER_CREATOR_MAX) return;
  throw tooMany("channels created by one user", CHANNELS_PER_CREATOR_MAX);
}

/** Whether the user may create channels of this privacy. */
export function canCreateChannel(reader: Reader, user: User, kind: Privacy): boolean {
  return rules.canCreate(inRealm(reader, user), kind);
}
