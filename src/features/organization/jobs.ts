// Job that deletes a deactivated organization at the scheduled time.
import { rmSync } from "node:fs";
import { HOUR_MS } from "../../contract/units.ts";
import type { Realm } from "../../realm.ts";
import type { Retries } from "../../runner/runner.ts";
import type { DueJob } from "../../schema/records.ts";
import { externalMedia } from "../external-content/proxy.ts";
import { blobsOf } from "../files/blobs.ts";
import { isBeingDeleted } from "../realm/access.ts";
import { exportsDirectory, importsDirectory } from "../realm/export-paths.ts";

/** A bucket may be unreachable for long, and no user could repeat the request. */
export const DELETION_RETRIES: Retries = {
  attempts_max: 10_000,
  first_ms: 60_000,
  last_ms: HOUR_MS,
};

/** Deletes the files while the database still lists them, then the database. */
export async function deleteOrganization(realm: Realm, _job: DueJob): Promise<void> {
  if (!isBeingDeleted(realm.read)) return;
  await blobsOf(realm).deleteAll();
  for (const directory of [exportsDirectory(realm), importsDirectory(realm)]) {
    rmSync(directory, { recursive: true, force: true });
  }
  await externalMedia(realm).clear();
  realm.onEnd();
}
