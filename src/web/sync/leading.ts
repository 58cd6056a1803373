// The work of whoever leads, a tab or a shared worker: registers, keeps what comes, tells the tabs.
import { type Asking, ask } from "../api/http.ts";
import type { Event, Snapshot } from "../snapshot.ts";
import type { Cache } from "./cache.ts";
import type { Place } from "./layout.ts";
import type { News } from "./news.ts";
import type { Polling } from "./poll.ts";
import { REGISTER } from "./versions.ts";

export interface Leader {
  /** The user of the session, known from the first answer on. */
  readonly asking: Asking;
  /** The position in the event queue, after reading what an earlier leader cached. */
  place(): Promise<Place | undefined>;
  cacheOf(user_id: number): Promise<Cache | undefined>;
  /** All tabs hear it, this one too if it leads itself. */
  tell(news: News): void;
  /** The disk does not take what comes: from now on it is told without. */
  lostDisk(): void;
}

export class Leading implements Polling {
  readonly asking: Asking;
  private cache: Cache | undefined;
  private wasReached: boolean | undefined;

  constructor(private readonly leader: Leader) {
    this.asking = leader.asking;
  }

  async place(): Promise<Place | undefined> {
    const user_id = this.asking.user_id();
    if (user_id !== undefined) this.cache = await this.leader.cacheOf(user_id);
    const place = await this.leader.place();
    // The earlier leader may not have reported what it cached.
    if (place) this.leader.tell({ kind: "begun", place });
    return place;
  }

  async begin(): Promise<Place> {
    const request = { method: "POST", path: "/register", params: REGISTER } as const;
    const snapshot = await ask<Snapshot>(this.asking, request);
    const { queue_id, last_event_id } = snapshot as unknown as Place;
    const place = { queue_id, last_event_id };
    this.cache = await this.leader.cacheOf(snapshot.user_id);
    // Copied before the snapshot is used up.
    const kept = this.cache?.begin({ ...place, snapshot });
    this.leader.tell({ kind: "state", isNew: true, place, snapshot });
    await kept?.catch(() => this.withoutDisk());
    return place;
  }

  async took(place: Place, from: number, events: readonly Event[]): Promise<void> {
    await this.cache?.append(place, events).catch(() => this.withoutDisk());
    this.leader.tell({ kind: "events", place, from, events });
  }

  reached(isReached: boolean): void {
    if (this.wasReached === isReached) return;
    this.wasReached = isReached;
    this.leader.tell({ kind: "reached", isReached });
  }

  isHidden(): boolean {
    // A shared worker has no document.
    return "document" in globalThis && document.hidden;
  }

  /** For a tab that has come since. */
  sayAgain(): void {
    const { wasReached } = this;
    if (wasReached !== undefined) this.leader.tell({ kind: "reached", isReached: wasReached });
  }

  private withoutDisk(): void {
    this.cache = undefined;
    this.leader.lostDisk();
  }
}
