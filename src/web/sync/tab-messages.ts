// Messages between the tabs of a session: events, rollbacks, and the state of the connection.
import type { Event, Snapshot } from "../contract/snapshot.ts";
import type { Unsent } from "./ending/ended-accounts.ts";
import type { Cursor } from "./layout.ts";

export type TabMessage =
  /** The result of a poll after `from`. */
  | {
      readonly kind: "events";
      readonly place: Cursor;
      readonly from: number;
      readonly events: readonly Event[];
    }
  /** A new event queue, whose snapshot is in the cache. */
  | { readonly kind: "begun"; readonly place: Cursor }
  /** A tab has no state, and the cache has none. */
  | { readonly kind: "wanted" }
  /** The snapshot of a new queue, sent to all or in response to a request. */
  | {
      readonly kind: "state";
      readonly isNew: boolean;
      readonly place: Cursor;
      readonly snapshot: Snapshot;
    }
  | { readonly kind: "reached"; readonly isReached: boolean }
  /** Asks the leading tab to check at once whether the server responds. */
  | { readonly kind: "kick" }
  /** Asks the leading tab for the result of its last check. */
  | { readonly kind: "joined" }
  /** The mutation with this key was rolled back, by the user or because the server rejected it. */
  | { readonly kind: "taken-back"; readonly key: string }
  | {
      readonly kind: "left";
      readonly why: LeaveReason;
      /** The user's choice at sign-out. */
      readonly unsent?: Unsent | undefined;
    };

export type TabMessageOf<Kind> = Extract<TabMessage, { readonly kind: Kind }>;

/** Why a session's tabs stop; users without a session can see web-public content. */
export type LeaveReason = "signed-out" | "another" | "visiting";

/** The state of the connection, and its start in milliseconds. */
export interface ConnectionStatus {
  readonly kind: "starting" | "live" | "unreached" | LeaveReason;
  readonly since: number;
}

/** Tabs of one session share a channel, since other sessions have other queues. */
export function openTabChannel(
  session: string,
  receive: (message: TabMessage) => void,
): TabChannel {
  const channel = new BroadcastChannel(`skein-${session}`);
  channel.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => receive(data));
  return {
    send: (message) => channel.postMessage(message),
    close: () => channel.close(),
  };
}

export interface TabChannel {
  /** Sends a message to all other tabs. */
  send(message: TabMessage): void;
  close(): void;
}

/** Messages of a tab to the shared worker that polls for all tabs. */
export interface JoinMessage {
  readonly session: string;
  readonly user_id: number | undefined;
  readonly csrf: string;
}
