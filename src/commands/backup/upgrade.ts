// `skein upgrade`: migrates older data to this version's format, or tries it on a copy.
import { existsSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { DEFAULT_DATA } from "../../contract/config.ts";
import { SNAPSHOTS } from "../../features/backup/run.ts";
import { schema } from "../../realm.ts";
import { migrations } from "../../contract/migrations.ts";
import { openRunning } from "../../running.ts";
import { copyDatabase } from "../../store/copy/pages.ts";
import { openRaw } from "../../store/copy/read-only.ts";
import { newestFormat, olderFormat } from "../../store/format/migrate.ts";
import { dryRun } from "../../store/format/upgrade.ts";
import { rejectDamaged } from "../../store/structure/reject-damaged.ts";
import { configFor, isInUse } from "../control.ts";
import { command, CommandError } from "../flags.ts";
import { sizeText } from "../../store/system/system-errors.ts";

export const upgrade = command({
  description: "upgrades older data to this version's format, as skein serve does at startup",
  examples: ["skein upgrade --check --data /var/lib/skein", "skein upgrade --data /var/lib/skein"],
  flags: {
    data: { value: "DIR", default: DEFAULT_DATA, description: "the data directory" },
    check: {
      description: "only try the upgrade on a copy, even while an older version is running",
    },
    "despite-damage": { description: "upgrade even if the copy is damaged after the upgrade" },
  },
  notes: `Makes a snapshot first and tries the upgrade on a copy. If the copy is damaged,
reports the damage and changes nothing. To restore the snapshot: skein rollback`,
  async run(flags) {
    const data = resolve(flags.data);
    if (!existsSync(join(data, "data.mdb"))) {
      throw new CommandError(`there is no organization in ${data}`);
    }
    if (flags.check) return check(data, flags["despite-damage"]);
    const realm = await openRunning({
      ...configFor(data),
      despite_damage: flags["despite-damage"],
    });
    const { upgraded } = realm.opening;
    await realm.close();
    if (!upgraded) return console.log(`The data already has format ${newestFormat(migrations)}.`);
    const { from, to, snapshot } = upgraded;
    console.log(
      `Upgraded the data from format ${from} to ${to}. Snapshot of the old data: ${snapshot}`,
    );
  },
});

/** While a server is running, the copy does not include later writes. */
async function check(data: string, despite_damage: boolean): Promise<void> {
  const startedAt = performance.now();
  const path = join(data, "data.mdb");
  // A running server has the file open and writes to it.
  if (!isInUse(data)) rejectDamaged(path);
  const db = openRaw(path);
  const copy = join(data, SNAPSHOTS, "check.mdb");
  try {
    const older = olderFormat(db, migrations);
    if (older === undefined) return console.log("The data already has this version's format.");
    await copyDatabase(() => db.useReadTransaction(), path, copy);
    await dryRun(copy, join(data, SNAPSHOTS), { schema, migrations, despite_damage });
    const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
    const space = sizeText(2 * statSync(path).size);
    const to = newestFormat(migrations);
    console.log(
      `Upgrading format ${older} to ${to} takes about ${seconds} s and ${space} of free space.`,
    );
  } finally {
    rmSync(copy, { force: true });
    await db.close();
  }
}
