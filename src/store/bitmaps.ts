// Stored bitmaps: sets of ids, a record a chunk, under a key of one or two ids.
import { chunkOf, offsetOf } from "./bitmap.ts";
import { hasOffset, withOffset, withoutOffset } from "./bitmap-forms.ts";
import type { BitmapSpec, BitmapWriter, Key } from "./declare.ts";
import { AFTER, chunkIn, chunkPart, keyOf } from "./key.ts";
import type { LayeredRows, RowReader } from "./rows.ts";

/** Over a writer's rows it writes; over a snapshot it is handed out as a BitmapReader only. */
export class Bitmaps implements BitmapWriter {
  constructor(
    private readonly spec: BitmapSpec,
    private readonly rows: RowReader & Partial<Pick<LayeredRows, "put">>,
  ) {}

  has(key: Key, id: number): boolean {
    return hasOffset(this.peek(key, chunkOf(id)), offsetOf(id));
  }

  chunk(key: Key, chunk: number): Uint8Array | undefined {
    return this.rows.get(keyOf(this.spec.prefix, key) + chunkPart(chunk));
  }

  peek(key: Key, chunk: number): Uint8Array | undefined {
    return this.rows.peek(keyOf(this.spec.prefix, key) + chunkPart(chunk));
  }

  *chunks(
    key: Key,
    { from = 0, to, reverse }: { from?: number; to?: number; reverse?: boolean } = {},
  ): Iterable<number> {
    const base = keyOf(this.spec.prefix, key);
    const end = base + (to === undefined ? AFTER : chunkPart(to + 1));
    for (const [at] of this.rows.range(base + chunkPart(from), end, reverse)) {
      yield chunkIn(at);
    }
  }

  add(key: Key, id: number): void {
    const at = keyOf(this.spec.prefix, key) + chunkPart(chunkOf(id));
    const before = this.rows.get(at);
    const after = withOffset(before, offsetOf(id));
    if (after !== before) this.rows.put!(at, after);
  }

  remove(key: Key, id: number): void {
    const at = keyOf(this.spec.prefix, key) + chunkPart(chunkOf(id));
    const before = this.rows.get(at);
    const after = withoutOffset(before, offsetOf(id));
    if (after !== before) this.rows.put!(at, after ?? null);
  }

  set(key: Key, chunk: number, bytes: Uint8Array | undefined): void {
    const at = keyOf(this.spec.prefix, key) + chunkPart(chunk);
    this.rows.put!(at, bytes ?? null);
  }
}
