// Migrations by number: an older directory is brought up to date, a newer one refused.
import type { RootDatabase } from "lmdb";
import { plain } from "./codec.ts";

type Environment = RootDatabase<Buffer, string>;

/** Brings the rows from the version before it to its own, in one transaction with all others. */
export interface Migration {
  readonly to: number;
  readonly run: (db: Environment) => void;
}

export class DirectoryTooNew extends Error {
  constructor(found: number, known: number) {
    super(
      `the data was written by a newer Skein (format ${found}); ` +
        `this one knows formats up to ${known}. Install the newer version again.`,
    );
  }
}

/** Formats count from 1, which is the one that needs no migration. */
export function migrate(db: Environment, key: string, migrations: readonly Migration[]): void {
  const known = migrations.reduce((newest, { to }) => Math.max(newest, to), 1);
  const bytes = db.getBinary(key);
  const found = bytes ? (plain.decode(bytes) as number) : undefined;
  if (found === known) return;
  if (found !== undefined && found > known) throw new DirectoryTooNew(found, known);
  const due = migrations.filter(({ to }) => found !== undefined && to > found);
  db.transactionSync(() => {
    for (const migration of due.toSorted((a, b) => a.to - b.to)) migration.run(db);
    void db.put(key, plain.encode(known) as Buffer);
  });
}
