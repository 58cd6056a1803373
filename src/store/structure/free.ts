// The list of free pages, a record of it at a time.
import { PageFault } from "./page.ts";

export interface FreePages {
  readonly first: number;
  readonly span: number;
}

const WORD_BYTES = 8;

/**
 * A count, and so many words: a page; or, below zero, how many pages the one in the next word
 * begins; or zero, which is nothing. The last word may be the beginning of what another record has.
 */
export function freePagesIn(value: Buffer): FreePages[] {
  const words = Math.floor(value.length / WORD_BYTES);
  const count = words === 0 ? Infinity : Number(value.readBigInt64LE());
  if (count < 0 || count >= words) throw new PageFault("a list of free pages is damaged");
  const found: FreePages[] = [];
  for (let at = 1; at <= count; at++) {
    const word = Number(value.readBigInt64LE(at * WORD_BYTES));
    if (word === 0) continue;
    if (word > 0) found.push({ first: word, span: 1 });
    else if (at < count) {
      const first = Number(value.readBigInt64LE(++at * WORD_BYTES));
      if (first <= 0) throw new PageFault("a list of free pages is damaged");
      found.push({ first, span: -word });
    }
  }
  return found;
}
