// The tasks of the leader (a tab or shared worker): registers, caches events, informs the tabs.
import { type RequestContext, ask } from "../api/http.ts";
import type { Event, Snapshot } from "../contract/snapshot.ts";
import type { Cache } from "./cache.ts";
import type { Cursor } from "./layout.ts";
import type { TabMessage } from "./tab-messages.ts";
import type { Polling } from "./poll.ts";
import { REGISTER } from "./versions.ts";

export interface Leader {
  /** The user of the session, known from the first response on. */
  readonly requestContext: RequestContext;
  /** The position in the event queue, after reading what an earlier leader cached. */
  cursor(): Promise<Cursor | undefined>;
  cacheOf(user_id: number): Promise<Cache | undefined>;
  /** Sent to all tabs, including this one if it leads. */
  send(message: TabMessage): void;
  /** The cache cannot be written; from now on events are passed on without it. */
  onDiskLost(): void;
}

export class LeaderTasks implements Polling {
  readonly requestContext: RequestContext;
  private cache: Cache | undefined;
  private wasReached: boolean | undefined;

  constructor(private readonly leader: Leader) {
    this.requestContext = leader.requestContext;
  }

  async cursor(): Promise<Cursor | undefined> {
    const user_id = this.requestContext.user_id();
    if (user_id !== undefined) this.cache = await this.leader.cacheOf(user_id);
    const cursor = await this.leader.cursor();
    // The earlier leader may not have reported what it cached.
    if (cursor) this.leader.send({ kind: "begun", place: cursor });
    return cursor;
  }

  async begin(): Promise<Cursor> {
    const request = { method: "POST", path: "/register", params: REGISTER } as const;
    const snapshot = await ask<Snapshot>(this.requestContext, request);
    const { queue_id, last_event_id, user_id } = snapshot;
    if (!queue_id || last_event_id === undefined || user_id === undefined) {
      throw new Error("No event queue.");
    }
    const cursor = { queue_id, last_event_id };
    this.cache = await this.leader.cacheOf(user_id);
    // Copied before the snapshot's objects are taken over.
    const retained = this.cache?.begin({ ...cursor, snapshot });
    this.leader.send({ kind: "state", isNew: true, place: cursor, snapshot });
    await retained?.catch(() => this.continueInMemory());
    return cursor;
  }

  async onEvents(cursor: Cursor, from: number, events: readonly Event[]): Promise<void> {
    await this.cache?.append(cursor, events).catch(() => this.continueInMemory());
    this.leader.send({ kind: "events", place: cursor, from, events });
  }

  onReachable(isReached: boolean): void {
    if (this.wasReached === isReached) return;
    this.wasReached = isReached;
    this.leader.send({ kind: "reached", isReached });
  }

  isHidden(): boolean {
    // A shared worker has no document.
    return "document" in globalThis && document.hidden;
  }

  /** For a tab that has opened since. */
  repeatStatus(): void {
    const { wasReached } = this;
    if (wasReached !== undefined) this.leader.send({ kind: "reached", isReached: wasReached });
  }

  private continueInMemory(): void {
    this.cache = undefined;
    this.leader.onDiskLost();
  }
}
