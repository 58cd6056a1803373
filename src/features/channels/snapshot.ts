// The register snapshot's channels and subscriptions.
import { CAN } from "../../contract/events.ts";
import { JsonText } from "../../endpoint.ts";
import type { Reader } from "../../realm.ts";
import type { Channel, Subscription, User } from "../../schema/records.ts";
import { isBot, isGuest, SPECTATOR } from "../rights/rules.ts";
import { canSeeChannel, isSubscribed } from "./access.ts";
import { channelTexts } from "./json-cache.ts";
import { NEUTRAL_COLOR, PERSONAL_DEFAULTS } from "./rules.ts";
import { channelsOnTheWeb } from "./spectator-wire.ts";
import {
  channelObject,
  channelObjectFor,
  defaultChannelIds,
  defaultGroupObjects,
  inheritedSettings,
  subscriberCount,
  subscriberIds,
  subscriptionFields,
  subscriptionObject,
} from "./wire.ts";

type WithSubscribers = boolean | "partial";

interface Options {
  include_subscribers: WithSubscribers;
  /** Capability bits of events.ts. */
  capabilities: number;
}

/** Called only if a large channel is sent with partial subscribers. */
type RecentlyActive = () => readonly number[];

/** In channels with fewer subscribers, "partial" means the complete list. */
const PARTIAL_FROM_SUBSCRIBERS = 250;

/** Returns every channel that the user may see. */
export function streamsSnapshot(reader: Reader, user: User, { capabilities }: Options) {
  const channels = shownChannels(reader, capabilities);
  const visible = channels.filter((channel) => canSeeChannel(reader, user, channel));
  return { streams: JsonText.ofList(channelTexts(reader, user, visible)) };
}

/**
 * Sorted by name: current subscriptions, former ones, and other visible channels, each list as
 * text.
 */
export function subscriptionsSnapshot(
  reader: Reader,
  user: User,
  options: Options,
  recentlyActive: RecentlyActive,
) {
  const subscriptions: string[] = [];
  const unsubscribed: string[] = [];
  const never_subscribed: string[] = [];
  const own = ownByChannel(reader, user);
  const describe = visibleSubscribers(reader, options.include_subscribers, recentlyActive);
  const supportsNull = (options.capabilities & CAN.notification_settings_null) !== 0;
  const supportsArchived = (options.capabilities & CAN.archived_channels) !== 0;
  const channels = shownChannels(reader, options.capabilities).filter(
    (channel) => own.get(channel.stream_id)?.active || canSeeChannel(reader, user, channel),
  );
  const texts = channelTexts(reader, user, channels);
  for (const [index, { stream_id }] of channels.entries()) {
    const sub = own.get(stream_id);
    const text = withFields(texts[index]!, describe(stream_id));
    const isForgotten = sub?.is_forgotten || (!supportsArchived && sub?.is_revived);
    if (!sub || (!sub.active && isForgotten)) never_subscribed.push(text);
    else {
      const inherited = supportsNull ? {} : inheritedSettings(user, sub);
      const filled = withFields(text, { ...subscriptionFields(sub), ...inherited });
      (sub.active ? subscriptions : unsubscribed).push(filled);
    }
  }
  return {
    subscriptions: JsonText.ofList(subscriptions),
    unsubscribed: JsonText.ofList(unsubscribed),
    never_subscribed: JsonText.ofList(never_subscribed),
  };
}

/** Adds fields to the text of an object. */
function withFields(text: string, fields: object): string {
  const added = JSON.stringify(fields).slice(1);
  return added === "}" ? text : `${text.slice(0, -1)},${added}`;
}

/** For a spectator: web-public channels in the form of subscriptions with default settings. */
export function webSubscriptionsSnapshot(reader: Reader, { capabilities }: Options) {
  const supportsNull = (capabilities & CAN.notification_settings_null) !== 0;
  const inherited = supportsNull ? {} : inheritedSettings({ settings: {} }, PERSONAL_DEFAULTS);
  const subscriptions = byName(channelsOnTheWeb(reader)).map((channel) => ({
    ...channelObjectFor(reader, SPECTATOR, channel),
    ...PERSONAL_DEFAULTS,
    ...inherited,
    color: NEUTRAL_COLOR,
    in_home_view: true,
  }));
  return { subscriptions, unsubscribed: [], never_subscribed: [] };
}

/** Only current subscriptions, without archived channels. */
export function ownSubscriptions(
  reader: Reader,
  user: User,
  include: WithSubscribers,
  recentlyActive: RecentlyActive,
) {
  const own = ownByChannel(reader, user);
  const describe = visibleSubscribers(reader, include, recentlyActive);
  const channels = shownChannels(reader, 0).filter(({ stream_id }) => own.get(stream_id)?.active);
  return channels.map((channel) => {
    const object = channelObject(reader, channel);
    const { stream_id } = channel;
    return { ...subscriptionObject(object, own.get(stream_id)!), ...describe(stream_id) };
  });
}

export function defaultStreamsSnapshot(reader: Reader, user: User) {
  return { realm_default_streams: isGuest(user) ? [] : defaultChannelIds(reader) };
}

export function defaultGroupsSnapshot(reader: Reader, user: User) {
  return { realm_default_stream_groups: isGuest(user) ? [] : defaultGroupObjects(reader) };
}

/** Sorted by name. Archived channels are included only for clients that support them. */
function shownChannels(reader: Reader, capabilities: number): readonly Channel[] {
  const all = channelsByName(reader);
  return capabilities & CAN.archived_channels ? all : all.filter((channel) => !channel.is_archived);
}

const cachedChannels = new WeakMap<Reader, { as_of: number; channels: readonly Channel[] }>();

/** Cached until a channel changes. */
export function channelsByName(reader: Reader): readonly Channel[] {
  const as_of = reader.channels.revision;
  const cached = cachedChannels.get(reader);
  if (cached?.as_of === as_of) return cached.channels;
  const channels = byName([...reader.channels.range()]);
  cachedChannels.set(reader, { as_of, channels });
  return channels;
}

function byName(channels: readonly Channel[]): Channel[] {
  return channels.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function ownByChannel(reader: Reader, user: User): Map<number, Subscription> {
  const own = reader.subscriptions.listBy("user", user.user_id);
  return new Map(own.map((sub) => [sub.stream_id, sub]));
}

/** For large channels, "partial" lists bots and recently active users. */
function visibleSubscribers(
  reader: Reader,
  include: WithSubscribers,
  recentlyActive: RecentlyActive,
): (stream_id: number) => object {
  if (include === false) return () => ({});
  const allSubscribers = (stream_id: number) => ({ subscribers: subscriberIds(reader, stream_id) });
  if (include === true) return allSubscribers;
  let cached: Set<number> | undefined;
  return (stream_id) => {
    if (subscriberCount(reader, stream_id) < PARTIAL_FROM_SUBSCRIBERS)
      return allSubscribers(stream_id);
    cached ??= new Set([...botIds(reader), ...recentlyActive()].sort((a, b) => a - b));
    const text = cached;
    const isSmaller = text.size < subscriberCount(reader, stream_id);
    const partial_subscribers = isSmaller
      ? [...text].filter((id) => isSubscribed(reader, id, stream_id))
      : subscriberIds(reader, stream_id).filter((id) => text.has(id));
    return { partial_subscribers };
  };
}

const botIds = (reader: Reader) =>
  [...reader.users.range()].filter(isBot).map((bot) => bot.user_id);
