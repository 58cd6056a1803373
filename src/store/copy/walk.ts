// Reads a complete database and checks that every row is intact, decodable and correctly indexed.
import type { RootDatabase } from "lmdb";
import { yieldToEventLoop } from "../../async/yield.ts";
import { emptyChunk } from "../bitmap/bitmap.ts";
import { isChanges } from "../bitmap/changes.ts";
import { decodeChunk } from "../bitmap/encodings.ts";
import { type Codec, codecOf, msgpack } from "../codec.ts";
import type { Key, Schema, TableSpec } from "../declare.ts";
import { numberOfWhole } from "../fields.ts";
import type { IndexFaults } from "./repair.ts";
import { JOURNAL_PREFIX } from "../journal/entries.ts";
import { AFTER, keyOf } from "../key.ts";
import type { Value } from "../layers.ts";
import { placesOf } from "../row-names.ts";
import { type Lent, unsealed } from "../checksums/checksum.ts";
import { SEQUENCES_PREFIX } from "../sequences.ts";
import { rejectDamaged } from "../structure/reject-damaged.ts";
import { indexKeys } from "../table.ts";
import { formatOf } from "../format/number.ts";
import { closeRaw, openLending } from "./read-only.ts";

export interface Walked {
  format: number;
  /** Number of records by table, without empty tables. */
  counts: Record<string, number>;
  /** Messages about the first hundred faults. */
  damage: string[];
  /** Faults of indexes only. */
  indexes: IndexFaults;
  /** Rows with a wrong checksum. */
  unreadable: UnreadableRow[];
}

export interface UnreadableRow {
  readonly key: string;
  /** The table and key as text. */
  readonly place: string;
  readonly bytes: Uint8Array;
}

type RowsByKey = Map<string, Value>;
type AnyTableSpec = TableSpec<Record<string, unknown>>;
type Db = RootDatabase<Lent, string>;

const ROWS_AT_ONCE = 200;
const DAMAGE_MAX = 100;
const INDEX_FAULTS_MAX = 10_000;

/**
 * Throws if the file has damaged pages. `rest` is awaited between steps, so that other work can
 * run.
 */
export async function walkDatabase(
  path: string,
  schema: Schema,
  rest: () => Promise<unknown> = yieldToEventLoop,
): Promise<Walked> {
  rejectDamaged(path);
  return walkRows(path, schema, rest);
}

/** Like `walkDatabase`, if the pages were checked before. */
export async function walkRows(
  path: string,
  schema: Schema,
  rest: () => Promise<unknown> = yieldToEventLoop,
): Promise<Walked> {
  const db = openLending(path);
  try {
    const walk = new DatabaseWalk(db, schema);
    await walk.run(rest);
    const { counts, damage, indexes, unreadable } = walk;
    return { format: formatOf(db) ?? 0, counts, damage, indexes, unreadable };
  } finally {
    await closeRaw(db, path);
  }
}

interface KnownTable {
  name: string;
  spec: AnyTableSpec;
  codec: Codec<Record<string, unknown>>;
  isIndexed: boolean;
  /**
   * Whether the key is one field, the first of the record, so that the rest need not be decoded.
   */
  isNumbered: boolean;
}

class DatabaseWalk {
  readonly counts: Record<string, number> = {};
  readonly damage: string[] = [];
  readonly indexes: IndexFaults = { strays: [], lost: [] };
  readonly unreadable: UnreadableRow[] = [];
  private readonly journal: RowsByKey = new Map();
  private readonly tables = new Map<number, KnownTable>();
  /** The prefix of the rows that an index points to, by the prefix of the index. */
  private readonly leads = new Map<number, number>();
  private readonly bitmaps = new Set<number>();
  private readonly chunk = emptyChunk();
  private readonly placeOf: (key: string) => string;

  constructor(
    private readonly db: Db,
    schema: Schema,
  ) {
    this.placeOf = placesOf(schema);
    for (const [name, spec] of Object.entries(schema.tables) as [string, AnyTableSpec][]) {
      const { prefix, key } = spec.rows ?? spec;
      const isIndexed = !spec.cached && Object.keys(spec.indexes).length > 0;
      const isNumbered = !isIndexed && key.length === 1 && key[0] === spec.fields[0];
      this.tables.set(prefix, { name, spec, codec: codecOf(spec.fields), isIndexed, isNumbered });
      for (const index of Object.values(spec.indexes)) {
        if (!spec.cached && index.prefix !== undefined) this.leads.set(index.prefix, prefix);
      }
    }
    for (const { prefix } of Object.values(schema.bitmaps)) this.bitmaps.add(prefix);
  }

  async run(rest: () => Promise<unknown>): Promise<void> {
    await this.each(keyOf(JOURNAL_PREFIX, []), rest, (row) => this.enter(row));
    await this.each(FIRST, rest, (row, key) => {
      if (key.charCodeAt(0) === JOURNAL_PREFIX || this.journal.has(key)) return;
      const bytes = unsealed(row.bytes, row.length);
      if (bytes) this.visitRow(key, bytes);
      else this.recordFault(key, row);
    });
    for (const [key, value] of this.journal) {
      if (value) this.skipDamaged(key, value, (bytes) => this.visitRow(key, bytes));
    }
  }

  private async each(
    from: string,
    rest: () => Promise<unknown>,
    onRow: (row: Lent, key: string) => void,
  ): Promise<void> {
    for (let start = from, isLast = false; !isLast;) {
      let count = 0;
      for (const { key, value } of this.db.getRange({ start, end: AFTER, limit: ROWS_AT_ONCE })) {
        this.skipDamaged(key, value, onRow);
        count++;
        start = key;
      }
      isLast = count < ROWS_AT_ONCE;
      start += "\0";
      await rest();
    }
  }

  private enter(row: Lent): void {
    const bytes = unsealed(row.bytes, row.length);
    if (!bytes) throw new Error("is damaged");
    const entry = msgpack.decode(bytes) as (string | Value)[];
    for (let index = 0; index < entry.length; index += 2) {
      const [key, value] = [entry[index] as string, entry[index + 1] as Value];
      // A journal entry with changes requires that the row that they change is checked: in the
      // table, or earlier in the journal.
      const areChanges = value && this.bitmaps.has(key.charCodeAt(0)) && isChanges(value);
      if (!areChanges) this.journal.set(key, value);
    }
  }

  private visitRow(key: string, bytes: Uint8Array): void {
    const prefix = key.charCodeAt(0);
    const table = this.tables.get(prefix);
    if (table) return this.lookAtRecord(table, key, bytes);
    const leadsTo = this.leads.get(prefix);
    if (leadsTo !== undefined) {
      const record = String.fromCharCode(leadsTo) + Buffer.from(bytes).toString("latin1");
      if (this.has(record)) return;
      this.note(this.indexes.strays, key);
      throw new Error("leads to nothing");
    } else if (prefix === SEQUENCES_PREFIX) {
      if (typeof msgpack.decode(bytes) !== "number") throw new Error("is no number");
    } else if (this.bitmaps.has(prefix)) decodeChunk(bytes, this.chunk);
  }

  private lookAtRecord(table: KnownTable, key: string, bytes: Uint8Array): void {
    const { name, spec, codec, isIndexed, isNumbered } = table;
    const { prefix, key: fields } = spec.rows ?? spec;
    // Fast path for most rows: checks the encoding without decoding; faulty records are decoded for
    // the message.
    const number = isNumbered ? numberOfWhole(bytes) : undefined;
    if (number !== undefined && keyOf(prefix, [number]) === key) return this.count(name);
    const record = codec.decode(bytes);
    if (keyOf(prefix, fields.map((field) => record[field]) as Key) !== key) {
      throw new Error("is in the place of another record");
    }
    this.count(name);
    if (!isIndexed) return;
    for (const [index, keys] of indexKeys(spec, record, key.slice(1))) {
      if (keys.every((indexKey) => this.has(indexKey))) continue;
      this.note(this.indexes.lost, key);
      throw new Error(`is not found by ${index}`);
    }
  }

  private count(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }

  private has(key: string): boolean {
    const above = this.journal.get(key);
    return above === undefined ? this.db.doesExist(key) : above !== null;
  }

  private skipDamaged<T>(key: string, row: T, onRow: (row: T, key: string) => void): void {
    try {
      onRow(row, key);
    } catch (error) {
      this.complain(key, (error as Error).message);
    }
  }

  private note(keys: string[], key: string): void {
    if (keys.length < INDEX_FAULTS_MAX) keys.push(key);
  }

  private recordFault(key: string, { bytes: row, length }: Lent): void {
    if (this.unreadable.length < DAMAGE_MAX) {
      const bytes = Uint8Array.from(row.subarray(0, length));
      this.unreadable.push({ key, place: this.placeOf(key), bytes });
    }
    this.complain(key, "is damaged");
  }

  private complain(key: string, text: string): void {
    if (this.damage.length === DAMAGE_MAX) return;
    this.damage.push(`${this.placeOf(key)} ${text}`);
  }
}

/** Prefix 0 is the version. */
const FIRST = keyOf(1, []);
