// Migrates data of older formats, and rejects newer data.
import type { RootDatabase } from "lmdb";
import { formatOf, putFormat, putStep, stepOf } from "./number.ts";

type Environment = RootDatabase<Buffer, string>;

/** Migrations see rows as they are stored: with checksums from format 4 on. */
export type Migration = Whole | Stepwise;

/**
 * Converts the rows of the previous format in one transaction, together with adjacent migrations.
 */
interface Whole {
  readonly to: number;
  readonly run: (db: Environment) => void;
}

/**
 * Converts in bounded steps, one transaction each: starts after the key where the previous step
 * ended ("" at first), and returns the key where it ended, or undefined when done.
 */
interface Stepwise {
  readonly to: number;
  readonly step: (db: Environment, after: string) => string | undefined;
}

export class DirectoryTooNew extends Error {
  constructor(format: number, newestKnown: number, hasSnapshot = false) {
    const remedy = hasSnapshot
      ? "Install the newer version again, or restore the snapshot: skein rollback."
      : "Install the newer version again.";
    super(
      `the data was written by a newer version of Skein (format ${format}); ` +
        `this version supports formats up to ${newestKnown}. ${remedy}`,
    );
  }
}

/** Formats are numbered from 1, which needs no migration. */
export function newestFormat(migrations: readonly Migration[]): number {
  return migrations.reduce((newest, { to }) => Math.max(newest, to), 1);
}

/**
 * Returns the format to migrate from, or undefined. A format whose migration was interrupted counts
 * as its own. @throws if the data is newer
 */
export function olderFormat(
  db: Environment,
  migrations: readonly Migration[],
  hasSnapshot = false,
): number | undefined {
  const newest = newestFormat(migrations);
  const format = formatOf(db);
  if (format === undefined || format === newest) return undefined;
  if (format > newest) throw new DirectoryTooNew(format, newest, hasSnapshot);
  return format;
}

/** Can be interrupted anywhere: each transaction records where to continue. */
export function migrate(db: Environment, migrations: readonly Migration[]): void {
  const newest = newestFormat(migrations);
  const format = formatOf(db);
  if (format === undefined) return db.transactionSync(() => putFormat(db, newest));
  const running = stepOf(db);
  olderFormat(db, migrations);
  const due = migrations.filter(({ to }) => to > format || to === running?.to);
  let adjacent: Whole[] = [];
  for (const migration of due.toSorted((a, b) => a.to - b.to)) {
    if ("run" in migration) {
      adjacent.push(migration);
      continue;
    }
    migrateWhole(db, adjacent);
    adjacent = [];
    migrateInSteps(db, migration, running?.to === migration.to ? running.after : "");
  }
  migrateWhole(db, adjacent);
}

/** Applies all of them or none. */
function migrateWhole(db: Environment, migrations: readonly Whole[]): void {
  if (migrations.length === 0) return;
  db.transactionSync(() => {
    for (const migration of migrations) migration.run(db);
    putFormat(db, newestFormat(migrations));
  });
}

/**
 * The new format number is stored with the first step, so that no older version reads partially
 * migrated data.
 */
function migrateInSteps(db: Environment, { to, step }: Stepwise, from: string): void {
  for (let after: string | undefined = from; after !== undefined;) {
    const at: string = after;
    after = db.transactionSync(() => {
      const next = step(db, at);
      putFormat(db, to);
      putStep(db, to, next);
      return next;
    });
  }
}
