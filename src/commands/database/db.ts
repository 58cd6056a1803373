// `skein db …`: shows the size of the database, checks it and compacts it.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { DEFAULT_DATA } from "../../contract/config.ts";
import { STATES, worstOf } from "../../features/doctor/rules.ts";
import { migrations } from "../../contract/migrations.ts";
import { schema } from "../../realm.ts";
import { mergeLogOf } from "../../store/journal/merge-log.ts";
import { compactDatabase } from "../../store/copy/compact.ts";
import { openRaw } from "../../store/copy/read-only.ts";
import { newestFormat } from "../../store/format/migrate.ts";
import { formatOf } from "../../store/format/number.ts";
import { DirectoryInUse, lockDirectory } from "../../store/lock.ts";
import { rejectDamaged } from "../../store/structure/reject-damaged.ts";
import { sizeText } from "../../store/system/system-errors.ts";
import { executeCommand } from "../control.ts";
import { command, CommandError } from "../flags.ts";

const data = { value: "DIR", default: DEFAULT_DATA, description: "the data directory" } as const;

export const databaseStat = command({
  description: "shows the size of the database and its unused space",
  examples: ["skein db stat --data /var/lib/skein"],
  flags: { data, json: { description: "print size_bytes, free_bytes and readers as JSON" } },
  async run(flags) {
    const facts = await executeCommand(flags.data, "databaseFacts", {});
    if (flags.json) return console.log(JSON.stringify(facts));
    const { size_bytes, free_bytes, readers, newest_message_id } = facts;
    console.log(`${sizeText(size_bytes)}, of which ${sizeText(free_bytes)} are unused.`);
    console.log(`${readers} readers; the newest message ID is ${newest_message_id}.`);
    if (free_bytes * 2 > size_bytes) {
      console.log("To free the unused space, stop the server and run: skein db compact");
    }
  },
});

export const databaseCheck = command({
  description: "reads all data, and reports damaged and missing rows and wrong counters",
  examples: ["skein db check --data /var/lib/skein"],
  flags: {
    data,
    deep: { description: "also read all files, and compare the search index with the messages" },
    json: { description: "print one JSON object per check" },
  },
  notes:
    "Exits with 2 if there is a problem. It reads a copy, which needs as much free disk space.",
  async run(flags) {
    const options = { is_quick: false, is_deep: flags.deep, hold_seconds: 0 };
    const params = { only: ["database" as const], fix: false, mend: false, ...options };
    const checked = await executeCommand(flags.data, "doctor", params);
    for (const item of checked) {
      const remedy = item.remedy === null ? "" : ` → ${item.remedy}`;
      console.log(flags.json ? JSON.stringify(item) : `${item.message}${remedy}`);
    }
    return STATES.indexOf(worstOf(checked));
  },
});

export const databaseCompact = command({
  description: "compacts the database of a stopped server, to free disk space",
  examples: ["skein db compact --data /var/lib/skein"],
  flags: { data, json: { description: "print before_bytes, after_bytes and kept as JSON" } },
  notes: `Writes a smaller file, compares it with the data, and replaces the database. The old
file is kept as data.mdb.before-compact. Delete it after the server has started.`,
  async run(flags) {
    const directory = resolve(flags.data);
    const path = join(directory, "data.mdb");
    if (!existsSync(path)) throw new CommandError(`there is no organization in ${directory}`);
    const releaseLock = lockOffline(directory);
    try {
      await checkFormat(path);
      await mergeLogOf(path);
      const compacted = await compactDatabase(path, schema);
      if (flags.json) return console.log(JSON.stringify(compacted));
      const [before, after] = [compacted.before_bytes, compacted.after_bytes].map((size) =>
        sizeText(size),
      );
      console.log(`The database shrank from ${before} to ${after}.`);
      console.log(`The old file is ${compacted.kept}. Delete it after the server has started.`);
    } finally {
      releaseLock();
    }
  },
});

function lockOffline(directory: string): () => void {
  try {
    return lockDirectory(directory);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    throw new CommandError(`${error.message}: stop the server first`);
  }
}

/** Only data in this version's format can be compared. */
async function checkFormat(path: string): Promise<void> {
  rejectDamaged(path);
  const db = openRaw(path);
  try {
    const format = formatOf(db);
    if (format === newestFormat(migrations)) return;
    throw new CommandError(
      `the data has the older format ${format}. Upgrade it with: skein upgrade`,
    );
  } finally {
    await db.close();
  }
}
