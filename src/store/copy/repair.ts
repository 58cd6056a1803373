// Repairs indexes that do not match their records, and removes unreadable rows.
import { codecOf } from "../codec.ts";
import type { Schema, TableSpec } from "../declare.ts";
import type { LayeredRows } from "../rows.ts";
import { RowDamaged } from "../checksums/checksum.ts";
import { indexKeys } from "../table.ts";

type AnyTableSpec = TableSpec<Record<string, unknown>>;

/** Faults by row key. */
export interface IndexFaults {
  /** Index rows that point to no record. */
  strays: string[];
  /** Records that are missing in an index. */
  lost: string[];
  /** Unreadable rows to remove. The caller has saved their bytes. */
  unreadable?: string[];
}

/**
 * Runs inside a transaction. A copy's faults may have changed since, so everything is checked
 * again.
 */
export function repairIndexes(
  rows: LayeredRows,
  schema: Schema,
  { strays, lost, unreadable = [] }: IndexFaults,
): void {
  for (const key of unreadable) if (isDamaged(rows, key)) rows.put(key, null);
  const tables = Object.values(schema.tables) as AnyTableSpec[];
  for (const key of strays) {
    const prefix = key.charCodeAt(0);
    const owner = tables.find(({ indexes }) => {
      return Object.values(indexes).some((index) => index.prefix === prefix);
    });
    const pointer = rows.get(key);
    if (!owner || !pointer) continue;
    const record = String.fromCharCode(owner.prefix) + Buffer.from(pointer).toString("latin1");
    if (rows.peek(record) === undefined) rows.put(key, null);
  }
  for (const key of lost) {
    const spec = tables.find(({ prefix, cached }) => !cached && prefix === key.charCodeAt(0));
    const bytes = spec && rows.get(key);
    if (bytes)
      point(rows, spec, codecOf<Record<string, unknown>>(spec.fields).decode(bytes), key.slice(1));
  }
}

function isDamaged(rows: LayeredRows, key: string): boolean {
  try {
    rows.peek(key);
    return false;
  } catch (error) {
    if (error instanceof RowDamaged) return true;
    throw error;
  }
}

function point(
  rows: LayeredRows,
  spec: AnyTableSpec,
  record: Record<string, unknown>,
  primary: string,
): void {
  for (const [, keys] of indexKeys(spec, record, primary)) {
    for (const indexKey of keys) {
      if (rows.peek(indexKey) === undefined) rows.put(indexKey, Buffer.from(primary, "latin1"));
    }
  }
}
