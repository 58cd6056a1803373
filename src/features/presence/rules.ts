// When somebody counts as active, idle or offline.
import { DAY_SECONDS } from "../../contract/units.ts";
import type { Presence } from "../../schema/records-people.ts";

export const PING_SECONDS = 60;
export const OFFLINE_SECONDS = 200;
/** A stored time is left alone until it is that old. */
export const UPDATE_SECONDS_MIN = 55;
/** After this time without activity, the next activity emits an event. */
export const AWAY_SECONDS = OFFLINE_SECONDS - PING_SECONDS - 10;
/** How far somebody who hides is moved back, to look offline to every client. */
const HIDDEN_SECONDS = OFFLINE_SECONDS + PING_SECONDS + 5;
export const HISTORY_DAYS = 14;
/** In a larger organization clients ask, and are not told. */
export const TOLD_PEOPLE_MAX = 100;
const ACTIVE_SECONDS = 70;

export type Times = Pick<Presence, "active_timestamp" | "idle_timestamp">;

/** The stored times after a sign of life; the same object where nothing is worth storing. */
export function afterPing(known: Times | undefined, isActive: boolean, now: number): Times {
  const { active_timestamp = 0, idle_timestamp = 0 } = known ?? {};
  const isStale = (time: number) => now - time >= UPDATE_SECONDS_MIN;
  const movesActive = isActive && isStale(active_timestamp);
  if (known && !movesActive && !isStale(idle_timestamp)) return known;
  return {
    active_timestamp: movesActive ? now : active_timestamp,
    idle_timestamp: isStale(idle_timestamp) ? now : idle_timestamp,
  };
}

export function comesOnline(known: Times | undefined, isActive: boolean, now: number): boolean {
  return !known || (isActive && now - known.active_timestamp > AWAY_SECONDS);
}

/** The stored times, moved back so far that no client shows them as anything but offline. */
export function hiddenTimes(known: Times | undefined, now: number): Times {
  const latest = now - HIDDEN_SECONDS;
  return {
    active_timestamp: Math.min(known?.active_timestamp ?? latest, latest),
    idle_timestamp: Math.min(known?.idle_timestamp ?? latest, latest),
  };
}

/** The state as older clients know it, with the time it is known from. */
export function statusOf({ active_timestamp, idle_timestamp }: Times) {
  return active_timestamp + ACTIVE_SECONDS >= idle_timestamp
    ? { status: "active" as const, timestamp: active_timestamp }
    : { status: "idle" as const, timestamp: idle_timestamp };
}

/** Were they connected within so many days? */
export function isWithin(days: number, { idle_timestamp }: Times, now: number): boolean {
  return days > 0 && idle_timestamp >= now - days * DAY_SECONDS;
}
