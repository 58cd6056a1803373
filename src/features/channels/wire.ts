// The data of channels and subscriptions for clients, and their events.
import { ownValue } from "../../text/input/own-value.ts";
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { Channel, GroupSetting, Subscription, User } from "../../schema/records.ts";
import { CHANNEL_PERMISSIONS, type ChannelPermission } from "../rights/permission-rules.ts";
import { SPECTATOR, type Viewer } from "../rights/rules.ts";
import { shownSetting } from "../rights/setting-wire.ts";
import { userSetting } from "../settings/rules.ts";
import { INHERITED_SETTINGS, PERSONAL_DEFAULTS, type PersonalFlag } from "./rules.ts";
import { weeklyTraffic } from "./traffic-wire.ts";

const PERMISSIONS = Object.keys(CHANNEL_PERMISSIONS) as ChannelPermission[];
const PERSONAL = Object.keys(PERSONAL_DEFAULTS) as PersonalFlag[];
type Personal = Pick<Subscription, PersonalFlag>;

export function channelObject(
  reader: Reader,
  channel: Channel,
  subscriber_count = subscriberCount(reader, channel.stream_id),
) {
  const stream_weekly_traffic = weeklyTraffic(reader, channel);
  return Object.assign(uncounted(reader, channel), { subscriber_count, stream_weekly_traffic });
}

/** Returns all fields except the counts, which come last in the JSON text. */
export function uncounted(reader: Reader, channel: Channel) {
  const { recipient_id: _, is_default: __, ...shown } = channel;
  for (const name of PERMISSIONS) shown[name] = shownSetting(reader, channel[name]);
  return Object.assign(shown, legacyPostPolicy(reader, channel.can_send_message_group));
}

/** The users listed in the channel's settings. Deactivated users are omitted. */
export function usersInSettingsOf(channel: Channel): number[] {
  const settings = PERMISSIONS.map((name) => channel[name]);
  return settings.flatMap((value) => (typeof value === "number" ? [] : value.direct_members));
}

/** Spectators do not see the number of messages. */
export function channelObjectFor(reader: Reader, viewer: Viewer, channel: Channel) {
  const object = channelObject(reader, channel);
  return viewer === SPECTATOR ? { ...object, stream_weekly_traffic: null } : object;
}

/** The channel in the form that a subscriber receives, with `subscribers` if requested. */
export function subscriptionObject<C extends object>(channel: C, sub: Subscription) {
  return { ...channel, ...subscriptionFields(sub) };
}

/** The fields that a channel has only for its subscriber. */
export function subscriptionFields(sub: Subscription) {
  const { color } = sub;
  const personal = Object.fromEntries(PERSONAL.map((name) => [name, sub[name]]));
  return { color, ...(personal as Personal), in_home_view: !sub.is_muted };
}

/**
 * The user's own settings where the subscription has none, for clients that do not support null.
 */
export function inheritedSettings(
  user: Pick<User, "settings">,
  sub: Pick<Subscription, keyof typeof INHERITED_SETTINGS>,
): Partial<Subscription> {
  const names = Object.keys(INHERITED_SETTINGS) as (keyof typeof INHERITED_SETTINGS)[];
  const open = names.filter((name) => sub[name] === null);
  return Object.fromEntries(
    open.map((name) => [name, userSetting(user, INHERITED_SETTINGS[name])]),
  );
}

export function subscriberCount(reader: Reader, stream_id: number): number {
  return reader.subscriptions.countBy("subscribers", stream_id);
}

/** Ascending. */
export function subscriberIds(reader: Reader, stream_id: number): number[] {
  const ids = reader.subscriptions.listBy("subscribers", stream_id).map((sub) => sub.user_id);
  const isAscending = ids.every((id, index) => index === 0 || ids[index - 1]! < id);
  return isAscending ? ids : ids.sort((a, b) => a - b);
}

export function defaultChannelIds(reader: Reader): number[] {
  const isDefault = (channel: Channel) => channel.is_default && !channel.is_archived;
  const channels = [...reader.channels.range()].filter(isDefault);
  return channels.map((channel) => channel.stream_id).sort((a, b) => a - b);
}

export function defaultGroupObjects(reader: Reader) {
  const groups = [...reader.default_channel_groups.range()].sort((a, b) => a.id - b.id);
  return groups.map(({ stream_ids, ...group }) => ({ ...group, streams: stream_ids }));
}

const POST_POLICIES: Readonly<Record<string, number>> = {
  "role:administrators": 2,
  "role:fullmembers": 3,
  "role:moderators": 4,
};

/** The posting permission in the format of older clients. */
export function legacyPostPolicy(reader: Reader, setting: GroupSetting) {
  const name = typeof setting === "number" ? reader.groups.get(setting)?.name : undefined;
  const stream_post_policy = ownValue(POST_POLICIES, name ?? "") ?? 1;
  return { stream_post_policy, is_announcement_only: stream_post_policy === 2 };
}

export const channelsAppeared = (streams: readonly object[]): PlainEvent => ({
  type: "stream",
  op: "create",
  streams,
});

export const channelsDisappeared = (stream_ids: readonly number[]): PlainEvent => ({
  type: "stream",
  op: "delete",
  stream_ids,
  streams: stream_ids.map((stream_id) => ({ stream_id })),
});

/** `channel`: the channel before the change. */
export const channelChanged = (
  channel: Channel,
  property: string,
  value: unknown,
  otherFields: Record<string, unknown> = {},
): PlainEvent => ({
  type: "stream",
  op: "update",
  stream_id: channel.stream_id,
  name: channel.name,
  property,
  value,
  ...otherFields,
});

export const subscribed = (subscriptions: readonly object[]): PlainEvent => ({
  type: "subscription",
  op: "add",
  subscriptions,
});

export const unsubscribed = ({ stream_id, name }: Channel): PlainEvent => ({
  type: "subscription",
  op: "remove",
  subscriptions: [{ stream_id, name }],
});

export const subscriptionChanged = (
  stream_id: number,
  property: string,
  value: unknown,
): PlainEvent => ({ type: "subscription", op: "update", stream_id, property, value });

export const peersAdded = (
  stream_ids: readonly number[],
  user_ids: readonly number[],
): PlainEvent => ({ type: "subscription", op: "peer_add", stream_ids, user_ids });

export const peersRemoved = (
  stream_ids: readonly number[],
  user_ids: readonly number[],
): PlainEvent => ({ type: "subscription", op: "peer_remove", stream_ids, user_ids });

export const defaultChannelsChanged = (default_streams: readonly number[]): PlainEvent => ({
  type: "default_streams",
  default_streams,
});

export const defaultGroupsChanged = (default_stream_groups: readonly object[]): PlainEvent => ({
  type: "default_stream_groups",
  default_stream_groups,
});
