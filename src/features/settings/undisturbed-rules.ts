// When somebody is not to be disturbed: for a while, and at hours of each day.

/** Do Not Disturb, as stored in a user's settings. */
export interface Undisturbed {
  /** Seconds since 1970; 0: not now. */
  readonly until: number;
  /** `22:00-07:00`, by the clock of the zone; "": never. */
  readonly hours: string;
  /** "": that of UTC. */
  readonly zone: string;
}

const HOURS = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/;

export const isHours = (hours: string): boolean => hours === "" || HOURS.test(hours);

/** `seconds` since 1970. The hours may lie on both sides of midnight. */
export function isUndisturbed({ until, hours, zone }: Undisturbed, seconds: number): boolean {
  if (seconds < until) return true;
  if (hours === "") return false;
  const [from = "", to = ""] = hours.split("-");
  const time = timeIn(zone, seconds);
  return from <= to ? time >= from && time < to : time >= from || time < to;
}

/** As `07:05`, which sorts by time. */
function timeIn(zone: string, seconds: number): string {
  const form = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const clock = new Intl.DateTimeFormat("en-GB", { ...form, timeZone: zone || "UTC" });
  return clock.format(seconds * 1000);
}
