// Encrypted unsent texts of signed-out accounts on this device.
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { DAY_MS } from "../../../contract/units.ts";
import { orUndefined } from "../../api/session.ts";
import { closeForUpgrade } from "../databases.ts";
import type { SealedText } from "./seal.ts";

interface SealedRow extends SealedText {
  readonly user_id: number;
  /** In milliseconds since 1970. */
  readonly made: number;
}

interface SealedLayout extends DBSchema {
  sealed: { key: number; value: SealedRow };
}

/** Texts of accounts that do not sign in again within this time are deleted. */
const SEALED_AGE_MS_MAX = 90 * DAY_MS;
/** For all accounts. The oldest are deleted first. */
const SEALED_ROWS_MAX = 20;
const DATABASE = "skein-sealed";
/** If it is missing, starts need not open the database. */
const MARK = "skein.sealed";

const open = (): Promise<IDBPDatabase<SealedLayout>> =>
  openDB<SealedLayout>(DATABASE, 1, {
    upgrade: (created) => void created.createObjectStore("sealed", { autoIncrement: true }),
    blocking: closeForUpgrade,
  });

export const isAnythingSealed = (): boolean =>
  Boolean(orUndefined(() => localStorage.getItem(MARK)));

export async function storeSealed(row: SealedRow): Promise<void> {
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
 * Calls `restore` with each row of the account, oldest first, and deletes the row afterwards. If
 * `restore` throws, this row and later ones are kept.
 */
export async function takeStoredSealed(
  user_id: number,
  now: number,
  restore: (row: SealedRow) => Promise<void>,
): Promise<void> {
  const db = await open();
  try {
    await expire(db, now, SEALED_ROWS_MAX);
    const [keys, rows] = await Promise.all([db.getAllKeys("sealed"), db.getAll("sealed")]);
    let remaining = rows.length;
    for (const [index, row] of rows.entries()) {
      if (row.user_id !== user_id) continue;
      await restore(row);
      await db.delete("sealed", keys[index]!);
      remaining -= 1;
    }
    if (remaining === 0) localStorage.removeItem(MARK);
  } finally {
    db.close();
  }
}

/** If the clock was set back, nothing is deleted. */
async function expire(db: IDBPDatabase<SealedLayout>, now: number, max: number): Promise<void> {
  const [keys, rows] = await Promise.all([db.getAllKeys("sealed"), db.getAll("sealed")]);
  const excess = rows.length - max;
  for (const [index, { made: created }] of rows.entries()) {
    if (index < excess || now - created > SEALED_AGE_MS_MAX)
      await db.delete("sealed", keys[index]!);
  }
}
