// Checks data that cannot be opened, without changing it.
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkAll, bad, type CheckOptions } from "../../features/doctor/check.ts";
import { directoryChecks } from "../../features/doctor/directory.ts";
import type { CheckResult } from "../../features/doctor/rules.ts";
import { MINUTE_MS } from "../../contract/units.ts";
import { migrations } from "../../contract/migrations.ts";
import { openRaw } from "../../store/copy/read-only.ts";
import { newestFormat } from "../../store/format/migrate.ts";
import { formatOf } from "../../store/format/number.ts";
import { lockDirectory } from "../../store/lock.ts";
import { rejectDamaged } from "../../store/structure/reject-damaged.ts";

/** undefined if the data can be opened. Locks the directory meanwhile. */
export async function checkClosedData(
  data: string,
  options: CheckOptions,
): Promise<CheckResult[] | undefined> {
  const releaseLock = lockDirectory(data);
  try {
    const inspection = await inspectedAt(join(data, "data.mdb"));
    if (inspection === undefined) return undefined;
    const check = { id: "database.opens", run: () => inspection };
    const facts = { data, now: Date.now() };
    return await checkAll([...directoryChecks, check], facts, options);
  } finally {
    releaseLock();
  }
}

/** Enough for 100 GiB on a slow disk. */
const LIMITS = { pages_max: Infinity, ms_max: 30 * MINUTE_MS };

async function inspectedAt(path: string) {
  if (!existsSync(path) || statSync(path).size === 0) {
    const remedy =
      "create one with skein init or the set-up page of skein serve, or run skein restore";
    return bad("fail", "There is no organization in the directory.", remedy);
  }
  try {
    const unchecked = rejectDamaged(path, { ...LIMITS, now: () => performance.now() });
    if (unchecked > 0) {
      const text = `${unchecked} database pages were not checked: there was no time.`;
      return bad("warn", text, "check the disk; to read all rows, run skein db check");
    }
    const db = openRaw(path);
    try {
      return ofFormat(formatOf(db) ?? 0, newestFormat(migrations));
    } finally {
      await db.close();
    }
  } catch (error) {
    const text = `The data cannot be opened: ${(error as Error).message}.`;
    return bad("fail", text, "restore the newest backup into a new directory: skein restore");
  }
}

function ofFormat(format: number, newest: number) {
  if (format === newest) return undefined;
  if (format > newest) {
    const data = `The data has format ${format}`;
    const text = `${data}, but this version supports formats up to ${newest}.`;
    return bad("fail", text, "install the newer version again, or run skein rollback");
  }
  const message = `The data has format ${format}; the next start upgrades it to format ${newest}.`;
  return bad("warn", message, "check whether the upgrade will succeed: skein upgrade --check");
}
