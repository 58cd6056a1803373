// Unsubscribes users from channels.
import { insufficientPermission } from "../../../contract/errors/channels.ts";
import type { Reader, Writer } from "../../../realm.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { type Chunk, count } from "../../../store/bitmap/bitmap.ts";
import { floorOf, storeRead, unreadInChannel } from "../../messages/unread/unread.ts";
import { canRemoveSubscribers, canSeeChannel, isSubscribed } from "../access.ts";
import { end } from "../subscription-intervals.ts";
import { channelsDisappeared, peersRemoved, unsubscribed } from "../wire.ts";
import type { BulkSubscribe } from "./bulk-parts.ts";
import { eventsSince } from "./events.ts";
import { emitDataNamingChannels } from "./name-references.ts";
import { sortedById, type UsersByChannel } from "./subscribe.ts";
import { watchVisibility } from "./visibility.ts";

/**
 * The limits of a step, so that others wait for some 10 ms at most. The costs are in units of 10 to
 * 20 µs; each chunk of messages in which a user may have unread ones costs 1.
 */
const STEP_COST = 200;
const USER_COST = 2;
/** Maximum of unread messages that a step marks as read. 13,000 take 1 ms. */
const STEP_UNREAD_MAX = 65_536;

/**
 * Ends existing subscriptions. `actingUser` is null if no permission is required. `bulk` collects
 * users who are unsubscribed in a later transaction; they count as removed.
 */
export function unsubscribe(
  tx: Writer,
  actingUser: User | null,
  users: readonly User[],
  channels: readonly Channel[],
  bulk?: BulkSubscribe,
): { removed: UsersByChannel; absent: UsersByChannel } {
  if (actingUser) checkCanUnsubscribe(tx, actingUser, users, channels);

  const [removed, absent]: [UsersByChannel, UsersByChannel] = [new Map(), new Map()];
  const inOrder = sortedById(users);
  for (const channel of channels) {
    const [unsubscribed, others]: [User[], User[]] = [[], []];
    for (const user of inOrder) {
      const isIncluded = isSubscribed(tx, user.user_id, channel.stream_id);
      (isIncluded ? unsubscribed : others).push(user);
    }
    if (others.length > 0) absent.set(channel, others);
    if (unsubscribed.length === 0) continue;
    removed.set(channel, unsubscribed);
    const later = unsubscribed.filter((user) => bulk?.waits(user));
    bulk?.store(later, channel.stream_id, { color: null, removed_count: 0 });
    const atOnce = unsubscribed.filter((user) => !bulk?.waits(user));
    if (atOnce.length === 0) continue;
    const emitVisibility = unsubscribeAll(tx, channel, leaving(tx, channel, atOnce));
    emitLeft(tx, channel, atOnce.map(idOf));
    emitVisibility();
  }
  return { removed, absent };
}

/**
 * Unsubscribes the first of the users, as many as fit into a step, and returns their number. Others
 * in the channel learn of it by `emitLeft`.
 */
export function unsubscribeFirst(tx: Writer, channel: Channel, users: readonly User[]): number {
  const { stream_id } = channel;
  const chunks = [...tx.channel_messages.chunks([stream_id])];
  const batch: LeavingUser[] = [];
  let [cost, unreadCount] = [0, 0];
  for (const user of users) {
    if (cost >= STEP_COST || unreadCount >= STEP_UNREAD_MAX) break;
    const floor = floorOf(tx, user.user_id);
    cost += USER_COST + chunks.filter((n) => n >= floor).length;
    const [item] = leaving(tx, channel, [user]);
    for (const chunk of item!.unread.values()) unreadCount += count(chunk);
    batch.push(item!);
  }
  const subscribers = batch.filter(({ user }) => isSubscribed(tx, user.user_id, stream_id));
  if (subscribers.length > 0) unsubscribeAll(tx, channel, subscribers)();
  return batch.length;
}

interface LeavingUser {
  readonly user: User;
  /** The channel's messages that the user has not read. */
  readonly unread: ReadonlyMap<number, Chunk>;
}

const leaving = (reader: Reader, { stream_id }: Channel, users: readonly User[]): LeavingUser[] =>
  users.map((user) => ({ user, unread: unreadInChannel(reader, user.user_id, stream_id) }));

/** Returns a function that emits who can no longer see whom. */
function unsubscribeAll(tx: Writer, channel: Channel, removed: readonly LeavingUser[]): () => void {
  const { stream_id } = channel;
  const removedUsers = removed.map(({ user }) => user);
  const ids = removedUsers.map(idOf);
  const emitVisibility = watchVisibility(tx, stream_id, removedUsers);
  const seq = tx.emit(unsubscribed(channel), { to: "people", user_ids: ids });
  const wasSent = eventsSince(tx, stream_id);
  for (const { user, unread } of removed) {
    end(tx, tx.subscriptions.get(user.user_id, stream_id)!, seq, wasSent);
    storeRead(tx, user.user_id, unread);
  }
  const usersWithoutAccess = removedUsers
    .filter((user) => !canSeeChannel(tx, user, channel))
    .map(idOf);
  if (usersWithoutAccess.length > 0) {
    tx.emit(channelsDisappeared([stream_id]), { to: "people", user_ids: usersWithoutAccess });
    emitDataNamingChannels(tx, usersWithoutAccess, [stream_id]);
  }
  return emitVisibility;
}

/** Tells everyone who can see the channel that the users have left it. */
export function emitLeft(tx: Writer, { stream_id }: Channel, ids: readonly number[]): void {
  // If several users leave, each must also learn about the others.
  const peers = { to: "peers", stream_id, ...(ids.length === 1 && { except: ids }) } as const;
  tx.emit(peersRemoved([stream_id], ids), peers);
}

const idOf = ({ user_id }: User) => user_id;

function checkCanUnsubscribe(
  tx: Writer,
  actingUser: User,
  users: readonly User[],
  channels: readonly Channel[],
): void {
  const isOwn = (user: User) =>
    user.user_id === actingUser.user_id || user.bot_owner_id === actingUser.user_id;
  if (users.every(isOwn)) return;
  for (const channel of channels) {
    const isAllowed =
      canSeeChannel(tx, actingUser, channel) && canRemoveSubscribers(tx, actingUser, channel);
    if (!isAllowed) throw insufficientPermission();
  }
}
