// The end of the check's log: which test files were expensive, and what all of them used.
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

/** The kinds of resources that are counted, because each of them is expensive. */
const COUNTED = ["servers", "tabs", "processes"] as const;
export type CountedKind = (typeof COUNTED)[number];

export interface Usage {
  /** CPU time of the process and its descendants by test file. */
  cpu_ms: Record<string, number>;
  counts: Record<CountedKind, number>;
}

/** Goal for all tests together, on two idle processors. */
const GOAL_CPU_MINUTES = 20;
const GOAL_MINUTES = 10;
const LISTED_MAX = 20;
const FOLDERS_LISTED = 8;
const MINUTE_S = 60;

/** Limits for a run of all tests: new tests should share existing resources. */
const CEILINGS: Record<CountedKind, number> = { servers: 2_520, tabs: 340, processes: 1_300 };

/** Resources of one process, as reported by itself and by the system. */
export interface MeasuredUsage {
  readonly cpu_s: number;
  readonly usage: Usage | undefined;
  /** Wall time of each file. */
  readonly wall_s: Readonly<Record<string, number>>;
}

/** A process that crashed has left no record. */
export function usageAt(path: string): Usage | undefined {
  if (!existsSync(path)) return undefined;
  const line = readFileSync(path, "utf8").trim().split("\n").at(-1)!;
  return JSON.parse(line) as Usage;
}

/** Reads a report of `bun test`, which names each file once at the top of its suites. */
export const wallOf = (junit: string) => numbersOf(junit, "time");
/** The number of failed tests by file. */
export const failuresOf = (junit: string) => numbersOf(junit, "failures");

function numbersOf(junit: string, key: "time" | "failures"): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const [, attributes] of junit.matchAll(/<testsuite ([^>]*)>/g)) {
    const { name, file, [key]: number } = attributesOf(attributes!);
    if (file !== undefined && name === file) numbers[file] = Number(number);
  }
  return numbers;
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
  );
}

export function report(measured: readonly MeasuredUsage[], took_s: number): string {
  const cpu = new Map<string, number>();
  const wall = new Map<string, number>();
  for (const { usage, wall_s } of measured) {
    for (const [file, ms] of Object.entries(usage?.cpu_ms ?? {})) {
      cpu.set(file, (cpu.get(file) ?? 0) + ms / 1000);
    }
    for (const [file, s] of Object.entries(wall_s)) wall.set(file, (wall.get(file) ?? 0) + s);
  }
  const rows = [...cpu]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, LISTED_MAX)
    .map(([file, s]) => `${seconds(s)}  ${seconds(wall.get(file) ?? 0)}  ${file}`);
  const folders = Map.groupBy(cpu, ([file]) => dirname(file));
  const byFolder = [...folders]
    .map(([folder, files]) => ({ folder, cpu_s: files.reduce((sum, [, s]) => sum + s, 0) }))
    .toSorted((a, b) => b.cpu_s - a.cpu_s)
    .slice(0, FOLDERS_LISTED)
    .map((item) => `${item.folder} ${minutes(item.cpu_s)}`);
  const cpu_s = measured.reduce((sum, item) => sum + item.cpu_s, 0);
  const counts = countsOf(measured);
  return [
    "== the most expensive test files",
    "   CPU s    wall s",
    ...rows,
    `CPU minutes by folder: ${byFolder.join(", ")}`,
    `all tests: ${minutes(cpu_s)} CPU minutes (goal ${GOAL_CPU_MINUTES}), ` +
      `${minutes(took_s)} minutes (goal ${GOAL_MINUTES}, on two idle processors)`,
    `in ${measured.length} test processes: ` +
      COUNTED.map((counter) => `${counts[counter]} ${counter}`).join(", "),
  ].join("\n");
}

/** A sentence for each resource of which all tests together use too much. */
export function exceededCeilings(measured: readonly MeasuredUsage[]): string[] {
  const counts = countsOf(measured);
  return COUNTED.filter((counter) => counts[counter] > CEILINGS[counter]).map(
    (counter) =>
      `${counts[counter]} ${counter}; the ceiling is ${CEILINGS[counter]} (test/check/report.ts)`,
  );
}

function countsOf(measured: readonly MeasuredUsage[]): Usage["counts"] {
  const sum = (counter: keyof Usage["counts"]) =>
    measured.reduce((total, { usage }) => total + (usage?.counts[counter] ?? 0), 0);
  return {
    servers: sum("servers"),
    tabs: sum("tabs"),
    processes: sum("processes") + measured.length,
  };
}

const seconds = (s: number) => s.toFixed(1).padStart(8);
const minutes = (s: number) => (s / MINUTE_S).toFixed(1);
