// When one is not to be disturbed: for a while from now, and at hours of each day.
import { DAY_MS, MINUTE_MS } from "../../../contract/units.ts";
import { momentOf, wallAt } from "../../words/zoned.ts";

export interface Quiet {
  /** Milliseconds since 1970; 0: not now. */
  readonly until: number;
  /** Daily from one time to another, such as `22:00`. The hours may include midnight. */
  readonly hours: { readonly from: string; readonly to: string } | null;
}

/** In milliseconds since 1970, and whose clock tells the hours; undefined: the device's. */
export interface Moment {
  readonly at: number;
  readonly zone: string | undefined;
}

export const NEVER_QUIET: Quiet = { until: 0, hours: null };

/** Cache that the service worker, too, can read. */
export const QUIET_CACHE = "skein-device";
export const QUIET_PATH = "/device/quiet";

export function isQuietAt({ until, hours }: Quiet, moment: Moment): boolean {
  return moment.at < until || (hours !== null && isBetween(hours, moment));
}

/**
 * When it ends, where one is not to be disturbed, else when it begins by itself; milliseconds since
 * 1970, undefined: never.
 */
export function nextQuietChange(quiet: Quiet, now: Moment): number | undefined {
  const { until, hours } = quiet;
  if (!isQuietAt(quiet, now)) return hours === null ? undefined : nextAt(hours.from, now);
  // The chosen time may end within the daily hours, and vice versa.
  let end = now;
  while (isQuietAt(quiet, end)) {
    end = { ...end, at: end.at < until ? until : nextAt(hours!.to, end) };
  }
  return end.at;
}

/** The next time that it is so late on the clock. */
function nextAt(time: string, { at, zone }: Moment): number {
  const wall = wallAt(at, zone);
  const today = wall - (wall % DAY_MS) + minutesOf(time) * MINUTE_MS;
  const next = momentOf(today, zone);
  return next > at ? next : momentOf(today + DAY_MS, zone);
}

function isBetween({ from, to }: { from: string; to: string }, { at, zone }: Moment): boolean {
  const minute = Math.floor((wallAt(at, zone) % DAY_MS) / MINUTE_MS);
  const [start, end, time] = [minutesOf(from), minutesOf(to), minute];
  if (start === end) return false;
  return start < end ? time >= start && time < end : time >= start || time < end;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

/** Until then somebody wants to be left alone who says "until tomorrow". */
export const nextMorning = (now: Moment): number => nextAt("08:00", now);

export function isQuietSetting(value: unknown): value is Quiet {
  const { until, hours } = (value ?? {}) as Partial<Quiet>;
  if (typeof until !== "number") return false;
  return hours === null || (isTime(hours?.from) && isTime(hours?.to));
}

export const isTime = (value: unknown): value is string =>
  typeof value === "string" && /^([01]\d|2[0-3]):[0-5]\d$/.test(value);
