// Options of an event queue, and of the snapshot.

const IDLE_TIMEOUT_SECONDS = 600;
const IDLE_TIMEOUT_MOBILE_SECONDS = 43_200;
const IDLE_TIMEOUT_SECONDS_MAX = 604_800;
/** Beyond this number, the user's queue that was idle longest is deleted. */
export const QUEUES_PER_USER_MAX = 100;

/** Maximum of event types that a client names, since each event is compared with them. */
export const EVENT_TYPES_MAX = 200;
export const EVENT_TYPE_LENGTH_MAX = 100;

/** Options of the snapshot. */
export interface SnapshotOptions {
  client_gravatar: boolean;
  include_subscribers: boolean | "partial";
  presence_history_limit_days: number;
  /** Forms and declared capabilities, from events.ts. */
  capabilities: number;
  /** The event types of the queue; null: all. */
  event_types: readonly string[] | null;
}

/** The client's timeout, from what it requested: seconds, "mobile" or nothing. */
export function idleTimeoutOf(requested: number | "mobile" | undefined): number {
  if (requested === undefined) return IDLE_TIMEOUT_SECONDS;
  if (requested === "mobile") return IDLE_TIMEOUT_MOBILE_SECONDS;
  return Math.max(1, Math.min(requested, IDLE_TIMEOUT_SECONDS_MAX));
}
