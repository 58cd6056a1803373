// Matches new messages against the dates of a search, as the server reads them.
import { isInRange, type TimeRange, timeRangeOf } from "../../../text/search/dates.ts";
import { registerDateMatcher } from "../../store/narrow.ts";

/** Cached, because finding the start of days is slower than comparing times. */
const ranges = new Map<string, TimeRange>();
const RANGES_MAX = 50;

// Only the server rejects an invalid date.
registerDateMatcher((operator, operand, seconds, zone) => {
  const key = `${operator} ${operand} ${zone}`;
  const range = ranges.get(key) ?? timeRangeOf(operator, operand, zone);
  if (!range) return undefined;
  if (ranges.size >= RANGES_MAX) ranges.clear();
  ranges.set(key, range);
  return isInRange(seconds, range);
});
