// Audiences of changes to existing messages: edits, reactions, deletions.
import type { Audience } from "../../../contract/events.ts";
import type { Reader } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { Channel, Subscription, User } from "../../../schema/records.ts";
import {
  and,
  ascending,
  type Chunk,
  chunkOf,
  emptyChunk,
  idOf,
  isEmpty,
} from "../../../store/bitmap/bitmap.ts";
import { addRecord, decodeChunk } from "../../../store/bitmap/encodings.ts";
import { isSubscribed } from "../../channels/access.ts";
import { isProtected } from "../../channels/rules.ts";
import { isGuest } from "../../rights/rules.ts";
import { hasReceived } from "../access.ts";
import { FLAG_HISTORICAL, FLAG_MENTIONED } from "../rules.ts";
import { idsIn, type TopicSlice } from "./topic-slice.ts";

/** For more messages, it is cheaper to check per user. */
const MESSAGES_ASKED_MAX = 500;

/**
 * Must be called before the messages change. Several messages must belong to one topic or
 * conversation; users who have any of them are included, and so is the acting user `actingUser`.
 * Subscribers are not listed, because there may be many: `having` and `formerly` select among them.
 */
export function audienceOf(
  reader: Reader,
  messages: Message | readonly Message[],
  actingUser: User | null = null,
): Audience {
  const several: readonly Message[] = Array.isArray(messages) ? messages : [messages as Message];
  const { stream_id, recipient_id } = several[0]!;
  const channel = reader.channels.get(stream_id);
  if (!channel) {
    const people = reader.conversations.get(recipient_id)?.user_ids ?? [];
    const hasHistorical = (user_id: number) =>
      several.some(({ id }) => reader.user_directs.has([user_id], id));
    return { to: "people", user_ids: people.filter(hasHistorical) };
  }
  const ids = several.map((message) => message.id);
  const also = channel.invite_only
    ? new Set<number>()
    : readersWithoutSubscription(reader, channel, several);
  if (actingUser && !isSubscribed(reader, actingUser.user_id, stream_id))
    also.add(actingUser.user_id);
  return subscribersWith(channel, ids, [...also]);
}

/** The audience of changes to some messages of a topic while they exist, per part. */
export function audienceOfTopic(
  reader: Reader,
  channel: Channel,
  slice: TopicSlice,
): (message_ids: readonly number[]) => Audience {
  const ids = idsIn(slice);
  const isLarge = ids.length > MESSAGES_ASKED_MAX;
  const messages = () => ids.map((id) => reader.messages.get(id)!);
  const visitors = () =>
    isLarge
      ? markersOf(reader, channel, slice)
      : readersWithoutSubscription(reader, channel, messages());
  const also = channel.invite_only ? [] : [...visitors()];
  return (message_ids) => subscribersWith(channel, message_ids, also);
}

function subscribersWith(
  channel: Channel,
  ids: readonly number[],
  also: readonly number[],
): Audience {
  return {
    to: "subscribers",
    stream_id: channel.stream_id,
    ...(also.length > 0 && { also }),
    ...(isProtected(channel) && { having: ids }),
    ...(!channel.invite_only && { formerly: ids }),
  };
}

/** Like `readersWithoutSubscription`, but checks each user, which is cheaper for many messages. */
function markersOf(reader: Reader, { stream_id }: Channel, slice: TopicSlice): number[] {
  const hasAny = (user_id: number) =>
    [...slice].some(([n, ids]) =>
      [FLAG_HISTORICAL, FLAG_MENTIONED].some((flag) => {
        const bytes = reader.flags.chunk([user_id, flag], n);
        return bytes !== undefined && !isEmpty(and(decodeChunk(bytes), ids));
      }),
    );
  const people = [...reader.users.range()].filter((user) => user.is_active && !isGuest(user));
  return people
    .map(({ user_id }) => user_id)
    .filter((user_id) => !isSubscribed(reader, user_id, stream_id) && hasAny(user_id));
}

/** In a public channel: users who have one of the messages without having been subscribed. */
function readersWithoutSubscription(
  reader: Reader,
  { stream_id }: Channel,
  messages: readonly Message[],
): Set<number> {
  const visitors = new Set<number>();
  for (const message of messages) {
    const candidates = historicalReaders(reader, message.id);
    for (const user_id of [...candidates, ...(message.mentioned_user_ids ?? [])]) {
      if (visitors.has(user_id)) continue;
      const user = reader.users.get(user_id);
      if (!user?.is_active || isGuest(user) || isSubscribed(reader, user_id, stream_id)) continue;
      if (hasReceived(reader, user, message)) visitors.add(user_id);
    }
  }
  return visitors;
}

/** Users who have the message without having received it. */
export function historicalReaders(reader: Reader, message_id: number): number[] {
  const people: number[] = [];
  for (const n of readerChunks(reader, message_id)) {
    const bytes = reader.historical_holders.chunk([message_id], n);
    people.push(...ascending(decodeChunk(bytes), idOf(n, 0)));
  }
  return people;
}

/** Users who have any of the messages without having received it. */
export function readersOfAny(reader: Reader, messages: readonly Message[]): number[] {
  const chunks = new Map<number, Chunk>();
  for (const { id } of messages) {
    for (const n of readerChunks(reader, id)) {
      const chunk = chunks.getOrInsertComputed(n, emptyChunk);
      addRecord(chunk, reader.historical_holders.chunk([id], n)!);
    }
  }
  return [...chunks].flatMap(([n, chunk]) => [...ascending(chunk, idOf(n, 0))]);
}

/** All accounts fit into a few chunks, so checking each chunk is cheaper than iterating. */
export function readerChunks(reader: Reader, message_id: number): number[] {
  const readers: number[] = [];
  for (let n = 0; n <= chunkOf(reader.last("users")); n++) {
    if (reader.historical_holders.peek([message_id], n)) readers.push(n);
  }
  return readers;
}

/** Users who may have any of the messages: through a subscription, a mention, or later access. */
export function readersOf(
  reader: Reader,
  messages: readonly Message[],
  subscriptions: readonly Subscription[],
): Set<number> {
  return new Set([
    ...subscriptions.map(({ user_id }) => user_id),
    ...messages.flatMap(({ mentioned_user_ids }) => mentioned_user_ids ?? []),
    ...readersOfAny(reader, messages),
  ]);
}
