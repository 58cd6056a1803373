// Cache on disk for a quick start and offline reading, which can be dropped at any time.
import { type IDBPDatabase, openDB } from "idb";
import type { Event } from "../contract/snapshot.ts";
import { type CachedState, type CachedViewRow, type CacheLayout, type Cursor } from "./layout.ts";
import { closeForUpgrade } from "./databases.ts";
import { isOfThisVersion, stamp, type VersionStamp } from "./versions.ts";
import {
  affectsCachedViews,
  deleteInaccessible,
  applyEventsToCache,
  CACHED_VIEW_STORES,
  CachedViews,
} from "./cached-views.ts";

/** The data to continue from the last visit. */
interface StartState extends CachedState {
  /** The events after the state, in order. */
  readonly events: Event[];
  readonly cursor: Cursor;
  /** The cached ranges of the requested views, as of `place`. */
  readonly windows: readonly CachedViewRow[];
  /** Keys of all cached views. */
  readonly keys: readonly string[];
}

const LAYOUT_VERSION = 1;
const nameOf = (user_id: number) => `skein-${user_id}`;

export class Cache {
  readonly windows: CachedViews;

  private constructor(readonly db: IDBPDatabase<CacheLayout>) {
    this.windows = new CachedViews(db, () => Date.now());
  }

  /** undefined if the browser blocks it or the disk is full. */
  static async open(user_id: number): Promise<Cache | undefined> {
    try {
      const db = await openDB<CacheLayout>(nameOf(user_id), LAYOUT_VERSION, {
        upgrade(created) {
          created.createObjectStore("start");
          created.createObjectStore("journal");
          created.createObjectStore("windows", { keyPath: "key" });
          created.createObjectStore("shelf", { keyPath: "key" });
          created.createObjectStore("device");
        },
        // Another tab deletes the database or opens a later version of it.
        blocking: closeForUpgrade,
      });
      return new Cache(db);
    } catch {
      return undefined;
    }
  }

  /** Whether the cache has nothing newer, so that the large state need not be read. */
  async isAt(expected: Cursor | undefined): Promise<boolean> {
    if (!expected) return false;
    const { queue_id, last_event_id } = expected;
    const cursor: Cursor | undefined = await this.db.get("start", "place");
    return cursor?.queue_id === queue_id && cursor.last_event_id === last_event_id;
  }

  /**
   * The cached state with these views. Undefined if nothing is cached, or only by another version.
   */
  async start(viewKeys: readonly string[] = []): Promise<StartState | undefined> {
    const tx = this.db.transaction(["start", "journal", "windows"]);
    const windows = tx.objectStore("windows");
    const [state, cursor, events, keys, ...cachedRows] = await Promise.all([
      tx.objectStore("start").get("state") as Promise<(CachedState & VersionStamp) | undefined>,
      tx.objectStore("start").get("place"),
      tx.objectStore("journal").getAll(),
      windows.getAllKeys(),
      ...viewKeys.map((key) => windows.get(key)),
    ]);
    if (!state || !cursor || !isOfThisVersion(state) || state.queue_id !== cursor.queue_id) {
      return undefined;
    }
    const { queue_id, last_event_id, snapshot } = state;
    const later = events.filter(({ id }) => id > last_event_id);
    const loaded = cachedRows.filter((row) => row !== undefined);
    return {
      queue_id,
      last_event_id,
      snapshot,
      events: later,
      cursor,
      windows: loaded,
      keys,
    };
  }

  /** Stores the first state of a queue, and replaces everything else. */
  async begin({ queue_id, last_event_id, snapshot }: CachedState): Promise<void> {
    const tx = this.db.transaction(["start", "journal", ...CACHED_VIEW_STORES], "readwrite");
    const start = tx.objectStore("start");
    const before = (await start.get("state")) as VersionStamp | undefined;
    if (before && isOfThisVersion(before)) await deleteInaccessible(tx, snapshot);
    else for (const name of CACHED_VIEW_STORES) void tx.objectStore(name).clear();
    await Promise.all([
      start.put({ queue_id, last_event_id, snapshot, ...stamp }, "state"),
      start.put({ queue_id, last_event_id }, "place"),
      tx.objectStore("journal").clear(),
      tx.done,
    ]);
  }

  /**
   * Must complete before the next poll acknowledges the events, after which the server drops them.
   */
  async append(savedCursor: Cursor, events: readonly Event[]): Promise<void> {
    const concerned = affectsCachedViews(events) ? CACHED_VIEW_STORES : [];
    const stores = ["start", "journal", ...concerned] as const;
    const tx = this.db.transaction(stores, "readwrite", { durability: "relaxed" });
    const cursor: Cursor | undefined = await tx.objectStore("start").get("place");
    if (
      cursor?.queue_id === savedCursor.queue_id &&
      cursor.last_event_id < savedCursor.last_event_id
    ) {
      const { queue_id, last_event_id } = savedCursor;
      void tx.objectStore("start").put({ queue_id, last_event_id }, "place");
      for (const event of events) void tx.objectStore("journal").put(event, event.id);
      if (concerned.length > 0) await applyEventsToCache(tx, events);
    }
    await tx.done;
  }

  /** Replaces the cached state with a later one, and drops the events that it contains. */
  async compact(state: CachedState): Promise<void> {
    const tx = this.db.transaction(["start", "journal"], "readwrite");
    const storedState = await tx.objectStore("start").get("state");
    if (
      storedState?.queue_id === state.queue_id &&
      storedState.last_event_id < state.last_event_id
    ) {
      void tx.objectStore("start").put({ ...state, ...stamp }, "state");
      void tx.objectStore("journal").delete(IDBKeyRange.upperBound(state.last_event_id));
    }
    await tx.done;
  }

  journaled(): Promise<number> {
    return this.db.count("journal");
  }

  close(): void {
    this.db.close();
  }
}
