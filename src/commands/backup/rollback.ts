// `skein rollback`: restores the data from before an upgrade, and reports what is lost.
import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { DEFAULT_DATA } from "../../contract/config.ts";
import { makeRestored } from "../../features/backup/after-restore.ts";
import { schema } from "../../realm.ts";
import { migrations } from "../../contract/migrations.ts";
import { mergeLogOf } from "../../store/journal/merge-log.ts";
import { checkFreeSpace } from "../../store/copy/copy.ts";
import { syncNow } from "../../store/system/durable.ts";
import { openRaw, openReading } from "../../store/copy/read-only.ts";
import { sequencesIn } from "../../store/copy/supersede.ts";
import { newestFormat } from "../../store/format/migrate.ts";
import { formatOf } from "../../store/format/number.ts";
import { snapshotsIn } from "../../store/format/upgrade.ts";
import { lockDirectory } from "../../store/lock.ts";
import { checkStructure } from "../../store/structure/check.ts";
import { rejectDamaged } from "../../store/structure/reject-damaged.ts";
import { command, CommandError } from "../flags.ts";

export const rollback = command({
  description: "restores the data from before an upgrade",
  examples: ["skein rollback --data /var/lib/skein", "skein rollback --data /var/lib/skein --yes"],
  flags: {
    data: { value: "DIR", default: DEFAULT_DATA, description: "the data directory" },
    yes: { description: "roll back; without this flag, only show what would be lost" },
  },
  notes: `Everything written since the upgrade is lost. The current data is kept beside it, renamed.
All clients register again, and ids assigned since the upgrade are not used again.
Then start the older version: this version would upgrade the data again. If skein update
installed this version, run skein update --back.`,
  async run(flags) {
    const data = resolve(flags.data);
    const path = join(data, "data.mdb");
    if (!existsSync(path)) throw new CommandError(`there is no organization in ${data}`);
    const releaseLock = lockDirectory(data);
    try {
      const [snapshot] = snapshotsIn(data);
      if (snapshot === undefined) throw new CommandError("there is no snapshot of an upgrade here");
      rejectDamaged(snapshot);
      const from = await formatIn(snapshot);
      console.log(`${basename(snapshot)} contains the data in format ${from}.`);
      console.log(await lossText(path, snapshot));
      if (!flags.yes) throw new CommandError("nothing was changed; to roll back, pass --yes");
      console.log(`The previous data is now in ${await restoreSnapshot(path, snapshot)}.`);
      console.log("All clients register again. Ids assigned since the upgrade are not used again.");
      console.log(`Start the version that wrote format ${from}.`);
    } finally {
      releaseLock();
    }
  },
});

async function formatIn(path: string): Promise<number> {
  const db = openRaw(path);
  try {
    return formatOf(db) ?? 0;
  } finally {
    await db.close();
  }
}

/** Describes what the rollback loses. Only this version of Skein can read the newer data. */
async function lossText(path: string, snapshot: string): Promise<string> {
  if (checkStructure(path).faults.length > 0) {
    return "The current data is damaged, so what was written since cannot be counted.";
  }
  if ((await formatIn(path)) !== newestFormat(migrations)) {
    return "Everything written since is lost. Only the version that wrote it can count it.";
  }
  await mergeLogOf(path);
  const before = (await sequencesIn(snapshot)).get("messages") ?? 0;
  const { tables, close } = openReading(path, schema);
  try {
    const people = new Set<number>();
    let count = 0;
    for (const { sender_id } of tables.messages.range({ from: [before + 1] })) {
      people.add(sender_id);
      count++;
    }
    const loss = `${count} messages by ${people.size} users`;
    return `This would lose ${loss}, and all other changes since then.`;
  } finally {
    await close();
  }
}

/** At every moment, the directory contains either the old or the new data completely. */
async function restoreSnapshot(path: string, snapshot: string): Promise<string> {
  const time = new Date().toISOString().replaceAll(":", "").replace(/\.\d+/, "");
  const previous = `${path}.before-rollback-${time}`;
  const part = `${path}.part`;
  checkFreeSpace(resolve(path, ".."), statSync(snapshot).size);
  copyFileSync(snapshot, part);
  await makeRestored(part, await issuedSequencesIn(path));
  linkSync(path, previous);
  renameSync(part, path);
  rmSync(`${path}-lock`, { force: true });
  syncNow(resolve(path, ".."));
  return previous;
}

/** Returns no sequences if the data is damaged, which may be the reason for the rollback. */
async function issuedSequencesIn(path: string): Promise<ReadonlyMap<string, number>> {
  if (checkStructure(path).faults.length > 0) return new Map();
  try {
    return await sequencesIn(path);
  } catch {
    return new Map();
  }
}
