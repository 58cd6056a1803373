// Layout of the cache database.
import type { DBSchema } from "idb";
import type { Message } from "../contract/message.ts";
import type { Event, Snapshot } from "../contract/snapshot.ts";
import type { VersionStamp } from "./versions.ts";

/** The view contained exactly these ids between `from` and `to`. */
export interface CachedRange {
  readonly from: number;
  /** Infinity: including messages to come. */
  readonly to: number;
  readonly ids: readonly number[];
}

/** The messages of a view at the last visit. */
export interface CachedViewRow {
  /** The key of the view. */
  readonly key: string;
  /** The event queue that kept it current. Another queue may have missed events. */
  readonly queue_id: string;
  /** The channel of all its messages; null if there are several or none. */
  readonly stream_id: number | null;
  /** Evicted last: direct messages, followed topics and pinned views. */
  readonly isDear: boolean;
  readonly messages: readonly Message[];
  /** May contain ids of messages that were deleted since. */
  readonly ranges: readonly CachedRange[];
}

/** The size of a cached view, so that eviction need not read the views. */
export interface CachedViewSize {
  readonly key: string;
  readonly stream_id: number | null;
  readonly isDear: boolean;
  /** When it was last opened, in milliseconds since 1970. */
  readonly opened: number;
  readonly bytes: number;
  readonly ids: readonly number[];
}

/** Position in the event queue. The next poll acknowledges events up to it. */
export interface Cursor {
  readonly queue_id: string;
  readonly last_event_id: number;
}

/** The state at an event; later events are in the journal. */
export interface CachedState extends Cursor {
  readonly snapshot: Snapshot;
}

export interface CacheLayout extends DBSchema {
  /** `state` at some event, and `place`. */
  start: { key: "state" | "place"; value: (CachedState & VersionStamp) | Cursor };
  journal: { key: number; value: Event };
  /** Cached views, with their sizes. */
  windows: { key: string; value: CachedViewRow };
  shelf: { key: string; value: CachedViewSize };
  /** Settings of this device only. */
  device: { key: string; value: unknown };
}

/** Key of the cached messages of which lists show one line. */
export const LINES = "lines";
