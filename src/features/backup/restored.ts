// What a restored organization forgets and skips, as its clients may know more than it does.
import type { Writer } from "../../realm.ts";
import { SEQUENCES } from "../../schema/schema.ts";

/** More than anybody was given between a backup and the loss. */
const MESSAGES_SKIPPED = 100_000;
const IDS_SKIPPED = 1_000;

/** Every client registers anew, and no id that was given after the backup is given again. */
export function makeRestored(tx: Writer): void {
  for (const { queue_id } of [...tx.queues.range()]) tx.queues.delete(queue_id);
  for (const sequence of SEQUENCES) {
    const isMany = sequence === "messages" || sequence === "events";
    if (tx.last(sequence) > 0) tx.next(sequence, isMany ? MESSAGES_SKIPPED : IDS_SKIPPED);
  }
}
