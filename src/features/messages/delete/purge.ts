// Deletes records of sends that clients no longer retry.
import { DAY_SECONDS } from "../../../contract/units.ts";
import type { Realm } from "../../../realm.ts";
import type { Send } from "../../../schema/records-messages.ts";

const SENDS_KEPT_SECONDS = DAY_SECONDS;
const STEP_ROWS_MAX = 500;

export async function purgeSends(realm: Realm): Promise<void> {
  const before = realm.read.now - SENDS_KEPT_SECONDS;
  let firstRetained: Send | undefined;
  await realm.inSteps((tx) => {
    const from = firstRetained && [firstRetained.user_id, `${firstRetained.token}\0`];
    const batch = [...tx.sends.range({ limit: STEP_ROWS_MAX, ...(from && { from }) })];
    for (const { user_id, token, timestamp } of batch) {
      if (timestamp < before) tx.sends.delete(user_id, token);
    }
    firstRetained = batch.at(-1);
    return batch.length === STEP_ROWS_MAX;
  });
}
