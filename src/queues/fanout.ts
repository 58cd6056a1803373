// Appends published events to queues in time slices, so that other work continues in between.
import type { QueuedEvent } from "./event-router.ts";
import type { Queue } from "./queue.ts";
import { Ring } from "./ring.ts";

/** A slice ends when it reaches one of these limits. */
const SLICE_MS = 1;
export const SLICE_APPENDS_MAX = 4_096;
/** Reading the clock costs about as much as an append. */
const APPENDS_PER_TIME_CHECK = 256;
/** Each woken poll costs an HTTP response, which is sent right after the slice. */
export const SLICE_WAKES_MAX = 16;
/** If more deliveries than this are pending, a publish appends them itself first. */
export const DELIVERIES_MAX = 1 << 18;

type Delivery = { queuedEvent: QueuedEvent; queues: readonly Queue[]; next: number };

/** Callbacks that fan-out runs for each queue. */
interface DeliveryCallbacks {
  append(queue: Queue, queuedEvent: QueuedEvent): void;
  wake(queue: Queue): void;
}

export class Fanout {
  readonly #deliveries = new Ring<Delivery>();
  readonly #waking = new Ring<Queue>();
  #waiting = 0;
  #isScheduled = false;

  constructor(
    readonly handling: DeliveryCallbacks,
    readonly clock: { now(): number },
  ) {}

  /** Number of pending deliveries. */
  get waiting() {
    return this.#waiting;
  }

  /** The oldest event with pending deliveries. */
  get oldest(): QueuedEvent | undefined {
    return this.#deliveries.oldest?.queuedEvent;
  }

  add(queuedEvent: QueuedEvent, queues: readonly Queue[]) {
    if (queues.length === 0) return;
    if (this.#waiting + queues.length > DELIVERIES_MAX) this.appendAll();
    this.#deliveries.push({ queuedEvent, queues, next: 0 });
    this.#waiting += queues.length;
    this.#schedule();
  }

  /** Appends all pending events to the queues at once. */
  appendAll() {
    while (this.#waiting > 0) this.#appendNext();
  }

  /** Immediates run after the response to the request that published. */
  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#slice());
  }

  /**
   * Polls are woken after the last append, so that one response contains all events of a publish.
   */
  #slice() {
    this.#isScheduled = false;
    const end = this.clock.now() + SLICE_MS;
    for (let done = 1; this.#waiting > 0; done++) {
      this.#appendNext();
      if (done === SLICE_APPENDS_MAX) break;
      if (done % APPENDS_PER_TIME_CHECK === 0 && this.clock.now() >= end) break;
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
    this.handling.append(queue, delivery.queuedEvent);
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
