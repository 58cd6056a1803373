// Rows of the feed in the page: bounded, contiguous, and stable over changes.
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  extended,
  indexFrom,
  isShort,
  shiftWindow,
  ROWS_MAX,
  ROWS_STEP,
  windowAround,
} from "../../src/web/feed/window.ts";

const ids = fc
  .uniqueArray(fc.nat(5000), { maxLength: 900 })
  .map((list) => list.sort((a, b) => a - b));
const steps = fc.tuple(fc.constantFrom("up" as const, "down" as const), fc.boolean());

test("the window stays within its limits, however the user scrolls", () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.nat(2000), fc.array(steps), (index, length, all) => {
      let window = windowAround(Math.min(index, length), length, index % 2 === 0);
      for (const [direction, isFirst] of all) window = extended(window, direction, length, isFirst);
      expect(window.start).toBeGreaterThanOrEqual(0);
      expect(window.end).toBeLessThanOrEqual(length);
      expect(window.end - window.start).toBeLessThanOrEqual(ROWS_MAX);
      if (length > 0) expect(window.end).toBeGreaterThan(window.start);
    }),
  );
});

test("a requested index is in the window", () => {
  fc.assert(
    fc.property(
      fc.nat(2000),
      fc.integer({ min: 1, max: 2000 }),
      fc.boolean(),
      (position, length, condition) => {
        const index = position % length;
        const { start, end } = windowAround(index, length, condition);
        expect(start <= index && index < end).toBe(true);
      },
    ),
  );
});

test("keeps displayed messages after others were added and removed", () => {
  fc.assert(
    fc.property(ids, ids, fc.nat(900), fc.boolean(), (before, after, index, follows) => {
      fc.pre(before.length > 0);
      const window = windowAround(index % before.length, before.length);
      const shifted = shiftWindow(before, window, after, follows);
      expect(shifted.end - shifted.start).toBeLessThanOrEqual(ROWS_MAX);
      const ids = new Set(after.slice(shifted.start, shifted.end));
      const last = before[window.end - 1]!;
      const remaining = before.slice(window.start, window.end).filter((id) => after.includes(id));
      // When reading downward, rows beyond the limit are removed at the top.
      const isCut = indexFrom(after, last + 1) - indexFrom(after, before[window.start]!) > ROWS_MAX;
      if (!isCut && !follows) expect(remaining.filter((id) => !ids.has(id))).toEqual([]);
      if (follows && after.length > 0) expect(ids.has(after.at(-1)!)).toBe(true);
    }),
  );
});

test("fills a screen from known messages, even without heights", () => {
  fc.assert(
    fc.property(
      fc.nat(2000),
      fc.integer({ min: 1, max: 2000 }),
      fc.nat(90),
      (position, length, row) => {
        const index = position % length;
        let window = windowAround(index, length, true);
        const height = 700;
        const extent = () => {
          const content = (window.end - window.start) * row;
          const top = (index - window.start) * row - height / 3;
          return { top: Math.max(0, Math.min(top, content - height)), height, content };
        };
        while (isShort(window, length, extent()))
          window = extended(extended(window, "up", length, true), "down", length, true);
        const { top, content } = extent();
        const isFilled = (top > 0 || window.start === 0) && content >= height;
        const isComplete = window.start === 0 && window.end === length;
        expect(isFilled || isComplete || window.end - window.start >= 100).toBe(true);
      },
    ),
  );
});

test("removes rows at the top in steps, not with each new message", () => {
  let all = Array.from({ length: 500 }, (_, index) => index + 1);
  let window = { start: all.length - ROWS_MAX, end: all.length };
  const starts = new Set<number>();
  for (let index = 0; index < 2 * ROWS_STEP; index++) {
    const after = [...all, all.length + 1];
    window = shiftWindow(all, window, after, true, true);
    all = after;
    expect(window.end).toBe(all.length);
    expect(window.end - window.start).toBeLessThanOrEqual(ROWS_MAX);
    starts.add(window.start);
  }
  expect(starts.size).toBe(2);
});
