// Converts between times and the local clock of a time zone.
import { DAY_MS } from "../../contract/units.ts";

const FORM: Intl.DateTimeFormatOptions = {
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
  hourCycle: "h23",
};
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/**
 * Milliseconds at which a UTC clock shows the same time, so that `getUTCDay` and similar methods
 * read it. `time`: milliseconds since 1970. An undefined or unknown zone is the device's.
 */
export function toWallClock(time: number, zone: string | undefined): number {
  if (Number.isNaN(time)) return time;
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatOf(zone).formatToParts(time)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((time % 1000) + 1000) % 1000);
}

/**
 * The inverse: milliseconds since 1970. For times that occur twice, returns the first; times
 * skipped by daylight saving are shifted by the gap.
 */
export function momentOf(wall: number, zone: string | undefined): number {
  const correctionAt = (timestamp: number) => wall - (toWallClock(timestamp, zone) - timestamp);
  const [before, after] = [correctionAt(wall - DAY_MS), correctionAt(wall + DAY_MS)];
  return toWallClock(before, zone) !== wall && toWallClock(after, zone) === wall ? after : before;
}

function formatOf(zone: string | undefined): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    try {
      format = new Intl.DateTimeFormat("en", { ...FORM, timeZone: zone });
    } catch {
      format = new Intl.DateTimeFormat("en", FORM);
    }
    formats.set(zone, format);
  }
  return format;
}
