// When Do Not Disturb is active: until a time, and during hours of each day.
import { DAY_MS, MINUTE_MS } from "../../../contract/units.ts";
import { momentOf, toWallClock } from "../../words/zoned.ts";

export interface DoNotDisturb {
  /** Milliseconds since 1970; 0: off. */
  readonly until: number;
  /** Daily from one time such as `22:00` to another. The hours may span midnight. */
  readonly hours: { readonly from: string; readonly to: string } | null;
}

/**
 * `time` in milliseconds since 1970; `zone`: the time zone of the hours, or undefined for the
 * device's.
 */
export interface Moment {
  readonly time: number;
  readonly zone: string | undefined;
}

/** The latest time that the server stores, for Do Not Disturb until the user turns it off. */
export const OPEN_END = 253_402_300_799_000;

export const DO_NOT_DISTURB_OFF: DoNotDisturb = { until: 0, hours: null };

/** Cache that the service worker, too, can read. */
export const DO_NOT_DISTURB_CACHE = "skein-device";
export const DO_NOT_DISTURB_PATH = "/device/quiet";

export function isDoNotDisturbAt({ until, hours }: DoNotDisturb, moment: Moment): boolean {
  return moment.time < until || (hours !== null && isBetween(hours, moment));
}

/**
 * When Do Not Disturb ends, or if it is off, when it starts by itself; milliseconds since 1970, or
 * undefined if never.
 */
export function nextDoNotDisturbChange(quiet: DoNotDisturb, now: Moment): number | undefined {
  const { until, hours } = quiet;
  if (!isDoNotDisturbAt(quiet, now)) return hours === null ? undefined : nextAt(hours.from, now);
  // The chosen time may end within the daily hours, and vice versa.
  let end = now;
  while (isDoNotDisturbAt(quiet, end)) {
    end = { ...end, time: end.time < until || hours === null ? until : nextAt(hours.to, end) };
  }
  return end.time;
}

/** The next time the clock shows this time of day. */
function nextAt(hour: string, { time, zone }: Moment): number {
  const wall = toWallClock(time, zone);
  const today = wall - (wall % DAY_MS) + minutesOf(hour) * MINUTE_MS;
  const next = momentOf(today, zone);
  return next > time ? next : momentOf(today + DAY_MS, zone);
}

function isBetween({ from, to }: { from: string; to: string }, { time, zone }: Moment): boolean {
  const minute = Math.floor((toWallClock(time, zone) % DAY_MS) / MINUTE_MS);
  const [start, end] = [minutesOf(from), minutesOf(to)];
  if (start === end) return false;
  return start < end ? minute >= start && minute < end : minute >= start || minute < end;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

/** The end of "until tomorrow". */
export const nextMorning = (now: Moment): number => nextAt("08:00", now);

export function isDoNotDisturbSetting(value: unknown): value is DoNotDisturb {
  if (typeof value !== "object" || value === null) return false;
  const { until, hours }: Partial<DoNotDisturb> = value;
  if (typeof until !== "number") return false;
  return hours === null || (isTime(hours?.from) && isTime(hours?.to));
}

export const isTime = (value: unknown): value is string =>
  typeof value === "string" && /^([01]\d|2[0-3]):[0-5]\d$/.test(value);
