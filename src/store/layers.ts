// Uncommitted writes: two layers over the committed keys, and their undo log.

export type Value = Uint8Array | null;

/** Uncommitted records of a cached table by primary key; null for a deleted one. */
export type RecordLayer = Map<string | number, unknown>;

/** Primary keys; usually a single one, which is stored directly. */
type TracedValue = string | number | Set<string | number>;

/** The writes of one commit. A later write replaces an earlier write of the same key. */
export class Layer {
  /** Keyed by key prefix, so that a range reads only the rows of its table. */
  readonly rows = new Map<number, Map<string, Value>>();
  readonly records = new Map<string, RecordLayer>();
  /** Primary keys of records that are, or temporarily were, in a group, by index and group. */
  readonly traces = new Map<string, Map<string | number, TracedValue>>();
  /** Rows that are kept when a transaction throws or a commit fails. */
  readonly kept = new Map<string, Uint8Array>();
  /** True if a successful transaction has written, even only a sequence number. */
  isWritten = false;

  get isEmpty(): boolean {
    for (const rows of this.rows.values()) if (rows.size > 0) return false;
    return true;
  }

  rowsOf(key: string): Map<string, Value> {
    const prefix = key.charCodeAt(0);
    let rows = this.rows.get(prefix);
    if (!rows) this.rows.set(prefix, (rows = new Map()));
    return rows;
  }

  row(key: string): Value | undefined {
    return this.rows.get(key.charCodeAt(0))?.get(key);
  }

  recordsOf(table: string): RecordLayer {
    let layer = this.records.get(table);
    if (!layer) this.records.set(table, (layer = new Map()));
    return layer;
  }

  trace(index: string, group: string | number, key: string | number): void {
    let groups = this.traces.get(index);
    if (!groups) this.traces.set(index, (groups = new Map()));
    const keys = groups.get(group);
    if (keys instanceof Set) keys.add(key);
    else if (keys === undefined) groups.set(group, key);
    else if (keys !== key) groups.set(group, new Set([keys, key]));
  }

  add(key: string, value: Uint8Array): void {
    this.kept.set(key, value);
    this.rowsOf(key).set(key, value);
  }
}

function keysIn(traced: TracedValue | undefined): Set<string | number> {
  if (traced instanceof Set) return traced;
  return new Set(traced === undefined ? [] : [traced]);
}

const STEP = 3;
const outside = () => new Error("a write outside of a transaction");

/**
 * `filling` collects the writes of current transactions; `committing` is being written to disk. If
 * a transaction throws, the undo log restores what each of its writes replaced in `filling`.
 */
export class Layers {
  filling = new Layer();
  committing: Layer | undefined;
  /** Repeated triples: a map, a key and the previous value. */
  private undoLog: unknown[] = [];
  private isTouched = false;
  /** True while a transaction runs. Writes are not allowed otherwise. */
  isOpen = false;

  /** The uncommitted value of a key: undefined if there is none, null if deleted. */
  row(key: string): Value | undefined {
    const value = this.filling.row(key);
    return value === undefined ? this.committing?.row(key) : value;
  }

  ofPrefix(prefix: number): Iterable<[string, Value]> {
    const filling = this.filling.rows.get(prefix);
    const committing = this.committing?.rows.get(prefix);
    if (!committing?.size) return filling ?? [];
    return filling?.size ? new Map([...committing, ...filling]) : committing;
  }

  putRow(key: string, value: Value): void {
    this.set(this.filling.rowsOf(key), key, value);
  }

  record(table: string, key: string | number): unknown {
    const record = this.filling.records.get(table)?.get(key);
    return record === undefined ? this.committing?.records.get(table)?.get(key) : record;
  }

  putRecord(table: string, key: string | number, record: unknown): void {
    this.set(this.filling.recordsOf(table), key, record);
  }

  hasRecords(table: string): boolean {
    const committing = this.committing?.records.get(table)?.size ?? 0;
    return committing > 0 || (this.filling.records.get(table)?.size ?? 0) > 0;
  }

  /** Uncommitted records that may be in a group of an index, by primary key. */
  traced(index: string, group: string | number): Iterable<string | number> {
    const filling = this.filling.traces.get(index)?.get(group);
    const committing = this.committing?.traces.get(index)?.get(group);
    if (filling === undefined) return keysIn(committing);
    return committing === undefined ? keysIn(filling) : keysIn(committing).union(keysIn(filling));
  }

  /** All uncommitted records of a table in their newest version. */
  recordsOf(table: string): RecordLayer | undefined {
    const filling = this.filling.records.get(table);
    const committing = this.committing?.records.get(table);
    if (!filling?.size) return committing;
    if (!committing?.size) return filling;
    return new Map([...committing, ...filling]);
  }

  begin(): void {
    if (this.undoLog.length > 0) this.undoLog = [];
    this.isTouched = false;
    this.isOpen = true;
  }

  /** Marks the transaction as one that writes. */
  touch(): void {
    if (!this.isOpen) throw outside();
    this.isTouched = true;
  }

  /** Ends the current transaction and returns whether it wrote anything. */
  end(): boolean {
    this.isOpen = false;
    const hasWritten = this.isTouched || this.undoLog.length > 0;
    if (hasWritten) this.filling.isWritten = true;
    return hasWritten;
  }

  /** Rolls back the current transaction. */
  undo(): void {
    this.isOpen = false;
    const { undoLog } = this;
    for (let index = undoLog.length - STEP; index >= 0; index -= STEP) {
      const [map, key, before] = [
        undoLog[index] as Map<unknown, unknown>,
        undoLog[index + 1],
        undoLog[index + 2],
      ];
      if (before === undefined) map.delete(key);
      else map.set(key, before);
    }
    this.undoLog = [];
  }

  /** After a failed commit: drops all uncommitted writes, except the kept rows. */
  abandon(): void {
    const next = new Layer();
    for (const layer of [this.committing, this.filling]) {
      for (const [key, value] of layer?.kept ?? []) next.add(key, value);
    }
    this.committing = undefined;
    this.filling = next;
  }

  private set<K, V>(map: Map<K, V>, key: K, value: V): void {
    if (!this.isOpen) throw outside();
    this.undoLog.push(map, key, map.get(key));
    map.set(key, value);
  }
}
