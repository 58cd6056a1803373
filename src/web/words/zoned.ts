// The local time of a zone at a moment, and the reverse.
import { DAY_MS } from "../../contract/units.ts";

const PARTS = ["year", "month", "day", "hour", "minute", "second"] as const;
const FORM = {
  ...Object.fromEntries(PARTS.map((part) => [part, "numeric"])),
  hourCycle: "h23",
} as Intl.DateTimeFormatOptions;
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/**
 * As milliseconds at which a UTC clock shows the same time, so that `getUTCDay` and similar methods
 * read it. `at`: milliseconds since 1970. An undefined or unknown zone is the device's.
 */
export function wallAt(at: number, zone: string | undefined): number {
  if (Number.isNaN(at)) return at;
  const found: Partial<Record<string, number>> = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) found[type] = Number(value);
  const [year, month, ...others] = PARTS.map((part) => found[part]!) as [number, number, number];
  return Date.UTC(year, month - 1, ...others) + (((at % 1000) + 1000) % 1000);
}

/**
 * The inverse: milliseconds since 1970. Of what a clock shows twice the first; what it leaves out
 * for summer is as much later.
 */
export function momentOf(wall: number, zone: string | undefined): number {
  const by = (near: number) => wall - (wallAt(near, zone) - near);
  const [before, after] = [by(wall - DAY_MS), by(wall + DAY_MS)];
  return wallAt(before, zone) !== wall && wallAt(after, zone) === wall ? after : before;
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
