// Access to messages that were moved into their channel.
import type { Reader, Writer } from "../../realm.ts";
import type { MovePath } from "../../schema/records-messages.ts";
import type { Subscription } from "../../schema/records.ts";
import {
  and,
  andNot,
  type Chunk,
  chunkOf,
  CHUNK_IDS,
  emptyChunk,
  idOf,
  isEmpty,
  offsetOf,
  or,
  setRange,
} from "../../store/bitmap/bitmap.ts";
import { decodeChunk, encodeChunk, hasOffset } from "../../store/bitmap/encodings.ts";
import { wasActiveAt } from "../channels/access.ts";

// A move writes nothing per user. Access to a moved message follows from its path: users have it if
// they received it where it was sent and were subscribed to each channel of the path when it
// arrived there, even if their account is deactivated now.

/** Ids by chunk. */
type Chunks = ReadonlyMap<number, Chunk>;

export interface MovedInIds {
  /** Messages that were moved into their channel. */
  movedIds: Chunk;
  /** The moved messages that the user can still read. */
  accessible: Chunk;
}

/** Whether the user received this moved message and kept access along its path. */
export function hasAccessAfterMove(reader: Reader, user_id: number, message_id: number): boolean {
  const [n, offset] = [chunkOf(message_id), offsetOf(message_id)];
  const paths = reader.moved_messages.get(n)?.move_paths ?? [];
  const movePath = paths.find(({ ids }) => hasOffset(ids, offset));
  if (!movePath || !wasAlwaysSubscribed(reader, user_id, movePath)) return false;
  const chunk = setRange(emptyChunk(), offset, offset);
  return !isEmpty(and(chunk, sentToIn(reader, user_id, movePath, n)));
}

/** For chunk `n`; undefined if no message in it was moved. */
export function movedIn(reader: Reader, user_id: number, n: number): MovedInIds | undefined {
  const bytes = reader.moved.chunk([0], n);
  if (!bytes) return undefined;
  const paths = reader.moved_messages.get(n)?.move_paths ?? [];
  return {
    movedIds: decodeChunk(bytes),
    accessible: accessibleAfterMoves(reader, user_id, n, paths),
  };
}

/** For chunk `n`: messages that were moved along one of the paths and that the user still has. */
export function accessibleAfterMoves(
  reader: Reader,
  user_id: number,
  n: number,
  paths: readonly MovePath[],
): Chunk {
  const retained = emptyChunk();
  for (const movePath of paths) {
    if (!wasAlwaysSubscribed(reader, user_id, movePath)) continue;
    or(retained, and(decodeChunk(movePath.ids), sentToIn(reader, user_id, movePath, n)));
  }
  return retained;
}

/** The paths of any of these messages of chunk `n`. */
export function movePathsOf(reader: Reader, n: number, ids: Chunk): MovePath[] {
  const paths = reader.moved_messages.get(n)?.move_paths ?? [];
  return paths.filter((movePath) => !isEmpty(and(decodeChunk(movePath.ids), ids)));
}

/**
 * Returns messages of chunk `n` that were sent to the user and moved later, whether or not the user
 * kept access.
 */
export function sentAndMovedIn(reader: Reader, user_id: number, n: number): Chunk | undefined {
  if (!reader.moved.chunk([0], n)) return undefined;
  const result = emptyChunk();
  for (const movePath of reader.moved_messages.get(n)?.move_paths ?? []) {
    or(result, and(decodeChunk(movePath.ids), sentToIn(reader, user_id, movePath, n)));
  }
  return result;
}

/** Records that messages of the channel `from` were moved to `to` with the event `seq`. */
export function recordMove(
  tx: Writer,
  chunks: Chunks,
  from: number,
  to: number,
  seq: number,
): void {
  for (const [n, ids] of chunks) {
    const rest = ids.slice();
    const remainingPaths: MovePath[] = [];
    const outgoing: MovePath[] = [];
    for (const movePath of tx.moved_messages.get(n)?.move_paths ?? []) {
      const movedPart = and(decodeChunk(movePath.ids), ids);
      if (isEmpty(movedPart)) {
        remainingPaths.push(movePath);
        continue;
      }
      andNot(rest, movedPart);
      push(remainingPaths, movePath.path, andNot(decodeChunk(movePath.ids), ids));
      push(outgoing, [...movePath.path, to, seq], movedPart);
    }
    push(outgoing, [from, to, seq], rest);
    tx.moved_messages.put({ chunk: n, move_paths: [...remainingPaths, ...outgoing] });
    const movedChunk = or(decodeChunk(tx.moved.chunk([0], n)), ids);
    tx.moved.set([0], n, encodeChunk(movedChunk));
  }
}

function push(paths: MovePath[], path: number[], chunk: Chunk): void {
  const ids = encodeChunk(chunk);
  if (ids) paths.push({ path, ids });
}

/**
 * The last event with which messages were moved into the channel, even if they have left it; or 0.
 */
export function lastArrival(reader: Reader, stream_id: number): number {
  let last = 0;
  for (const { move_paths } of reader.moved_messages.range()) {
    for (const { path } of move_paths) {
      for (let index = 1; index < path.length; index += 2) {
        if (path[index] === stream_id) last = Math.max(last, path[index + 1]!);
      }
    }
  }
  return last;
}

/** Whether the user was subscribed to each channel of the path when the messages arrived there. */
function wasAlwaysSubscribed(reader: Reader, user_id: number, { path }: MovePath): boolean {
  for (let index = 1; index < path.length; index += 2) {
    const sub = reader.subscriptions.get(user_id, path[index]!);
    if (!sub || !wasActiveAt(sub, path[index + 1]!)) return false;
  }
  return true;
}

/** The ids of chunk `n` during which the user was subscribed to the first channel of the path. */
function sentToIn(reader: Reader, user_id: number, { path }: MovePath, n: number): Chunk {
  const sub = reader.subscriptions.get(user_id, path[0]!);
  return sub ? idsWithin(sub, n) : emptyChunk();
}

/** The ids of chunk `n` within the intervals. */
function idsWithin({ intervals }: Pick<Subscription, "intervals">, n: number): Chunk {
  const chunk = emptyChunk();
  const base = idOf(n, 0);
  for (let index = 0; index < intervals.length; index += 4) {
    const last = intervals[index + 2] === 0 ? Infinity : intervals[index + 2]!;
    const [from, to] = [
      Math.max(intervals[index]! - base, 0),
      Math.min(last - base, CHUNK_IDS - 1),
    ];
    if (from <= to) setRange(chunk, from, to);
  }
  return chunk;
}
