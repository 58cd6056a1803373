// Messages that came into their channel by a move: by which way, and who still has them.
import type { Reader, Writer } from "../../realm.ts";
import type { Way } from "../../records-messages.ts";
import type { Subscription } from "../../records.ts";
import { decodeChunk, encodeChunk, hasOffset } from "../../store/bitmap-forms.ts";
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
} from "../../store/bitmap.ts";
import { wasIn } from "../channels/access.ts";

// A move writes nothing per person. Who has a moved message follows from the way it took: those
// who received it where it was sent, and were subscribed wherever it came, when it came there; be
// their account off just then.

/** Ids by chunk. */
export type Chunks = ReadonlyMap<number, Chunk>;

export interface Arrived {
  /** What came into its channel by a move. */
  moved: Chunk;
  /** Of that, what the person has. */
  kept: Chunk;
}

/** Did the person receive this moved message, and keep it on its way? */
export function hasKept(reader: Reader, user_id: number, message_id: number): boolean {
  const [n, offset] = [chunkOf(message_id), offsetOf(message_id)];
  const ways = reader.arrivals.get(n)?.ways ?? [];
  const way = ways.find(({ ids }) => hasOffset(ids, offset));
  if (!way || !cameAlong(reader, user_id, way)) return false;
  const one = setRange(emptyChunk(), offset, offset);
  return !isEmpty(and(one, sentToIn(reader, user_id, way, n)));
}

/** Of chunk `n`; undefined when nothing in it was moved. */
export function arrivedIn(reader: Reader, user_id: number, n: number): Arrived | undefined {
  const bytes = reader.moved.chunk([0], n);
  if (!bytes) return undefined;
  const ways = reader.arrivals.get(n)?.ways ?? [];
  return { moved: decodeChunk(bytes), kept: keptAlong(reader, user_id, n, ways) };
}

/** Of chunk `n`: what came by one of the ways and is still the person's. */
export function keptAlong(reader: Reader, user_id: number, n: number, ways: readonly Way[]): Chunk {
  const kept = emptyChunk();
  for (const way of ways) {
    if (!cameAlong(reader, user_id, way)) continue;
    or(kept, and(decodeChunk(way.ids), sentToIn(reader, user_id, way, n)));
  }
  return kept;
}

/** The ways that any of these messages of chunk `n` took. */
export function waysOf(reader: Reader, n: number, ids: Chunk): Way[] {
  const ways = reader.arrivals.get(n)?.ways ?? [];
  return ways.filter((way) => !isEmpty(and(decodeChunk(way.ids), ids)));
}

/** Of chunk `n`: what was sent to the person and is elsewhere now, be it lost on the way. */
export function sentAndMovedIn(reader: Reader, user_id: number, n: number): Chunk | undefined {
  if (!reader.moved.chunk([0], n)) return undefined;
  const sent = emptyChunk();
  for (const way of reader.arrivals.get(n)?.ways ?? []) {
    or(sent, and(decodeChunk(way.ids), sentToIn(reader, user_id, way, n)));
  }
  return sent;
}

/** Notes that messages of the channel `from` came into `to` with the event `seq`. */
export function noteArrival(
  tx: Writer,
  chunks: Chunks,
  from: number,
  to: number,
  seq: number,
): void {
  for (const [n, ids] of chunks) {
    const rest = ids.slice();
    const stay: Way[] = [];
    const go: Way[] = [];
    for (const way of tx.arrivals.get(n)?.ways ?? []) {
      const going = and(decodeChunk(way.ids), ids);
      if (isEmpty(going)) {
        stay.push(way);
        continue;
      }
      andNot(rest, going);
      push(stay, way.path, andNot(decodeChunk(way.ids), ids));
      push(go, [...way.path, to, seq], going);
    }
    push(go, [from, to, seq], rest);
    tx.arrivals.put({ chunk: n, ways: [...stay, ...go] });
    const moved = or(decodeChunk(tx.moved.chunk([0], n)), ids);
    tx.moved.set([0], n, encodeChunk(moved));
  }
}

function push(ways: Way[], path: number[], chunk: Chunk): void {
  const ids = encodeChunk(chunk);
  if (ids) ways.push({ path, ids });
}

/** Was the person in each channel of the way when the messages came there? */
function cameAlong(reader: Reader, user_id: number, { path }: Way): boolean {
  for (let at = 1; at < path.length; at += 2) {
    const sub = reader.subscriptions.get(user_id, path[at]!);
    if (!sub || !wasIn(sub, path[at + 1]!)) return false;
  }
  return true;
}

/** The ids of chunk `n` for which the person was subscribed to where the way begins. */
function sentToIn(reader: Reader, user_id: number, { path }: Way, n: number): Chunk {
  const sub = reader.subscriptions.get(user_id, path[0]!);
  return sub ? spansIn(sub, n) : emptyChunk();
}

/** The ids of chunk `n` that lie within the spans. */
function spansIn({ spans }: Pick<Subscription, "spans">, n: number): Chunk {
  const chunk = emptyChunk();
  const base = idOf(n, 0);
  for (let at = 0; at < spans.length; at += 4) {
    const last = spans[at + 2] === 0 ? Infinity : spans[at + 2]!;
    const [from, to] = [Math.max(spans[at]! - base, 0), Math.min(last - base, CHUNK_IDS - 1)];
    if (from <= to) setRange(chunk, from, to);
  }
  return chunk;
}
