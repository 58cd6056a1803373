// The hub: takes committed events, and leads each to the queues that hear it.

// How a queue catches up, by phases; `seq` grows through all of them.
//   opened    at the log's last number, in the same synchronous step that reads the snapshot:
//             what has a number up to there is in the snapshot, and is past for the queue.
//   resolved  in `publish`, synchronously and in log order: which queues hear the event is settled
//             by the state right after its commit.
//   appended  in slices, first in first out: the event is in the ring of each of those queues.
//   answered  when nothing is left to append: the held poll gets all that its ring holds. A poll
//             that comes in between is answered with what is in the ring already.
//   past      when a later poll acknowledges it: the ring drops it, and the log may.
//   replayed  after a stop or a crash: from what the stop wrote down, then from the log.
import type { QueueRecord } from "../records.ts";
import { Answers, textsFor } from "./answer.ts";
import { Fanout } from "./fanout.ts";
import { Listeners } from "./listeners.ts";
import { release, wake } from "./poll.ts";
import type { Queue } from "./queue.ts";
import * as revive from "./revive.ts";
import { SWEEP_MS, sweep } from "./sweep.ts";
import { lastIdOf, type Surroundings, type Telling, type Told } from "./telling.ts";

export class Hub {
  readonly listeners: Listeners;
  readonly answers: Answers;
  /** The greatest id that any queue may have heard of. */
  newest = -1;
  isStopping = false;
  readonly #fanout: Fanout;
  #moved: Queue[] = [];
  #gone: string[] = [];
  #timer: Timer | undefined;

  readonly random: () => number;
  readonly report: (error: unknown) => void;

  constructor(
    readonly telling: Telling,
    /** Milliseconds. */
    readonly clock: { now(): number },
    /** Takes a number for an event; undefined while numbers given before wait for a commit. */
    readonly nextSeq: () => number | undefined,
    { random = Math.random, report = warn }: Surroundings = {},
  ) {
    this.random = random;
    this.report = report;
    this.listeners = new Listeners(telling);
    this.answers = new Answers(telling);
    this.#fanout = new Fanout(
      {
        append: (queue, told) => this.append(queue, told),
        wake: (queue) => wake(this, queue),
      },
      clock,
    );
  }

  /** A queue that hears what comes after `record.acknowledged`. */
  open(record: QueueRecord): Queue {
    return this.listeners.add(record, this.clock.now());
  }

  /** Ends its held poll too. */
  close(queue_id: string) {
    const queue = this.listeners.get(queue_id);
    if (queue === undefined) return;
    queue.isClosed = true;
    this.listeners.remove(queue);
    this.#gone.push(queue_id);
    release(this, queue);
    queue.ring.clear();
  }

  closeOf(user_id: number) {
    for (const queue of this.listeners.of(user_id)) this.close(queue.record.queue_id);
  }

  /** undefined for a queue that is not there, or not this person's. */
  find(queue_id: string, user_id: number): Queue | undefined {
    const queue = this.listeners.get(queue_id);
    return queue?.record.user_id === user_id ? queue : undefined;
  }

  of(user_id: number): readonly Queue[] {
    return this.listeners.of(user_id);
  }

  /** What one commit told, in log order. */
  publish(tolds: readonly Told[]) {
    for (const told of tolds) this.tell(told, this.#hearers(told));
  }

  /** For these queues alone, whatever they registered for. */
  tell(told: Told, queues: readonly Queue[]) {
    if (told.seq <= this.newest) throw new Error(`event ${told.seq} comes after ${this.newest}`);
    this.newest = lastIdOf(told);
    this.#fanout.add(told, queues);
  }

  /** A queue that is full, or that cannot be told, is closed. */
  append(queue: Queue, told: Told) {
    try {
      if (textsFor(queue, told, this.telling).length === 0) return;
      if (!queue.append(told)) this.close(queue.record.queue_id);
    } catch (error) {
      this.fail(queue, error);
    }
  }

  /** A client that might miss something registers anew. */
  fail(queue: Queue, error: unknown) {
    this.report(error);
    this.close(queue.record.queue_id);
  }

  moved(queue: Queue) {
    if (queue.isMoved) return;
    queue.isMoved = true;
    this.#moved.push(queue);
  }

  reached(id: number) {
    this.newest = Math.max(this.newest, id);
  }

  start() {
    this.#timer ??= setInterval(() => sweep(this), SWEEP_MS);
  }

  /** Ends all held polls; from here on none is held. */
  stop() {
    this.isStopping = true;
    clearInterval(this.#timer);
    for (const queue of this.listeners.all()) release(this, queue);
  }

  /** For a checkpoint: the records of the queues that acknowledged since this was last asked. */
  dirty(): QueueRecord[] {
    const moved = this.#moved.filter((queue) => !queue.isClosed);
    for (const queue of this.#moved) queue.isMoved = false;
    this.#moved = [];
    return moved.map(({ record, acknowledged }) => ({ ...record, acknowledged }));
  }

  /** For a checkpoint: the ids of the queues that were closed since this was last asked. */
  gone(): string[] {
    const gone = this.#gone;
    this.#gone = [];
    return gone;
  }

  /** For a clean stop: all queues, with what they have still to deliver. */
  freeze(): QueueRecord[] {
    this.#fanout.appendAll();
    return revive.freeze(this);
  }

  /**
   * Before anything is published. `lastSeq`: no greater number was given to an event so far, told
   * or not; it may be above that of the log's end.
   */
  restore(records: Iterable<QueueRecord>, log: Iterable<Told>, lastSeq: number) {
    revive.restore(this, records, log);
    this.reached(lastSeq);
  }

  /** Of the log, no queue needs what has a number up to this one. */
  oldestNeeded(): number {
    const inLine = this.#fanout.oldest;
    let oldest = inLine === undefined ? this.newest : inLine.seq - 1;
    for (const { ring } of this.listeners.all()) {
      if (ring.oldest !== undefined) oldest = Math.min(oldest, ring.oldest.seq - 1);
    }
    return oldest;
  }

  get counts() {
    let parked = 0;
    for (const queue of this.listeners.all()) if (queue.parked !== undefined) parked += 1;
    return { ...this.listeners.counts, parked, inLine: this.#fanout.waiting };
  }

  #hearers(told: Told): Queue[] {
    try {
      return this.listeners.hearers(told);
    } catch (error) {
      for (const queue of this.listeners.all()) this.fail(queue, error);
      return [];
    }
  }
}

function warn(error: unknown) {
  process.emitWarning(error instanceof Error ? error : String(error));
}
