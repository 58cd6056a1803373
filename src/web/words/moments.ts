// Computes times such as the next full hour, and parses date fields.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/units.ts";
import { ownTimeZone } from "./dates.ts";
import { momentOf, toWallClock } from "./zoned.ts";

const MONDAY = 1;
const WEEK_DAYS = 7;

/** Times are milliseconds since 1970; clock times are in the user's zone. */
export function atHour(from: number, days: number, hour: number): number {
  const zone = ownTimeZone();
  const wall = toWallClock(from, zone);
  return momentOf(wall - modulo(wall, DAY_MS) + days * DAY_MS + hour * HOUR_MS, zone);
}

/** From 1 to 7. */
export function daysToMonday(from: number): number {
  const weekday = new Date(toWallClock(from, ownTimeZone())).getUTCDay();
  return (MONDAY - weekday + WEEK_DAYS) % WEEK_DAYS || WEEK_DAYS;
}

export const nextHour = (from: number): number => Math.ceil((from + 1) / HOUR_MS) * HOUR_MS;

/** Formats a moment for form fields: `2026-11-22T16:00`. */
export const fieldOf = (time: number): string =>
  new Date(toWallClock(time, ownTimeZone())).toISOString().slice(0, "2026-11-22T16:00".length);

/** Parses such a field, or a date alone. NaN if it is invalid. */
export const parseMoment = (field: string): number =>
  momentOf(Date.parse(field.includes("T") ? `${field}Z` : field), ownTimeZone());

/** Includes the UTC offset, so that all readers see their own time. */
export function withOffset(time: number): string {
  const minutes = Math.round((toWallClock(time, ownTimeZone()) - time) / MINUTE_MS);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${fieldOf(time)}${minutes < 0 ? "-" : "+"}${two(hours)}:${two(rest)}`;
}

/** Moments after `after`, without duplicates. */
export const upcoming = <T extends { time: number }>(all: readonly T[], after: number): T[] =>
  all.filter(
    ({ time }, index) => time > after && all.findIndex((other) => other.time === time) === index,
  );

const two = (number: number) => `${number}`.padStart(2, "0");
const modulo = (number: number, divisor: number) => ((number % divisor) + divisor) % divisor;
