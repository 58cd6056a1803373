/** A hub with a minimal event router, a controlled clock, and an array as its log. */
import type { EventRouter, QueuedEvent, RoutingContext } from "../../src/queues/event-router.ts";
import { Hub } from "../../src/queues/hub.ts";
import { poll } from "../../src/queues/poll.ts";
import type { Queue } from "../../src/queues/queue.ts";
import { restore } from "../../src/queues/restore.ts";
import type { QueueRecord } from "../../src/schema/records.ts";

/** User ids, or all users. */
export type Audience = number[] | "all";
type Row = { type: string; id: number; [key: string]: unknown };

/** Clients with this capability get a wide event as one text; others get one text per id. */
export const CAN_BULK = 1;
/** Clients with this capability receive no event of type "novel". */
export const CAN_NOT_NOVEL = 2;

class Product implements EventRouter {
  rendered = 0;
  asked: string[] = [];

  size = (audience: unknown) => (audience === "all" ? Infinity : (audience as number[]).length);

  people(audience: unknown) {
    this.asked.push("people");
    return audience as number[];
  }

  includes(audience: unknown, user_id: number) {
    this.asked.push("includes");
    return audience === "all" || (audience as number[]).includes(user_id);
  }

  allowsEvent(queue: QueueRecord, queuedEvent: QueuedEvent, inAudience: boolean) {
    const isNotified =
      queuedEvent.audience === "all" || (queuedEvent.audience as number[]).includes(queue.user_id);
    if (inAudience !== isNotified) throw new Error("asked with the wrong audience");
    if (!inAudience && !queue.all_public_streams) throw new Error("asked for a narrow queue");
    return inAudience || queuedEvent.event.public === true;
  }

  /** Ended keys and sessions. */
  readonly ended = new Set<number>();

  isClosed = false;
  canReceive = (_user_id: number, asked_with: number) => !this.ended.has(asked_with);

  get endings() {
    return this.ended.size;
  }

  isWide = (queue: QueueRecord) => queue.all_public_streams;
  variant = (queue: QueueRecord) => queue.capabilities;

  render(queuedEvent: QueuedEvent, variant: number) {
    this.rendered += 1;
    if (queuedEvent.event.broken === true) throw new Error("cannot be told");
    if (queuedEvent.event.type === "novel" && (variant & CAN_NOT_NOVEL) !== 0) return [];
    const text = JSON.stringify(queuedEvent.event).slice(0, -1);
    return (variant & CAN_BULK) !== 0 ? [text] : new Array<string>(queuedEvent.width).fill(text);
  }

  personal(queuedEvent: QueuedEvent, queue: QueueRecord) {
    return queuedEvent.event.mine === true ? `,"to":${queue.user_id}` : "";
  }
}

export class HubFixture {
  readonly product = new Product();
  readonly clock = { at: 1_000_000, now: () => this.clock.at };
  readonly faults: unknown[] = [];
  log: QueuedEvent[] = [];
  seq = 0;
  /** Simulates a transaction in progress, during which no event number can be assigned. */
  isBusy = false;
  hub: Hub;

  constructor(readonly surroundings: RoutingContext = { random: () => 0.5 }) {
    this.hub = this.newHub();
  }

  newHub() {
    const next = () => (this.isBusy ? undefined : ++this.seq);
    const report = (fault: unknown) => void this.faults.push(fault);
    return new Hub(this.product, this.clock, next, { report, ...this.surroundings });
  }

  /** Simulates a restart: a new hub from records and the log. */
  restart(records: QueueRecord[]) {
    this.seq += 100;
    this.hub = this.newHub();
    const log = this.log.map((queuedEvent) => ({ ...queuedEvent, variants: undefined }));
    restore(this.hub, structuredClone(records), structuredClone(log), this.seq);
  }

  open(queue_id: string, user_id: number, extra: Partial<QueueRecord> = {}): Queue {
    return this.hub.open(record(queue_id, user_id, { acknowledged: this.seq, ...extra }));
  }

  /** Creates an event with the next number, as an action does before the commit. */
  event(
    type: string,
    audience: Audience,
    extra: object = {},
    width = 1,
    durable = true,
  ): QueuedEvent {
    const seq = this.seq + 1;
    this.seq += width;
    const queuedEvent: QueuedEvent = { seq, width, event: { type, ...extra }, audience, durable };
    if (durable) this.log.push(queuedEvent);
    return queuedEvent;
  }

  emit(type: string, audience: Audience, extra: object = {}) {
    const queuedEvent = this.event(type, audience, extra);
    this.hub.publish([queuedEvent]);
    return queuedEvent.seq;
  }

  poll(queue_id: string, last = -1, dont_block = false) {
    return pollFor(this.hub, this.queue(queue_id), last, dont_block);
  }

  /** Returns pending events. */
  rows(queue_id: string, last = -1): Row[] {
    return rowsOf(this.poll(queue_id, last, true) as string);
  }

  ids(queue_id: string, last = -1) {
    return this.rows(queue_id, last).map((row) => row.id);
  }

  queue(queue_id: string): Queue {
    const queue = this.hub.listeners.get(queue_id);
    if (queue === undefined) throw new Error(`no queue ${queue_id}`);
    return queue;
  }

  /** Resolves when all published events are in their queues and all woken polls are answered. */
  async settle() {
    while (this.hub.counts.inLine > 0 || [...this.hub.listeners.all()].some((q) => q.isWaking)) {
      await nextTick();
    }
  }
}

/** Returns the response, or a promise of it if the poll waits. */
export function pollFor(hub: Hub, queue: Queue, last = -1, dont_block = false, asked_with = 1) {
  const { promise, resolve } = Promise.withResolvers<string>();
  return poll(hub, queue, last, dont_block, { respond: resolve }, asked_with) ?? promise;
}

/** Waits for one turn of the event loop. */
export function nextTick() {
  return new Promise<void>((resolve) => setImmediate(resolve));
}

export function rowsOf(response: string): Row[] {
  return (JSON.parse(response) as { events: Row[] }).events;
}

export function record(
  queue_id: string,
  user_id: number,
  extra: Partial<QueueRecord>,
): QueueRecord {
  return {
    queue_id,
    user_id,
    client: "test",
    created: 0,
    idle_timeout_secs: 600,
    event_types: null,
    capabilities: 0,
    all_public_streams: false,
    narrow: [],
    acknowledged: 0,
    pending: null,
    ...extra,
  };
}

/** Returns random numbers that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
