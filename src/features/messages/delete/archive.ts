// The archive of deleted messages, kept for the time that the operator configures.
import { DAY_SECONDS } from "../../../contract/units.ts";
import type { Realm, Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { User } from "../../../schema/records.ts";
import { subjectOf } from "../spelling-wire.ts";

const STEP_ROWS_MAX = 100;
/** Maximum number of steps per run; the next run continues with the rest. */
const TURN_STEPS_MAX = 200;

/** `actingUser` is null if the retention period ended. */
export function putInArchive(tx: Writer, message: Message, actingUser: User | null): void {
  if (tx.config.archive_days === 0) return;
  tx.archive.put({
    message_id: message.id,
    deleted: tx.now,
    deleted_by: actingUser?.user_id ?? null,
    message,
    topic: subjectOf(tx, message),
  });
}

/** Permanently deletes messages whose archive period has ended. */
export async function purgeArchive(realm: Realm): Promise<void> {
  const until = realm.read.now - realm.config.archive_days * DAY_SECONDS;
  let steps = TURN_STEPS_MAX;
  await realm.inSteps((tx) => {
    const expired = [
      ...tx.archive.scanIndex("deleted", [], { to: [until + 1], limit: STEP_ROWS_MAX }),
    ];
    for (const { message_id } of expired) tx.archive.delete(message_id);
    return expired.length === STEP_ROWS_MAX && --steps > 0;
  });
}
