/** The clock of the queues counts what passes while it is looked at, and nothing else. */
import { expect, test } from "bun:test";
import { AwakeClock } from "../../src/queues/awake.ts";

test("it goes with a steady clock, and hardly with one that jumps or goes back", () => {
  let steady = 5_000_000;
  const clock = new AwakeClock(() => steady);
  const after = (ms: number) => {
    steady += ms;
    return clock.now();
  };
  expect(after(0)).toBe(0);
  expect(after(1_000)).toBe(1_000);
  expect(after(1_500)).toBe(2_500);
  expect(after(86_400_000)).toBe(7_500);
  expect(after(-3_600_000)).toBe(7_500);
  expect(after(250)).toBe(7_750);
});
