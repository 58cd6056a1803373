// The check after an unclean stop: the pages of the file, then its rows.
import { statSync } from "node:fs";
import { walkRows } from "../copy/walk.ts";
import { closeRaw, openRaw } from "../copy/read-only.ts";
import type { Schema } from "../declare.ts";
import { formatOf } from "../format/number.ts";
import { rejectDamaged } from "./reject-damaged.ts";

/** Takes a second or two if most pages are in memory. */
const PAGES_MAX = 1_000_000;
const PAGES_MS_MAX = 20_000;
/** Rows of larger files are left to doctor and backups; checking this much takes a second. */
const ROWS_BYTES_MAX = 256 * 1_048_576;

interface Examining {
  readonly schema: Schema;
  /**
   * The format whose rows can be compared; data of older formats is checked by migrating a copy.
   */
  readonly format: number;
  /** Compares rows, with rules that only the schema knows. */
  readonly compare?: ((path: string) => Promise<string[]>) | undefined;
}

export interface Examined {
  /** Messages about damaged rows. The other rows can be used. */
  readonly damage: readonly string[];
  /** A message about the unchecked parts, if the file is too large. */
  readonly skipped: string | undefined;
}

/**
 * Throws if the file cannot be opened. The caller has exclusive access, and the file is not empty.
 */
export async function examine(path: string, options: Examining): Promise<Examined> {
  const limits = { pages_max: PAGES_MAX, ms_max: PAGES_MS_MAX, now: () => performance.now() };
  const pages = rejectDamaged(path, limits);
  const problems: string[] = [];
  if (pages > 0) problems.push(`${pages} pages of the database`);
  const isLarge = statSync(path).size > ROWS_BYTES_MAX;
  if (isLarge) problems.push("the rows of the database");
  const skipped = problems.length === 0 ? undefined : problems.join(" and ");
  if (isLarge || (await formatAt(path)) !== options.format) return { damage: [], skipped };
  const { damage } = await walkRows(path, options.schema);
  return { damage: [...damage, ...((await options.compare?.(path)) ?? [])], skipped };
}

async function formatAt(path: string): Promise<number | undefined> {
  const db = openRaw(path);
  try {
    return formatOf(db);
  } finally {
    await closeRaw(db, path);
  }
}
