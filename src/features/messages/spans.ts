// The ids between which a person was subscribed to a channel, and the messages that lie there.
import type { Reader } from "../../realm.ts";
import type { Subscription } from "../../records.ts";
import {
  andNot,
  type Chunk,
  CHUNK_IDS,
  emptyChunk,
  idOf,
  or,
  setRange,
} from "../../store/bitmap.ts";
import type { Arrived } from "./arrivals.ts";
import { RANK, Stored } from "./sets.ts";

/** From the first id of each pair to the last. */
export type Spans = readonly (readonly [number, number])[];

export const WHOLE: Spans = [[0, Infinity]];

export function spansOf({ spans }: Pick<Subscription, "spans">): Spans {
  const pairs: [number, number][] = [];
  for (let at = 0; at < spans.length; at += 4) {
    pairs.push([spans[at]!, spans[at + 2] === 0 ? Infinity : spans[at + 2]!]);
  }
  return pairs;
}

export function isWithin(spans: Spans, id: number): boolean {
  return spans.some(([first, last]) => id >= first && id <= last);
}

/** Adds the channel's messages of chunk `n` that lie within the spans, and what came along. */
export function addWithin(
  reader: Reader,
  chunk: Chunk,
  stream_id: number,
  spans: Spans,
  n: number,
  arrived?: Arrived,
): void {
  if (arrived) {
    const [sent, kept] = [emptyChunk(), arrived.kept.slice()];
    addWithin(reader, sent, stream_id, spans, n);
    new Stored("", RANK.channel, reader.channel_messages, [stream_id]).keepIn(kept, n);
    or(or(chunk, andNot(sent, arrived.moved)), kept);
    return;
  }
  const base = idOf(n, 0);
  const end = base + CHUNK_IDS - 1;
  if (!spans.some(([first, last]) => first <= end && last >= base)) return;
  const channel = new Stored("", RANK.channel, reader.channel_messages, [stream_id]);
  if (spans.some(([first, last]) => first <= base && last >= end)) return channel.addTo(chunk, n);

  const within = emptyChunk();
  for (const [first, last] of spans) {
    const [from, to] = [Math.max(first, base) - base, Math.min(last, end) - base];
    if (from <= to) setRange(within, from, to);
  }
  channel.keepIn(within, n);
  or(chunk, within);
}
