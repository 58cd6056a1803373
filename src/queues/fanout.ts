// The lines between a publish and its listeners, worked off in slices between other work.
import type { QueuedEvent } from "./event-router.ts";
import type { Queue } from "./queue.ts";
import { Ring } from "./ring.ts";

/** A slice ends at the first of these. */
const SLICE_MS = 1;
export const SLICE_APPENDS_MAX = 4_096;
/** A look at the clock costs about as much as an append. */
const APPENDS_PER_LOOK = 256;
/** A woken poll costs an HTTP answer, which runs right after the slice. */
export const SLICE_WAKES_MAX = 16;
/** Beyond this many deliveries in line, a publish first works them off itself. */
export const DELIVERIES_MAX = 1 << 18;

type Delivery = { told: QueuedEvent; queues: readonly Queue[]; next: number };

/** What is done to a queue when its turn comes. */
export interface Handling {
  append(queue: Queue, told: QueuedEvent): void;
  wake(queue: Queue): void;
}

export class Fanout {
  readonly #deliveries = new Ring<Delivery>();
  readonly #waking = new Ring<Queue>();
  #waiting = 0;
  #isScheduled = false;

  constructor(
    readonly handling: Handling,
    readonly clock: { now(): number },
  ) {}

  /** How many deliveries are in line. */
  get waiting() {
    return this.#waiting;
  }

  /** The oldest event in line. */
  get oldest(): QueuedEvent | undefined {
    return this.#deliveries.oldest?.told;
  }

  add(told: QueuedEvent, queues: readonly Queue[]) {
    if (queues.length === 0) return;
    if (this.#waiting + queues.length > DELIVERIES_MAX) this.appendAll();
    this.#deliveries.push({ told, queues, next: 0 });
    this.#waiting += queues.length;
    this.#schedule();
  }

  /** Puts all that is in line into the queues at once. */
  appendAll() {
    while (this.#waiting > 0) this.#appendNext();
  }

  /** Immediates run after the answer of the request that published. */
  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#slice());
  }

  /** Polls wait for the last append, so that one answer holds all events of a publish. */
  #slice() {
    this.#isScheduled = false;
    const end = this.clock.now() + SLICE_MS;
    for (let done = 1; this.#waiting > 0; done++) {
      this.#appendNext();
      if (done === SLICE_APPENDS_MAX) break;
      if (done % APPENDS_PER_LOOK === 0 && this.clock.now() >= end) break;
    }
    for (let done = 1; this.#waiting === 0 && this.#waking.count > 0; done++) {
      this.#wakeNext();
      if (done === SLICE_WAKES_MAX || this.clock.now() >= end) break;
    }
    if (this.#waiting > 0 || this.#waking.count > 0) this.#schedule();
  }

  #appendNext() {
    const delivery = this.#deliveries.oldest!;
    const queue = delivery.queues[delivery.next]!;
    delivery.next += 1;
    this.#waiting -= 1;
    if (delivery.next === delivery.queues.length) this.#deliveries.shift();
    if (queue.isClosed) return;
    this.handling.append(queue, delivery.told);
    if (queue.parked === undefined || queue.isWaking || queue.ring.count === 0) return;
    queue.isWaking = true;
    this.#waking.push(queue);
  }

  #wakeNext() {
    const queue = this.#waking.shift()!;
    queue.isWaking = false;
    this.handling.wake(queue);
  }
}
