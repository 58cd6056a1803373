// When one is not to be disturbed: for a while from now, and at hours of each day.

export interface Quiet {
  /** Milliseconds since 1970; 0: not now. */
  readonly until: number;
  /** Each day between two times, as `22:00`; they may lie on both sides of midnight. */
  readonly hours: { readonly from: string; readonly to: string } | null;
}

export const NEVER_QUIET: Quiet = { until: 0, hours: null };

/** Where the service worker, which has no other store of the page's, finds it. */
export const QUIET_CACHE = "skein-device";
export const QUIET_PATH = "/device/quiet";

export function isQuietAt({ until, hours }: Quiet, at: Date): boolean {
  return at.getTime() < until || (hours !== null && isBetween(hours, at));
}

/**
 * When it ends, where one is not to be disturbed, else when it begins by itself; milliseconds since
 * 1970, undefined: never.
 */
export function nextQuietChange(quiet: Quiet, now: Date): number | undefined {
  const { until, hours } = quiet;
  if (!isQuietAt(quiet, now)) return hours === null ? undefined : nextAt(hours.from, now);
  // What was chosen may end within the hours, and they within that.
  let end = now.getTime();
  while (isQuietAt(quiet, new Date(end))) {
    end = end < until ? until : nextAt(hours!.to, new Date(end));
  }
  return end;
}

/** The next time that it is so late on a clock here. */
function nextAt(time: string, after: Date): number {
  const at = (day: number) =>
    new Date(
      ...([after.getFullYear(), after.getMonth(), after.getDate() + day] as const),
      ...([0, minutesOf(time)] as const),
    ).getTime();
  return at(0) > after.getTime() ? at(0) : at(1);
}

function isBetween({ from, to }: { from: string; to: string }, at: Date): boolean {
  const [start, end, time] = [minutesOf(from), minutesOf(to), at.getHours() * 60 + at.getMinutes()];
  if (start === end) return false;
  return start < end ? time >= start && time < end : time >= start || time < end;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

const MORNING_HOUR = 8;

/** Until then somebody wants to be left alone who says "until tomorrow". */
export function tomorrowMorning(now: Date): number {
  const day = now.getHours() < MORNING_HOUR ? 0 : 1;
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + day, MORNING_HOUR).getTime();
}

export function isQuietSetting(value: unknown): value is Quiet {
  const { until, hours } = (value ?? {}) as Partial<Quiet>;
  if (typeof until !== "number") return false;
  return hours === null || (isTime(hours?.from) && isTime(hours?.to));
}

export const isTime = (value: unknown): value is string =>
  typeof value === "string" && /^([01]\d|2[0-3]):[0-5]\d$/.test(value);
