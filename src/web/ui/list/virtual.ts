// Selects the rows of a long list to render, from row heights and the visible part.

export interface Heights {
  head: number;
  row: number;
}

export interface Range {
  start: number;
  end: number;
}

/** The visible part of the list, in pixels from its first row. */
interface VisibleRange {
  top: number;
  height: number;
}

interface VirtualRow {
  isHead?: boolean;
}

/** Rendered before and after the visible part, in multiples of its height. */
const SCREENS_AHEAD = 1;

const offsetsCache = new WeakMap<
  readonly VirtualRow[],
  { heights: Heights; offsets: Float64Array }
>();

/** The start of each item, and the total height at the end. */
export function offsetsOf(items: readonly VirtualRow[], heights: Heights): Float64Array {
  const before = offsetsCache.get(items);
  if (before && before.heights.head === heights.head && before.heights.row === heights.row) {
    return before.offsets;
  }
  const offsets = new Float64Array(items.length + 1);
  let offset = 0;
  for (const [index, { isHead }] of items.entries()) {
    offset += isHead ? heights.head : heights.row;
    offsets[index + 1] = offset;
  }
  offsetsCache.set(items, { heights: { ...heights }, offsets });
  return offsets;
}

export function rangeAt(offsets: Float64Array, { top, height }: VisibleRange): Range {
  const count = offsets.length - 1;
  const start = Math.max(0, indexAt(offsets, top - height * SCREENS_AHEAD));
  return { start, end: Math.min(count, indexAt(offsets, top + height * (1 + SCREENS_AHEAD)) + 1) };
}

/** The index of the item at this offset. */
function indexAt(offsets: Float64Array, pixels: number): number {
  let [low, high] = [0, offsets.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (offsets[middle]! <= pixels) low = middle;
    else high = middle - 1;
  }
  return Math.min(low, offsets.length - 2);
}

/** Groups rows with the heading above them. */
export function chunked<T extends VirtualRow>(items: readonly T[]): { head?: T; rows: T[] }[] {
  const chunks: { head?: T; rows: T[] }[] = [];
  for (const item of items) {
    if (item.isHead) chunks.push({ head: item, rows: [] });
    else if (chunks.length === 0) chunks.push({ rows: [item] });
    else chunks.at(-1)!.rows.push(item);
  }
  return chunks;
}
