// The part of a known range that is in the page: enough to scroll, but limited.
import type { ScrollExtent } from "./measure.ts";

/** Maximum of rows in the page, which browsers lay out without delay. */
export const ROWS_MAX = 200;
/** Number of rows that are added at once near an end. */
export const ROWS_STEP = 50;

/** Rows of a newly opened view are added in steps, so that no frame takes long. */
const FIRST_STEP = 12;
const ROWS_ABOVE_FIRST = 6;

/** Indexes into the range's ids; `end` is exclusive. */
export interface Window {
  start: number;
  end: number;
}

/** Around an index. `isFirst`: about a screen; the rest is added after the first paint. */
export function windowAround(index: number, length: number, isFirst = false): Window {
  const [above, rows] = isFirst ? [ROWS_ABOVE_FIRST, FIRST_STEP] : [ROWS_STEP, 2 * ROWS_STEP];
  const start = Math.max(0, Math.min(index - above, length - rows));
  return { start, end: Math.min(length, start + rows) };
}

/** Whether known rows outside of the page would be visible. */
export function isShort(
  { start, end }: Window,
  length: number,
  { top, height, content }: ScrollExtent,
): boolean {
  // Limits the number of rows, since rows without a height never fill the view.
  if (end - start >= 2 * ROWS_STEP) return false;
  return (top <= 0 && start > 0) || (content - top - height <= 0 && end < length);
}

/** Extends the window up or down by a step; rows far behind are removed. */
export function extended(
  current: Window,
  direction: "up" | "down",
  length: number,
  isFirst = false,
): Window {
  const step = isFirst ? FIRST_STEP : ROWS_STEP;
  // Rows stay until the user scrolls.
  if (isFirst && current.end - current.start >= ROWS_MAX) return current;
  if (direction === "up") {
    const start = Math.max(0, current.start - step);
    return { start, end: Math.min(current.end, start + ROWS_MAX) };
  }
  const end = Math.min(length, current.end + step);
  return { start: Math.max(current.start, end - ROWS_MAX), end };
}

/** The same messages after the range changed, found by the ids at its ends. */
export function shiftWindow(
  before: readonly number[],
  current: Window,
  after: readonly number[],
  /** Whether the end of the range was in the page; if so, new messages are added to the page. */
  follows: boolean,
  /** At the end of the view, rows are removed from the start in steps of `ROWS_STEP`. */
  isAtEnd = false,
): Window {
  const first = before[current.start];
  const last = before[current.end - 1];
  if (first === undefined || last === undefined) return windowAround(after.length, after.length);
  const start = indexFrom(after, first);
  const end = follows ? after.length : indexFrom(after, last + 1);
  // If no displayed row is left, the nearest one is used.
  if (start >= end) return windowAround(Math.max(0, end - 1), after.length);
  if (end - start <= ROWS_MAX) return { start, end };
  return { start: end - ROWS_MAX + (isAtEnd ? ROWS_STEP : 0), end };
}

/** Index of the first id that is not smaller. */
export function indexFrom(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
