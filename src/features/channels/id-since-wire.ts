// Finds messages by time: ids follow times, except those of backdated messages.
import type { Reader } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import { chunkOf, eachRun, idOf, offsetOf } from "../../store/bitmap/bitmap.ts";
import { decodeChunk } from "../../store/bitmap/encodings.ts";

/** The first message with ids from `from` below `to` whose time follows the ids. */
function nextNotBackdated(reader: Reader, from: number, to: number): Message | undefined {
  for (let index = from; index < to;) {
    const [next] = reader.messages.range({ from: [index], to: [to], limit: 1 });
    if (!next || !reader.backdated_messages.has([0], next.id)) return next;
    index = endOfBackdated(reader, next.id);
  }
  return undefined;
}

/** Returns an id such that all earlier messages are older, except backdated ones. */
export function idSince(reader: Reader, seconds: number): number {
  let [low, high] = [1, reader.last("messages") + 1];
  // Binary search for the first id that is late enough.
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const next = nextNotBackdated(reader, middle, high);
    if (!next || next.timestamp >= seconds) high = middle;
    else low = next.id + 1;
  }
  return low;
}

function endOfBackdated(reader: Reader, id: number): number {
  const n = chunkOf(id);
  let end = id + 1;
  eachRun(decodeChunk(reader.backdated_messages.chunk([0], n)), (first, last) => {
    if (first <= offsetOf(id) && offsetOf(id) <= last) end = idOf(n, last) + 1;
  });
  return end;
}
