// One queue: what a client registered for, the events it has still to get, and its held poll.
import { eventNotInQueue, eventPruned } from "../contract/errors/general.ts";
import type { QueueRecord } from "../schema/records.ts";
import { lastIdOf, type QueuedEvent } from "./event-router.ts";
import { Ring } from "./ring.ts";

/** A queue that holds more than these is deleted, and its client registers anew. */
export const QUEUE_EVENTS_MAX = 16_384;

/** A held poll: what its answer is told to. */
export interface Waiting {
  tell(answer: string): void;
}

export class Queue {
  readonly ring = new Ring<QueuedEvent>();
  /** The greatest id that the client said it has; at first, the number it was opened at. */
  acknowledged: number;
  /** When a poll last began or ended, in milliseconds of the clock. */
  lastActive: number;
  parked: Waiting | undefined = undefined;
  /** What the held poll was asked with, as `Telling.mayHear` takes it. */
  askedWith = 0;
  /** When the held poll is due a heartbeat, in milliseconds of the clock. */
  beatAt = Infinity;
  isClosed = false;
  /** It waits in the hub's line of polls to answer. */
  isWaking = false;
  /** It acknowledged something since the last checkpoint. */
  isUnsaved = false;
  /** Nothing was acknowledged yet (in this run), so the client may say -1. */
  #isFresh = true;

  constructor(
    /** As registered: `acknowledged` and `pending` in it are of no use here. */
    readonly record: QueueRecord,
    /** null: all. */
    readonly types: ReadonlySet<string> | null,
    readonly isWide: boolean,
    now: number,
  ) {
    this.acknowledged = record.acknowledged;
    this.lastActive = now;
  }

  /** Drops what the client has; answers whether that moved anything, or refuses. */
  acknowledge(id: number, newest: number): boolean {
    if (id === -1 && this.#isFresh) return false;
    if (id < this.acknowledged) throw eventPruned(id);
    if (id === this.acknowledged) return false;
    if (id > newest) throw eventNotInQueue(id);

    this.acknowledged = id;
    this.#isFresh = false;
    for (let told = this.ring.oldest; told !== undefined; told = this.ring.oldest) {
      if (lastIdOf(told) > id) break;
      this.ring.shift();
    }
    return true;
  }

  /** Did the client say it has this event, or was the queue opened after it? */
  isPast(told: QueuedEvent) {
    return lastIdOf(told) <= this.acknowledged;
  }

  /** Answers false when the queue is full. An event that is past or there already is left out. */
  append(told: QueuedEvent): boolean {
    const { newest, count } = this.ring;
    if (this.isPast(told) || (newest !== undefined && told.seq <= newest.seq)) return true;
    if (count === QUEUE_EVENTS_MAX) return false;
    this.ring.push(told);
    return true;
  }
}
