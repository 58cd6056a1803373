// The value everything hangs off: one organization's data, its event queues and its clock.
import type { Config } from "./config.ts";
import type { Audience, PlainEvent, SkeinEvent } from "./events.ts";
import { Hub } from "./queues/hub.ts";
import type { Telling, Told } from "./queues/telling.ts";
import type { RealmSettings } from "./records.ts";
import { bitmaps, type SequenceName, tables } from "./schema.ts";
import type { Migration } from "./store/migrate.ts";
import { type OpenStore, openStore } from "./store/open.ts";
import { packed, unpacked } from "./store/packed.ts";
import { Pace } from "./store/pace.ts";
import type { Readers, Writers } from "./store/store.ts";

const schema = { tables, bitmaps };
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
};

/** A transaction: changes rows, tells clients, leaves work; all commit together or not at all. */
export type Writer = Reader &
  Writers<Tables> & {
    /** The last of the next `step` numbers of a sequence, one number unless said otherwise. */
    next(sequence: SequenceName, step?: number): number;
    /** Tells clients; the event's number is given back. `width`: how many numbers it occupies. */
    emit(event: SkeinEvent, audience: Audience, width?: number): number;
    /** The same, where the JSON is there already; the event itself needs no more than its type. */
    emitText(event: PlainEvent, text: string, audience: Audience): number;
    /** Leaves work for a time in milliseconds; gives the job's id. */
    enqueue(kind: string, at: number, payload: unknown): number;
  };

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
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
  close(): Promise<void>;
}

/** Wiring that features provide; main and the tests hand it in. */
export interface Wiring {
  readonly migrations: readonly Migration[];
  /** What the hub asks about audiences and renderings, given the realm. */
  readonly telling: (realm: Realm) => Telling;
  readonly clock?: Clock;
}

const EVENT_NUMBERS_RESERVED = 10_000;

export async function openRealm(config: Config, wiring: Wiring): Promise<Realm> {
  const opened = await openStore(config.data, schema, wiring.migrations);
  const clock = wiring.clock ?? { now: () => Date.now() };
  return new OpenRealm(config, clock, opened, wiring);
}

class OpenRealm implements Realm {
  readonly read: Reader;
  readonly hub: Hub;
  onDue = (): void => {};
  onEnd = (): void => {};
  private readonly tx: Writer;
  private readonly pace = new Pace();
  private enqueued = 0;
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
    );
    this.tx = this.makeWriter();
    this.hub = new Hub(wiring.telling(this), clock, () => this.numberNow());
    this.hub.restore(this.read.queues.range(), this.logged(), this.issued);
    store.onCommit = (told) => this.hub.publish(told as Told[]);
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
    this.store.announce({ seq, width: 1, event, audience, durable: false } satisfies Told);
  }

  async close(): Promise<void> {
    await this.opened.close();
  }

  private *logged(): Iterable<Told> {
    for (const { seq, event, audience, width } of this.read.log.range()) {
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
    return completed(writer as unknown as Writer, clock);
  }

  private append(event: SkeinEvent, text: string, audience: Audience, width: number): number {
    const seq = this.number(width);
    this.tx.log.put({ seq, event: packed(text), audience, width });
    this.store.announce({ seq, width, event, audience, durable: true, text } satisfies Told);
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
function completed<T extends Reader>(reader: T, clock: Clock): T {
  Object.defineProperty(reader, "now", { get: () => Math.floor(clock.now() / 1000) });
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
