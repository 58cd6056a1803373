// One event queue: the client's registration, its undelivered events and its held poll.
import { eventNotInQueue, eventPruned } from "../contract/errors/general.ts";
import type { QueueRecord } from "../schema/records.ts";
import { lastIdOf, type QueuedEvent } from "./event-router.ts";
import { Ring } from "./ring.ts";

/** A queue with more events is deleted, and its client registers again. */
export const QUEUE_EVENTS_MAX = 16_384;

/** Receives the response of a held poll. */
export interface HeldPoll {
  respond(response: string): void;
}

export class Queue {
  readonly ring = new Ring<QueuedEvent>();
  /** The highest id that the client acknowledged; initially the event number at registration. */
  acknowledged: number;
  /** When a poll last started or ended, in milliseconds of the clock. */
  lastActive: number;
  parked: HeldPoll | undefined = undefined;
  /**
   * Key or session that authenticated the held poll, in the form that `EventRouter.canReceive`
   * expects.
   */
  askedWith = 0;
  /** When the held poll receives its next heartbeat, in milliseconds of the clock. */
  beatAt = Infinity;
  isClosed = false;
  /** True while the hub is about to answer the held poll. */
  isWaking = false;
  /** True if events were acknowledged since the last checkpoint. */
  isUnsaved = false;
  /** True until the first acknowledgement in this process; the client may still send -1. */
  #isFresh = true;

  constructor(
    /** The registration. Its fields `acknowledged` and `pending` are not current. */
    readonly record: QueueRecord,
    /** Event types; null for all. */
    readonly types: ReadonlySet<string> | null,
    readonly isWide: boolean,
    now: number,
  ) {
    this.acknowledged = record.acknowledged;
    this.lastActive = now;
  }

  /**
   * Drops acknowledged events. Returns whether any were dropped. @throws if the id was not in this
   * queue
   */
  acknowledge(id: number, newest: number): boolean {
    if (id === -1 && this.#isFresh) return false;
    if (id < this.acknowledged) throw eventPruned(id);
    if (id === this.acknowledged) return false;
    if (id > newest) throw eventNotInQueue(id);

    this.acknowledged = id;
    this.#isFresh = false;
    for (
      let queuedEvent = this.ring.oldest;
      queuedEvent !== undefined;
      queuedEvent = this.ring.oldest
    ) {
      if (lastIdOf(queuedEvent) > id) break;
      this.ring.shift();
    }
    return true;
  }

  /** Whether the client acknowledged this event, or registered after it. */
  isPast(queuedEvent: QueuedEvent) {
    return lastIdOf(queuedEvent) <= this.acknowledged;
  }

  /** Returns false if the queue is full. Ignores events that are past or already in the queue. */
  append(queuedEvent: QueuedEvent): boolean {
    const { newest, count } = this.ring;
    if (this.isPast(queuedEvent) || (newest !== undefined && queuedEvent.seq <= newest.seq))
      return true;
    if (count === QUEUE_EVENTS_MAX) return false;
    this.ring.push(queuedEvent);
    return true;
  }
}
