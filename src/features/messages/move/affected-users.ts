// Effects of a move between channels on users: who receives the event, and who loses or gains
// access.
import type { Audience } from "../../../contract/events.ts";
import type { Reader, Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { Channel, Subscription, User } from "../../../schema/records.ts";
import {
  and,
  andNot,
  ascending,
  type Chunk,
  chunkOf,
  count,
  emptyChunk,
  idOf,
  isEmpty,
  offsetOf,
  or,
  setRange,
} from "../../../store/bitmap/bitmap.ts";
import { decodeChunk, encodeChunk } from "../../../store/bitmap/encodings.ts";
import { canReadChannel, isActiveOrSuspended, isSubscribed } from "../../channels/access.ts";
import { isProtected } from "../../channels/rules.ts";
import { canReadMessage, hasReceived } from "../access.ts";
import { makeHistorical } from "../flags/flags.ts";
import type { Stars } from "../flags/stars.ts";
import { accessibleAfterMoves, movePathsOf } from "../moved-access.ts";
import {
  FLAG_HAS_ALERT_WORD,
  FLAG_HISTORICAL,
  FLAG_MENTIONED,
  FLAG_MENTIONED_LATER,
  FLAG_READ,
  FLAG_EDITED_LATER,
  FLAG_STARRED,
} from "../rules.ts";
import { audienceOf, readersOf, readersOfAny } from "../sets/audience.ts";
import type { TopicSlice } from "../sets/topic-slice.ts";

export interface MoveAudience {
  /** Users who can see where the messages were and where they are now. */
  audiences: Audience[];
  /** Users who can see the messages only in the destination channel. */
  newReaders: number[];
  /** Users who lose access, in a move between channels. */
  losing: number[];
  /** Users who keep access to some of the messages, with the messages that they lose. */
  part: ReadonlyMap<number, readonly number[]>;
}

/** Must be called before the messages move. */
export function audienceOfMove(
  reader: Reader,
  messages: readonly Message[],
  to: Channel,
): MoveAudience {
  const audience = audienceOf(reader, messages);
  const from = reader.channels.get(messages[0]!.stream_id)!;
  if (from.stream_id === to.stream_id) return { audiences: [audience], ...NO_AFFECTED_USERS };

  const reads = (user: User) => canReadAtDestination(reader, user, to, messages);
  const [stillReading, losing]: [number[], number[]] = [[], []];
  const receivedIds = new Set<number>();
  const also = "also" in audience ? (audience.also ?? []) : [];
  for (const user of [...usersOf(reader, also), ...subscribersWith(reader, from, messages)]) {
    receivedIds.add(user.user_id);
    (reads(user) ? stillReading : losing).push(user.user_id);
  }
  const formerSubscribers = formerSubscribersOf(reader, from, messages).filter(
    (user) => !receivedIds.has(user.user_id),
  );
  for (const user of formerSubscribers) {
    if (reads(user)) stillReading.push(user.user_id);
    else if (canReadChannel(reader, user, from)) losing.push(user.user_id);
  }
  const part = usersWithPartialLoss(reader, stillReading, messages, to);
  const newReaders = withoutAccess(reader, stillReading, from, to);
  const notified = new Set(newReaders);
  const user_ids = stillReading.filter((user_id) => !notified.has(user_id));
  const except = [...stillReading, ...newReaders];
  const destination = { to: "subscribers", stream_id: to.stream_id, except } as const;
  return { audiences: [{ to: "people", user_ids }, destination], newReaders, losing, part };
}

const NO_AFFECTED_USERS = { newReaders: [], losing: [], part: new Map<number, number[]>() };

/** Returns the users who can read the messages after the move but cannot read `from`. */
function withoutAccess(
  reader: Reader,
  stillReading: readonly number[],
  from: Channel,
  to: Channel,
): number[] {
  const subscribers = idsOf(reader.subscriptions.listBy("subscribers", to.stream_id));
  const ids = new Set([...stillReading, ...subscribers]);
  const isOutside = (user: User) => !canReadChannel(reader, user, from);
  return usersOf(reader, [...ids])
    .filter(isOutside)
    .map(({ user_id }) => user_id);
}

/**
 * Returns the messages that are lost by users who keep others: in a channel with protected history,
 * users without a subscription keep only messages that are stored for them.
 */
function usersWithPartialLoss(
  reader: Reader,
  stillReading: readonly number[],
  messages: readonly Message[],
  to: Channel,
): Map<number, number[]> {
  const part = new Map<number, number[]>();
  if (!isProtected(to)) return part;
  for (const user of usersOf(reader, stillReading)) {
    if (isSubscribed(reader, user.user_id, to.stream_id)) continue;
    const lostMessages = messages.filter(
      (message) => !isStored(reader, user, message) && canReadMessage(reader, user, message),
    );
    if (lostMessages.length > 0) part.set(user.user_id, idsOfMessages(lostMessages));
  }
  return part;
}

const isStored = (reader: Reader, { user_id }: User, { id }: Message) =>
  reader.flags.has([user_id, FLAG_HISTORICAL], id);

const idsOfMessages = (messages: readonly Message[]) => messages.map(({ id }) => id);

/**
 * In a channel with protected history, only subscribers get the moved messages; other users keep
 * those that are stored for them.
 */
function canReadAtDestination(
  reader: Reader,
  user: User,
  to: Channel,
  messages: readonly Message[],
): boolean {
  if (!canReadChannel(reader, user, to)) return false;
  if (!isProtected(to) || isSubscribed(reader, user.user_id, to.stream_id)) return true;
  return messages.some((message) => isStored(reader, user, message));
}

function subscribersWith(reader: Reader, from: Channel, messages: readonly Message[]): User[] {
  const users = usersOf(reader, idsOf(reader.subscriptions.listBy("subscribers", from.stream_id)));
  return isProtected(from) ? users.filter((user) => hasAny(reader, user, messages)) : users;
}

/** Users who have any of the messages and are no longer subscribed. */
function formerSubscribersOf(reader: Reader, from: Channel, messages: readonly Message[]): User[] {
  const subs = reader.subscriptions.listBy("channel", from.stream_id).filter((sub) => !sub.active);
  return usersOf(reader, idsOf(subs)).filter((user) => hasAny(reader, user, messages));
}

const hasAny = (reader: Reader, user: User, messages: readonly Message[]) =>
  messages.some((message) => hasReceived(reader, user, message));

const idsOf = (subs: readonly Subscription[]) => subs.map((sub) => sub.user_id);

const usersOf = (reader: Reader, ids: readonly number[]) =>
  ids.flatMap((id) => reader.users.get(id) ?? []).filter((user) => user.is_active);

/**
 * Users outside the destination channel have no mentions and no unread messages there, not even for
 * messages that they received without a subscription.
 */
export function updateNonSubscribers(
  tx: Writer,
  slice: TopicSlice,
  messages: readonly Message[],
  to: Channel,
): void {
  const isOutside = (user_id: number) => !isActiveOrSuspended(tx, user_id, to.stream_id);
  for (const { id, mentioned_user_ids } of messages) {
    for (const user_id of mentioned_user_ids ?? []) {
      if (!isOutside(user_id)) continue;
      tx.flags.remove([user_id, FLAG_MENTIONED], id);
      tx.flags.add([user_id, FLAG_MENTIONED_LATER], id);
    }
  }
  for (const user_id of readersOfAny(tx, messages).filter(isOutside)) {
    for (const [n, ids] of slice) {
      const historicalIds = and(decodeChunk(tx.flags.chunk([user_id, FLAG_HISTORICAL], n)), ids);
      if (isEmpty(historicalIds)) continue;
      flag(tx, user_id, FLAG_READ, n, historicalIds);
      for (const call of [FLAG_EDITED_LATER, FLAG_HAS_ALERT_WORD])
        unflag(tx, user_id, call, n, historicalIds);
    }
  }
}

/**
 * Keeps stars of users who can still read the message, including deactivated ones, and removes all
 * others. Subscribers of the destination channel keep the message. Returns the removed stars by
 * user.
 */
export function updateStars(
  tx: Writer,
  slice: TopicSlice,
  messages: readonly Message[],
  from: Pick<Channel, "stream_id">,
  to: Channel,
): Stars {
  const lostStars = new Map<number, number[]>();
  const subscriptions = tx.subscriptions.listBy("channel", from.stream_id);
  for (const user_id of readersOf(tx, messages, subscriptions)) {
    if (isActiveOrSuspended(tx, user_id, to.stream_id)) continue;
    for (const [n, ids] of slice) {
      const stars = tx.flags.chunk([user_id, FLAG_STARRED], n);
      if (!stars) continue;
      const starred = and(decodeChunk(stars), ids);
      if (isEmpty(starred)) continue;
      const isReader = canReadChannel(tx, tx.users.get(user_id)!, to);
      const retained = isReader ? starred.slice() : emptyChunk();
      if (isProtected(to))
        and(retained, decodeChunk(tx.flags.chunk([user_id, FLAG_HISTORICAL], n)));
      const removedStars = andNot(starred, retained);
      unflag(tx, user_id, FLAG_STARRED, n, removedStars);
      lostStars.getOrInsertComputed(user_id, () => []).push(...ascending(removedStars, idOf(n, 0)));
      for (const id of ascending(retained, idOf(n, 0))) makeHistorical(tx, user_id, id);
    }
  }
  return lostStars;
}

/** In a channel with protected history, all subscribers get the moved messages as read. */
export function addMovedAsRead(tx: Writer, slice: TopicSlice, to: Channel): void {
  if (!isProtected(to)) return;
  const subs = tx.subscriptions.listBy("channel", to.stream_id);
  const subscribers = idsOf(subs.filter((sub) => sub.active || sub.suspended));
  for (const [n, ids] of slice) {
    const methods = movePathsOf(tx, n, ids);
    const all: number[] = [];
    const idsByUser = new Map<number, number[]>();
    for (const user_id of subscribers) {
      const input = andNot(ids.slice(), decodeChunk(tx.flags.chunk([user_id, FLAG_HISTORICAL], n)));
      andNot(input, accessibleAfterMoves(tx, user_id, n, methods));
      if (isEmpty(input)) continue;
      flag(tx, user_id, FLAG_HISTORICAL, n, input);
      flag(tx, user_id, FLAG_READ, n, input);
      if (count(input) === count(ids)) {
        all.push(user_id);
        continue;
      }
      for (const id of ascending(input, idOf(n, 0))) {
        const people = idsByUser.get(id);
        if (people) people.push(user_id);
        else idsByUser.set(id, [user_id]);
      }
    }
    const together = chunksOf(all);
    for (const id of ascending(ids, idOf(n, 0))) hold(tx, id, together);
    for (const [id, people] of idsByUser) hold(tx, id, chunksOf(people));
  }
}

function flag(tx: Writer, user_id: number, number: number, n: number, chunk: Chunk): void {
  const before = decodeChunk(tx.flags.chunk([user_id, number], n));
  tx.flags.set([user_id, number], n, encodeChunk(or(before, chunk)));
}

function unflag(tx: Writer, user_id: number, number: number, n: number, chunk: Chunk): void {
  const bytes = tx.flags.chunk([user_id, number], n);
  if (bytes) tx.flags.set([user_id, number], n, encodeChunk(andNot(decodeChunk(bytes), chunk)));
}

function chunksOf(ids: readonly number[]): Map<number, Chunk> {
  const chunks = new Map<number, Chunk>();
  for (const [n, idsOfChunk] of Map.groupBy(ids, chunkOf)) {
    const chunk = emptyChunk();
    for (const id of idsOfChunk) setRange(chunk, offsetOf(id), offsetOf(id));
    chunks.set(n, chunk);
  }
  return chunks;
}

function hold(tx: Writer, message_id: number, people: ReadonlyMap<number, Chunk>): void {
  for (const [n, chunk] of people) {
    const holders = decodeChunk(tx.historical_holders.chunk([message_id], n));
    tx.historical_holders.set([message_id], n, encodeChunk(or(holders, chunk)));
  }
}
