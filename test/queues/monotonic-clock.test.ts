/** The clock of the queues counts only the time that passes while the clock is read regularly. */
import { expect, test } from "bun:test";
import { MonotonicClock } from "../../src/queues/monotonic-clock.ts";

test("follows a monotonic clock, and is robust against jumps", () => {
  let steady = 5_000_000;
  const clock = new MonotonicClock(() => steady);
  const nowAfter = (ms: number) => {
    steady += ms;
    return clock.now();
  };
  expect(nowAfter(0)).toBe(0);
  expect(nowAfter(1_000)).toBe(1_000);
  expect(nowAfter(1_500)).toBe(2_500);
  expect(nowAfter(86_400_000)).toBe(7_500);
  expect(nowAfter(-3_600_000)).toBe(7_500);
  expect(nowAfter(250)).toBe(7_750);
});
