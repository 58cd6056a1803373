// Migrations by number: an older directory is brought up to date, a newer one refused.
import type { RootDatabase } from "lmdb";
import { formatOf, putFormat, putStep, stepOf } from "./number.ts";

type Environment = RootDatabase<Buffer, string>;

/** It meets rows as they lie on the disk: sealed, from format 4 on. */
export type Migration = Whole | Stepwise;

/** Brings the rows from the version before it to its own, in a transaction with its neighbours. */
export interface Whole {
  readonly to: number;
  readonly run: (db: Environment) => void;
}

/**
 * The same in bounded steps, a transaction each: from behind the key where the step before it ended
 * ("" at first) to the one that is given back, or undefined when nothing is left.
 */
export interface Stepwise {
  readonly to: number;
  readonly step: (db: Environment, after: string) => string | undefined;
}

export class DirectoryTooNew extends Error {
  constructor(found: number, known: number, hasSnapshot = false) {
    const remedy = hasSnapshot
      ? "Install the newer version again, or go back to what was before it: skein rollback."
      : "Install the newer version again.";
    super(
      `the data was written by a newer Skein (format ${found}); ` +
        `this one knows formats up to ${known}. ${remedy}`,
    );
  }
}

/** Formats count from 1, which is the one that needs no migration. */
export function newestFormat(migrations: readonly Migration[]): number {
  return migrations.reduce((newest, { to }) => Math.max(newest, to), 1);
}

/**
 * The format that is to be migrated, if any is; one whose migration was broken off counts as its
 * own. Refuses a newer one.
 */
export function olderFormat(
  db: Environment,
  migrations: readonly Migration[],
  hasSnapshot = false,
): number | undefined {
  const known = newestFormat(migrations);
  const found = formatOf(db);
  if (found === undefined || found === known) return undefined;
  if (found > known) throw new DirectoryTooNew(found, known, hasSnapshot);
  return found;
}

/** Killed anywhere, it goes on where it was: each of its transactions leaves a place to do so. */
export function migrate(db: Environment, migrations: readonly Migration[]): void {
  const known = newestFormat(migrations);
  const found = formatOf(db);
  if (found === undefined) return db.transactionSync(() => putFormat(db, known));
  const underWay = stepOf(db);
  olderFormat(db, migrations);
  const due = migrations.filter(({ to }) => to > found || to === underWay?.to);
  let whole: Whole[] = [];
  for (const migration of due.toSorted((a, b) => a.to - b.to)) {
    if ("run" in migration) {
      whole.push(migration);
      continue;
    }
    goAtOnce(db, whole);
    whole = [];
    goThrough(db, migration, underWay?.to === migration.to ? underWay.after : "");
  }
  goAtOnce(db, whole);
}

/** All of them or none. */
function goAtOnce(db: Environment, migrations: readonly Whole[]): void {
  if (migrations.length === 0) return;
  db.transactionSync(() => {
    for (const migration of migrations) migration.run(db);
    putFormat(db, newestFormat(migrations));
  });
}

/** From its first step on the format is the new one, so that no older version reads half of it. */
function goThrough(db: Environment, { to, step }: Stepwise, from: string): void {
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
