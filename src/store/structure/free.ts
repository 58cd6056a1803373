// Decodes records of the list of free pages.
import { PageFault } from "./page.ts";

interface FreePages {
  readonly first: number;
  readonly span: number;
}

const WORD_BYTES = 8;

/**
 * A count, followed by that many words: a positive word is a page; a negative one is the negated
 * length of a run that starts at the page in the next word; zero is unused. The last word may be
 * the start of data that belongs to another record.
 */
export function freePagesIn(value: Buffer): FreePages[] {
  const words = Math.floor(value.length / WORD_BYTES);
  const count = words === 0 ? Infinity : Number(value.readBigInt64LE());
  if (count < 0 || count >= words) throw new PageFault("a list of free pages is damaged");
  const freePages: FreePages[] = [];
  for (let index = 1; index <= count; index++) {
    const word = Number(value.readBigInt64LE(index * WORD_BYTES));
    if (word === 0) continue;
    if (word > 0) freePages.push({ first: word, span: 1 });
    else if (index < count) {
      const first = Number(value.readBigInt64LE(++index * WORD_BYTES));
      if (first <= 0) throw new PageFault("a list of free pages is damaged");
      freePages.push({ first, span: -word });
    }
  }
  return freePages;
}
