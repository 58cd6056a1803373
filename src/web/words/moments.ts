// Moments that people name: an hour of a day, the next whole hour, and what a field of a form says.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/units.ts";
import { ownZone } from "./dates.ts";
import { momentOf, wallAt } from "./zoned.ts";

const MONDAY = 1;
const WEEK_DAYS = 7;

/** All moments here: milliseconds since 1970; all clocks: those of the person's zone. */
export function hourOf(from: number, days: number, hour: number): number {
  const zone = ownZone();
  const wall = wallAt(from, zone);
  return momentOf(wall - modulo(wall, DAY_MS) + days * DAY_MS + hour * HOUR_MS, zone);
}

/** From 1 to 7. */
export function daysToMonday(from: number): number {
  const weekday = new Date(wallAt(from, ownZone())).getUTCDay();
  return (MONDAY - weekday + WEEK_DAYS) % WEEK_DAYS || WEEK_DAYS;
}

export const nextHour = (from: number): number => Math.ceil((from + 1) / HOUR_MS) * HOUR_MS;

/** As form fields contain it: `2026-11-22T16:00`. */
export const fieldOf = (at: number): string =>
  new Date(wallAt(at, ownZone())).toISOString().slice(0, "2026-11-22T16:00".length);

/** Parses such a field, or a date alone. NaN if it is invalid. */
export const momentIn = (field: string): number =>
  momentOf(Date.parse(field.includes("T") ? `${field}Z` : field), ownZone());

/** With the offset from UTC, so that all see it in their own time. */
export function withOffset(at: number): string {
  const minutes = Math.round((wallAt(at, ownZone()) - at) / MINUTE_MS);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${fieldOf(at)}${minutes < 0 ? "-" : "+"}${two(hours)}:${two(rest)}`;
}

/** Those after a moment, each once. */
export const comingIn = <T extends { at: number }>(all: readonly T[], after: number): T[] =>
  all.filter(({ at }, one) => at > after && all.findIndex((other) => other.at === at) === one);

const two = (number: number) => `${number}`.padStart(2, "0");
const modulo = (number: number, by: number) => ((number % by) + by) % by;
