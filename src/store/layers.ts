// What is written but not yet durable: two layers over the committed keys, and the way back.

export type Value = Uint8Array | null;

/** One cached table's uncommitted records, by primary key; null is a deleted one. */
export type RecordLayer = Map<string | number, unknown>;

/** Primary keys; a single one, as most are, by itself. */
type Traced = string | number | Set<string | number>;

/** The writes of one commit. A later write of the same key takes the place of the earlier. */
export class Layer {
  /** By the prefix of their keys, so that a range looks at no other table's rows. */
  readonly rows = new Map<number, Map<string, Value>>();
  readonly records = new Map<string, RecordLayer>();
  /** By index and group: primary keys of records that are, or were for a moment, in it. */
  readonly traces = new Map<string, Map<string | number, Traced>>();
  /** Rows that outlive a body that throws and a commit that fails. */
  readonly kept = new Map<string, Uint8Array>();
  /** A body that ended well has written, be it a number alone. */
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

  keep(key: string, value: Uint8Array): void {
    this.kept.set(key, value);
    this.rowsOf(key).set(key, value);
  }
}

function keysIn(traced: Traced | undefined): Set<string | number> {
  if (traced instanceof Set) return traced;
  return new Set(traced === undefined ? [] : [traced]);
}

const STEP = 3;
const outside = () => new Error("a write outside of a transaction");

/**
 * `filling` takes the writes of bodies that run now; `committing` is on its way to the disk. A body
 * that throws is undone by the journal: what each of its writes replaced in `filling`.
 */
export class Layers {
  filling = new Layer();
  committing: Layer | undefined;
  /** A map, a key of it and the value before, again and again. */
  private undoLog: unknown[] = [];
  private isTouched = false;
  /** Does a body run? Nothing is written at other times. */
  isOpen = false;

  /** The uncommitted value of a key: undefined when no layer has it, null when deleted. */
  row(key: string): Value | undefined {
    const value = this.filling.row(key);
    return value === undefined ? this.committing?.row(key) : value;
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

  /** The uncommitted records that may be in a group of an index, by primary key. */
  traced(index: string, group: string | number): Iterable<string | number> {
    const filling = this.filling.traces.get(index)?.get(group);
    const committing = this.committing?.traces.get(index)?.get(group);
    if (filling === undefined) return keysIn(committing);
    return committing === undefined ? keysIn(filling) : keysIn(committing).union(keysIn(filling));
  }

  /** Every uncommitted record of a table, the newest version of each. */
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

  /** The body counts as one that writes. */
  touch(): void {
    if (!this.isOpen) throw outside();
    this.isTouched = true;
  }

  /** Ends the body that began last; did it write anything? */
  end(): boolean {
    this.isOpen = false;
    const hasWritten = this.isTouched || this.undoLog.length > 0;
    if (hasWritten) this.filling.isWritten = true;
    return hasWritten;
  }

  /** Ends it as if it had not been. */
  undo(): void {
    this.isOpen = false;
    const { undoLog } = this;
    for (let at = undoLog.length - STEP; at >= 0; at -= STEP) {
      const [map, key, before] = [
        undoLog[at] as Map<unknown, unknown>,
        undoLog[at + 1],
        undoLog[at + 2],
      ];
      if (before === undefined) map.delete(key);
      else map.set(key, before);
    }
    this.undoLog = [];
  }

  /** A failed commit takes all that is not durable with it, but for what is kept. */
  abandon(): void {
    const next = new Layer();
    for (const layer of [this.committing, this.filling]) {
      for (const [key, value] of layer?.kept ?? []) next.keep(key, value);
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
