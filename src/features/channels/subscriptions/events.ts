// Events of a channel for which the former subscribers must stay known.
import type { Audience } from "../../../contract/events.ts";
import type { Reader } from "../../../realm.ts";
import { lastArrival } from "../../messages/moved-access.ts";

/**
 * Returns a function that tells whether, after an event, messages were moved into the channel or
 * events were sent to subscribers that a queue may still need after a crash. Repeated calls read
 * only older events than before.
 */
export function eventsSince(reader: Reader, stream_id: number): (seq: number) => boolean {
  let last: number | undefined;
  let searchedFrom = Infinity;
  return (seq) => {
    last ??= lastArrival(reader, stream_id);
    if (last > seq) return true;
    if (seq + 1 >= searchedFrom) return false;
    const until = searchedFrom === Infinity ? {} : { to: [searchedFrom] };
    searchedFrom = seq + 1;
    for (const row of reader.log.range({ from: [searchedFrom], ...until, reverse: true })) {
      const audience = row.audience as Audience;
      if (audience.to !== "subscribers" || audience.stream_id !== stream_id) continue;
      last = row.seq;
      return true;
    }
    return false;
  };
}
