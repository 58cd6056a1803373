// Events as the queues see them, and the interface through which queues ask about audiences and
// renderings.
import type { QueueRecord } from "../schema/records.ts";

/**
 * An event, shared by all queues that receive it. After it is published, only its cache changes.
 */
export interface QueuedEvent {
  readonly seq: number;
  /**
   * Number of ids that the event occupies, starting at `seq`. Usually 1; some clients receive an
   * event as several.
   */
  readonly width: number;
  readonly event: { readonly type: string } & Record<string, unknown>;
  readonly audience: unknown;
  /** False for events that are not logged, such as typing, presence and heartbeat. */
  readonly durable: boolean;
  /** The event as JSON, if it was serialized already. */
  readonly text?: string;
  /** Cache of the rendered texts, by variant number. */
  variants?: (readonly string[])[];
}

/**
 * What the hub needs to know about events. Everything except `people` is called often and must be
 * cheap.
 */
export interface EventRouter {
  /** Upper bound of the number of users in the audience; Infinity if unknown. */
  size(audience: unknown): number;
  /** The users in the audience. Called only if `size` is below the number of users with queues. */
  people(audience: unknown, seq: number): Iterable<number>;
  /** Whether the user is in the audience. `seq` lets a replay after a crash ask about the past. */
  includes(audience: unknown, user_id: number, seq: number): boolean;
  /**
   * Whether the queue receives this event, considering capabilities, narrow and the like. Event
   * types and audience are checked elsewhere. `inAudience` is false only for wide queues.
   */
  allowsEvent(queue: QueueRecord, queuedEvent: QueuedEvent, inAudience: boolean): boolean;
  /**
   * Whether events may be sent to a request authenticated with this key (its id) or session
   * (negative).
   */
  canReceive(user_id: number, asked_with: number): boolean;
  /** Counter that grows whenever a user, key or session may have lost access. */
  readonly endings: number;
  /** True after the organization is closed: the events published so far are the last. */
  readonly isClosed: boolean;
  /** Whether the queue may receive events whose audience does not include its user. */
  isWide(queue: QueueRecord): boolean;
  /** Returns the number of the rendering that the queue needs; 0 for most queues. */
  variant(queue: QueueRecord, queuedEvent: QueuedEvent): number;
  /**
   * Returns the JSON of the event without id and closing brace: at most `queuedEvent.width` texts,
   * none if the variant does not receive the event.
   */
  render(queuedEvent: QueuedEvent, variant: number): readonly string[];
  /**
   * Returns the part that differs per user, inserted before the id: "" or text that starts with a
   * comma.
   */
  personal(queuedEvent: QueuedEvent, queue: QueueRecord): string;
}

/** Dependencies of the hub that tests replace. */
export interface RoutingContext {
  /** Returns a number from 0 to below 1. */
  random?: () => number;
  /** Called with errors that the router throws. */
  report?: (error: unknown) => void;
}

export const HEARTBEAT = "heartbeat";

/** Returns the last id that the event occupies. */
export function lastIdOf(queuedEvent: QueuedEvent) {
  return queuedEvent.seq + queuedEvent.width - 1;
}
