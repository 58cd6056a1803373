// What a client starts from about channels: all that its person sees, and the person's own.
import { CAN } from "../../events.ts";
import type { Reader } from "../../realm.ts";
import type { Channel, Subscription, User } from "../../records.ts";
import { isBot, isGuest } from "../users/rules.ts";
import { canSeeChannel, isSubscribed } from "./access.ts";
import {
  channelObject,
  defaultChannelIds,
  defaultGroupObjects,
  inheritedBy,
  subscriberCount,
  subscriberIds,
  subscriptionObject,
} from "./wire.ts";

export type WithSubscribers = boolean | "partial";

interface Options {
  include_subscribers: WithSubscribers;
  /** Bits of events.ts. */
  capabilities: number;
}

/** Below this, "partial" is the whole list. */
const PARTIAL_FROM_SUBSCRIBERS = 250;

/** Every channel that the person may see. */
export function streamsSnapshot(reader: Reader, user: User, { capabilities }: Options) {
  const channels = shownChannels(reader, capabilities);
  const seen = channels.filter((channel) => canSeeChannel(reader, user, channel));
  return { streams: seen.map((channel) => channelObject(reader, channel)) };
}

/** By name: the subscriptions there are, those there were, and what else the person may see. */
export function subscriptionsSnapshot(reader: Reader, user: User, options: Options) {
  const subscriptions: object[] = [];
  const unsubscribed: object[] = [];
  const never_subscribed: object[] = [];
  const own = ownByChannel(reader, user);
  const told = subscribersTold(reader, options.include_subscribers);
  const knowsNull = (options.capabilities & CAN.notification_settings_null) !== 0;
  for (const channel of shownChannels(reader, options.capabilities)) {
    const sub = own.get(channel.stream_id);
    if (!sub?.active && !canSeeChannel(reader, user, channel)) continue;
    const object = { ...channelObject(reader, channel), ...told(channel.stream_id) };
    if (!sub) never_subscribed.push(object);
    else {
      const own = subscriptionObject(object, sub);
      const filled = knowsNull ? own : { ...own, ...inheritedBy(user, sub) };
      (sub.active ? subscriptions : unsubscribed).push(filled);
    }
  }
  return { subscriptions, unsubscribed, never_subscribed };
}

/** The subscriptions alone, archived channels left out. */
export function ownSubscriptions(reader: Reader, user: User, include: WithSubscribers) {
  const own = ownByChannel(reader, user);
  const told = subscribersTold(reader, include);
  const channels = shownChannels(reader, 0).filter(({ stream_id }) => own.get(stream_id)?.active);
  return channels.map((channel) => {
    const object = channelObject(reader, channel);
    const { stream_id } = channel;
    return { ...subscriptionObject(object, own.get(stream_id)!), ...told(stream_id) };
  });
}

export function defaultStreamsSnapshot(reader: Reader, user: User) {
  return { realm_default_streams: isGuest(user) ? [] : defaultChannelIds(reader) };
}

export function defaultGroupsSnapshot(reader: Reader, user: User) {
  return { realm_default_stream_groups: isGuest(user) ? [] : defaultGroupObjects(reader) };
}

/** By name; archived ones only for a client that knows of them. */
function shownChannels(reader: Reader, capabilities: number): Channel[] {
  const all = [...reader.channels.range()];
  const shown =
    capabilities & CAN.archived_channels ? all : all.filter((channel) => !channel.is_archived);
  return byName(shown);
}

export function byName(channels: readonly Channel[]): Channel[] {
  return channels.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function ownByChannel(reader: Reader, user: User): Map<number, Subscription> {
  const own = reader.subscriptions.by("user", user.user_id);
  return new Map(own.map((sub) => [sub.stream_id, sub]));
}

/** Of a large channel, "partial" names the bots: clients ask for the others when they must. */
function subscribersTold(reader: Reader, include: WithSubscribers): (stream_id: number) => object {
  if (include === false) return () => ({});
  const whole = (stream_id: number) => ({ subscribers: subscriberIds(reader, stream_id) });
  if (include === true) return whole;
  const bots = [...reader.users.range()].filter(isBot).map((bot) => bot.user_id);
  bots.sort((a, b) => a - b);
  return (stream_id) => {
    if (subscriberCount(reader, stream_id) < PARTIAL_FROM_SUBSCRIBERS) return whole(stream_id);
    return { partial_subscribers: bots.filter((id) => isSubscribed(reader, id, stream_id)) };
  };
}
