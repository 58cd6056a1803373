// The id intervals of a subscription, and the messages within them.
import type { Reader } from "../../../realm.ts";
import type { Subscription } from "../../../schema/records.ts";
import {
  andNot,
  type Chunk,
  CHUNK_IDS,
  emptyChunk,
  idOf,
  or,
  setRange,
} from "../../../store/bitmap/bitmap.ts";
import type { MovedInIds } from "../moved-access.ts";
import { COST, StoredSet } from "./sets.ts";

/** Pairs of the first and last id, both included. */
export type Intervals = readonly (readonly [number, number])[];

export const ALL_IDS: Intervals = [[0, Infinity]];

export function intervalsOf({ intervals }: Pick<Subscription, "intervals">): Intervals {
  const pairs: [number, number][] = [];
  for (let index = 0; index < intervals.length; index += 4) {
    pairs.push([intervals[index]!, intervals[index + 2] === 0 ? Infinity : intervals[index + 2]!]);
  }
  return pairs;
}

export function isWithin(intervals: Intervals, id: number): boolean {
  return intervals.some(([first, last]) => id >= first && id <= last);
}

/** Adds the channel's messages of chunk `n` within the intervals, and those moved along. */
export function addWithin(
  reader: Reader,
  chunk: Chunk,
  stream_id: number,
  intervals: Intervals,
  n: number,
  movedIn?: MovedInIds,
): void {
  if (movedIn) {
    const [sentIds, storedIds] = [emptyChunk(), movedIn.accessible.slice()];
    addWithin(reader, sentIds, stream_id, intervals, n);
    new StoredSet("", COST.channel, reader.channel_messages, [stream_id]).intersect(storedIds, n);
    or(or(chunk, andNot(sentIds, movedIn.movedIds)), storedIds);
    return;
  }
  const base = idOf(n, 0);
  const end = base + CHUNK_IDS - 1;
  if (!intervals.some(([first, last]) => first <= end && last >= base)) return;
  const channel = new StoredSet("", COST.channel, reader.channel_messages, [stream_id]);
  if (intervals.some(([first, last]) => first <= base && last >= end))
    return channel.union(chunk, n);

  const within = emptyChunk();
  for (const [first, last] of intervals) {
    const [from, to] = [Math.max(first, base) - base, Math.min(last, end) - base];
    if (from <= to) setRange(within, from, to);
  }
  channel.intersect(within, n);
  or(chunk, within);
}
