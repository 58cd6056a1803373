// Migration: adds checksums to rows of earlier formats.
import type { Migration } from "../format/migrate.ts";
import { AFTER, keyOf } from "../key.ts";
import { sealed } from "./checksum.ts";

const ROWS_AT_ONCE = 10_000;
const BYTES_AT_ONCE = 8 * 1_048_576;
/** Prefix 0 is the format number, which all versions must be able to read. */
const FIRST = keyOf(1, []);

export const sealRows: Migration = {
  to: 4,
  step(db, after) {
    const rows = [];
    let bytes = 0;
    const start = after === "" ? FIRST : `${after}\0`;
    for (const row of db.getRange({ start, end: AFTER, limit: ROWS_AT_ONCE })) {
      rows.push(row);
      if ((bytes += row.value.length) >= BYTES_AT_ONCE) break;
    }
    for (const { key, value } of rows) void db.put(key, sealed(value));
    return rows.at(-1)?.key;
  },
};
