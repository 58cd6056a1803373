// A user's unread messages: received, still accessible, and without the read flag.
import type { Reader, Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import {
  and,
  andNot,
  ascending,
  type Chunk,
  chunkOf,
  CHUNK_IDS,
  emptyChunk,
  idOf,
  isEmpty,
  or,
  setRange,
} from "../../../store/bitmap/bitmap.ts";
import { countOf, decodeChunk, encodeChunk } from "../../../store/bitmap/encodings.ts";
import { isSubscribed } from "../../channels/access.ts";
import { withdrawFrom } from "../../push/queue/queue.ts";
import { receivedAtSend } from "../access.ts";
import { movedIn } from "../moved-access.ts";
import { FLAG_HISTORICAL, FLAG_UNREAD_HERE, FLAG_READ } from "../rules.ts";
import { currentSet, type Lookup, type ReceivedSet, cachedMessages } from "../sets/received.ts";
import { COST, IdSet, StoredSet } from "../sets/sets.ts";
import { addWithin, intervalsOf } from "../sets/subscription-intervals.ts";
import { flagsUpdated } from "./flags-wire.ts";
import { isReadOnArrival, ReadMarks } from "./read-marks.ts";

/** Maximum number of chunks by which one action advances an outdated floor. */
const FLOOR_STEPS_MAX = 256;

/**
 * Unread messages are not stored but derived. Completely read chunks are filled with read flags,
 * also for messages that the user never received, so that checking one costs a single lookup.
 */
export class Unread extends IdSet {
  readonly cost = COST.unread;
  readonly text = "unread";
  override readonly least: number;
  private readonly read: ReadMarks;
  private readonly rows: ReceivedSet;

  constructor(
    private readonly reader: Reader,
    private readonly user_id: number,
    messageOf: Lookup,
    /** Limits the set to this channel. */
    stream_id?: number,
  ) {
    super();
    this.read = new ReadMarks(reader, user_id);
    this.rows = currentSet(reader, user_id, messageOf, stream_id);
    this.least = floorOf(reader, user_id);
  }

  chunks(from: number, to: number, reverse: boolean): Iterable<number> {
    return this.rows.chunks(Math.max(from, this.least), to, reverse);
  }

  union(chunk: Chunk, n: number): void {
    if (n < this.least || isChunkRead(this.reader, this.user_id, n)) return;
    const unread = this.rows.at(n);
    this.read.subtract(unread, n);
    or(chunk, unread);
  }

  /** Whether nothing in the chunk is unread. Usually one channel decides. */
  isAllRead(n: number): boolean {
    const read = this.read.at(n);
    return !this.rows.isSomePart(n, (part) => !isEmpty(andNot(part, read)));
  }

  override intersect(chunk: Chunk, n: number): void {
    if (n < this.least) chunk.fill(0);
    else this.read.subtract(chunk, n);
    if (!isEmpty(chunk)) this.rows.intersect(chunk, n);
  }
}

/** The chunk below which everything is read. */
export function floorOf(reader: Reader, user_id: number): number {
  return reader.read_floors.get(user_id)?.floor ?? 0;
}

export function isChunkRead(reader: Reader, user_id: number, n: number): boolean {
  return countOf(reader.flags.chunk([user_id, FLAG_READ], n)) === CHUNK_IDS;
}

export function isUnread(reader: Reader, user_id: number, message: Message): boolean {
  const { id, stream_id } = message;
  if (chunkOf(id) < floorOf(reader, user_id)) return false;
  if (reader.flags.has([user_id, FLAG_READ], id)) return false;
  if (isReadOnArrival(reader, user_id, id)) return false;
  if (stream_id !== 0 && !isSubscribed(reader, user_id, stream_id)) return false;
  if (receivedAtSend(reader, user_id, message)) return true;
  return reader.flags.has([user_id, FLAG_HISTORICAL], id);
}

/** The channel's unread messages by chunk. */
export function unreadInChannel(
  reader: Reader,
  user_id: number,
  stream_id: number,
): Map<number, Chunk> {
  const chunks = new Map<number, Chunk>();
  const sub = reader.subscriptions.get(user_id, stream_id);
  if (!sub) return chunks;
  const intervals = intervalsOf(sub);
  const from = floorOf(reader, user_id);
  const read = new ReadMarks(reader, user_id);
  const historical = new StoredSet("", COST.few, reader.flags, [user_id, FLAG_HISTORICAL]);
  const to = chunkOf(reader.last("messages"));
  for (const n of reader.channel_messages.chunks([stream_id], { from, to })) {
    const unread = new StoredSet("", COST.few, reader.channel_messages, [stream_id]).at(n);
    historical.intersect(unread, n);
    addWithin(reader, unread, stream_id, intervals, n, movedIn(reader, user_id, n));
    read.subtract(unread, n);
    if (!isEmpty(unread)) chunks.set(n, unread);
  }
  return chunks;
}

/** Marks unread messages as read, emits the event, and returns their ids, ascending. */
export function readChunks(
  tx: Writer,
  user_id: number,
  unread: ReadonlyMap<number, Chunk>,
): number[] {
  const ids = storeRead(tx, user_id, unread);
  if (ids.length > 0) compactRead(tx, user_id, unread.keys());
  return ids;
}

/** Like `readChunks`, for a channel that the user leaves. */
export function storeRead(
  tx: Writer,
  user_id: number,
  unread: ReadonlyMap<number, Chunk>,
): number[] {
  const ids: number[] = [];
  for (const [n, chunk] of unread) {
    for (const id of ascending(chunk, idOf(n, 0))) ids.push(id);
    addRead(tx, user_id, n, chunk);
  }
  if (ids.length > 0) {
    tx.emit(flagsUpdated("add", "read", ids), { to: "people", user_ids: [user_id] });
    withdrawFrom(tx, user_id, ids);
  }
  return ids;
}

function addRead(tx: Writer, user_id: number, n: number, chunk: Chunk): void {
  const read = decodeChunk(tx.flags.chunk([user_id, FLAG_READ], n));
  tx.flags.set([user_id, FLAG_READ], n, encodeChunk(or(read, chunk)));
}

/**
 * Chunks below the floor are never checked, so the floor is lowered to the first message that
 * becomes unread.
 */
export function removeRead(tx: Writer, user_id: number, n: number, chunk: Chunk): void {
  const read = decodeChunk(tx.flags.chunk([user_id, FLAG_READ], n));
  tx.flags.set([user_id, FLAG_READ], n, encodeChunk(andNot(read, chunk)));
  const suppressed = tx.quiet.chunk([0], n);
  if (suppressed) {
    const unreadFlags = decodeChunk(tx.flags.chunk([user_id, FLAG_UNREAD_HERE], n));
    or(unreadFlags, and(decodeChunk(suppressed), chunk));
    tx.flags.set([user_id, FLAG_UNREAD_HERE], n, encodeChunk(unreadFlags));
  }
  if (n < floorOf(tx, user_id)) tx.read_floors.put({ user_id, floor: n });
}

/** Marks everything sent so far as read, with one small record per chunk. */
export function readEverything(tx: Writer, user_id: number): void {
  const last = tx.last("messages");
  const floor = floorOf(tx, user_id);
  for (let n = floor; n < chunkOf(last + 1); n++) fillRead(tx, user_id, n);
  if (chunkOf(last + 1) === chunkOf(last)) {
    addRead(tx, user_id, chunkOf(last), setRange(emptyChunk(), 0, last % CHUNK_IDS));
  }
  if (chunkOf(last) > floor) tx.read_floors.put({ user_id, floor: chunkOf(last) });
  withdrawFrom(tx, user_id);
}

/** After marking in these chunks: fills completely read past chunks and advances the floor. */
function compactRead(tx: Writer, user_id: number, chunks: Iterable<number>): void {
  const current = chunkOf(tx.last("messages") + 1);
  const conversationIds = new Set<number>();
  for (const n of chunks) conversationIds.add(n).add(n - 1);
  let floor = floorOf(tx, user_id);
  let unread: Unread | undefined;
  for (const n of conversationIds) {
    if (n < floor || n >= current || isChunkRead(tx, user_id, n)) continue;
    unread ??= new Unread(tx, user_id, cachedMessages(tx));
    if (unread.isAllRead(n)) fillRead(tx, user_id, n);
  }
  const previousFloor = floor;
  // A user receives nothing before joining.
  for (const n of unread?.chunks(floor, current, false) ?? []) {
    floor = n;
    break;
  }
  const limit = Math.min(current, floor + FLOOR_STEPS_MAX);
  while (floor < limit && isChunkRead(tx, user_id, floor)) floor++;
  if (floor > previousFloor) tx.read_floors.put({ user_id, floor });
}

function fillRead(tx: Writer, user_id: number, n: number): void {
  const fullChunk = encodeChunk(setRange(emptyChunk(), 0, CHUNK_IDS - 1));
  tx.flags.set([user_id, FLAG_READ], n, fullChunk);
}
