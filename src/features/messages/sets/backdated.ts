// Messages with a send time set by their sender, whose times do not follow their ids.
import type { Reader, Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { Seconds } from "../../../schema/records.ts";
import { ascending, chunkOf, eachRun, idOf, offsetOf } from "../../../store/bitmap/bitmap.ts";
import { decodeChunk } from "../../../store/bitmap/encodings.ts";
import type { Lookup } from "./received.ts";
import { COST, type IdSet, idsFrom, NarrowedSet, StoredSet } from "./sets.ts";

export function recordBackdated(tx: Writer, message_id: number, timestamp: Seconds): void {
  tx.backdated_messages.add([0], message_id);
  const chunk = chunkOf(message_id);
  const latest = tx.backdated_times.get(chunk)?.latest ?? 0;
  if (timestamp > latest) tx.backdated_times.put({ chunk, latest: timestamp });
}

/** The first message with ids from `from` below `to` whose time follows the ids. */
export function nextNotBackdated(reader: Reader, from: number, to: number): Message | undefined {
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

/** The first message of the set at or after that time. `since`: no other message has a lower id. */
export function firstSince(
  reader: Reader,
  set: IdSet,
  seconds: number,
  since: number,
  messageOf: Lookup,
): number | undefined {
  const backdated = new StoredSet("stated", COST.few, reader.backdated_messages, [0]);
  const inOrder = new NarrowedSet([set], [backdated]);
  const [first] = idsFrom(inOrder, since, reader.last("messages"), 1);
  const last = first ?? reader.last("messages");
  for (const n of backdated.chunks(0, chunkOf(last), false)) {
    if (reader.backdated_times.get(n)!.latest < seconds) continue;
    const ids = backdated.at(n).slice();
    set.intersect(ids, n);
    for (const id of ascending(ids, idOf(n, 0))) {
      if (id > last) return first;
      if (messageOf(id)!.timestamp >= seconds) return id;
    }
  }
  return first;
}

function endOfBackdated(reader: Reader, id: number): number {
  const n = chunkOf(id);
  let end = id + 1;
  eachRun(decodeChunk(reader.backdated_messages.chunk([0], n)), (first, last) => {
    if (first <= offsetOf(id) && offsetOf(id) <= last) end = idOf(n, last) + 1;
  });
  return end;
}
