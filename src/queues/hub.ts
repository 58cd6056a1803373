// The hub routes committed events to the queues that receive them.

// The phases of an event for a queue; `seq` increases through all of them.
//   opened    The queue starts at the last number of the log, in the same synchronous step that
//             reads the snapshot. Events up to that number are in the snapshot and are skipped.
//   resolved  `publish` determines synchronously and in log order which queues receive the event,
//             from the state right after its commit.
//   appended  Fan-out appends the event to these queues in slices, first in first out.
//   answered  When nothing is left to append, the held poll receives all events of its queue. A
//             poll that arrives earlier receives the events that were appended so far.
//   past      A later poll acknowledges the event; the queue drops it, and the log may.
//   replayed  After a stop or crash, the queue is restored from its saved state, then the log.
import type { QueueRecord } from "../schema/records.ts";
import { PollResponses, emptyResponse, textsFor } from "./response.ts";
import {
  type EventRouter,
  lastIdOf,
  type QueuedEvent,
  type RoutingContext,
} from "./event-router.ts";
import { Fanout } from "./fanout.ts";
import { Listeners } from "./listeners.ts";
import type { Queue } from "./queue.ts";

export class Hub {
  readonly listeners: Listeners;
  readonly answers: PollResponses;
  /** The highest id that any queue may have delivered. */
  newest = -1;
  isStopping = false;
  /** Metrics: queues that were closed because they were full, and events by type. */
  overflows = 0;
  readonly eventCounts = new Map<string, number>();
  readonly #fanout: Fanout;
  #acknowledged: Queue[] = [];
  #gone: string[] = [];
  #timer: Timer | undefined;
  #endings = 0;

  readonly random: () => number;
  readonly report: (error: unknown) => void;

  constructor(
    readonly router: EventRouter,
    /** Milliseconds in which the process ran and clients could poll. */
    readonly clock: { now(): number },
    /** Returns the next event number; undefined while earlier numbers wait for a commit. */
    readonly nextSeq: () => number | undefined,
    { random = Math.random, report = warn }: RoutingContext = {},
  ) {
    this.random = random;
    this.report = report;
    this.listeners = new Listeners(router);
    this.answers = new PollResponses(router);
    this.#fanout = new Fanout(
      {
        append: (queue, queuedEvent) => this.append(queue, queuedEvent),
        wake: (queue) => this.#wake(queue),
      },
      clock,
    );
  }

  /** Opens a queue that receives events after `record.acknowledged`. */
  open(record: QueueRecord): Queue {
    return this.listeners.add(record, this.clock.now());
  }

  /** Closes the queue and its held poll. */
  close(queue_id: string) {
    const queue = this.listeners.get(queue_id);
    if (queue === undefined) return;
    queue.isClosed = true;
    this.listeners.remove(queue);
    this.#gone.push(queue_id);
    this.release(queue);
    queue.ring.clear();
  }

  closeAll() {
    for (const { record } of [...this.listeners.all()]) this.close(record.queue_id);
  }

  closeOf(user_id: number) {
    for (const queue of this.listeners.of(user_id)) this.close(queue.record.queue_id);
  }

  /** Returns undefined if the queue does not exist or belongs to another user. */
  find(queue_id: string, user_id: number): Queue | undefined {
    const queue = this.listeners.get(queue_id);
    return queue?.record.user_id === user_id ? queue : undefined;
  }

  of(user_id: number): readonly Queue[] {
    return this.listeners.of(user_id);
  }

  /**
   * Publishes the events of one commit in log order. Must be called for every commit, also without
   * events.
   */
  publish(queuedEvents: readonly QueuedEvent[]) {
    const { endings } = this.router;
    if (endings !== this.#endings) for (const queue of this.listeners.all()) this.#dismiss(queue);
    this.#endings = endings;
    for (const queuedEvent of queuedEvents) {
      const { type } = queuedEvent.event;
      this.eventCounts.set(type, (this.eventCounts.get(type) ?? 0) + 1);
      this.sendTo(queuedEvent, this.#receivers(queuedEvent));
    }
    if (this.router.isClosed) this.#finishAll();
  }

  /** Answers every held poll with the last events. */
  #finishAll() {
    this.appendAll();
    for (const queue of this.listeners.all()) {
      this.#wake(queue);
      this.release(queue);
    }
  }

  /** Sends an event to these queues only, whatever event types they registered for. */
  sendTo(queuedEvent: QueuedEvent, queues: readonly Queue[]) {
    if (queuedEvent.seq <= this.newest)
      throw new Error(`event ${queuedEvent.seq} comes after ${this.newest}`);
    this.newest = lastIdOf(queuedEvent);
    this.#fanout.add(queuedEvent, queues);
  }

  /** Appends the event, or closes the queue if it is full or rendering fails. */
  append(queue: Queue, queuedEvent: QueuedEvent) {
    try {
      if (textsFor(queue, queuedEvent, this.router).length === 0) return;
      if (queue.append(queuedEvent)) return;
      this.overflows += 1;
      this.close(queue.record.queue_id);
    } catch (error) {
      this.fail(queue, error);
    }
  }

  /** Closes the queue, so that a client that might miss an event registers again. */
  fail(queue: Queue, error: unknown) {
    this.report(error);
    this.close(queue.record.queue_id);
  }

  /** Marks the queue's record to be written at the next checkpoint. */
  noteAcknowledged(queue: Queue) {
    if (queue.isUnsaved) return;
    queue.isUnsaved = true;
    this.#acknowledged.push(queue);
  }

  raiseNewest(id: number) {
    this.newest = Math.max(this.newest, id);
  }

  /** Repeats the work every `period_ms` milliseconds until the hub stops. */
  every(period_ms: number, work: () => void) {
    this.#timer ??= setInterval(work, period_ms);
  }

  /** Ends all held polls. No poll is held afterwards. */
  stop() {
    this.isStopping = true;
    clearInterval(this.#timer);
    for (const queue of this.listeners.all()) this.release(queue);
  }

  /** Ends the held poll, if there is one, with no events. */
  release(queue: Queue) {
    if (queue.parked !== undefined) this.#finish(queue, emptyResponse(queue));
  }

  /**
   * Returns all pending events. If they cannot be rendered, closes the queue, and its client
   * registers again.
   */
  take(queue: Queue): string {
    try {
      return this.answers.of(queue);
    } catch (error) {
      this.fail(queue, error);
      return emptyResponse(queue);
    }
  }

  /**
   * Returns the records for a checkpoint: of the queues that acknowledged events since the last
   * call.
   */
  dirty(): QueueRecord[] {
    const open = this.#acknowledged.filter((queue) => !queue.isClosed);
    for (const queue of this.#acknowledged) queue.isUnsaved = false;
    this.#acknowledged = [];
    return open.map(({ record, acknowledged }) => ({ ...record, acknowledged }));
  }

  /** Returns the ids for a checkpoint: of the queues that were closed since the last call. */
  takeRemoved(): string[] {
    const removedQueues = this.#gone;
    this.#gone = [];
    return removedQueues;
  }

  /** Appends all published events to their queues at once. */
  appendAll() {
    this.#fanout.appendAll();
  }

  /** Returns the number up to which no queue needs the log. */
  oldestNeeded(): number {
    const inLine = this.#fanout.oldest;
    let oldest = inLine === undefined ? this.newest : inLine.seq - 1;
    for (const { ring } of this.listeners.all()) {
      if (ring.oldest !== undefined) oldest = Math.min(oldest, ring.oldest.seq - 1);
    }
    return oldest;
  }

  get counts() {
    let [parkedCount, pending] = [0, 0];
    for (const queue of this.listeners.all()) {
      pending += queue.ring.count;
      if (queue.parked !== undefined) parkedCount += 1;
    }
    return { ...this.listeners.counts, parked: parkedCount, pending, inLine: this.#fanout.waiting };
  }

  /** Answers the held poll, if there is one, unless its user, key or session has lost access. */
  #wake(queue: Queue) {
    if (queue.parked === undefined || queue.ring.count === 0) return;
    this.#finish(queue, this.#canReceive(queue) ? this.take(queue) : emptyResponse(queue));
  }

  /** Ends a held poll whose key or session has ended, without its events. */
  #dismiss(queue: Queue) {
    if (queue.parked !== undefined && !this.#canReceive(queue)) this.release(queue);
  }

  #canReceive({ record, askedWith }: Queue): boolean {
    return this.router.canReceive(record.user_id, askedWith);
  }

  #finish(queue: Queue, response: string) {
    const { parked } = queue;
    queue.parked = undefined;
    queue.lastActive = this.clock.now();
    parked?.respond(response);
  }

  #receivers(queuedEvent: QueuedEvent): Queue[] {
    try {
      return this.listeners.receivers(queuedEvent);
    } catch (error) {
      for (const queue of this.listeners.all()) this.fail(queue, error);
      return [];
    }
  }
}

function warn(error: unknown) {
  process.emitWarning(error instanceof Error ? error : String(error));
}
