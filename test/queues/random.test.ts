// Random clients, events, stops and crashes, compared with a model of what each client receives.
import { expect, test } from "bun:test";
import type { QueuedEvent } from "../../src/queues/event-router.ts";
import { freeze } from "../../src/queues/restore.ts";
import { sweep } from "../../src/queues/sweep.ts";
import type { QueueRecord } from "../../src/schema/records.ts";
import { seedsOf } from "../repetitions.ts";
import {
  type Audience,
  CAN_BULK,
  record,
  rowsOf,
  seededRandom,
  HubFixture,
  nextTick,
} from "./hub-fixture.ts";

const STEPS = 400;
const PEOPLE = 6;
const TYPES = ["a", "b", "typing"];

/** A client that, like real ones, knows only the last event id. */
class Client {
  last: number;
  receivedIds: number[] = [];
  /** Ephemeral events up to this id may be missing: a crash came before they were acknowledged. */
  crashed = -1;

  constructor(readonly record: QueueRecord) {
    this.last = record.acknowledged;
  }

  receive(response: string) {
    for (const row of rowsOf(response)) {
      if (row.id <= this.last) continue;
      if (row.type !== "heartbeat") this.receivedIds.push(row.id);
      this.last = row.id;
    }
  }
}

test.each(seedsOf("queues"))("seed %d", async (seed) => {
  const run = new RandomRun(seed);
  for (let step = 0; step < STEPS; step++) await run.step();
  await run.check();
});

class RandomRun {
  readonly random;
  readonly fixture;
  readonly clients = new Map<string, Client>();
  /** All published events, and the queue records that a crash finds on disk. */
  readonly history: QueuedEvent[] = [];
  readonly disk = new Map<string, QueueRecord>();
  opened = 0;

  constructor(readonly seed: number) {
    this.random = seededRandom(seed);
    this.fixture = new HubFixture({ random: this.random });
  }

  async step() {
    const random = this.random();
    if (random < 0.05) this.register();
    else if (random < 0.4) this.publish();
    else if (random < 0.75) this.poll();
    else if (random < 0.85) await nextTick();
    else if (random < 0.9) this.passTime();
    else if (random < 0.95) this.checkpoint();
    else if (random < 0.97) this.restart(this.random() < 0.5);
    else if (random < 0.98) this.leave();
    else this.trim();
  }

  register() {
    const opened = record(`q${this.opened++}`, this.below(PEOPLE), {
      acknowledged: this.fixture.seq,
      capabilities: this.below(2) * CAN_BULK,
      event_types: this.random() < 0.5 ? null : ["a", "typing"],
      all_public_streams: this.random() < 0.3,
      idle_timeout_secs: 1_000_000,
    });
    this.fixture.hub.open(opened);
    this.disk.set(opened.queue_id, opened);
    this.clients.set(opened.queue_id, new Client(opened));
  }

  publish() {
    const queuedEvents = Array.from({ length: 1 + this.below(4) }, () => {
      const type = TYPES[this.below(TYPES.length)]!;
      const people = Array.from({ length: this.below(5) }, () => this.below(PEOPLE));
      const audience: Audience = this.random() < 0.3 ? "all" : people;
      const width = this.random() < 0.2 ? 3 : 1;
      const isPublic = this.random() < 0.5;
      return this.fixture.event(type, audience, { public: isPublic }, width, type !== "typing");
    });
    this.history.push(...queuedEvents);
    // A client may register between the commit and the publish.
    if (this.random() < 0.1) this.register();
    this.fixture.hub.publish(queuedEvents);
  }

  /** The client may lose the response, or acknowledge fewer events than it received. */
  poll() {
    const client = this.pickUser();
    if (client === undefined) return;
    const { queue_id } = client.record;
    const poll = this.fixture.poll(queue_id, client.last, this.random() < 0.3);
    const isLost = this.random() < 0.2;
    if (typeof poll === "string") {
      if (!isLost) client.receive(poll);
      return;
    }
    if (!isLost) void poll.then((response) => client.receive(response));
  }

  passTime() {
    this.fixture.clock.at += this.below(30_000);
    sweep(this.fixture.hub);
  }

  checkpoint() {
    for (const queue of this.fixture.hub.dirty()) this.disk.set(queue.queue_id, queue);
    for (const queue of this.fixture.hub.takeRemoved()) this.disk.delete(queue);
  }

  restart(isClean: boolean) {
    if (isClean) {
      this.fixture.hub.stop();
      for (const frozen of freeze(this.fixture.hub)) this.disk.set(frozen.queue_id, frozen);
    } else {
      for (const client of this.clients.values()) client.crashed = this.fixture.seq;
    }
    // A closed queue may still be on disk; its client never returns.
    this.fixture.restart([...this.disk.values()]);
  }

  leave() {
    const client = this.pickUser();
    if (client === undefined || this.clients.size < 3) return;
    this.fixture.hub.close(client.record.queue_id);
    this.clients.delete(client.record.queue_id);
  }

  trim() {
    const oldestEvent = this.fixture.hub.oldestNeeded();
    this.fixture.log = this.fixture.log.filter(
      (queuedEvent) => queuedEvent.seq + queuedEvent.width - 1 > oldestEvent,
    );
  }

  async check() {
    await this.fixture.settle();
    expect(this.fixture.faults).toEqual([]);
    for (const client of this.clients.values()) {
      client.receive(this.fixture.poll(client.record.queue_id, client.last, true) as string);
      const all = this.history.flatMap((queuedEvent) => this.idsFor(client, queuedEvent));
      const received = new Set(client.receivedIds);
      const due = all.filter(
        ({ id, durable }) => durable || id > client.crashed || received.has(id),
      );
      expect(client.receivedIds).toEqual(due.map(({ id }) => id));
    }
  }

  /** The model: returns the ids of the event that the client must receive. */
  idsFor(
    { record: { user_id, ...of } }: Client,
    { seq, width, event, audience, durable }: QueuedEvent,
  ) {
    const isNotified = audience === "all" || (audience as number[]).includes(user_id);
    const isReceived = isNotified || (of.all_public_streams && event.public === true);
    const isWanted = of.event_types === null || of.event_types.includes(event.type);
    if (seq <= of.acknowledged || !isReceived || !isWanted) return [];
    const last = seq + width - 1;
    const first = of.capabilities === CAN_BULK ? last : seq;
    return Array.from({ length: last - first + 1 }, (_, index) => ({ id: first + index, durable }));
  }

  pickUser() {
    return [...this.clients.values()][this.below(this.clients.size)];
  }

  below(bound: number) {
    return Math.floor(this.random() * bound);
  }
}
