// Creates readers and writers from a schema.
import { Bitmaps } from "../bitmap/table.ts";
import { CachedRecords, CachedTable } from "../cached.ts";
import type { Changes } from "./changes.ts";
import { codecOf } from "../codec.ts";
import type { Readers, Schema, Writers } from "../declare.ts";
import type { Layers } from "../layers.ts";
import type { LayeredRows, RowReader } from "../rows.ts";
import { RowTable } from "../table.ts";

interface TableContext {
  readonly committed: RowReader;
  readonly rows: LayeredRows;
  readonly layers: Layers;
  readonly changes: Changes;
  /** Callbacks of the store, which may be replaced later. */
  readonly hooks: {
    onDamage(error: Error): void;
    /** Returns the committed records of a derived table. */
    derive(table: string): Iterable<unknown>;
  };
}

interface CreatedTables<S extends Schema> {
  readonly reading: Readers<S>;
  readonly writing: Writers<S>;
  readonly cached: readonly CachedRecords<unknown>[];
}

export function makeTables<S extends Schema>(schema: S, under: TableContext): CreatedTables<S> {
  const { committed, rows, layers, changes, hooks } = under;
  const reading: Record<string, unknown> = {};
  const writing: Record<string, unknown> = {};
  const cached: CachedRecords<unknown>[] = [];
  const onDamage = (error: Error) => hooks.onDamage(error);
  for (const [name, spec] of Object.entries(schema.tables)) {
    const codec = codecOf<unknown>(spec.fields);
    const tableChanges = changes.of(name, spec);
    if (spec.cached) {
      const recordsOf = () => hooks.derive(name);
      const records = new CachedRecords(name, spec, codec, committed, onDamage, recordsOf);
      cached.push(records);
      reading[name] = new CachedTable(records);
      writing[name] = new CachedTable(records, layers, rows, tableChanges);
    } else {
      reading[name] = new RowTable(spec, codec, committed);
      writing[name] = new RowTable(spec, codec, rows, tableChanges);
    }
  }
  for (const [name, spec] of Object.entries(schema.bitmaps)) {
    reading[name] = new Bitmaps(spec, committed);
    writing[name] = new Bitmaps(spec, rows);
  }
  return { reading: reading as Readers<S>, writing: writing as Writers<S>, cached };
}
