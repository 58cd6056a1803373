// A row of the benchmark, and its lines in the table.
import type { Ratio } from "./ratio.ts";
import type { Datasets } from "./datasets.ts";

export interface Line {
  label: string;
  goal: string;
  result: string;
  spread: string;
  /** The measured values of Skein and of the baseline. */
  candidate: string;
  baseline: string;
  isMet: boolean;
}

/** Measures, and returns its lines. */
export type Row = (datasets: Datasets) => Promise<Line[]>;

interface RowTarget {
  label: string;
  goal: number;
  /** Unit of the medians. */
  unit: string;
}

export function lineAtMost({ label, goal, unit }: RowTarget, ratio: Ratio): Line {
  const isMet = ratio.ratio <= goal;
  return { label, goal: `≤ ${goal} times`, ...formatRatio(ratio, unit), isMet };
}

export function lineAtLeast({ label, goal, unit }: RowTarget, ratio: Ratio): Line {
  const isMet = ratio.ratio >= goal;
  return { label, goal: `≥ ${goal} times`, ...formatRatio(ratio, unit), isMet };
}

/** A line with an absolute value instead of a ratio, and all measured values. */
export function lineWithin(
  { label, goal, unit }: RowTarget,
  value: number,
  all: readonly number[],
): Line {
  return {
    label,
    goal: `≤ ${goal} ${unit}`,
    result: `${formatNumber(value)} ${unit}`,
    spread: `${formatNumber(Math.min(...all))} – ${formatNumber(Math.max(...all))}`,
    candidate: `${formatNumber(value)} ${unit}`,
    baseline: "",
    isMet: value <= goal,
  };
}

function formatRatio({ ratio, low, high, candidate, baseline }: Ratio, unit: string) {
  return {
    result: ratio.toFixed(2),
    spread: `${low.toFixed(2)} – ${high.toFixed(2)}`,
    candidate: `${formatNumber(candidate)} ${unit}`,
    baseline: `${formatNumber(baseline)} ${unit}`,
  };
}

export function formatNumber(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString("en-US");
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(3);
}
