// Loading a channel for a person, or refusing: who sees that it exists, who reads what it holds.
import {
  channelNameNotFound,
  channelNotAdministered,
  channelNotFound,
  tooMany,
} from "../../contract/errors/channels.ts";
import { spectatorsNotAllowed } from "../../contract/errors/general.ts";
import type { Reader } from "../../realm.ts";
import type { Channel, Subscription, User } from "../../schema/records.ts";
import { may, mayInChannel } from "../rights/access.ts";
import type { ChannelPermission, RealmPermission } from "../rights/permission-rules.ts";
import { SPECTATOR, type Viewer } from "../rights/rules.ts";
import * as rules from "./asker-rules.ts";
import { CHANNELS_PER_CREATOR_MAX, foldedName, type Privacy } from "./rules.ts";
import { channelsOnTheWeb, isOnTheWeb } from "./spectator-wire.ts";

/** The person; without an account a spectator, where there is something to look at. */
export function accessAsViewer(reader: Reader, user: User | undefined): Viewer {
  if (user) return user;
  if (channelsOnTheWeb(reader).length === 0) throw spectatorsNotAllowed();
  return SPECTATOR;
}

export function isSubscribed(reader: Reader, user_id: number, stream_id: number): boolean {
  return reader.subscriptions.get(user_id, stream_id)?.active === true;
}

/**
 * Was the subscription's person subscribed when the event with this number was told? Right also
 * when later acts of the same commit, or a crash, lie between.
 */
export function wasSubscribed(
  { intervals }: Pick<Subscription, "intervals">,
  seq: number,
): boolean {
  for (let at = intervals.length - 4; at >= 0; at -= 4) {
    const [from, to] = [intervals[at + 1]!, intervals[at + 3]!];
    if (seq > from) return to === 0 || seq < to;
  }
  return false;
}

/** Was the person in then? One whose account was off stayed in; see `begin`. */
export function wasIn(sub: Subscription, seq: number): boolean {
  return wasSubscribed(sub, seq) || (sub.suspended && seq > sub.intervals.at(-1)!);
}

/** Subscribed, or to be again when the account is on. */
export function isIn(reader: Reader, user_id: number, stream_id: number): boolean {
  const sub = reader.subscriptions.get(user_id, stream_id);
  return sub !== undefined && (sub.active || sub.suspended);
}

/** Content access: reading messages, and subscribing. */
export function canReadChannel(reader: Reader, viewer: Viewer, channel: Channel): boolean {
  if (viewer === SPECTATOR) return isOnTheWeb(reader, channel);
  return rules.mayRead(new Before(reader, viewer, channel), channel);
}

/** Metadata access: the name, the description, the settings, the subscribers. */
export function canSeeChannel(reader: Reader, viewer: Viewer, channel: Channel): boolean {
  if (viewer === SPECTATOR) return isOnTheWeb(reader, channel);
  return rules.maySee(new Before(reader, viewer, channel), channel);
}

/** The same by ids. */
export function channelSeer(reader: Reader, viewer: Viewer): (stream_id: number) => boolean {
  return (stream_id) => {
    const channel = reader.channels.get(stream_id);
    return channel !== undefined && canSeeChannel(reader, viewer, channel);
  };
}

/** Administrators administer every channel; others by `can_administer_channel_group`. */
export function mayAdminister(reader: Reader, user: User, channel: Channel): boolean {
  return rules.mayAdminister(new Before(reader, user, channel));
}

/** The person before the channel. */
class Before implements rules.Asker {
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

  may(name: RealmPermission): boolean {
    return may(this.reader, this.user, name);
  }

  mayHere(name: ChannelPermission): boolean {
    return mayInChannel(this.reader, this.user, this.channel, name);
  }
}

/** The channel, if its existence is no secret to this person. */
export function accessChannel(reader: Reader, viewer: Viewer, stream_id: number): Channel {
  const channel = reader.channels.get(stream_id);
  if (!channel || !canSeeChannel(reader, viewer, channel)) throw channelNotFound();
  return channel;
}

/** The channel, if this person may read it. */
export function accessContent(reader: Reader, viewer: Viewer, stream_id: number): Channel {
  const channel = reader.channels.get(stream_id);
  if (!channel || !canReadChannel(reader, viewer, channel)) throw channelNotFound();
  return channel;
}

/** Finds a channel by name, ignoring case and archived channels, if the user may read it. */
export function accessContentByName(reader: Reader, user: User, name: string): Channel {
  const channel = reader.channels.one("name", foldedName(name));
  if (!channel || channel.is_archived || !canReadChannel(reader, user, channel)) {
    throw channelNameNotFound(name);
  }
  return channel;
}

/** The channel, if this person may change it. */
export function accessToAdminister(reader: Reader, user: User, stream_id: number): Channel {
  const channel = accessChannel(reader, user, stream_id);
  if (!mayAdminister(reader, user, channel)) throw channelNotAdministered();
  return channel;
}

/** Subscribing others, in a channel that this person may read. */
export function mayAddSubscribers(reader: Reader, user: User, channel: Channel): boolean {
  return rules.mayAddSubscribers(new Before(reader, user, channel));
}

/** Unsubscribing others, in a channel that this person may see. */
export function mayRemoveSubscribers(reader: Reader, user: User, channel: Channel): boolean {
  return rules.mayRemoveSubscribers(new Before(reader, user, channel));
}

const inRealm = (reader: Reader, user: User) => ({
  role: user.role,
  may: (name: RealmPermission) => may(reader, user, name),
});

export function maySetTopicsPolicy(reader: Reader, user: User): boolean {
  return rules.maySetTopicsPolicy(inRealm(reader, user));
}

export function maySetDeletePolicy(reader: Reader, user: User): boolean {
  return rules.maySetDeletePolicy(inRealm(reader, user));
}

/** Checks the limit before the user creates `count` more channels. */
export function checkMayMakeMore(reader: Reader, { user_id }: User, count: number): void {
  if (count === 0) return;
  const made = [...reader.channels.range()].filter((channel) => channel.creator_id === user_id);
  if (made.length + count <= CHANNELS_PER_CREATOR_MAX) return;
  throw tooMany("channels made by one person", CHANNELS_PER_CREATOR_MAX);
}

/** Making channels of this kind. */
export function mayMakeChannel(reader: Reader, user: User, kind: Privacy): boolean {
  return rules.mayMake(inRealm(reader, user), kind);
}
