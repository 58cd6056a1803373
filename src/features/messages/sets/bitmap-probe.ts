// One bitmap of the store, asked for ids all over a history: most chunks may be known to be empty.
import { chunkOf } from "../../../store/bitmap/bitmap.ts";
import type { BitmapReader, Key, SetReader } from "../../../store/declare.ts";

/** So many chunks cost less to list than as many looks. */
const CHUNKS_LISTED_MAX = 4;
/** Before them, listing does not pay. */
const LOOKS_MIN = 4;

/** Good for one synchronous look at things, in which the bitmap does not change. */
export class BitmapProbe {
  private looks = 0;
  /** All chunks that hold anything, where they are few. */
  private listed: ReadonlySet<number> | undefined;

  private readonly bits: SetReader;

  constructor(bitmap: BitmapReader, key: Key) {
    this.bits = bitmap.one(key);
  }

  has(id: number): boolean {
    return this.mayHold(chunkOf(id)) && this.bits.has(id);
  }

  /** False: chunk `n` holds nothing. */
  mayHold(n: number): boolean {
    if (this.looks <= LOOKS_MIN && this.looks++ === LOOKS_MIN) this.list();
    return this.listed === undefined || this.listed.has(n);
  }

  private list(): void {
    const listed = new Set<number>();
    for (const [n] of this.bits.walk()) {
      if (listed.size === CHUNKS_LISTED_MAX) return;
      listed.add(n);
    }
    this.listed = listed;
  }
}
