// `skein db …`: how large the database is, whether it is whole, and how it gets small again.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { DEFAULT_DATA } from "../../contract/config.ts";
import { STATES, worstOf } from "../../features/doctor/rules.ts";
import { migrations } from "../../running.ts";
import { schema } from "../../realm.ts";
import { compactDatabase } from "../../store/copy/compact.ts";
import { openRaw } from "../../store/copy/reading.ts";
import { newestFormat } from "../../store/format/migrate.ts";
import { formatOf } from "../../store/format/number.ts";
import { DirectoryInUse, lockDirectory } from "../../store/lock.ts";
import { refuseDamaged } from "../../store/structure/sound.ts";
import { sizeText } from "../backup/place.ts";
import { carryOut } from "../control.ts";
import { command, CommandError } from "../flags.ts";

const data = { value: "DIR", default: DEFAULT_DATA, about: "the data directory" } as const;

export const databaseStat = command({
  about: "shows the size of the database and its unused space",
  examples: ["skein db stat --data /var/lib/skein"],
  flags: { data, json: { about: "prints size_bytes, free_bytes and readers as JSON" } },
  async run(flags) {
    const facts = await carryOut(flags.data, "databaseFacts", {});
    if (flags.json) return console.log(JSON.stringify(facts));
    const { size_bytes, free_bytes, readers, newest_message_id } = facts;
    console.log(`${sizeText(size_bytes)}, of which ${sizeText(free_bytes)} hold nothing.`);
    console.log(`${readers} readers; the newest message has number ${newest_message_id}.`);
    if (free_bytes * 2 > size_bytes) {
      console.log("Give it back to the disk, without a server: skein db compact");
    }
  },
});

export const databaseCheck = command({
  about: "reads all data, and reports damaged, missing and wrongly counted rows",
  examples: ["skein db check --data /var/lib/skein"],
  flags: {
    data,
    deep: { about: "reads all files too, and compares the search index with the messages" },
    json: { about: "prints a line of JSON for each check" },
  },
  notes:
    "It ends with 2 where something is. A copy is read, so that much room is needed meanwhile.",
  async run(flags) {
    const how = { is_quick: false, is_deep: flags.deep, hold_seconds: 0 };
    const asked = { only: ["database" as const], fix: false, mend: false, ...how };
    const checked = await carryOut(flags.data, "doctor", asked);
    for (const one of checked) {
      const remedy = one.remedy === null ? "" : ` → ${one.remedy}`;
      console.log(flags.json ? JSON.stringify(one) : `${one.says}${remedy}`);
    }
    return STATES.indexOf(worstOf(checked));
  },
});

export const databaseCompact = command({
  about: "compacts the database of a stopped server, to free disk space",
  examples: ["skein db compact --data /var/lib/skein"],
  flags: { data, json: { about: "prints before_bytes, after_bytes and kept as JSON" } },
  notes: `A smaller file is made, all of it compared with the data, and put in their place. What was
there is kept beside it as data.mdb.before-compact: take it away when the server has run.`,
  async run(flags) {
    const directory = resolve(flags.data);
    const path = join(directory, "data.mdb");
    if (!existsSync(path)) throw new CommandError(`there is no organization in ${directory}`);
    const free = held(directory);
    try {
      await checkFormat(path);
      const done = await compactDatabase(path, schema);
      if (flags.json) return console.log(JSON.stringify(done));
      const [before, after] = [done.before_bytes, done.after_bytes].map(sizeText);
      console.log(`The database had ${before}, and has ${after} now.`);
      console.log(`What was there is ${done.kept}: take it away when the server has run.`);
    } finally {
      free();
    }
  },
});

function held(directory: string): () => void {
  try {
    return lockDirectory(directory);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    throw new CommandError(`${error.message}: stop the server first`);
  }
}

/** Only what this version reads can be compared. */
async function checkFormat(path: string): Promise<void> {
  refuseDamaged(path);
  const db = openRaw(path);
  try {
    const format = formatOf(db);
    if (format === newestFormat(migrations)) return;
    throw new CommandError(`the data has format ${format}: bring it to this one by skein upgrade`);
  } finally {
    await db.close();
  }
}
