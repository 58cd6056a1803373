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
