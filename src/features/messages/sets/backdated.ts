// Messages with a send time set by their sender, whose times do not follow their ids.
import type { Reader, Writer } from "../../../realm.ts";
import type { Seconds } from "../../../schema/records.ts";
import { ascending, chunkOf, idOf } from "../../../store/bitmap/bitmap.ts";
import type { Lookup } from "./received.ts";
import { COST, type IdSet, idsFrom, NarrowedSet, StoredSet } from "./sets.ts";

export function recordBackdated(tx: Writer, message_id: number, timestamp: Seconds): void {
  tx.backdated_messages.add([0], message_id);
  const chunk = chunkOf(message_id);
  const latest = tx.backdated_times.get(chunk)?.latest ?? 0;
  if (timestamp > latest) tx.backdated_times.put({ chunk, latest: timestamp });
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
