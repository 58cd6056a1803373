// Messages between the tabs of a session: events, and the state of the connection.
import type { Event, Snapshot } from "../snapshot.ts";
import type { Unsent } from "./ending/ended.ts";
import type { Place } from "./layout.ts";

export type News =
  /** The result of a poll after `from`. */
  | {
      readonly kind: "events";
      readonly place: Place;
      readonly from: number;
      readonly events: readonly Event[];
    }
  /** A new event queue, whose snapshot is on the disk. */
  | { readonly kind: "begun"; readonly place: Place }
  /** A tab has no state, and found none on the disk. */
  | { readonly kind: "wanted" }
  /** A snapshot of a new queue, or in answer to a request. */
  | {
      readonly kind: "state";
      readonly isNew: boolean;
      readonly place: Place;
      readonly snapshot: Snapshot;
    }
  | { readonly kind: "reached"; readonly isReached: boolean }
  /** To the leading one: a tab wants to know at once whether the server answers, */
  | { readonly kind: "kick" }
  /** or whether it did. */
  | { readonly kind: "joined" }
  /** The doing of this key was taken back, by the person or as the server refused it. */
  | { readonly kind: "taken-back"; readonly key: string }
  | {
      readonly kind: "left";
      readonly why: Left;
      /** The user's choice at sign-out. */
      readonly unsent?: Unsent | undefined;
    };

/** Why a session's tabs stop; without a session, one may visit what is open to everyone. */
export type Left = "signed-out" | "another" | "visiting";

/** Tabs of one session share a channel, since other sessions have other queues. */
export function openNews(session: string, hear: (news: News) => void): NewsChannel {
  const channel = new BroadcastChannel(`skein-${session}`);
  channel.addEventListener("message", ({ data }: MessageEvent<News>) => hear(data));
  return {
    tell: (news) => channel.postMessage(news),
    close: () => channel.close(),
  };
}

export interface NewsChannel {
  /** All but this one hear it. */
  tell(news: News): void;
  close(): void;
}

/** What a tab sends to the shared worker that polls for all tabs. */
export interface Joining {
  readonly session: string;
  readonly user_id: number | undefined;
  readonly csrf: string;
}
