// Keeps a tab's state current: from the cache at first, then by the events of the leading tab.
import { type Signal, signal } from "@preact/signals";
import { RequestQueue, type QueuedRequest } from "../api/request-queue.ts";
import { type Runtime, browserRuntime } from "../api/runtime.ts";
import type { ApiClient } from "../api/call.ts";
import { askTranslated } from "../api/error-translations.ts";
import { isOtherAccount, isSpectatorError, isSignedOut } from "../api/http.ts";
import { csrfToken, knownUser, rememberUser, sessionName } from "../api/session.ts";
import { apply, isStarted, getState, start } from "../store/store.ts";
import type { Event, Snapshot } from "../contract/snapshot.ts";
import { dehydrate } from "../store/state.ts";
import { setServerTime } from "../api/last-response.ts";
import { Cache } from "./cache.ts";
import { hasEnded, type Unsent } from "./ending/ended-accounts.ts";
import type { Cursor } from "./layout.ts";
import { type Leader, LeaderTasks } from "./leader-tasks.ts";
import { SessionEnd } from "./ending/end-session.ts";
import {
  type ConnectionStatus,
  type LeaveReason,
  openTabChannel,
  type TabChannel,
  type TabMessage,
  type TabMessageOf,
} from "./tab-messages.ts";
import type { MutationQueue } from "./mutations/queue.ts";
import { ViewCache } from "./view-cache.ts";

const COMPACT_EVENTS = 200;
const COMPACT_IDLE_MS = 30_000;

export class Sync implements ApiClient {
  readonly connection: Signal<ConnectionStatus>;
  /** This tab polls for all. */
  readonly isLeading = signal(false);
  user_id: number | undefined = knownUser();
  cursor: Cursor | undefined;
  readonly session = sessionName();
  /** The cached views. */
  readonly viewCache: ViewCache;
  private readonly tabs: TabChannel;
  private readonly requests: RequestQueue;
  private readonly listeners = new Set<(events: readonly Event[]) => void>();
  readonly sessionEnd = new SessionEnd();
  private readonly leaders = new Set<(message: "kick" | "joined") => void>();
  /** The user's mutations, once they are loaded. */
  mutations: Pick<MutationQueue, "rolledBack" | "onRestart"> | undefined;
  /** When the server last responded, in milliseconds. */
  lastEventAt: number;
  private cache: Promise<Cache | undefined> | undefined;
  private line: Promise<void> = Promise.resolve();
  private reduced = 0;
  private cancelCompaction: (() => void) | undefined;

  constructor(private readonly runtime: Runtime = browserRuntime) {
    this.connection = signal({ kind: "starting", since: runtime.now() });
    this.lastEventAt = runtime.now();
    this.tabs = openTabChannel(this.session, (message) => this.receive(message));
    this.viewCache = new ViewCache(
      () => this.cursor,
      async () => (await this.cache)?.windows,
    );
    const requestContext = { user_id: () => this.user_id, csrf: csrfToken };
    this.requests = new RequestQueue(requestContext, runtime, askTranslated);
  }

  /**
   * Displays the cached state and the views with these keys. Resolves to whether anything was
   * cached.
   */
  async fromDisk(viewKeys: readonly string[] = []): Promise<boolean> {
    if (hasEnded()) void this.inLine(() => this.purgeEnded());
    // The disk is opened while the rest of the client is set up.
    else if (this.user_id !== undefined) void this.cacheOf(this.user_id);
    await this.inLine(() => this.load(viewKeys));
    this.tabs.send({ kind: isStarted.value ? "joined" : "wanted" });
    return isStarted.value;
  }

  /** The tasks of a leading tab. */
  startLeading(): LeaderTasks {
    return new LeaderTasks(this.asLeader());
  }

  asLeader(): Leader {
    return {
      requestContext: this.requests.requestContext,
      cacheOf: (user_id) => this.cacheOf(user_id),
      cursor: async () => {
        await this.inLine(() => this.load());
        return this.cursor;
      },
      send: (message) => {
        // Other tabs read the state from the cache, if there is one.
        if (message.kind === "state") void this.onNewQueue(message);
        else this.tabs.send(message);
        this.receive(message);
      },
      onDiskLost: () => {
        this.cache = Promise.resolve(undefined);
      },
    };
  }

  ask<T>(request: QueuedRequest): Promise<T> {
    return this.requests.ask<T>(request).catch((error: unknown) => {
      this.onRequestError(error);
      throw error;
    });
  }

  /** The network is back, so pending requests are sent now. */
  retryNow(isAnotherNetwork = false): void {
    this.requests.retryNow(isAnotherNetwork);
  }

  /** The session ended or belongs to another user, which ends the work of all its tabs. */
  onRequestError(error: unknown): void {
    if (isSignedOut(error)) void this.leave("signed-out");
    else if (isOtherAccount(error)) void this.leave("another");
  }

  /** If there is no account, the error depends on whether there is web-public content. */
  giveUp(error: unknown): void {
    if (this.user_id !== undefined) throw error;
    void this.leave(isSpectatorError(error) ? "visiting" : "signed-out");
  }

  /** Requests of other tabs to the leader. */
  onAsked(receive: (message: "kick" | "joined") => void): () => void {
    this.leaders.add(receive);
    return () => this.leaders.delete(receive);
  }

  /** Called with all events after the state has processed them. */
  listen(receive: (events: readonly Event[]) => void): () => void {
    this.listeners.add(receive);
    return () => this.listeners.delete(receive);
  }

  send(message: TabMessage): void {
    this.tabs.send(message);
  }

  get hasLeft(): boolean {
    const { kind } = this.connection.value;
    return kind === "signed-out" || kind === "another" || kind === "visiting";
  }

  /** `unsent`: the user's choice at sign-out. Resolves when the data on disk is deleted. */
  leave(reason: LeaveReason, unsent?: Unsent): Promise<void> {
    if (this.hasLeft) return Promise.resolve();
    this.tabs.send({ kind: "left", why: reason, unsent });
    return this.onSessionEnd(reason, unsent);
  }

  private async onSessionEnd(reason: LeaveReason, unsent: Unsent | undefined): Promise<void> {
    if (this.hasLeft) return;
    this.setStatus(reason);
    this.tabs.close();
    this.cancelCompaction?.();
    const { cache, session, user_id } = this;
    this.cache = Promise.resolve(undefined);
    const closeCache = async () => (await cache)?.close();
    await this.sessionEnd.leave({ why: reason, session, user_id, unsent, closeCache });
  }

  /** Runs before anything is read. If a deletion fails, this tab does not use the disk. */
  private async purgeEnded(): Promise<void> {
    const { user_id } = this;
    const remaining = await import("./ending/purge.ts").then(
      ({ purgeEnded }) => purgeEnded(user_id),
      () => (user_id === undefined ? [] : [user_id]),
    );
    if (user_id !== undefined && remaining.includes(user_id))
      this.cache = Promise.resolve(undefined);
  }

  private receive(message: TabMessage): void {
    if (this.hasLeft) return;
    if (message.kind === "left") return void this.onSessionEnd(message.why, message.unsent);
    if (message.kind === "events" || (message.kind === "reached" && message.isReached))
      setServerTime((this.lastEventAt = this.runtime.now()));
    if (message.kind === "reached") return this.setStatus(message.isReached ? "live" : "unreached");
    if (message.kind === "taken-back") return this.mutations?.rolledBack(message.key);
    if (message.kind === "wanted") this.answer();
    if (message.kind === "kick" || message.kind === "joined" || message.kind === "wanted") {
      return this.leaders.forEach((leader) => leader(message.kind === "kick" ? "kick" : "joined"));
    }
    // The first consumer takes over the state's objects, so this runs first.
    if (message.kind === "state") {
      if (message.isNew || this.cursor === undefined)
        this.adopt(message.place, message.snapshot, []);
      return;
    }
    void this.inLine(() => (message.kind === "begun" ? this.load() : this.follow(message)));
  }

  private answer(): void {
    const { cursor } = this;
    if (cursor === undefined || !isStarted.value) return;
    this.tabs.send({ kind: "state", isNew: false, place: cursor, snapshot: dehydrate(getState()) });
  }

  private async follow({ place: cursor, from, events }: TabMessageOf<"events">): Promise<void> {
    const { cursor: own } = this;
    if (own?.queue_id !== cursor.queue_id || own.last_event_id < from) return this.load();
    this.advance(
      cursor,
      events.filter(({ id }) => id > own.last_event_id),
    );
  }

  /** Loads the cached state if it is newer than the current one. */
  private async load(viewKeys?: readonly string[]): Promise<void> {
    this.user_id ??= knownUser();
    const cache = this.user_id === undefined ? undefined : await this.cacheOf(this.user_id);
    if (await cache?.isAt(this.cursor).catch(() => false)) return;
    const start = await cache?.start(viewKeys).catch(() => undefined);
    if (!start) return;
    const { cursor: own } = this;
    if (viewKeys && !own) this.viewCache.onStart(start.windows, start.keys);
    if (own?.queue_id !== start.queue_id || own.last_event_id < start.last_event_id) {
      this.adopt(start, start.snapshot, start.events, start.cursor);
    } else {
      this.advance(
        start.cursor,
        start.events.filter(({ id }) => id > own.last_event_id),
      );
    }
  }

  private adopt(from: Cursor, snapshot: Snapshot, events: readonly Event[], cursor = from): void {
    if (this.hasLeft) return;
    const { queue_id, last_event_id } = cursor;
    if (snapshot.user_id !== undefined) {
      this.user_id = snapshot.user_id;
      rememberUser(snapshot.user_id);
    }
    if (this.cursor !== undefined) this.viewCache.invalidate();
    start(snapshot);
    if (events.length > 0) apply(events);
    this.cursor = { queue_id, last_event_id };
    this.reduced = events.length;
    this.mutations?.onRestart();
    for (const receive of this.listeners) receive(events);
    this.compactLater();
  }

  private advance(cursor: Cursor, events: readonly Event[]): void {
    if (this.cursor === undefined || cursor.last_event_id <= this.cursor.last_event_id) return;
    this.viewCache.invalidate();
    apply(events);
    this.cursor = { queue_id: cursor.queue_id, last_event_id: cursor.last_event_id };
    this.reduced += events.length;
    for (const receive of this.listeners) receive(events);
    this.compactLater();
  }

  private compactLater(): void {
    this.cancelCompaction?.();
    if (this.reduced === 0) return;
    if (this.reduced >= COMPACT_EVENTS) void this.compact();
    else this.cancelCompaction = this.runtime.after(COMPACT_IDLE_MS, () => void this.compact());
  }

  /** Another tab may have done it; the cache accepts only a later state. */
  private async compact(): Promise<void> {
    const { cursor } = this;
    if (cursor === undefined || document.hidden) return;
    this.reduced = 0;
    const stored = { ...cursor, snapshot: dehydrate(getState()) };
    const cache = await this.cache;
    await cache?.compact(stored).catch(() => undefined);
  }

  private async onNewQueue({ place: cursor, snapshot }: TabMessageOf<"state">): Promise<void> {
    const { user_id } = snapshot;
    const cache = user_id === undefined ? undefined : await this.cacheOf(user_id);
    if (cache) return this.tabs.send({ kind: "begun", place: cursor });
    if (!isStarted.value) return;
    this.tabs.send({ kind: "state", isNew: true, place: cursor, snapshot: dehydrate(getState()) });
  }

  private cacheOf(user_id: number): Promise<Cache | undefined> {
    return (this.cache ??= Cache.open(user_id));
  }

  private setStatus(kind: ConnectionStatus["kind"]): void {
    if (this.connection.value.kind === kind) return;
    this.connection.value = { kind, since: this.runtime.now() };
  }

  /** Calls run in sequence, because each reads the disk and then changes the state. */
  private inLine(step: () => Promise<void>): Promise<void> {
    this.line = this.line.then(step, step);
    return this.line;
  }
}
