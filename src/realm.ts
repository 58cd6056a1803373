// A realm: one organization's data, event queues and clock.
import type { Config } from "./contract/config.ts";
import type { Audience, PlainEvent, SkeinEvent } from "./contract/events.ts";
import { MonotonicClock } from "./queues/monotonic-clock.ts";
import type { EventRouter, QueuedEvent } from "./queues/event-router.ts";
import { Hub } from "./queues/hub.ts";
import { restore } from "./queues/restore.ts";
import type { RealmSettings } from "./schema/records.ts";
import { bitmaps, type SequenceName, tables } from "./schema/schema.ts";
import type { IndexFaults } from "./store/copy/repair.ts";
import type { Copying } from "./store/copy/pages.ts";
import type { Change } from "./store/tables/changes.ts";
import type { Readers, Writers } from "./store/declare.ts";
import type { Measures } from "./store/environment.ts";
import type { Migration } from "./store/format/migrate.ts";
import { type OpenStore, openStore } from "./store/open.ts";
import { Pace } from "./store/steps.ts";
import { keyOf } from "./store/key.ts";
import { packed, unpacked } from "./store/compress.ts";
import { type Secret, secretOf } from "./store/secret.ts";

export const schema = { tables, bitmaps };
type Tables = typeof schema;

/** A read-only view of one snapshot. */
export type Reader = Readers<Tables> & {
  /** The latest number of a sequence. */
  last(sequence: SequenceName): number;
  /** The organization's settings. Throws before the organization is set up. */
  readonly settings: RealmSettings;
  /** The time in Unix seconds. */
  readonly now: number;
  readonly config: Config;
  /** The organization's key for signing and encryption. */
  readonly secret: Secret;
};

/** A transaction: its rows, events and jobs commit together or not at all. */
export type Writer = Reader &
  Writers<Tables> & {
    /** Advances a sequence by `step` (default 1) and returns its new value. */
    next(sequence: SequenceName, step?: number): number;
    /** Emits an event and returns its number. `width` is the number of ids that it occupies. */
    emit(event: SkeinEvent, audience: Audience, width?: number): number;
    /** Emits an event that is already serialized. `event` then needs only its type. */
    emitText(event: PlainEvent, text: string, audience: Audience): number;
    /** Enqueues a job for a time in Unix milliseconds and returns its id. */
    enqueue(kind: string, time: number, payload: unknown): number;
  };

/** Structured fields of a log line. */
type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Milliseconds in which this process ran: without clock changes, sleep or suspension. */
  awake(): number;
}

export interface Realm {
  readonly config: Config;
  readonly clock: Clock;
  readonly read: Reader;
  readonly hub: Hub;
  /** Runs a synchronous function as one transaction. Resolves when it is durable. */
  write<T>(body: (tx: Writer) => T extends PromiseLike<unknown> ? never : T): Promise<T>;
  /** Like `write`, for a part of long work: one at a time, and a pause for others after it. */
  writeStep: Realm["write"];
  /** Runs long work as a series of transactions, until the body returns false. */
  inSteps(body: (tx: Writer) => boolean): Promise<void>;
  /** Sends an event that is not stored, such as typing or presence. */
  emitEphemeral(event: SkeinEvent, audience: Audience): void;
  /** Called when a job of a committed transaction is durable; wakes the runner. */
  onDue: (from?: number) => void;
  /** Called when only the database of a deleted organization is left and is about to be deleted. */
  onEnd: () => void;
  /** Called with security-relevant events for the log. */
  onNote: (label: string, fields: Fields) => void;
  /** Called when the store can no longer write, before waiting callers receive their errors. */
  onLost: (error: Error) => void;
  /** Called after each commit with its duration, number of writes and success. */
  onMade: (ms: number, writes: number, isCreated: boolean) => void;
  /** Returns the size of the database and the number of waiting writes. */
  measure(): Measures & { readonly waiting: number };
  /** Releases reader slots of dead processes and returns their number. */
  dropReaders(): number;
  /** Repairs index errors that a check of a copy has found. */
  repairIndexes(faults: IndexFaults): Promise<void>;
  /** The reason why writes are rejected at the moment. */
  readonly refusal: Error | undefined;
  /** Result of opening the data: an upgrade, or a check after a crash. */
  readonly opening: Pick<OpenStore<Tables>, "upgraded" | "examined">;
  /** Copies the data to a new path while other work continues. */
  copyTo(path: string, copying?: Copying): Promise<void>;
  close(): Promise<void>;
}

/** Dependencies that features provide; the start of the server and tests pass them. */
interface RealmOptions {
  readonly migrations: readonly Migration[];
  /** Provides audiences and renderings to the hub. */
  readonly router: (realm: Realm) => EventRouter;
  readonly clock?: Clock | undefined;
  readonly audit?: Audit;
  /** Computes the committed records of the derived tables. */
  readonly derived: Readonly<Record<string, (reader: Reader) => Iterable<unknown>>>;
  /** Describes contradictions between the rows of a closed file. */
  readonly compare?: (path: string) => Promise<string[]>;
}

/** Records the changes of a transaction in that transaction. */
export interface Audit {
  readonly tables: ReadonlySet<string>;
  readonly record: (tx: Writer, changes: readonly Change[]) => void;
}

const EVENT_NUMBERS_RESERVED = 10_000;

export async function openRealm(config: Config, wiring: RealmOptions): Promise<Realm> {
  const { despite_damage } = config;
  const { migrations, audit, compare } = wiring;
  const options = { despite_damage, compare };
  const opened = await openStore(config.data, schema, migrations, options, audit?.tables);
  const awake = new MonotonicClock();
  const clock = wiring.clock ?? { now: () => Date.now(), awake: () => awake.now() };
  return new OpenRealm(config, clock, opened, wiring);
}

class OpenRealm implements Realm {
  readonly read: Reader;
  readonly hub: Hub;
  onDue = (_from?: number): void => {};
  onEnd = (): void => {};
  onNote = (_what: string, _fields: Fields): void => {};
  onLost = (_error: Error): void => {};
  onMade = (_ms: number, _writes: number, _isMade: boolean): void => {};
  private readonly tx: Writer;
  private readonly pace = new Pace();
  readonly writeStep: Realm["write"] = (body) => this.pace.step(() => this.write(body));
  readonly copyTo = (path: string, copying?: Copying) => this.opened.copyTo(path, copying);
  readonly measure = () => ({ ...this.opened.measure(), waiting: this.store.waiting });
  readonly close = () => this.opened.close();
  readonly dropReaders = () => this.opened.dropReaders();
  readonly repairIndexes = (faults: IndexFaults) => this.store.mend(faults);
  /** The earliest time of a job that the current transaction has enqueued. */
  private enqueuedFrom = Infinity;
  private ownSecret: Secret | undefined;
  /** The secret is read or created on first use. */
  private readonly secret = () => (this.ownSecret ??= secretOf(this.config.data));
  private readonly store;
  /** The last event number in use, and the number up to which numbers are reserved on disk. */
  private issued: number;
  private reserved: number;

  constructor(
    readonly config: Config,
    readonly clock: Clock,
    private readonly opened: OpenStore<Tables>,
    options: RealmOptions,
  ) {
    const { store } = opened;
    this.store = store;
    this.issued = this.reserved = store.last("events");
    const last = (sequence: SequenceName) => store.lastCommitted(sequence);
    this.read = completed(
      Object.assign(store.reading, { last, config }) as unknown as Reader,
      clock,
      this.secret,
    );
    this.tx = this.makeWriter();
    this.hub = new Hub(options.router(this), { now: () => clock.awake() }, () => this.numberNow());
    this.restoreQueues();
    store.derive = (table) => options.derived[table]!(this.read);
    store.folding.neededFrom = () => keyOf(tables.log.prefix, [this.hub.oldestNeeded() + 1]);
    store.onChanged = (changes) => options.audit?.record(this.tx, changes);
    store.onCommit = (events) => this.hub.publish(events as QueuedEvent[]);
    store.commits.onMade = (ms, writes, isCreated) => this.onMade(ms, writes, isCreated);
    store.onLost = (error) => this.onLost(error);
  }

  get refusal(): Error | undefined {
    return this.store.refusal;
  }

  write<T>(body: (tx: Writer) => T extends PromiseLike<unknown> ? never : T): Promise<T> {
    this.pace.share();
    const result = this.store.write(() => body(this.tx)) as Promise<T>;
    const { enqueuedFrom } = this;
    this.enqueuedFrom = Infinity;
    const onStored = () => this.onDue(enqueuedFrom);
    if (enqueuedFrom < Infinity) result.then(onStored, () => {});
    return result;
  }

  async inSteps(body: (tx: Writer) => boolean): Promise<void> {
    while (await this.writeStep(body));
  }

  emitEphemeral(event: SkeinEvent, audience: Audience): void {
    const seq = this.number(1);
    this.store.announce({ seq, width: 1, event, audience, durable: false } satisfies QueuedEvent);
  }

  get opening(): Realm["opening"] {
    return this.opened;
  }

  /** The audience of a damaged event is unknown, so all clients must register again. */
  private restoreQueues(): void {
    let isComplete = true;
    const onDamage = (error: Error) => this.store.onDamage(error);
    const queues = this.read.queues.sound(onDamage);
    const log = this.logged((error) => {
      isComplete = false;
      onDamage(error);
    });
    restore(this.hub, queues, log, this.issued);
    if (!isComplete) this.hub.closeAll();
  }

  private *logged(onDamage: (error: Error) => void): Iterable<QueuedEvent> {
    for (const { seq, event, audience, width } of this.read.log.sound(onDamage)) {
      const isText = typeof event === "string" || event instanceof Uint8Array;
      const data: unknown = isText ? JSON.parse(unpacked(event)) : event;
      yield { seq, width, event: data as SkeinEvent, audience, durable: true };
    }
  }

  private makeWriter(): Writer {
    const { store, clock, config } = this;
    const writer = Object.assign(store.writing, {
      last: (sequence: SequenceName) => store.last(sequence),
      config,
      next: (sequence: SequenceName, step?: number) => store.next(sequence, step),
      emit: (event: SkeinEvent, audience: Audience, width = 1) =>
        this.append(event, JSON.stringify(event), audience, width),
      emitText: (event: PlainEvent, text: string, audience: Audience) =>
        this.append(event, text, audience, 1),
      enqueue: (kind: string, time: number, payload: unknown) => {
        this.enqueuedFrom = Math.min(this.enqueuedFrom, time);
        const job_id = store.next("jobs");
        this.tx.due.put({ at: time, job_id, kind, payload, attempts: 0 });
        return job_id;
      },
    });
    return completed(writer as unknown as Writer, clock, this.secret);
  }

  private append(event: SkeinEvent, text: string, audience: Audience, width: number): number {
    const seq = this.number(width);
    this.tx.log.put({ seq, event: packed(text), audience, width });
    this.store.announce({ seq, width, event, audience, durable: true, text } satisfies QueuedEvent);
    return seq;
  }

  /** An event number that no transaction can overtake, or undefined while one is running. */
  private numberNow(): number | undefined {
    if (this.store.busy) return undefined;
    const number = this.number(1);
    return this.store.busy ? undefined : number;
  }

  /** The next event number. Blocks of them are reserved on disk, so a crash repeats none. */
  private number(width: number): number {
    const first = this.issued + 1;
    this.issued += width;
    if (this.issued > this.reserved) {
      this.reserved = this.issued + EVENT_NUMBERS_RESERVED;
      this.store.raise("events", this.reserved);
    }
    return first;
  }
}

/** Adds the properties of a reader other than its tables. */
function completed<T extends Reader>(reader: T, clock: Clock, secret: () => Secret): T {
  Object.defineProperty(reader, "now", { get: () => Math.floor(clock.now() / 1000) });
  Object.defineProperty(reader, "secret", { get: secret });
  Object.defineProperty(reader, "settings", {
    get() {
      const realm = reader.realm.get(1);
      if (!realm) throw new Error("no organization has been set up");
      return realm.settings;
    },
  });
  return reader;
}

/** Per-realm state of a feature, created on first use. */
export function perRealm<T>(make: (realm: Realm) => T): (realm: Realm) => T {
  const created = new WeakMap<Realm, T>();
  return (realm) => {
    let state = created.get(realm);
    if (state === undefined) created.set(realm, (state = make(realm)));
    return state;
  };
}
