// Search by date: the operators `before`, `after` and `on`, and their time ranges in a time zone.
import { ownValue } from "../input/own-value.ts";

/** Seconds since 1970: `from` is inclusive, `to` exclusive. */
export interface TimeRange {
  from: number;
  to: number;
}

const DAY_SECONDS = 86_400;
/** The largest offset from UTC that any zone ever had. */
const OFFSET_MAX_SECONDS = 16 * 3600;
const DATE = /^\d{4}-\d\d-\d\d$/;
const RANGE = "..";

/** The range of each operator, from the first and the last day of its operand. */
const RANGE_OF_OPERATOR: Readonly<
  Record<string, (first: number, last: number, startOf: (day: number) => number) => TimeRange>
> = {
  before: (first, _last, startOf) => ({ from: -Infinity, to: startOf(first) }),
  after: (_first, last, startOf) => ({ from: startOf(last + 1), to: Infinity }),
  on: (first, last, startOf) => ({ from: startOf(first), to: startOf(last + 1) }),
};

export const DATE_OPERATORS = Object.keys(RANGE_OF_OPERATOR);

export const isDateOperator = (name: string): boolean => Object.hasOwn(RANGE_OF_OPERATOR, name);

/**
 * Returns null if the operand is neither a date (`2026-05-01`) nor, for `on`, two ordered dates
 * with `..` between them. An unknown zone counts as UTC.
 */
export function timeRangeOf(operator: string, operand: string, zone: string): TimeRange | null {
  const description = ownValue(RANGE_OF_OPERATOR, operator);
  const days = daysOf(operand);
  if (!description || !days || (operator !== "on" && operand.includes(RANGE))) return null;
  const calendar = new Calendar(zone);
  return description(...days, (day) => calendar.startOf(day));
}

export const isInRange = (seconds: number, { from, to }: TimeRange): boolean =>
  seconds >= from && seconds < to;

/**
 * The first and the last day, both inclusive, counted from 1970-01-01. null if it is not a date.
 */
export function daysOf(operand: string): [first: number, last: number] | null {
  const parts = operand.split(RANGE);
  if (parts.length > 2) return null;
  const [first, last] = [dayOf(parts[0]!), dayOf(parts.at(-1)!)];
  return first === null || last === null || last < first ? null : [first, last];
}

/** `2026-05-01`, or `2026-05-01..2026-05-07` for several days. */
export const operandOfDays = (first: number, last: number): string =>
  first === last ? dateOf(first) : `${dateOf(first)}${RANGE}${dateOf(last)}`;

/** Counted from 1970-01-01. null for dates that do not exist. */
export function dayOf(date: string): number | null {
  if (!DATE.test(date)) return null;
  const ms = Date.parse(`${date}T00:00:00Z`);
  // Some engines read February 30 as March 2.
  return Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(date)
    ? null
    : ms / 1000 / DAY_SECONDS;
}

const dateOf = (day: number): string =>
  new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, "2026-05-01".length);

/** The days of a zone, some of which have 23 or 25 hours, counted from 1970-01-01. */
export class Calendar {
  private readonly format: Intl.DateTimeFormat;

  constructor(zone: string) {
    const form = { year: "numeric", month: "numeric", day: "numeric" } as const;
    try {
      this.format = new Intl.DateTimeFormat("en-US", { ...form, timeZone: zone });
    } catch {
      this.format = new Intl.DateTimeFormat("en-US", { ...form, timeZone: "UTC" });
    }
  }

  dayAt(seconds: number): number {
    const [month, day, year] = this.format
      .format(seconds * 1000)
      .split("/")
      .map(Number);
    return Date.UTC(year!, month! - 1, day) / 1000 / DAY_SECONDS;
  }

  /** The first second of the day, or of the next one if the zone skipped that day. */
  startOf(day: number): number {
    const midnight = day * DAY_SECONDS;
    // There are no older messages, and the format does not distinguish years before the common era.
    if (midnight < 0) return midnight;
    let [low, high] = [midnight - OFFSET_MAX_SECONDS, midnight + OFFSET_MAX_SECONDS];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.dayAt(middle) >= day) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
