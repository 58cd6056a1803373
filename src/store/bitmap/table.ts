// Stored bitmaps: sets of ids, one record per chunk, under a key of one or two ids.
import type { BitmapSpec, BitmapWriter, ChunkRange, Key, SetReader } from "../declare.ts";
import { AFTER, chunkIn, chunkPart, KeyCache, keyOf } from "../key.ts";
import type { LayeredRows, RowReader } from "../rows.ts";
import { chunkOf, offsetOf } from "./bitmap.ts";
import { hasOffset, withOffset, withoutOffset } from "./encodings.ts";

/** Writes if its rows belong to a writer. Readers receive it only as a BitmapReader. */
export class Bitmaps implements BitmapWriter {
  /** Keys of the newest chunk that was written. */
  private keyCache: KeyCache | undefined;
  private newest = -1;

  constructor(
    private readonly spec: BitmapSpec,
    private readonly rows: RowReader & Partial<Pick<LayeredRows, "put">>,
  ) {}

  one(key: Key): SetReader {
    return new SingleSet(keyOf(this.spec.prefix, key), this.rows);
  }

  has(key: Key, id: number): boolean {
    return hasOffset(this.peek(key, chunkOf(id)), offsetOf(id));
  }

  chunk(key: Key, chunk: number): Uint8Array | undefined {
    return this.rows.get(this.chunkKey(key, chunk));
  }

  peek(key: Key, chunk: number): Uint8Array | undefined {
    return this.rows.peek(this.chunkKey(key, chunk));
  }

  *chunks(key: Key, range?: ChunkRange): Iterable<number> {
    for (const [chunk] of this.one(key).walk(range)) yield chunk;
  }

  add(key: Key, id: number): void {
    const chunk = chunkOf(id);
    if (chunk > this.newest) this.keepKeysOf(chunk);
    const chunkKey = this.chunkKey(key, chunk);
    const before = this.rows.get(chunkKey);
    const after = withOffset(before, offsetOf(id));
    if (after !== before) this.rows.put!(chunkKey, after);
  }

  remove(key: Key, id: number): void {
    const chunkKey = this.chunkKey(key, chunkOf(id));
    const before = this.rows.get(chunkKey);
    const after = withoutOffset(before, offsetOf(id));
    if (after !== before) this.rows.put!(chunkKey, after ?? null);
  }

  set(key: Key, chunk: number, bytes: Uint8Array | undefined): void {
    this.rows.put!(this.chunkKey(key, chunk), bytes ?? null);
  }

  private keepKeysOf(chunk: number): void {
    const part = chunkPart(chunk);
    this.keyCache = new KeyCache((n) => keyOf(this.spec.prefix, [n]) + part);
    this.newest = chunk;
  }

  private chunkKey(key: Key, chunk: number): string {
    const [first] = key;
    if (chunk === this.newest && key.length === 1 && typeof first === "number") {
      return this.keyCache!.of(first);
    }
    return keyOf(this.spec.prefix, key) + chunkPart(chunk);
  }
}

class SingleSet implements SetReader {
  constructor(
    private readonly base: string,
    private readonly rows: RowReader,
  ) {}

  has(id: number): boolean {
    return hasOffset(this.peek(chunkOf(id)), offsetOf(id));
  }

  peek(chunk: number): Uint8Array | undefined {
    return this.rows.peek(this.base + chunkPart(chunk));
  }

  *walk({ from = 0, to, reverse }: ChunkRange = {}): Iterable<[number, Uint8Array]> {
    const { base } = this;
    const end = base + (to === undefined ? AFTER : chunkPart(to + 1));
    for (const [chunkKey, bytes] of this.rows.range(base + chunkPart(from), end, reverse)) {
      yield [chunkIn(chunkKey), bytes];
    }
  }
}
