// A model of a browser: a disk that its tabs share, a network that loses requests, and a clock.
import { NoResponse, type Request } from "../../../src/web/api/http.ts";
import type { Rows } from "../../../src/web/sync/rows.ts";
import type { Json } from "../../test-server.ts";
import { type ModelMessage, ModelServer, reduce } from "./server.ts";

const TICKS = 60;
export const DELAY_MS_MAX = 900;
/** Loses one of this many requests, and the response to another. */
const OUTCOME_COUNT = 5;

interface Timer {
  readonly at: number;
  readonly tab: ModelTab;
  readonly callback: () => void;
}

/** The interface of a tab's queue in each implementation. */
interface TestedQueue {
  load(): Promise<void>;
  send(text: string): string;
  edit(id: number, text: string, before: string): Promise<void>;
  change(expected: Json, optimistic: Json[], inverse: Json[], extra?: Json): Promise<string>;
  discard(key: string): Promise<void>;
  retry(key: string): Promise<void>;
  onEvents(events: Json[]): void;
  onRolledBack(key: string): void;
  onRestart(): void;
  onCaughtUp(): void;
  flushNow(): void;
  leave(): void;
  /** Whether each message is starred, as the pending changes set it. */
  starredMessages(): ReadonlyMap<number, boolean>;
  messages(): { key: string; text: string; state: string }[];
}

/** The services that a queue gets from its tab. */
interface TestedContext {
  readonly client: { ask<T>(request: Request): Promise<T> };
  readonly outbox: Rows<Json>;
  readonly doings: Rows<Json>;
  readonly world: {
    now(): number;
    random(): number;
    after(ms: number, action: () => void): () => void;
  };
  readonly user_id: number;
  uniqueName(): string;
  newest(): number;
  apply(events: readonly Json[]): void;
  broadcastRollback(key: string): void;
  rejected(rejection: Json): void;
}

export type MakeQueue = (context: TestedContext) => TestedQueue;

export class ModelBrowser {
  readonly server = new ModelServer();
  readonly disk = { outbox: new Map<string, Json>(), doings: new Map<string, Json>() };
  readonly tabs: ModelTab[] = [];
  /** Requests in the order in which they were made. */
  readonly requests: string[] = [];
  /** Requests that have not arrived or were not answered. */
  readonly inFlight = new Set<{ tab: ModelTab; path: string; params: Json }>();
  isOnline = true;
  /** Events up to this one have arrived in all tabs. */
  position = 0;
  private time = 1_000_000_000;
  private clock = 0;
  private names = 0;
  private timers: Timer[] = [];
  private readonly tries = new Map<string, number>();

  constructor(
    private readonly make: MakeQueue,
    private readonly seed: number,
  ) {}

  async open(): Promise<ModelTab> {
    const tab = new ModelTab(this, this.make);
    this.tabs.push(tab);
    await tab.queue.load();
    await this.settle();
    return tab;
  }

  async close(tab: ModelTab): Promise<void> {
    tab.queue.leave();
    // Requests with `keepalive` go out with the page, and writes reach the disk.
    await this.settle();
    tab.isClosed = true;
    this.timers = this.timers.filter((timer) => timer.tab !== tab);
    for (const request of this.inFlight) if (request.tab === tab) this.inFlight.delete(request);
    this.tabs.splice(this.tabs.indexOf(tab), 1);
  }

  now = (): number => this.time + this.clock;

  setBack(ms: number): void {
    this.clock -= ms;
  }

  uniqueName = (): string => `n${(this.names += 1)}`;

  after(tab: ModelTab, ms: number, action: () => void): () => void {
    const timer = { at: this.time + ms, tab, callback: action };
    this.timers.push(timer);
    return () => void (this.timers = this.timers.filter((item) => item !== timer));
  }

  /** Advances the clock and runs everything that is due, in order. */
  async passTime(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      const [next] = this.timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
      if (!next) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.time = Math.max(this.time, next.at);
      next.callback();
      await this.settle();
    }
    this.time = end;
    await this.settle();
  }

  async settle(): Promise<void> {
    for (let tick = 0; tick < TICKS; tick += 1) await Promise.resolve();
  }

  /** Delivers the events up to a position to all tabs. */
  async deliver(position = this.server.events.length): Promise<void> {
    const events = this.server.events.slice(this.position, position);
    this.position += events.length;
    for (const tab of this.tabs) tab.receive(events);
    await this.settle();
  }

  /** The event queue is lost: tabs restart from the server's state. */
  async register(): Promise<void> {
    this.position = this.server.events.length;
    for (const tab of this.tabs) tab.restart();
    await this.settle();
  }

  broadcast(from: ModelTab, key: string): void {
    for (const tab of this.tabs) if (tab !== from) tab.queue.onRolledBack(key);
  }

  /** Sends a request. Its fate depends on seed, request and attempt, not on the implementation. */
  ask<T>(tab: ModelTab, request: Request): Promise<T> {
    const { method, path, params = {} } = request;
    const { local_id: _l, queue_id: _q, ...input } = params;
    const line = `${method} ${path} ${JSON.stringify(input)}`;
    this.requests.push(line);
    const tries = (this.tries.get(line) ?? 0) + 1;
    this.tries.set(line, tries);
    const random = hashOf(`${this.seed} ${line} ${tries}`);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const outcome = random % OUTCOME_COUNT;
    const sent = { tab, path, params };
    this.inFlight.add(sent);
    const arrive = () => {
      this.inFlight.delete(sent);
      if (!this.isOnline || outcome === 0) return reject(new NoResponse("lost"));
      try {
        const response = this.server.answer(request) as T;
        if (outcome === 1) reject(new NoResponse("the answer is lost"));
        else resolve(response);
      } catch (error) {
        if (outcome === 1) reject(new NoResponse("the answer is lost"));
        else reject(error);
      }
    };
    // Requests with `keepalive` arrive when the page closes.
    if (request.keepalive) arrive();
    else this.after(tab, (random >>> 8) % DELAY_MS_MAX, arrive);
    return promise;
  }
}

export class ModelTab {
  readonly queue: TestedQueue;
  state = new Map<number, ModelMessage>();
  readonly rejections: Json[] = [];
  isClosed = false;

  constructor(
    private readonly browser: ModelBrowser,
    make: MakeQueue,
  ) {
    for (const event of browser.server.events.slice(0, browser.position)) reduce(this.state, event);
    const { disk } = browser;
    this.queue = make({
      client: { ask: <T>(request: Request) => browser.ask<T>(this, request) },
      outbox: this.rows(disk.outbox, "local_id"),
      doings: this.rows(disk.doings, "key"),
      world: {
        now: browser.now,
        random: () => 1,
        after: (ms, action) => browser.after(this, ms, action),
      },
      user_id: 7,
      uniqueName: browser.uniqueName,
      newest: () => Math.max(-1, ...this.state.keys()),
      apply: (events) => {
        for (const event of events) reduce(this.state, event);
      },
      broadcastRollback: (key) => browser.broadcast(this, key),
      rejected: (rejection) => {
        this.rejections.push(rejection);
        const id = rejection["mutation"].change?.message_id;
        if (id !== undefined) this.refetch(id);
      },
    });
  }

  receive(events: readonly Json[]): void {
    for (const event of events) reduce(this.state, structuredClone(event));
    this.queue.onEvents([...events]);
  }

  restart(): void {
    this.state = structuredClone(this.browser.server.messages);
    this.queue.onRestart();
    this.queue.onEvents([]);
    this.queue.onCaughtUp();
  }

  /** Reloads the message, like the client after a rejected edit. */
  private refetch(id: number): void {
    const there = this.browser.server.messages.get(id);
    if (there && this.state.has(id)) this.state.set(id, { ...there });
    this.queue.onEvents([]);
  }

  private rows(disk: Map<string, Json>, key: string): Rows<Json> {
    const isOpen = () => !this.isClosed;
    const put = async (row: Json) => void (isOpen() && disk.set(row[key], structuredClone(row)));
    return {
      all: async () => [...disk.values()].map((row) => structuredClone(row)),
      has: async (name) => disk.has(name),
      put,
      update: async (row) => void (disk.has(row[key]) && (await put(row))),
      async exchange(row) {
        const before = disk.get(row[key]);
        await put(row);
        return before;
      },
      delete: async (name) => void (isOpen() && disk.delete(name)),
    };
  }
}

function hashOf(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  hash ^= hash >>> 13;
  return Math.imul(hash, 0x5bd1e995) >>> 1;
}
