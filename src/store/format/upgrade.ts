// Before a migration: creates a snapshot for rollback, and tries the migration on a copy.
import {
  constants,
  copyFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import type { RootDatabase } from "lmdb";
import { checkFreeSpace } from "../copy/copy.ts";
import { syncNow } from "../system/durable.ts";
import { copyDatabase } from "../copy/pages.ts";
import { walkDatabase } from "../copy/walk.ts";
import type { Schema } from "../declare.ts";
import { environment } from "../environment.ts";
import { migrate, type Migration, newestFormat } from "./migrate.ts";

export interface Upgraded {
  readonly from: number;
  readonly to: number;
  /** Path of the snapshot for rollback. */
  readonly snapshot: string;
}

/** The dry run found a problem; nothing was changed. */
export class UpgradeRefused extends Error {
  override name = "UpgradeRefused";
}

const FOLDER = "snapshots";
const DRY_RUN = "dry-run.mdb";
const SNAPSHOT = /^before-(\d+)-.*\.mdb$/;

interface DryRunOptions {
  readonly schema: Schema;
  readonly migrations: readonly Migration[];
  /** Continues although the check of the migrated copy found damage. */
  readonly despite_damage?: boolean | undefined;
}

/** Must be called before the data is changed. */
export async function prepareUpgrade(
  db: RootDatabase<Buffer, string>,
  directory: string,
  from: number,
  options: DryRunOptions,
): Promise<Upgraded> {
  const to = newestFormat(options.migrations);
  const folder = join(directory, FOLDER);
  const time = new Date().toISOString().replaceAll(":", "").replace(/\.\d+/, "");
  const snapshot = join(folder, `before-${to}-${time}.mdb`);
  const fresh = `${snapshot}.new`;
  try {
    await copyDatabase(() => db.useReadTransaction(), join(directory, "data.mdb"), fresh);
    await dryRun(fresh, folder, options);
    renameSync(fresh, snapshot);
    syncNow(folder);
  } finally {
    rmSync(fresh, { force: true });
  }
  return { from, to, snapshot };
}

/** Migrates a second copy, checks it and deletes it. */
export async function dryRun(
  copy: string,
  folder: string,
  { schema, migrations, despite_damage = false }: DryRunOptions,
): Promise<void> {
  const path = join(folder, DRY_RUN);
  const clean = () => ["", "-lock"].forEach((end) => rmSync(`${path}${end}`, { force: true }));
  clean();
  try {
    checkFreeSpace(folder, statSync(copy).size);
    copyFileSync(copy, path, constants.COPYFILE_FICLONE);
    const db = environment(path);
    try {
      migrate(db, migrations);
    } finally {
      await db.close();
    }
    const { damage } = await walkDatabase(path, schema);
    if (damage.length === 0 || despite_damage) return;
    throw new UpgradeRefused(
      `the upgrade was tried on a copy and damaged it: ${damage.slice(0, 3).join("; ")}. ` +
        "Nothing was changed. To upgrade nevertheless, run: skein upgrade --despite-damage",
    );
  } finally {
    clean();
  }
}

/** Returns the snapshots of earlier upgrades, newest first. */
export function snapshotsIn(directory: string): string[] {
  const folder = join(directory, FOLDER);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const snapshots = names.filter((name) => SNAPSHOT.test(name));
  const timeOfSnapshot = (name: string) =>
    name.replace(SNAPSHOT, (_, to) => name.slice(8 + to.length));
  return snapshots
    .toSorted((a, b) => (timeOfSnapshot(a) < timeOfSnapshot(b) ? 1 : -1))
    .map((name) => join(folder, name));
}
