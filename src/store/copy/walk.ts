// Walks a database from end to end: every row whole, decodable, in its place, and found.
import type { RootDatabase } from "lmdb";
import { decodeChunk } from "../bitmap/forms.ts";
import { type Codec, codecOf, plain } from "../codec.ts";
import type { Key, Schema, TableSpec } from "../declare.ts";
import type { IndexFaults } from "./mend.ts";
import { JOURNAL_PREFIX } from "../journal.ts";
import { AFTER, keyOf } from "../key.ts";
import type { Value } from "../layers.ts";
import { placesOf } from "../places.ts";
import { unsealed } from "../seal/seal.ts";
import { SEQUENCES_PREFIX } from "../sequences.ts";
import { indexKeys } from "../table.ts";
import { formatOf } from "../format/number.ts";
import { closeRaw, openRaw } from "./reading.ts";

export interface Walked {
  format: number;
  /** How many records each table has that has any. */
  counts: Record<string, number>;
  /** What is wrong, in words; the first hundred of it. */
  damage: string[];
  /** Of that, what indexes alone have wrong. */
  indexes: IndexFaults;
  /** Of that, rows whose bytes are not those that were written. */
  unreadable: UnreadableRow[];
}

export interface UnreadableRow {
  readonly key: string;
  /** What people call it: its table, and its key there. */
  readonly place: string;
  readonly bytes: Uint8Array;
}

type Rows = Map<string, Value>;
type AnyTable = TableSpec<Record<string, unknown>>;
type Db = RootDatabase<Buffer, string>;

const ROWS_AT_ONCE = 200;
const DAMAGE_MAX = 100;
const INDEX_FAULTS_MAX = 10_000;

/** `rest` is awaited again and again, so that others have their turn. */
export async function walkDatabase(
  path: string,
  schema: Schema,
  rest: () => Promise<unknown> = turn,
): Promise<Walked> {
  const db = openRaw(path);
  try {
    const walk = new Walk(db, schema);
    await walk.run(rest);
    const { counts, damage, indexes, unreadable } = walk;
    return { format: formatOf(db) ?? 0, counts, damage, indexes, unreadable };
  } finally {
    await closeRaw(db, path);
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

interface Known {
  name: string;
  spec: AnyTable;
  codec: Codec<Record<string, unknown>>;
}

class Walk {
  readonly counts: Record<string, number> = {};
  readonly damage: string[] = [];
  readonly indexes: IndexFaults = { strays: [], lost: [] };
  readonly unreadable: UnreadableRow[] = [];
  private readonly journal: Rows = new Map();
  private readonly tables = new Map<number, Known>();
  /** By the prefix of an index, that of the rows it leads to. */
  private readonly leads = new Map<number, number>();
  private readonly bitmaps = new Set<number>();
  private readonly placeOf: (key: string) => string;

  constructor(
    private readonly db: Db,
    schema: Schema,
  ) {
    this.placeOf = placesOf(schema);
    for (const [name, spec] of Object.entries(schema.tables) as [string, AnyTable][]) {
      const { prefix } = spec.rows ?? spec;
      this.tables.set(prefix, { name, spec, codec: codecOf(spec.fields) });
      for (const index of Object.values(spec.indexes)) {
        if (!spec.cached && index.prefix !== undefined) this.leads.set(index.prefix, prefix);
      }
    }
    for (const { prefix } of Object.values(schema.bitmaps)) this.bitmaps.add(prefix);
  }

  async run(rest: () => Promise<unknown>): Promise<void> {
    for await (const rows of this.pages(keyOf(JOURNAL_PREFIX, []), rest)) {
      for (const { key, value } of rows) this.guarded(key, () => this.enter(value));
    }
    for await (const rows of this.pages(FIRST, rest)) {
      for (const { key, value } of rows) {
        if (key.charCodeAt(0) === JOURNAL_PREFIX || this.journal.has(key)) continue;
        const bytes = unsealed(value);
        if (bytes) this.guarded(key, () => this.look(key, bytes));
        else this.setDown(key, value);
      }
    }
    for (const [key, value] of this.journal) {
      if (value) this.guarded(key, () => this.look(key, value));
    }
  }

  private async *pages(from: string, rest: () => Promise<unknown>) {
    for (let start = from, isLast = false; !isLast;) {
      const rows = [...this.db.getRange({ start, end: AFTER, limit: ROWS_AT_ONCE })];
      yield rows;
      isLast = rows.length < ROWS_AT_ONCE;
      if (!isLast) start = `${rows.at(-1)!.key}\0`;
      await rest();
    }
  }

  private enter(row: Uint8Array): void {
    const bytes = unsealed(row);
    if (!bytes) throw new Error("is damaged");
    const entry = plain.decode(bytes) as (string | Value)[];
    for (let at = 0; at < entry.length; at += 2) {
      this.journal.set(entry[at] as string, entry[at + 1] as Value);
    }
  }

  private look(key: string, bytes: Uint8Array): void {
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
      if (typeof plain.decode(bytes) !== "number") throw new Error("is no number");
    } else if (this.bitmaps.has(prefix)) decodeChunk(bytes);
  }

  private lookAtRecord({ name, spec, codec }: Known, key: string, bytes: Uint8Array): void {
    const record = codec.decode(bytes);
    const { prefix, key: fields } = spec.rows ?? spec;
    if (keyOf(prefix, fields.map((field) => record[field]) as Key) !== key) {
      throw new Error("is in the place of another record");
    }
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    if (spec.cached) return;
    for (const [index, keys] of indexKeys(spec, record, key.slice(1))) {
      if (keys.every((at) => this.has(at))) continue;
      this.note(this.indexes.lost, key);
      throw new Error(`is not found by ${index}`);
    }
  }

  private has(key: string): boolean {
    const above = this.journal.get(key);
    return above === undefined ? this.db.doesExist(key) : above !== null;
  }

  private guarded(key: string, look: () => void): void {
    try {
      look();
    } catch (error) {
      this.complain(key, (error as Error).message);
    }
  }

  private note(keys: string[], key: string): void {
    if (keys.length < INDEX_FAULTS_MAX) keys.push(key);
  }

  private setDown(key: string, value: Uint8Array): void {
    if (this.unreadable.length < DAMAGE_MAX) {
      this.unreadable.push({ key, place: this.placeOf(key), bytes: Uint8Array.from(value) });
    }
    this.complain(key, "is damaged");
  }

  private complain(key: string, words: string): void {
    if (this.damage.length === DAMAGE_MAX) return;
    this.damage.push(`${this.placeOf(key)} ${words}`);
  }
}

/** Prefix 0 is the version. */
const FIRST = keyOf(1, []);
