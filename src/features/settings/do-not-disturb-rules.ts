// When Do Not Disturb is active: until a time, and during hours of each day.

/** Do Not Disturb, as stored in a user's settings. */
interface DoNotDisturb {
  /** Seconds since 1970; 0: inactive. */
  readonly until: number;
  /** Such as `22:00-07:00` in the time zone; "": never. */
  readonly hours: string;
  /** "" means UTC. */
  readonly zone: string;
}

const HOURS = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/;

export const isHours = (hours: string): boolean => hours === "" || HOURS.test(hours);

/** `seconds` since 1970. The hours may span midnight. */
export function isDoNotDisturb({ until, hours, zone }: DoNotDisturb, seconds: number): boolean {
  if (seconds < until) return true;
  if (hours === "") return false;
  const [from = "", to = ""] = hours.split("-");
  const time = timeIn(zone, seconds);
  return from <= to ? time >= from && time < to : time >= from || time < to;
}

/** Formatted as `07:05`, which sorts by time. */
function timeIn(zone: string, seconds: number): string {
  const form = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const clock = new Intl.DateTimeFormat("en-GB", { ...form, timeZone: zone || "UTC" });
  return clock.format(seconds * 1000);
}
