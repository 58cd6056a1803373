// A user's own messages: from subscriptions, direct conversations and other sources.
import type { Reader } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { Channel, User } from "../../../schema/records.ts";
import {
  andNot,
  ascending,
  type Chunk,
  chunkOf,
  clearRange,
  eachOffset,
  emptyChunk,
  idOf,
  or,
  setRange,
} from "../../../store/bitmap/bitmap.ts";
import { canReadChannel } from "../../channels/access.ts";
import type { Viewer } from "../../rights/rules.ts";
import { hasAccessAfterMove, type MovedInIds, movedIn, sentAndMovedIn } from "../moved-access.ts";
import { FLAG_HISTORICAL, FLAG_MENTIONED, MOVED_IN } from "../rules.ts";
import { BitmapProbe } from "./bitmap-probe.ts";
import { COST, everyChunk, IdSet, mergeWalks, NarrowedSet, StoredSet, Union } from "./sets.ts";
import {
  addWithin,
  type Intervals,
  intervalsOf,
  isWithin,
  ALL_IDS,
} from "./subscription-intervals.ts";

/** Reading a message costs about as much as looking up this many chunks. */
const PROBE_CHUNKS = 2;
/** Chunks of direct messages, of two flags, and of moved messages. */
const CHUNKS_OUTSIDE_CHANNELS = 4;
const MERGED_CHANNELS_MAX = 16;

/** Defines a set of messages. */
interface SetSpec {
  text: string;
  /** Received message ids, by channel. */
  channels: ReadonlyMap<number, Intervals>;
  /** The subscriber. Messages that were moved into a channel were received elsewhere. */
  receiver?: number;
  /** Includes moved messages to which the receiver has lost access. */
  includesLost?: boolean;
  /** The user whose direct messages are included. */
  directsOf?: number;
  /** The user whose messages without a subscription are included, if `admits` accepts them. */
  extrasOf?: number;
  admits?: (message: Message) => boolean;
}

/**
 * Loads a message once for all parts that need it. `isPossible` excludes messages by channel
 * without reading a row.
 */
export type Lookup = (
  id: number,
  isPossible?: (stream_id: number) => boolean,
) => Message | undefined;

export function cachedMessages(reader: Reader): Lookup {
  const cache = new Map<number, Message | undefined>();
  return (id, isPossible) => {
    let message = cache.get(id);
    if (message !== undefined) return message;
    const fields = reader.messages.readFields(id);
    if (!fields || isPossible?.(fields.number("stream_id")) === false) return;
    cache.set(id, (message = fields.record()));
    return message;
  };
}

/** Messages of channels within their intervals, direct messages, and others. */
export class ReceivedSet extends IdSet {
  readonly cost = COST.wide;
  readonly text: string;
  private readonly directs: StoredSet | undefined;
  private readonly extraFlags: readonly number[];
  private readonly extras: readonly BitmapProbe[];
  /** The first chunk of the channels' intervals. */
  private readonly since: number;

  constructor(
    private readonly reader: Reader,
    private readonly spec: SetSpec,
    private readonly messageOf: Lookup,
  ) {
    super();
    this.text = spec.text;
    const { directsOf, extrasOf } = spec;
    if (directsOf !== undefined) this.directs = directsSet(reader, directsOf);
    this.extraFlags = extrasOf === undefined ? [] : [FLAG_HISTORICAL, FLAG_MENTIONED];
    this.extras = this.extraFlags.map((flag) => new BitmapProbe(reader.flags, [extrasOf!, flag]));
    let first = Infinity;
    for (const intervals of spec.channels.values())
      first = Math.min(first, intervals[0]?.[0] ?? first);
    this.since = chunkOf(first);
  }

  chunks(from: number, to: number, reverse: boolean): Iterable<number> {
    const { channels, extrasOf } = this.spec;
    const walks = this.extraFlags.map((flag) =>
      this.reader.flags.chunks([extrasOf!, flag], { from, to, reverse }),
    );
    if (this.directs) walks.push(this.directs.chunks(from, to, reverse));
    if (this.spec.receiver !== undefined) {
      walks.push(this.reader.moved.chunks([0], { from, to, reverse }));
    }
    if (channels.size > MERGED_CHANNELS_MAX) {
      walks.push(everyChunk(Math.max(from, this.since), to, reverse));
      return mergeWalks(walks, reverse);
    }
    for (const [stream_id, intervals] of channels) {
      const since = Math.max(from, chunkOf(intervals[0]?.[0] ?? 0));
      walks.push(this.reader.channel_messages.chunks([stream_id], { from: since, to, reverse }));
    }
    return mergeWalks(walks, reverse);
  }

  union(chunk: Chunk, n: number): void {
    this.directs?.union(chunk, n);
    const arrived = this.arrivedIn(chunk, n);
    for (const [stream_id, intervals] of this.spec.channels) {
      addWithin(this.reader, chunk, stream_id, intervals, n, arrived);
    }
    for (const flag of this.extraFlags) this.addExtras(chunk, n, flag);
  }

  /** Whether `remains` holds for any part of chunk `n`. Channels are checked one by one. */
  isSomePart(n: number, predicate: (part: Chunk) => boolean): boolean {
    const part = emptyChunk();
    this.directs?.union(part, n);
    const arrived = this.arrivedIn(part, n);
    if (predicate(part)) return true;
    for (const [stream_id, intervals] of this.spec.channels) {
      addWithin(this.reader, part.fill(0), stream_id, intervals, n, arrived);
      if (predicate(part)) return true;
    }
    return this.extraFlags.length > 0 && predicate(this.at(n));
  }

  /** A few ids are checked one by one if that is cheaper than checking all channels. */
  override intersect(chunk: Chunk, n: number): void {
    const chunks = this.spec.channels.size + CHUNKS_OUTSIDE_CHANNELS;
    const limit = Math.floor(chunks / PROBE_CHUNKS);
    const firstIds = ascending(chunk, 0, limit + 1);
    if (firstIds.length > limit) return super.intersect(chunk, n);
    const couldBeExtra = this.extras.some((probe) => probe.couldContain(n));
    for (const offset of firstIds) {
      const message = this.messageOf(idOf(n, offset), couldBeExtra ? undefined : this.isPlace);
      if (!message || !this.includes(message)) clearRange(chunk, offset, offset);
    }
  }

  private readonly isPlace = (stream_id: number): boolean =>
    stream_id === 0 || this.spec.channels.has(stream_id);

  private includes(message: Message): boolean {
    if (message.stream_id === 0) return this.isDirect(message.id);
    if (this.isReceived(message)) return true;
    if (!this.spec.admits?.(message)) return false;
    return this.extras.some((probe) => probe.has(message.id));
  }

  private isDirect(message_id: number): boolean {
    const { directsOf } = this.spec;
    return directsOf !== undefined && this.reader.user_directs.has([directsOf], message_id);
  }

  private isReceived(message: Message): boolean {
    const intervals = this.spec.channels.get(message.stream_id);
    if (intervals === undefined) return false;
    const { receiver } = this.spec;
    if (receiver === undefined || (message.bits & MOVED_IN) === 0) {
      return isWithin(intervals, message.id);
    }
    return hasAccessAfterMove(this.reader, receiver, message.id);
  }

  private arrivedIn(chunk: Chunk, n: number): MovedInIds | undefined {
    const { receiver, includesLost } = this.spec;
    if (receiver === undefined) return undefined;
    const lostAccess = includesLost ? sentAndMovedIn(this.reader, receiver, n) : undefined;
    if (lostAccess) or(chunk, lostAccess);
    return movedIn(this.reader, receiver, n);
  }

  /** Most flagged messages are already included through their channels. */
  private addExtras(chunk: Chunk, n: number, flag: number): void {
    const { extrasOf, admits } = this.spec;
    const flagged = new StoredSet("", COST.marks, this.reader.flags, [extrasOf!, flag]).at(n);
    eachOffset(andNot(flagged, chunk), (offset) => {
      const message = this.messageOf(idOf(n, offset));
      if (message && message.stream_id !== 0 && admits!(message)) setRange(chunk, offset, offset);
    });
  }
}

/** Selects a part of a user's messages. */
interface Part {
  /** If set, only messages of these channels. */
  streams?: readonly number[] | undefined;
  directs: boolean;
}

/** All messages that the user has and can still read. */
export function ownSet(reader: Reader, user: User, messageOf: Lookup, part?: Part): ReceivedSet {
  const { user_id } = user;
  const readable = readableChannels(reader, user);
  const streamIds = part?.streams && new Set(part.streams);
  const channels = new Map<number, Intervals>();
  for (const sub of reader.subscriptions.listBy("user", user_id)) {
    if (streamIds && !streamIds.has(sub.stream_id)) continue;
    if (readable(sub.stream_id)) channels.set(sub.stream_id, intervalsOf(sub));
  }
  const spec: SetSpec = {
    text: "own",
    channels,
    receiver: user_id,
    admits: ({ stream_id }) => (!streamIds || streamIds.has(stream_id)) && readable(stream_id),
  };
  if (streamIds?.size !== 0) spec.extrasOf = user_id;
  if (part?.directs !== false) spec.directsOf = user_id;
  return new ReceivedSet(reader, spec, messageOf);
}

/** Messages that can be unread: in channels, only those received while subscribed. */
export function currentSet(
  reader: Reader,
  user_id: number,
  messageOf: Lookup,
  stream_id?: number,
): ReceivedSet {
  const channels = new Map<number, Intervals>();
  for (const sub of reader.subscriptions.listBy("user", user_id)) {
    if (stream_id !== undefined && sub.stream_id !== stream_id) continue;
    if (sub.active) channels.set(sub.stream_id, intervalsOf(sub));
  }
  const spec: SetSpec = {
    text: "current",
    channels,
    receiver: user_id,
    extrasOf: user_id,
    admits: (message) => channels.has(message.stream_id),
  };
  if (stream_id === undefined) spec.directsOf = user_id;
  return new ReceivedSet(reader, spec, messageOf);
}

/** All messages that the user received when they were sent, including those lost since. */
export function reachedSet(reader: Reader, user_id: number, messageOf: Lookup): IdSet {
  const channels = new Map<number, Intervals>();
  for (const sub of reader.subscriptions.listBy("user", user_id)) {
    channels.set(sub.stream_id, intervalsOf(sub));
  }
  const all = { receiver: user_id, includesLost: true, directsOf: user_id };
  const rows = new ReceivedSet(reader, { text: "reached", channels, ...all }, messageOf);
  const flag = (text: string, number: number) =>
    new StoredSet(text, COST.marks, reader.flags, [user_id, number]);
  const mentionedFlags = new NarrowedSet(
    [flag("called", FLAG_MENTIONED)],
    [flag("later", FLAG_HISTORICAL)],
  );
  return new Union([rows, mentionedFlags], COST.wide);
}

/** The complete history of channels. */
export function wholeChannels(
  reader: Reader,
  text: string,
  streams: Iterable<number>,
  messageOf: Lookup,
): ReceivedSet {
  const channels = new Map<number, Intervals>();
  for (const stream_id of streams) channels.set(stream_id, ALL_IDS);
  return new ReceivedSet(reader, { text, channels }, messageOf);
}

export function directsSet(reader: Reader, user_id: number): StoredSet {
  return new StoredSet(`directs of ${user_id}`, COST.several, reader.user_directs, [user_id]);
}

/** Caches the result per channel. */
export function readableChannels(reader: Reader, viewer: Viewer): (stream_id: number) => boolean {
  const cache = new Map<number, boolean>();
  return (stream_id) => {
    let response = cache.get(stream_id);
    if (response === undefined) {
      const channel: Channel | undefined = reader.channels.get(stream_id);
      response = channel !== undefined && canReadChannel(reader, viewer, channel);
      cache.set(stream_id, response);
    }
    return response;
  };
}
