// What was told in a channel since: for that, who was subscribed then has to be known later on.
import type { Audience } from "../../../contract/events.ts";
import type { Reader } from "../../../realm.ts";
import { lastArrival } from "../../messages/moved-access.ts";

/**
 * Was anything moved in after this event, or told to the subscribers that some queue may still have
 * to hear after a crash? Of many who ask, each looks only at what is older than what was looked at.
 */
export function toldSince(reader: Reader, stream_id: number): (seq: number) => boolean {
  let last: number | undefined;
  let lookedFrom = Infinity;
  return (seq) => {
    last ??= lastArrival(reader, stream_id);
    if (last > seq) return true;
    if (seq + 1 >= lookedFrom) return false;
    const until = lookedFrom === Infinity ? {} : { to: [lookedFrom] };
    lookedFrom = seq + 1;
    for (const row of reader.log.range({ from: [lookedFrom], ...until, reverse: true })) {
      const audience = row.audience as Audience;
      if (audience.to !== "subscribers" || audience.stream_id !== stream_id) continue;
      last = row.seq;
      return true;
    }
    return false;
  };
}
