// The doctor where data cannot be opened as they are: from outside, and without changing them.
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkAll, bad, type Wish } from "../../features/doctor/check.ts";
import { directoryChecks } from "../../features/doctor/directory.ts";
import type { Checked } from "../../features/doctor/rules.ts";
import { MINUTE_MS } from "../../contract/units.ts";
import { migrations } from "../../running.ts";
import { openRaw } from "../../store/copy/reading.ts";
import { newestFormat } from "../../store/format/migrate.ts";
import { formatOf } from "../../store/format/number.ts";
import { lockDirectory } from "../../store/lock.ts";
import { refuseDamaged } from "../../store/structure/sound.ts";

/** undefined: they can be opened. Nobody else has the directory meanwhile. */
export async function ofClosed(data: string, wish: Wish): Promise<Checked[] | undefined> {
  const free = lockDirectory(data);
  try {
    const found = await lookedAt(join(data, "data.mdb"));
    if (found === undefined) return undefined;
    const check = { id: "database.opens", run: () => found };
    const facts = { data, now: Date.now() };
    return await checkAll([...directoryChecks, check], facts, wish);
  } finally {
    free();
  }
}

/** Enough for 100 GiB on a slow disk. */
const LIMITS = { pages_max: Infinity, ms_max: 30 * MINUTE_MS };

async function lookedAt(path: string) {
  if (!existsSync(path) || statSync(path).size === 0) {
    const remedy = "skein init, or the set-up page of skein serve; or skein restore";
    return bad("fail", "There is no organization in the directory.", remedy);
  }
  try {
    const unchecked = refuseDamaged(path, { ...LIMITS, now: () => performance.now() });
    if (unchecked > 0) {
      const words = `Of the database's pages, ${unchecked} were not checked: there was no time.`;
      return bad("warn", words, "see that the disk is well; skein db check reads all rows");
    }
    const db = openRaw(path);
    try {
      return ofFormat(formatOf(db) ?? 0, newestFormat(migrations));
    } finally {
      await db.close();
    }
  } catch (error) {
    const words = `The data cannot be opened: ${(error as Error).message}.`;
    return bad("fail", words, "restore the newest backup into a new directory: skein restore");
  }
}

function ofFormat(format: number, own: number) {
  if (format === own) return undefined;
  if (format > own) {
    const words = `The data has format ${format}, and this version knows formats up to ${own}.`;
    return bad("fail", words, "install the newer version again, or skein rollback");
  }
  const words = `The data has format ${format}; the next start brings it to format ${own}.`;
  return bad("warn", words, "see whether it will go well: skein upgrade --check");
}
