// What an event is to the queues, and what the queues ask of the product that tells it.
import type { QueueRecord } from "../schema/records.ts";

/** One event, shared by all queues that hear it; once published only its cache changes. */
export interface QueuedEvent {
  readonly seq: number;
  /** How many ids it occupies, from `seq` on: some clients get one event as several. Usually 1. */
  readonly width: number;
  readonly event: { readonly type: string } & Record<string, unknown>;
  readonly audience: unknown;
  /** false: typing, presence, heartbeat…, which no log holds. */
  readonly durable: boolean;
  /** The event as JSON, where it has been written down. */
  readonly text?: string;
  /** Cache: the rendered texts by number of variant. */
  variants?: (readonly string[])[];
}

/** What the hub asks of the product. All but `people` are asked often, and must be cheap. */
export interface EventRouter {
  /** An upper bound of how many people the audience holds; Infinity when unknown. */
  size(audience: unknown): number;
  /** The people of the audience; asked when `size` is below the number of people with queues. */
  people(audience: unknown, seq: number): Iterable<number>;
  /** Is this person in the audience? `seq` lets a replay after a crash ask about the past. */
  includes(audience: unknown, user_id: number, seq: number): boolean;
  /**
   * Does the queue take this event, beyond its list of types and the audience: by capabilities,
   * narrow and the like? `inAudience` is false only for wide queues.
   */
  admits(queue: QueueRecord, told: QueuedEvent, inAudience: boolean): boolean;
  /** May who asked with this (a key's id, or less than 0: a session's) be told what queues hear? */
  mayHear(user_id: number, asked_with: number): boolean;
  /** Grows whenever there may be somebody who may not hear any more. */
  readonly endings: number;
  /** Is there nobody any more who may ask? Then what was told last is the last that is heard. */
  readonly isClosed: boolean;
  /** May the queue hear more than what its person is told? */
  isWide(queue: QueueRecord): boolean;
  /** Which rendering the queue needs of this event: a small integer, 0 for most. */
  variant(queue: QueueRecord, told: QueuedEvent): number;
  /**
   * The JSON of the event without id and closing brace: one text, up to `told.width` of them, or
   * none when the variant has nothing to hear.
   */
  render(told: QueuedEvent, variant: number): readonly string[];
  /** What differs per person, spliced in before the id: "", or text that begins with a comma. */
  personal(told: QueuedEvent, queue: QueueRecord): string;
}

/** What the hub may be given besides; a test sets chance. */
export interface Surroundings {
  /** From 0 to below 1. */
  random?: () => number;
  /** Hears of what the product threw at the hub. */
  report?: (error: unknown) => void;
}

export const HEARTBEAT = "heartbeat";

/** The last of the ids that the event occupies. */
export function lastIdOf(told: QueuedEvent) {
  return told.seq + told.width - 1;
}
