// A row of the benchmark, and its lines in the table.
import type { Ratio } from "./ratio.ts";
import type { TestServers } from "./towns.ts";

export interface Line {
  what: string;
  goal: string;
  result: string;
  spread: string;
  /** The measured values of Skein and of the baseline. */
  ours: string;
  theirs: string;
  isMet: boolean;
}

/** Measures, and returns its lines. */
export type Row = (testServers: TestServers) => Promise<Line[]>;

interface RowTarget {
  what: string;
  goal: number;
  /** Unit of the medians. */
  unit: string;
}

export function atMost({ what, goal: target, unit }: RowTarget, ratio: Ratio): Line {
  const isMet = ratio.ratio <= target;
  return { what, goal: `≤ ${target} times`, ...read(ratio, unit), isMet };
}

export function atLeast({ what, goal: target, unit }: RowTarget, ratio: Ratio): Line {
  const isMet = ratio.ratio >= target;
  return { what, goal: `≥ ${target} times`, ...read(ratio, unit), isMet };
}

/** A line with an absolute value instead of a ratio, and all measured values. */
export function within(
  { what, goal: target, unit }: RowTarget,
  value: number,
  all: readonly number[],
): Line {
  return {
    what,
    goal: `≤ ${target} ${unit}`,
    result: `${rounded(value)} ${unit}`,
    spread: `${rounded(Math.min(...all))} – ${rounded(Math.max(...all))}`,
    ours: `${rounded(value)} ${unit}`,
    theirs: "",
    isMet: value <= target,
  };
}

function read({ ratio, low, high, ours, theirs }: Ratio, unit: string) {
  return {
    result: ratio.toFixed(2),
    spread: `${low.toFixed(2)} – ${high.toFixed(2)}`,
    ours: `${rounded(ours)} ${unit}`,
    theirs: `${rounded(theirs)} ${unit}`,
  };
}

export function rounded(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString("en-US");
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(3);
}
