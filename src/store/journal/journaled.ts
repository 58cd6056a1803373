// Determines which rows go through the journal.

/** Reads a range of a prefix; bitmaps are grouped by set. */
export type Kind = "rows" | "bitmap";

interface Declared {
  readonly tables: Readonly<Record<string, { prefix: number; journaled?: boolean }>>;
  readonly bitmaps: Readonly<Record<string, { prefix: number }>>;
}

/**
 * The prefixes whose rows go through the journal: sequences, bitmaps, and tables that are declared
 * so.
 */
export function journaledIn(
  { tables, bitmaps }: Declared,
  sequences: number,
): ReadonlyMap<number, Kind> {
  const kinds = new Map<number, Kind>([[sequences, "rows"]]);
  for (const spec of Object.values(tables)) if (spec.journaled) kinds.set(spec.prefix, "rows");
  for (const spec of Object.values(bitmaps)) kinds.set(spec.prefix, "bitmap");
  return kinds;
}
