// Reads the pages of one tree and checks the order of their keys against their parents.
import type { PageFile } from "./file.ts";
import { BRANCH, LEAF, type Node, nodesIn, PageFault } from "./page.ts";

/** Keys of a page are >= `low` and < `high`; undefined: unbounded. */
export interface Bounds {
  readonly low: Buffer | undefined;
  readonly high: Buffer | undefined;
}

interface Child extends Bounds {
  readonly page: number;
}

/** Reads the pages of one tree. */
export class TreeWalk {
  constructor(
    private readonly file: PageFile,
    /** Whether it is the tree of free pages, which has numeric keys. */
    readonly isFree: boolean,
    private readonly commit: number,
  ) {}

  children(number: number, bounds: Bounds): Child[] {
    const page = this.file.read(number);
    const nodes = nodesIn(page, { number, kind: BRANCH, commit: this.commit });
    if (nodes.length < (this.isFree ? 1 : 2)) {
      throw new PageFault(`page ${number} is a branch that leads to ${nodes.length} pages`);
    }
    const keys = nodes.map(({ key_at, key_end }) => page.subarray(key_at, key_end));
    // The first key of a branch is a placeholder for everything smaller.
    this.checkOrder(number, keys.slice(1), bounds);
    return nodes.map(({ page: child }, index) => ({
      page: child,
      low: index === 0 ? bounds.low : keys[index],
      high: keys[index + 1] ?? bounds.high,
    }));
  }

  leaf(page: Buffer, number: number, bounds: Bounds): Node[] {
    const nodes = nodesIn(page, { number, kind: LEAF, commit: this.commit });
    if (nodes.length === 0) throw new PageFault(`page ${number} is a leaf without rows`);
    const keys = nodes.map(({ key_at, key_end }) => page.subarray(key_at, key_end));
    this.checkOrder(number, keys, bounds);
    return nodes;
  }

  private checkOrder(number: number, keys: readonly Buffer[], { low, high }: Bounds): void {
    if (this.isFree && keys.some(({ length }) => length !== 8)) {
      throw new PageFault(`page ${number} of the free pages has a key that is no number`);
    }
    let before = low;
    for (const [index, key] of keys.entries()) {
      const order = before === undefined ? -1 : this.compare(before, key);
      // The first key of a page may equal the key that refers to it.
      if (key.length === 0 || order > 0 || (order === 0 && index > 0)) {
        throw new PageFault(`page ${number} has rows that are not in order`);
      }
      before = key;
    }
    if (before !== undefined && high !== undefined && this.compare(before, high) >= 0) {
      throw new PageFault(`page ${number} has rows that belong on another page`);
    }
  }

  private compare(a: Buffer, b: Buffer): number {
    if (!this.isFree) return a.compare(b);
    const [first, second] = [a.readBigUInt64LE(), b.readBigUInt64LE()];
    return first < second ? -1 : first > second ? 1 : 0;
  }
}
