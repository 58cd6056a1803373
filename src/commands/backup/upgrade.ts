// `skein upgrade`: brings older data to this version's format, or only tries it on a copy.
import { existsSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { DEFAULT_DATA } from "../../contract/config.ts";
import { SNAPSHOTS } from "../../features/backup/run.ts";
import { schema } from "../../realm.ts";
import { migrations, openRunning } from "../../running.ts";
import { copyDatabase } from "../../store/copy/pages.ts";
import { openRaw } from "../../store/copy/reading.ts";
import { newestFormat, olderFormat } from "../../store/format/migrate.ts";
import { dryRun } from "../../store/format/upgrade.ts";
import { refuseDamaged } from "../../store/structure/sound.ts";
import { configFor, isHeld } from "../control.ts";
import { command, CommandError } from "../flags.ts";
import { sizeText } from "./place.ts";

export const upgrade = command({
  about: "upgrades older data to this version's format, like skein serve does at the start",
  examples: ["skein upgrade --check --data /var/lib/skein", "skein upgrade --data /var/lib/skein"],
  flags: {
    data: { value: "DIR", default: DEFAULT_DATA, about: "the data directory" },
    check: { about: "only tries it on a copy, also while an older version serves" },
    "despite-damage": { about: "goes on although the copy is damaged after it" },
  },
  notes: `First a snapshot is made, and the whole of it tried on a copy; what is damaged then is
said, and nothing is changed. skein rollback goes back to the snapshot.`,
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
    if (!upgraded) return console.log(`The data has format ${newestFormat(migrations)} already.`);
    const { from, to, snapshot } = upgraded;
    console.log(`The data was upgraded from format ${from} to ${to}; before that: ${snapshot}`);
  },
});

/** Beside a server that runs: what it writes meanwhile is in no copy. */
async function check(data: string, despite_damage: boolean): Promise<void> {
  const begun = performance.now();
  const path = join(data, "data.mdb");
  // A server that runs has it open already, and goes on writing to it.
  if (!isHeld(data)) refuseDamaged(path);
  const db = openRaw(path);
  const copy = join(data, SNAPSHOTS, "check.mdb");
  try {
    const older = olderFormat(db, migrations);
    if (older === undefined) return console.log("The data has this version's format already.");
    await copyDatabase(db, path, copy);
    await dryRun(copy, join(data, SNAPSHOTS), { schema, migrations, despite_damage });
    const seconds = Math.ceil((performance.now() - begun) / 1_000);
    const room = sizeText(2 * statSync(path).size);
    const to = newestFormat(migrations);
    console.log(`Format ${older} becomes ${to}: about ${seconds} s, and ${room} for a while.`);
  } finally {
    rmSync(copy, { force: true });
    await db.close();
  }
}
