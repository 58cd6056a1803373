// The value everything hangs off: one organization's data, its event queues and its clock.
import type { Config } from "./contract/config.ts";
import type { Audience, PlainEvent, SkeinEvent } from "./contract/events.ts";
import { AwakeClock } from "./queues/awake.ts";
import type { EventRouter, QueuedEvent } from "./queues/event-router.ts";
import { Hub } from "./queues/hub.ts";
import { restore } from "./queues/restore.ts";
import type { RealmSettings } from "./schema/records.ts";
import { bitmaps, type SequenceName, tables } from "./schema/schema.ts";
import type { IndexFaults } from "./store/copy/mend.ts";
import type { Copying } from "./store/copy/pages.ts";
import type { Change } from "./store/tables/changes.ts";
import type { Readers, Writers } from "./store/declare.ts";
import type { Measures } from "./store/environment.ts";
import type { Migration } from "./store/format/migrate.ts";
import type { Upgraded } from "./store/format/upgrade.ts";
import { type OpenStore, openStore } from "./store/open.ts";
import { Pace } from "./store/pace.ts";
import { packed, unpacked } from "./store/packed.ts";
import { type Secret, secretOf } from "./store/secret.ts";

export const schema = { tables, bitmaps };
type Tables = typeof schema;

/** One snapshot; a function that takes a Reader cannot write. */
export type Reader = Readers<Tables> & {
  /** The newest number that a sequence gave. */
  last(sequence: SequenceName): number;
  /** The organization's settings. Only where an organization has been set up. */
  readonly settings: RealmSettings;
  /** The time, in whole seconds. */
  readonly now: number;
  readonly config: Config;
  /** What signs and seals for this organization. */
  readonly secret: Secret;
};

/** A transaction: changes rows, tells clients, leaves work; all commit together or not at all. */
export type Writer = Reader &
  Writers<Tables> & {
    /** The last of the next `step` numbers of a sequence, one number unless said otherwise. */
    next(sequence: SequenceName, step?: number): number;
    /** Tells clients; the event's number is given back. `width`: how many numbers it occupies. */
    emit(event: SkeinEvent, audience: Audience, width?: number): number;
    /** Tells an event whose JSON is there already; the event itself needs no more than its type. */
    emitText(event: PlainEvent, text: string, audience: Audience): number;
    /** Leaves work for a time in milliseconds; gives the job's id. */
    enqueue(kind: string, at: number, payload: unknown): number;
  };

/** What stands in the log beside the words. */
type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds in which this process could work: no jumps, no sleep, no pauses. */
  awake(): number;
}

export interface Realm {
  readonly config: Config;
  readonly clock: Clock;
  readonly read: Reader;
  readonly hub: Hub;
  /** One transaction: a synchronous body. Resolves when all of it is durable. */
  write<T>(body: (tx: Writer) => T extends PromiseLike<unknown> ? never : T): Promise<T>;
  /** Long work: a transaction each time, as long as the body says that there is more to do. */
  inSteps(body: (tx: Writer) => boolean): Promise<void>;
  /** Tells clients what is not kept: typing, presence. */
  tell(event: SkeinEvent, audience: Audience): void;
  /** Called when work that a transaction left is durable; the runner looks for it then. */
  onDue: () => void;
  /** Called when the organization is deleted but for its database, which is to go too. */
  onEnd: () => void;
  /** Called with what those who guard the server should see. */
  onNote: (what: string, fields: Fields) => void;
  /** Called when nothing can be written any more, before anybody who waits hears of it. */
  onLost: (error: Error) => void;
  /** Called after each commit: how long it took, for how many writes, and whether it was made. */
  onMade: (ms: number, writes: number, isMade: boolean) => void;
  /** How large the database is, and how many writes wait for it. */
  measure(): Measures & { readonly waiting: number };
  /** Lets readers of processes go that died, and says how many those were. */
  dropReaders(): number;
  /** Puts right what a walk over a copy has found wrong about indexes alone. */
  mend(faults: IndexFaults): Promise<void>;
  /** Why nothing can be written at the moment. */
  readonly refusal: Error | undefined;
  /** Where the data was of an older format when it was opened. */
  readonly upgraded: Upgraded | undefined;
  /** Copies the data as it is now to a path that is free, while others go on. */
  copyTo(path: string, copying?: Copying): Promise<void>;
  close(): Promise<void>;
}

/** Wiring that features provide; main and the tests hand it in. */
export interface Wiring {
  readonly migrations: readonly Migration[];
  /** What the hub asks about audiences and renderings, given the realm. */
  readonly telling: (realm: Realm) => EventRouter;
  readonly clock?: Clock;
  readonly audit?: Audit;
}

/** Writes down what a transaction has changed, in that transaction. */
export interface Audit {
  readonly tables: ReadonlySet<string>;
  readonly record: (tx: Writer, changes: readonly Change[]) => void;
}

const EVENT_NUMBERS_RESERVED = 10_000;

export async function openRealm(config: Config, wiring: Wiring): Promise<Realm> {
  const { despite_damage } = config;
  const { migrations, audit } = wiring;
  const careful = { despite_damage };
  const opened = await openStore(config.data, schema, migrations, careful, audit?.tables);
  const awake = new AwakeClock();
  const clock = wiring.clock ?? { now: () => Date.now(), awake: () => awake.now() };
  return new OpenRealm(config, clock, opened, wiring);
}

class OpenRealm implements Realm {
  readonly read: Reader;
  readonly hub: Hub;
  onDue = (): void => {};
  onEnd = (): void => {};
  onNote = (_what: string, _fields: Fields): void => {};
  onLost = (_error: Error): void => {};
  onMade = (_ms: number, _writes: number, _isMade: boolean): void => {};
  private readonly tx: Writer;
  private readonly pace = new Pace();
  readonly copyTo = (path: string, copying?: Copying) => this.opened.copyTo(path, copying);
  readonly dropReaders = () => this.opened.dropReaders();
  readonly mend = (faults: IndexFaults) => this.store.mend(faults);
  private enqueued = 0;
  private kept: Secret | undefined;
  /** Read, or made, when it is first asked for. */
  private readonly secret = () => (this.kept ??= secretOf(this.config.data));
  private readonly store;
  /** The number last given to an event, and the one up to which numbers are reserved on disk. */
  private issued: number;
  private reserved: number;

  constructor(
    readonly config: Config,
    readonly clock: Clock,
    private readonly opened: OpenStore<Tables>,
    wiring: Wiring,
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
    this.hub = new Hub(wiring.telling(this), { now: () => clock.awake() }, () => this.numberNow());
    this.restoreQueues();
    store.onChanged = (changes) => wiring.audit?.record(this.tx, changes);
    store.onCommit = (told) => this.hub.publish(told as QueuedEvent[]);
    store.commits.onMade = (ms, writes, isMade) => this.onMade(ms, writes, isMade);
    store.onLost = (error) => this.onLost(error);
  }

  get refusal(): Error | undefined {
    return this.store.refusal;
  }

  write<T>(body: (tx: Writer) => T extends PromiseLike<unknown> ? never : T): Promise<T> {
    this.pace.share();
    const before = this.enqueued;
    const written = this.store.write(() => body(this.tx)) as Promise<T>;
    if (this.enqueued !== before)
      void written.then(
        () => this.onDue(),
        () => {},
      );
    return written;
  }

  async inSteps(body: (tx: Writer) => boolean): Promise<void> {
    while (await this.pace.step(() => this.write(body)));
  }

  tell(event: SkeinEvent, audience: Audience): void {
    const seq = this.number(1);
    this.store.announce({ seq, width: 1, event, audience, durable: false } satisfies QueuedEvent);
  }

  get upgraded(): Upgraded | undefined {
    return this.opened.upgraded;
  }

  measure() {
    return { ...this.opened.measure(), waiting: this.store.waiting };
  }

  async close(): Promise<void> {
    await this.opened.close();
  }

  /** Where an event is damaged, nobody can say who would have heard it: all register anew. */
  private restoreQueues(): void {
    let isWhole = true;
    const onDamage = (error: Error) => this.store.onDamage(error);
    const queues = this.read.queues.sound(onDamage);
    const log = this.logged((error) => {
      isWhole = false;
      onDamage(error);
    });
    restore(this.hub, queues, log, this.issued);
    if (!isWhole) this.hub.closeAll();
  }

  private *logged(onDamage: (error: Error) => void): Iterable<QueuedEvent> {
    for (const { seq, event, audience, width } of this.read.log.sound(onDamage)) {
      const isText = typeof event === "string" || event instanceof Uint8Array;
      const told: unknown = isText ? JSON.parse(unpacked(event)) : event;
      yield { seq, width, event: told as SkeinEvent, audience, durable: true };
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
      enqueue: (kind: string, at: number, payload: unknown) => {
        this.enqueued++;
        const job_id = store.next("jobs");
        this.tx.due.put({ at, job_id, kind, payload, attempts: 0 });
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

  /** A number for an event that no transaction may overtake; undefined when one is under way. */
  private numberNow(): number | undefined {
    if (this.store.busy) return undefined;
    const number = this.number(1);
    return this.store.busy ? undefined : number;
  }

  /**
   * The next event number. Numbers are reserved on disk in blocks, ahead of their use and in the
   * order of the commits, so that none is given twice after a crash.
   */
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

/** Adds what a reader knows besides its tables. */
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

/** State of a feature that lives and dies with a realm: made at first use. */
export function perRealm<T>(make: (realm: Realm) => T): (realm: Realm) => T {
  const made = new WeakMap<Realm, T>();
  return (realm) => {
    let state = made.get(realm);
    if (state === undefined) made.set(realm, (state = make(realm)));
    return state;
  };
}
