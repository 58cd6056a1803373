// Subscribes users to channels.
import { channelNotAccessible, insufficientPermission } from "../../../contract/errors/channels.ts";
import type { Writer } from "../../../realm.ts";
import type { Channel, Subscription, User } from "../../../schema/records.ts";
import { userSetting } from "../../settings/rules.ts";
import { canReadChannel, canSeeChannel, canAddSubscribers } from "../access.ts";
import { INHERITED_SETTINGS, PERSONAL_DEFAULTS, type PersonalFlag } from "../rules.ts";
import { begin } from "../subscription-intervals.ts";
import {
  channelObject,
  channelsAppeared,
  inheritedSettings,
  peersAdded,
  subscribed,
  subscriberIds,
  subscriptionObject,
} from "../wire.ts";
import type { BulkSubscribe } from "./bulk-parts.ts";
import { Colors } from "./colors.ts";
import { emitDataNamingChannels } from "./name-references.ts";
import { watchVisibility } from "./visibility.ts";

export interface SubscribeOptions {
  /**
   * The color of all channels, or colors by channel id. By default, each user gets an unused
   * color.
   */
  color?: string | undefined;
  colors?: ReadonlyMap<number, string>;
  /** The accounts were created in this transaction, so they have no subscriptions or clients. */
  areNew?: boolean;
  /** Assigns colors in order without checking those in use, which is faster in bulk. */
  inTurn?: boolean;
  /** Collects users who are subscribed in a later transaction; they count as added. */
  bulk?: BulkSubscribe;
}

/** The affected users by channel; only channels with some. */
export type UsersByChannel = Map<Channel, readonly User[]>;

/** Subscribes each user once to each channel. `actingUser` is null if no permission is required. */
export function subscribe(
  tx: Writer,
  actingUser: User | null,
  users: readonly User[],
  channels: readonly Channel[],
  options: SubscribeOptions = {},
): { added: UsersByChannel; already: UsersByChannel } {
  if (actingUser) checkCanSubscribe(tx, actingUser, users, channels);

  const [added, already]: [UsersByChannel, UsersByChannel] = [new Map(), new Map()];
  const { areNew = false, bulk } = options;
  const colors = new Colors(tx, options);
  const inOrder = sortedById(users);
  for (const channel of channels) {
    const { stream_id } = channel;
    const requested = options.colors?.get(stream_id) ?? options.color;
    const isUnknown = tx.subscriptions.countBy("channel", stream_id) === 0;
    const [newSubscribers, resubscribed, existing]: [NewSubscriber[], User[], User[]] = [
      [],
      [],
      [],
    ];
    for (const user of inOrder) {
      const before = isUnknown ? undefined : tx.subscriptions.get(user.user_id, stream_id);
      if (before?.active) existing.push(user);
      else if (bulk?.waits(user)) resubscribed.push(user);
      else {
        const color = before?.color ?? requested ?? colors.next(user);
        const sub = before ? { ...before, active: true } : newSubscription(user, stream_id, color);
        newSubscribers.push({ user, sub });
      }
    }
    bulk?.store(resubscribed, stream_id, { color: requested ?? null });
    const addedUsers = [...newSubscribers.map(({ user }) => user), ...resubscribed];
    if (addedUsers.length > 0) added.set(channel, addedUsers);
    if (existing.length > 0) already.set(channel, existing);
    if (newSubscribers.length > 0) join(tx, channel, newSubscribers, areNew);
  }
  return { added, already };
}

interface NewSubscriber {
  user: User;
  sub: Subscription;
}

/** Longer lists of subscribers are sent once, in a separate event. */
const LISTED_MAX = 1_000;

/** Emits one event for all users with equal subscriptions, regardless of their number. */
function join(
  tx: Writer,
  channel: Channel,
  newSubscribers: readonly NewSubscriber[],
  areNew: boolean,
): void {
  const { stream_id } = channel;
  const people = newSubscribers.map(({ user }) => user);
  const ids = people.map(idOf);
  if (areNew) {
    const seq = tx.emit(peersAdded([stream_id], ids), { to: "peers", stream_id, except: ids });
    for (const { sub } of newSubscribers) begin(tx, sub, seq);
    return;
  }
  const usersWithoutAccess = people.filter((user) => !canSeeChannel(tx, user, channel)).map(idOf);
  const emitVisibility = watchVisibility(tx, stream_id, people);
  const subscribers = mergeIds(subscriberIds(tx, stream_id), ids);
  const object = channelObject(tx, channel, subscribers.length);
  if (usersWithoutAccess.length > 0) {
    tx.emit(channelsAppeared([object]), { to: "people", user_ids: usersWithoutAccess });
  }
  const groups = similar(newSubscribers);
  const isLong = groups.length * subscribers.length > LISTED_MAX;
  for (const group of groups) {
    const audience = { to: "people", user_ids: group.map(({ user }) => user.user_id) } as const;
    const recipients = isLong ? audience.user_ids : subscribers;
    const [own, filled] = additions({ ...object, subscribers: recipients }, group);
    const seq = tx.emit({ ...own, needs: "notification_settings_null" }, audience);
    tx.emit({ ...filled, lacks: "notification_settings_null" }, audience);
    for (const { sub } of group) begin(tx, sub, seq);
  }
  if (isLong) tx.emit(peersAdded([stream_id], subscribers), { to: "people", user_ids: ids });
  emitDataNamingChannels(tx, usersWithoutAccess, [stream_id]);
  emitVisibility();
  tx.emit(peersAdded([stream_id], ids), { to: "peers", stream_id, except: ids });
}

/**
 * Sends a subscription event after a channel is unarchived, to clients that do not support archived
 * channels.
 */
export function emitStillSubscribed(tx: Writer, channel: Channel): void {
  const subs = tx.subscriptions.listBy("subscribers", channel.stream_id);
  const newMembers = subs.map((sub) => ({ user: tx.users.get(sub.user_id)!, sub }));
  const subscribers = subscriberIds(tx, channel.stream_id);
  const object = { ...channelObject(tx, channel, subscribers.length), subscribers };
  for (const group of similar(newMembers)) {
    const [own, filled] = additions(object, group);
    const audience = { to: "people", user_ids: group.map(({ user }) => user.user_id) } as const;
    const needs = "notification_settings_null";
    tx.emit({ ...own, needs, lacks: "archived_channels" }, audience);
    tx.emit({ ...filled, lacks: ["archived_channels", needs] }, audience);
  }
}

/** Groups users by equal subscriptions. */
const similar = (newSubscribers: readonly NewSubscriber[]): (readonly NewSubscriber[])[] => [
  ...Map.groupBy(newSubscribers, ({ user, sub }) => additionKeyOf(user, sub)).values(),
];

/** The event for clients that support inherited settings, and the one for others. */
function additions(object: object, [subscriber]: readonly NewSubscriber[]) {
  const { user, sub } = subscriber!;
  const own = { ...object, ...subscriptionObject({}, sub) };
  return [subscribed([own]), subscribed([{ ...own, ...inheritedSettings(user, sub) }])] as const;
}

const PERSONAL_NAMES = Object.keys(PERSONAL_DEFAULTS) as PersonalFlag[];
const INHERITED_NAMES = Object.values(INHERITED_SETTINGS);

/** Returns a key that is equal for subscriptions with equal `additions`. */
function additionKeyOf(user: User, sub: Subscription): string {
  let comparisons = 0;
  for (const name of PERSONAL_NAMES) comparisons = comparisons * 3 + digitOf(sub[name]);
  for (const name of INHERITED_NAMES)
    comparisons = comparisons * 3 + digitOf(userSetting(user, name));
  return sub.color + comparisons;
}

/** The value is true, false or null. */
const digitOf = (value: unknown) => (value === null ? 2 : Number(value === true));

function checkCanSubscribe(
  tx: Writer,
  actingUser: User,
  users: readonly User[],
  channels: readonly Channel[],
): void {
  const others = users.some((user) => user.user_id !== actingUser.user_id);
  for (const channel of channels) {
    const isOpen = !channel.is_archived && canReadChannel(tx, actingUser, channel);
    if (!isOpen) throw channelNotAccessible(channel.name);
    if (others && !canAddSubscribers(tx, actingUser, channel)) throw insufficientPermission();
  }
}

const newSubscription = ({ user_id }: User, stream_id: number, color: string): Subscription => ({
  user_id,
  stream_id,
  active: true,
  color,
  ...PERSONAL_DEFAULTS,
  intervals: [],
  suspended: false,
});

const idOf = ({ user_id }: User) => user_id;

/** Users of a bulk subscribe are usually sorted already. */
export function sortedById(users: readonly User[]): readonly User[] {
  for (let index = 1; index < users.length; index++) {
    if (users[index - 1]!.user_id > users[index]!.user_id) {
      return users.toSorted((a, b) => a.user_id - b.user_id);
    }
  }
  return users;
}

/** Merges two ascending lists. */
function mergeIds(first: readonly number[], other: readonly number[]): number[] {
  const both: number[] = [];
  let next = 0;
  for (const id of first) {
    while (next < other.length && other[next]! < id) both.push(other[next++]!);
    both.push(id);
  }
  while (next < other.length) both.push(other[next++]!);
  return both;
}
