// What a client may ask of its queue, and what the snapshot it starts from depends on.

export const IDLE_TIMEOUT_SECONDS = 600;
export const IDLE_TIMEOUT_MOBILE_SECONDS = 43_200;
export const IDLE_TIMEOUT_SECONDS_MAX = 604_800;
/** A person's queues beyond this number: the one that was idle longest goes. */
export const QUEUES_PER_USER_MAX = 100;

/** Of the lists of types that a client names; each event is held against them. */
export const EVENT_TYPES_MAX = 200;
export const EVENT_TYPE_LENGTH_MAX = 100;

/** What a client asked of the snapshot. */
export interface SnapshotOptions {
  client_gravatar: boolean;
  include_subscribers: boolean | "partial";
  presence_history_limit_days: number;
  /** Of events.ts: forms and declared capabilities. */
  capabilities: number;
  /** The types that the queue hears; null: all. */
  event_types: readonly string[] | null;
}

/** The timeout that a client gets, of what it asked for: seconds, "mobile", nothing. */
export function idleTimeoutOf(asked: number | "mobile" | undefined): number {
  if (asked === undefined) return IDLE_TIMEOUT_SECONDS;
  if (asked === "mobile") return IDLE_TIMEOUT_MOBILE_SECONDS;
  return Math.max(1, Math.min(asked, IDLE_TIMEOUT_SECONDS_MAX));
}
