// Deletes snapshots of upgrades after two weeks.
import { rmSync, statSync } from "node:fs";
import { DAY_SECONDS } from "../../contract/units.ts";
import type { Realm } from "../../realm.ts";
import { snapshotsIn } from "../../store/format/upgrade.ts";

const SNAPSHOT_DAYS = 14;

export async function purgeSnapshots({ config, clock }: Realm): Promise<void> {
  const before = clock.now() - SNAPSHOT_DAYS * DAY_SECONDS * 1_000;
  for (const path of snapshotsIn(config.data)) {
    if (statSync(path).mtimeMs < before) rmSync(path, { force: true });
  }
}
