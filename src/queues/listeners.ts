// The open queues by id and by user, and the selection of those that receive an event.
import type { QueueRecord } from "../schema/records.ts";
import type { EventRouter, QueuedEvent } from "./event-router.ts";
import { Queue } from "./queue.ts";

/** Number of distinct event-type lists and client names that are kept for sharing. */
const SHARED_MAX = 1_000;
const NO_NARROW: [string, string][] = [];

type TypeList = { list: string[]; set: ReadonlySet<string> };

export class Listeners {
  readonly #queues = new Map<string, Queue>();
  readonly #people = new Map<number, Queue[]>();
  /** Queues that may receive events whose audience does not include their user. */
  readonly #wide = new Set<Queue>();
  readonly #typeLists = new Map<string, TypeList>();
  readonly #clients = new Map<string, string>();

  constructor(readonly router: EventRouter) {}

  add(record: QueueRecord, now: number): Queue {
    const types = record.event_types === null ? null : this.#typeList(record.event_types);
    const retained = this.#kept(record, types && types.list);
    const queue = new Queue(retained, types && types.set, this.router.isWide(record), now);
    this.#queues.set(record.queue_id, queue);
    const others = this.#people.get(record.user_id);
    if (others === undefined) this.#people.set(record.user_id, [queue]);
    else others.push(queue);
    if (queue.isWide) this.#wide.add(queue);
    return queue;
  }

  remove(queue: Queue) {
    const { queue_id, user_id } = queue.record;
    this.#queues.delete(queue_id);
    this.#wide.delete(queue);
    const rest = this.of(user_id).filter((other) => other !== queue);
    if (rest.length > 0) this.#people.set(user_id, rest);
    else this.#people.delete(user_id);
  }

  get(queue_id: string) {
    return this.#queues.get(queue_id);
  }

  of(user_id: number): readonly Queue[] {
    return this.#people.get(user_id) ?? [];
  }

  all(): Iterable<Queue> {
    return this.#queues.values();
  }

  get counts() {
    return { queues: this.#queues.size, people: this.#people.size, wide: this.#wide.size };
  }

  /**
   * Returns the queues that receive the event, searching from the smaller side: its audience or the
   * open queues.
   */
  receivers(queuedEvent: QueuedEvent): Queue[] {
    const { router } = this;
    const { audience, seq } = queuedEvent;
    const matching: Queue[] = [];
    if (router.size(audience) < this.#people.size) {
      for (const user_id of router.people(audience, seq)) {
        for (const queue of this.of(user_id))
          if (this.#takes(queue, queuedEvent, true)) matching.push(queue);
      }
      for (const queue of this.#wide) {
        if (router.includes(audience, queue.record.user_id, seq)) continue;
        if (this.#takes(queue, queuedEvent, false)) matching.push(queue);
      }
      return matching;
    }
    for (const [user_id, queues] of this.#people) {
      const inAudience = router.includes(audience, user_id, seq);
      for (const queue of queues) {
        if ((inAudience || queue.isWide) && this.#takes(queue, queuedEvent, inAudience))
          matching.push(queue);
      }
    }
    return matching;
  }

  /** Whether this queue receives the event, for a replay. */
  receives(queue: Queue, queuedEvent: QueuedEvent): boolean {
    const inAudience = this.router.includes(
      queuedEvent.audience,
      queue.record.user_id,
      queuedEvent.seq,
    );
    return (inAudience || queue.isWide) && this.#takes(queue, queuedEvent, inAudience);
  }

  #takes(queue: Queue, queuedEvent: QueuedEvent, inAudience: boolean) {
    if (queue.isPast(queuedEvent)) return false;
    if (queue.types !== null && !queue.types.has(queuedEvent.event.type)) return false;
    return this.router.allowsEvent(queue.record, queuedEvent, inAudience);
  }

  /**
   * Gives all records one object shape and shares equal values, because there are tens of thousands
   * of records.
   */
  #kept(record: QueueRecord, event_types: string[] | null): Required<QueueRecord> {
    return {
      queue_id: record.queue_id,
      user_id: record.user_id,
      client: this.#client(record.client),
      created: record.created,
      idle_timeout_secs: record.idle_timeout_secs,
      event_types,
      capabilities: record.capabilities,
      all_public_streams: record.all_public_streams,
      narrow: record.narrow.length === 0 ? NO_NARROW : record.narrow,
      acknowledged: record.acknowledged,
      pending: null,
      session_id: record.session_id ?? null,
      key_id: record.key_id ?? null,
    };
  }

  #client(name: string): string {
    const client = this.#clients.get(name);
    if (client !== undefined) return client;
    if (this.#clients.size === SHARED_MAX) this.#clients.clear();
    this.#clients.set(name, name);
    return name;
  }

  /** Most clients register for one of a few lists of types, which are shared between queues. */
  #typeList(list: string[]): TypeList {
    const key = JSON.stringify(list);
    const typeList = this.#typeLists.get(key);
    if (typeList !== undefined) return typeList;
    if (this.#typeLists.size === SHARED_MAX) this.#typeLists.clear();
    const types = { list, set: new Set(list) };
    this.#typeLists.set(key, types);
    return types;
  }
}
