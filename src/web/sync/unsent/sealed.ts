// The encrypted unsent texts on this device, of accounts that are signed out.
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { DAY_MS } from "../../../contract/units.ts";
import { attempt } from "../../api/session.ts";
import type { Sealed } from "./seal.ts";

export interface SealedRow extends Sealed {
  readonly user_id: number;
  /** In milliseconds since 1970. */
  readonly made: number;
}

interface Layout extends DBSchema {
  sealed: { key: number; value: SealedRow };
}

/** If the account has not signed in again until then, its texts are deleted. */
export const SEALED_AGE_MS_MAX = 90 * DAY_MS;
/** For all accounts. The oldest are deleted first. */
export const SEALED_ROWS_MAX = 20;
const DATABASE = "skein-sealed";
/** Its existence saves the others from opening the database at each start. */
const MARK = "skein.sealed";

const open = (): Promise<IDBPDatabase<Layout>> =>
  openDB<Layout>(DATABASE, 1, {
    upgrade: (made) => void made.createObjectStore("sealed", { autoIncrement: true }),
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });

export const isAnythingSealed = (): boolean => Boolean(attempt(() => localStorage.getItem(MARK)));

export async function keepSealed(row: SealedRow): Promise<void> {
  localStorage.setItem(MARK, "1");
  const db = await open();
  try {
    await expire(db, row.made, SEALED_ROWS_MAX - 1);
    await db.add("sealed", row);
  } finally {
    db.close();
  }
}

/**
 * Calls `restore` with each row of the account, the oldest first, and deletes the row after it.
 * If `restore` throws, the row and those after it stay for the next time.
 */
export async function takeSealed(
  user_id: number,
  now: number,
  restore: (row: SealedRow) => Promise<void>,
): Promise<void> {
  const db = await open();
  try {
    await expire(db, now, SEALED_ROWS_MAX);
    const [keys, rows] = await Promise.all([db.getAllKeys("sealed"), db.getAll("sealed")]);
    let left = rows.length;
    for (const [at, row] of rows.entries()) {
      if (row.user_id !== user_id) continue;
      await restore(row);
      await db.delete("sealed", keys[at]!);
      left -= 1;
    }
    if (left === 0) localStorage.removeItem(MARK);
  } finally {
    db.close();
  }
}

/** A clock that was set back by as much deletes nothing. */
async function expire(db: IDBPDatabase<Layout>, now: number, most: number): Promise<void> {
  const [keys, rows] = await Promise.all([db.getAllKeys("sealed"), db.getAll("sealed")]);
  const spare = rows.length - most;
  for (const [at, { made }] of rows.entries()) {
    if (at < spare || now - made > SEALED_AGE_MS_MAX) await db.delete("sealed", keys[at]!);
  }
}
