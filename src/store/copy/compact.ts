// Compacts a database with much unused space: writes a new file and compares it with the old one.
import { chmodSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Schema } from "../declare.ts";
import { environment } from "../environment.ts";
import { checkFreeSpace } from "./copy.ts";
import { syncNow } from "../system/durable.ts";
import { walkDatabase, type Walked } from "./walk.ts";

/** The new file differs from the old one, or the old one is damaged; nothing was changed. */
export class CompactionRefused extends Error {
  override name = "CompactionRefused";
}

interface Compacted {
  readonly before_bytes: number;
  readonly after_bytes: number;
  /** Path of the old file. */
  readonly kept: string;
}

const MODE = 0o600;

/** The caller has exclusive access. A complete database exists under its name at every moment. */
export async function compactDatabase(path: string, schema: Schema): Promise<Compacted> {
  const folder = dirname(path);
  const part = `${folder}/compact.mdb`;
  const backupPath = `${path}.before-compact`;
  const clean = () => ["", "-lock"].forEach((end) => rmSync(`${part}${end}`, { force: true }));
  clean();
  const before_bytes = statSync(path).size;
  checkFreeSpace(folder, before_bytes);
  try {
    const before = await walkDatabase(path, schema);
    if (before.damage.length > 0) {
      throw new CompactionRefused(`the data is damaged: ${before.damage[0]}. See skein doctor`);
    }
    await copyCompactly(path, part);
    compare(before, await walkDatabase(part, schema));
    syncNow(part);
    if (existsSync(backupPath)) rmSync(backupPath);
    linkSync(path, backupPath);
    renameSync(part, path);
    rmSync(`${path}-lock`, { force: true });
    syncNow(folder);
    return { before_bytes, after_bytes: statSync(path).size, kept: backupPath };
  } finally {
    clean();
  }
}

async function copyCompactly(from: string, to: string): Promise<void> {
  const db = environment(from);
  try {
    await (db as unknown as Copying).backup(to, true);
    chmodSync(to, MODE);
  } finally {
    await db.close();
  }
}

/** Missing in the published types. */
interface Copying {
  backup(path: string, isCompact: boolean): Promise<void>;
}

function compare(before: Walked, after: Walked): void {
  const isSame = before.format === after.format && Bun.deepEquals(before.counts, after.counts);
  if (isSame && after.damage.length === 0) return;
  const text = after.damage[0] ?? "it has fewer records";
  throw new CompactionRefused(`the smaller file differs from the data: ${text}`);
}
