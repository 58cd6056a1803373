// A line of a page's own numbers, with what still HTML took in the same run.
import { type Line, rounded } from "../row.ts";

export function beside(line: Line, reference: number, unit: string): Line {
  return { ...line, theirs: `${rounded(reference)} ${unit} still HTML` };
}

/** The value below which a part of all lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}
