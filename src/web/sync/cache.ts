// Cache on disk for a quick start and offline reading, which can be dropped at any time.
import { type IDBPDatabase, openDB } from "idb";
import type { Event } from "../snapshot.ts";
import type { KeptState, KeptWindow, Layout, Place } from "./layout.ts";
import { isOfThisVersion, type Stamp, stamp } from "./versions.ts";
import { concernsWindows, keepOnly, takeEvents, WINDOW_STORES, Windows } from "./windows.ts";

/** All that is needed to go on where one was. */
export interface Start extends KeptState {
  /** The events after the state, in order. */
  readonly events: Event[];
  readonly place: Place;
  /** The cached ranges of the requested views, as of `place`. */
  readonly windows: readonly KeptWindow[];
  /** Keys of all cached views. */
  readonly keys: readonly string[];
}

const LAYOUT_VERSION = 1;
const nameOf = (user_id: number) => `skein-${user_id}`;

export class Cache {
  readonly windows: Windows;

  private constructor(readonly db: IDBPDatabase<Layout>) {
    this.windows = new Windows(db, () => Date.now());
  }

  /** undefined: the browser denies it, or the disk is full. */
  static async open(user_id: number): Promise<Cache | undefined> {
    try {
      const db = await openDB<Layout>(nameOf(user_id), LAYOUT_VERSION, {
        upgrade(made) {
          made.createObjectStore("start");
          made.createObjectStore("journal");
          made.createObjectStore("windows", { keyPath: "key" });
          made.createObjectStore("shelf", { keyPath: "key" });
          made.createObjectStore("device");
        },
        // Another tab purges it, or is of a later version.
        blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
      });
      return new Cache(db);
    } catch {
      return undefined;
    }
  }

  /** Whether the disk has nothing newer. If so, the large state need not be read. */
  async isAt(known: Place | undefined): Promise<boolean> {
    if (!known) return false;
    const { queue_id, last_event_id } = known;
    const place = (await this.db.get("start", "place")) as Place | undefined;
    return place?.queue_id === queue_id && place.last_event_id === last_event_id;
  }

  /**
   * The cached state with these views. Undefined if nothing is cached, or only by another version.
   */
  async start(shown: readonly string[] = []): Promise<Start | undefined> {
    const tx = this.db.transaction(["start", "journal", "windows"]);
    const windows = tx.objectStore("windows");
    const [state, place, events, keys, ...found] = await Promise.all([
      tx.objectStore("start").get("state") as Promise<(KeptState & Stamp) | undefined>,
      tx.objectStore("start").get("place") as Promise<Place | undefined>,
      tx.objectStore("journal").getAll(),
      windows.getAllKeys(),
      ...shown.map((key) => windows.get(key)),
    ]);
    if (!state || !place || !isOfThisVersion(state) || state.queue_id !== place.queue_id) {
      return undefined;
    }
    const { queue_id, last_event_id, snapshot } = state;
    const later = events.filter(({ id }) => id > last_event_id);
    const there = found.filter((kept) => kept !== undefined);
    return { queue_id, last_event_id, snapshot, events: later, place, windows: there, keys };
  }

  /** A queue's first state, in the place of whatever was there. */
  async begin({ queue_id, last_event_id, snapshot }: KeptState): Promise<void> {
    const tx = this.db.transaction(["start", "journal", ...WINDOW_STORES], "readwrite");
    const start = tx.objectStore("start");
    const before = (await start.get("state")) as Stamp | undefined;
    if (before && isOfThisVersion(before)) await keepOnly(tx, snapshot);
    else for (const name of WINDOW_STORES) void tx.objectStore(name).clear();
    await Promise.all([
      start.put({ queue_id, last_event_id, snapshot, ...stamp }, "state"),
      start.put({ queue_id, last_event_id }, "place"),
      tx.objectStore("journal").clear(),
      tx.done,
    ]);
  }

  /** Before the next poll acknowledges them: the server has them no more then. */
  async append(place: Place, events: readonly Event[]): Promise<void> {
    const concerned = concernsWindows(events) ? WINDOW_STORES : [];
    const stores = ["start", "journal", ...concerned] as const;
    const tx = this.db.transaction(stores, "readwrite", { durability: "relaxed" });
    const kept = await (tx.objectStore("start").get("place") as Promise<Place | undefined>);
    if (kept?.queue_id === place.queue_id && kept.last_event_id < place.last_event_id) {
      const { queue_id, last_event_id } = place;
      void tx.objectStore("start").put({ queue_id, last_event_id }, "place");
      for (const event of events) void tx.objectStore("journal").put(event, event.id);
      if (concerned.length > 0) await takeEvents(tx, events);
    }
    await tx.done;
  }

  /** Takes a later state for the one that is kept, and drops the events that it contains. */
  async compact(state: KeptState): Promise<void> {
    const tx = this.db.transaction(["start", "journal"], "readwrite");
    const kept = await (tx.objectStore("start").get("state") as Promise<KeptState | undefined>);
    if (kept?.queue_id === state.queue_id && kept.last_event_id < state.last_event_id) {
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
