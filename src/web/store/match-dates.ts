// Matches messages against the dates of a search, as the server reads them.
import type { TimeRange } from "../../text/search/dates.ts";

/** Cached, because finding the start of days is slower than comparing times. */
const ranges = new Map<string, TimeRange>();
const RANGES_MAX = 50;

let dates: typeof import("../../text/search/dates.ts") | undefined;

/** Loads the script that finds the start of days. Until then, the server is asked. */
export async function loadDates(): Promise<void> {
  dates = await import("../../text/search/dates.ts");
}

/** undefined if only the server knows. It also rejects invalid dates. */
export function matchDate(
  operator: string,
  operand: string,
  seconds: number,
  zone: string,
): boolean | undefined {
  const key = `${operator} ${operand} ${zone}`;
  const range = ranges.get(key) ?? dates?.timeRangeOf(operator, operand, zone);
  if (!dates || !range) return undefined;
  if (ranges.size >= RANGES_MAX) ranges.clear();
  ranges.set(key, range);
  return dates.isInRange(seconds, range);
}
