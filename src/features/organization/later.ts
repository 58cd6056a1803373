// Job that deletes a deactivated organization when its time has come.
import { HOUR_MS } from "../../contract/units.ts";
import type { Realm } from "../../realm.ts";
import type { Retries } from "../../runner/runner.ts";
import type { DueJob } from "../../schema/records.ts";
import { elsewhere } from "../external-content/elsewhere.ts";
import { blobsOf } from "../files/blobs.ts";
import { isGoing } from "../realm/access.ts";

/** A bucket may be away for long, and nobody is there who would ask again. */
export const DELETION_RETRIES: Retries = {
  attempts_max: 10_000,
  first_ms: 60_000,
  last_ms: HOUR_MS,
};

/** The files first, while the database says which are its own; then that. */
export async function deleteOrganization(realm: Realm, _job: DueJob): Promise<void> {
  if (!isGoing(realm.read)) return;
  await blobsOf(realm).deleteAll();
  await elsewhere(realm).clear();
  realm.onEnd();
}
