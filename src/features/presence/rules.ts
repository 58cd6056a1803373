// When a user counts as active, idle or offline.
import { DAY_SECONDS } from "../../contract/units.ts";
import type { Presence } from "../../schema/records-people.ts";

export const PING_SECONDS = 60;
export const OFFLINE_SECONDS = 200;
/** A stored time is not updated before it is this old. */
const UPDATE_SECONDS_MIN = 55;
/** After this time without activity, the next activity emits an event. */
const AWAY_SECONDS = OFFLINE_SECONDS - PING_SECONDS - 10;
/**
 * The times of users who hide their presence are shifted by this, so that every client displays
 * them as offline.
 */
const HIDDEN_AGE_SECONDS = OFFLINE_SECONDS + PING_SECONDS + 5;
export const HISTORY_DAYS = 14;
/** In larger organizations, clients poll for presence and get no events. */
export const EVENT_PEOPLE_MAX = 100;
const ACTIVE_SECONDS = 70;

export type PresenceTimes = Pick<Presence, "active_timestamp" | "idle_timestamp">;

/** The stored times after activity; the same object if the change is not worth storing. */
export function afterPing(
  times: PresenceTimes | undefined,
  isActive: boolean,
  now: number,
): PresenceTimes {
  const { active_timestamp = 0, idle_timestamp = 0 } = times ?? {};
  const isStale = (time: number) => now - time >= UPDATE_SECONDS_MIN;
  const movesActive = isActive && isStale(active_timestamp);
  if (times && !movesActive && !isStale(idle_timestamp)) return times;
  return {
    active_timestamp: movesActive ? now : active_timestamp,
    idle_timestamp: isStale(idle_timestamp) ? now : idle_timestamp,
  };
}

export function becomesOnline(
  times: PresenceTimes | undefined,
  isActive: boolean,
  now: number,
): boolean {
  return !times || (isActive && now - times.active_timestamp > AWAY_SECONDS);
}

/** The stored times, shifted so far that every client shows the user as offline. */
export function hiddenTimes(times: PresenceTimes | undefined, now: number): PresenceTimes {
  const latest = now - HIDDEN_AGE_SECONDS;
  return {
    active_timestamp: Math.min(times?.active_timestamp ?? latest, latest),
    idle_timestamp: Math.min(times?.idle_timestamp ?? latest, latest),
  };
}

/** The state for older clients, with its time. */
export function statusOf({ active_timestamp, idle_timestamp }: PresenceTimes) {
  return active_timestamp + ACTIVE_SECONDS >= idle_timestamp
    ? { status: "active" as const, timestamp: active_timestamp }
    : { status: "idle" as const, timestamp: idle_timestamp };
}

/** Whether the user was connected within this number of days. */
export function isWithin(days: number, { idle_timestamp }: PresenceTimes, now: number): boolean {
  return days > 0 && idle_timestamp >= now - days * DAY_SECONDS;
}
