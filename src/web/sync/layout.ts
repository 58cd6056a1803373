// Layout of the cache database.
import type { DBSchema } from "idb";
import type { Message } from "../features/messages/state.ts";
import type { Event, Snapshot } from "../snapshot.ts";
import type { Stamp } from "./versions.ts";

/** Between `from` and `to` the view held these ids and no others. */
export interface KeptRange {
  readonly from: number;
  /** Infinity: up to what came next. */
  readonly to: number;
  readonly ids: readonly number[];
}

/** The messages of a view as they were when it was last looked at. */
export interface KeptWindow {
  /** The key of the view. */
  readonly key: string;
  /** The event queue that kept it current. Another queue may have missed events. */
  readonly queue_id: string;
  /** The channel whose messages these are; null: of several, or of none. */
  readonly stream_id: number | null;
  /** Evicted last: direct messages, followed topics and pinned views. */
  readonly isDear: boolean;
  readonly messages: readonly Message[];
  /** Ids of messages that have gone since may stand in them. */
  readonly ranges: readonly KeptRange[];
}

/** How much a window takes, so that none need be read to find out which has to go. */
export interface Shelved {
  readonly key: string;
  readonly stream_id: number | null;
  readonly isDear: boolean;
  /** When it was last opened, in milliseconds since 1970. */
  readonly opened: number;
  readonly bytes: number;
  readonly ids: readonly number[];
}

/** Position in the event queue. The next poll acknowledges events up to it. */
export interface Place {
  readonly queue_id: string;
  readonly last_event_id: number;
}

/** The state as of an event; what came later is in the journal. */
export interface KeptState extends Place {
  readonly snapshot: Snapshot;
}

export interface Layout extends DBSchema {
  /** `state` as of some event, and `place`. */
  start: { key: "state" | "place"; value: (KeptState & Stamp) | Place };
  journal: { key: number; value: Event };
  /** Conversations as they were last seen, and how much each takes. */
  windows: { key: string; value: KeptWindow };
  shelf: { key: string; value: Shelved };
  /** Settings of this device only. */
  device: { key: string; value: unknown };
}
