// The end of the check's log: the most expensive test files, the totals and their ceilings.
import { expect, test } from "bun:test";
import { exceededCeilings, failuresOf, type MeasuredUsage, report, wallOf } from "./report.ts";

const measuredWith = (cpu_ms: Record<string, number>, tabs = 0): MeasuredUsage => ({
  cpu_s: Object.values(cpu_ms).reduce((sum, ms) => sum + ms / 1000, 0),
  usage: { cpu_ms, counts: { servers: 1, tabs, processes: 2 } },
  wall_s: Object.fromEntries(Object.keys(cpu_ms).map((file) => [file, 9])),
});

test("lists files by CPU time, with their wall time, and adds up all processes", () => {
  const lines = report([measuredWith({ "a.test.ts": 1500, "b.test.ts": 62_000 }, 3)], 90).split(
    "\n",
  );
  expect(lines).toContain("    62.0       9.0  b.test.ts");
  expect(lines.findIndex((line) => line.includes("b.test.ts"))).toBeLessThan(
    lines.findIndex((line) => line.includes("a.test.ts")),
  );
  expect(lines.at(-3)).toBe("CPU minutes by folder: . 1.1");
  expect(lines.at(-2)).toStartWith("all tests: 1.1 CPU minutes (goal 20), 1.5 minutes");
  expect(lines.at(-1)).toBe("in 1 test processes: 1 servers, 3 tabs, 3 processes");
});

test("lists twenty files at most, and counts a process that left no record", () => {
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`${index}.test.ts`, 1000]),
  );
  const measuredRow: MeasuredUsage = { cpu_s: 30, usage: undefined, wall_s: {} };
  const text = report([measuredWith(many), measuredRow], 1);
  expect(text.match(/\d+\.test\.ts/g)).toHaveLength(20);
  expect(text).toContain("all tests: 1.0 CPU minutes");
});

test("names each resource that is above its ceiling", () => {
  expect(exceededCeilings([measuredWith({ "a.test.ts": 1 })])).toEqual([]);
  expect(exceededCeilings([measuredWith({ "a.test.ts": 1 }, 1_000_000)])).toEqual([
    expect.stringMatching(/^1000000 tabs; the ceiling is \d+ \(test\/check\/report\.ts\)$/),
  ]);
});

test("reads the wall time and the failures of each file from a report of the test runner", () => {
  const junit = `<testsuites name="bun test" tests="2">
  <testsuite name="test/a.test.ts" file="test/a.test.ts" tests="3" failures="2" time="1.25">
    <testsuite name="inner" file="test/a.test.ts" line="3" tests="1" failures="1" time="0.5">
  <testsuite name="test/b.test.ts" file="test/b.test.ts" tests="1" failures="0" time="2">`;
  expect(wallOf(junit)).toEqual({ "test/a.test.ts": 1.25, "test/b.test.ts": 2 });
  expect(failuresOf(junit)).toEqual({ "test/a.test.ts": 2, "test/b.test.ts": 0 });
});
