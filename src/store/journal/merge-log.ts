// Moves the commits of a commit log into its database.
import { existsSync, rmSync } from "node:fs";
import type { RootDatabase } from "lmdb";
import { environment } from "../environment.ts";
import type { Migration } from "../format/migrate.ts";
import { putEntry } from "./entries.ts";
import { LOG_KEY, readLog } from "./log-file.ts";

/**
 * Before other work changes the rows of the database: adds the commits of its log, and deletes it.
 *
 * @throws LogDamaged
 */
export function mergeLog(db: RootDatabase<Buffer, string>, path: string): void {
  const found = readLog(db, path);
  if (!found) return;
  db.transactionSync(() => {
    for (const commit of found.commits) putEntry(db, commit);
    void db.remove(LOG_KEY);
  });
  rmSync(path, { force: true });
}

/** Like `mergeLog`, for a database file that no process has open. */
export async function mergeLogOf(path: string): Promise<void> {
  const logPath = `${path}-log`;
  if (!existsSync(logPath)) return;
  const db = environment(path);
  try {
    mergeLog(db, logPath);
  } finally {
    await db.close();
  }
}

/** No row changes. An earlier version must refuse the data, because it would ignore the log. */
export const continuedByLog: Migration = { to: 7, run() {} };
