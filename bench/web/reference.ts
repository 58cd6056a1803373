// A line with values of a page, compared with static HTML in the same run.
import { type Line, formatNumber } from "../row.ts";

export function withReference(line: Line, reference: number, unit: string): Line {
  return { ...line, baseline: `${formatNumber(reference)} ${unit} static HTML` };
}

/** The value below which this part of all values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}
