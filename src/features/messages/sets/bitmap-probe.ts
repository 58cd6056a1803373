// Checks ids in one stored bitmap, and caches which chunks are empty.
import { chunkOf } from "../../../store/bitmap/bitmap.ts";
import type { BitmapReader, Key, SetReader } from "../../../store/declare.ts";

/** Listing this many chunks costs less than as many lookups. */
const CHUNKS_LISTED_MAX = 4;
/** Below this number of lookups, listing the chunks is not worthwhile. */
const LOOKUPS_MIN = 4;

/** Valid during one synchronous operation in which the bitmap does not change. */
export class BitmapProbe {
  private lookups = 0;
  /** All non-empty chunks, if there are few. */
  private ids: ReadonlySet<number> | undefined;

  private readonly bits: SetReader;

  constructor(bitmap: BitmapReader, key: Key) {
    this.bits = bitmap.one(key);
  }

  has(id: number): boolean {
    return this.couldContain(chunkOf(id)) && this.bits.has(id);
  }

  /** Returns false if chunk `n` is empty. */
  couldContain(n: number): boolean {
    if (this.lookups <= LOOKUPS_MIN && this.lookups++ === LOOKUPS_MIN) this.list();
    return this.ids === undefined || this.ids.has(n);
  }

  private list(): void {
    const ids = new Set<number>();
    for (const [n] of this.bits.walk()) {
      if (ids.size === CHUNKS_LISTED_MAX) return;
      ids.add(n);
    }
    this.ids = ids;
  }
}
