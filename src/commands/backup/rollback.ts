// `skein rollback`: goes back to the data as it was before an upgrade, and says what is lost by it.
import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { DEFAULT_DATA } from "../../contract/config.ts";
import { makeRestored } from "../../features/backup/restored.ts";
import { schema } from "../../realm.ts";
import { migrations } from "../../running.ts";
import { checkRoom } from "../../store/copy/copy.ts";
import { syncNow } from "../../store/system/durable.ts";
import { openRaw, openReading } from "../../store/copy/reading.ts";
import { sequencesIn } from "../../store/copy/supersede.ts";
import { newestFormat } from "../../store/format/migrate.ts";
import { formatOf } from "../../store/format/number.ts";
import { snapshotsIn } from "../../store/format/upgrade.ts";
import { lockDirectory } from "../../store/lock.ts";
import { checkStructure } from "../../store/structure/check.ts";
import { refuseDamaged } from "../../store/structure/sound.ts";
import { command, CommandError } from "../flags.ts";

export const rollback = command({
  about: "restores the data from before an upgrade",
  examples: ["skein rollback --data /var/lib/skein", "skein rollback --data /var/lib/skein --yes"],
  flags: {
    data: { value: "DIR", default: DEFAULT_DATA, about: "the data directory" },
    yes: { about: "does it; without it, only says what would be lost" },
  },
  notes: `What was written since the upgrade is lost. The present data is kept beside it, renamed.
All clients register again, and no id that was given since is given a second time.
Afterwards the older version serves it; this one would upgrade it again. Where skein update
has put this one in its place, skein update --back takes it back.`,
  async run(flags) {
    const data = resolve(flags.data);
    const path = join(data, "data.mdb");
    if (!existsSync(path)) throw new CommandError(`there is no organization in ${data}`);
    const free = lockDirectory(data);
    try {
      const [snapshot] = snapshotsIn(data);
      if (snapshot === undefined) throw new CommandError("no upgrade has left a snapshot here");
      refuseDamaged(snapshot);
      const from = await formatIn(snapshot);
      console.log(`${basename(snapshot)} has the data in format ${from}.`);
      console.log(await lossOf(path, snapshot));
      if (!flags.yes) throw new CommandError("nothing was changed; --yes goes back");
      console.log(`The data that was there is ${await goBack(path, snapshot)} now.`);
      console.log("All clients register again; no id that was given since is given a second time.");
      console.log(`Start the version that wrote format ${from}.`);
    } finally {
      free();
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

/** Only this version can read and count the newer data. */
async function lossOf(path: string, snapshot: string): Promise<string> {
  if (checkStructure(path).faults.length > 0) {
    return "The present data is damaged, so nobody can count what was written since.";
  }
  if ((await formatIn(path)) !== newestFormat(migrations)) {
    return "What was written since is lost; the version that wrote it could count how much.";
  }
  const before = (await sequencesIn(snapshot)).get("messages") ?? 0;
  const { tables, close } = openReading(path, schema);
  try {
    const people = new Set<number>();
    let count = 0;
    for (const { sender_id } of tables.messages.range({ from: [before + 1] })) {
      people.add(sender_id);
      count++;
    }
    const lost = `${count} messages by ${people.size} people`;
    return `Lost would be ${lost}, and what else was changed since.`;
  } finally {
    await close();
  }
}

/** There is data in the directory at every moment. */
async function goBack(path: string, snapshot: string): Promise<string> {
  const time = new Date().toISOString().replaceAll(":", "").replace(/\.\d+/, "");
  const aside = `${path}.before-rollback-${time}`;
  const part = `${path}.part`;
  checkRoom(resolve(path, ".."), statSync(snapshot).size);
  copyFileSync(snapshot, part);
  await makeRestored(part, await givenIn(path));
  linkSync(path, aside);
  renameSync(part, path);
  rmSync(`${path}-lock`, { force: true });
  syncNow(resolve(path, ".."));
  return aside;
}

/** Data that cannot be read may be why it is replaced. */
async function givenIn(path: string): Promise<ReadonlyMap<string, number>> {
  if (checkStructure(path).faults.length > 0) return new Map();
  try {
    return await sequencesIn(path);
  } catch {
    return new Map();
  }
}
