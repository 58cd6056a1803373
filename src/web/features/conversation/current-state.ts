// The view of messages that is open.
import { signal } from "@preact/signals";
import type { FetchAnchor } from "../../feed/segments.ts";
import type { Feed } from "../../feed/feed.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import type { RowContext } from "../../feed/row.ts";
import type { ApiError } from "../../contract/api-error.ts";
import type { Message } from "../../contract/message.ts";
import type { Reader } from "./read-marker-state.ts";

/** The interface of an open view for other modules. */
interface CurrentView {
  readonly terms: readonly NarrowTerm[];
  readonly reader: Reader;
  /** The feed on the page. */
  shownFeed(): Feed | undefined;
  /** The message and the known messages after it. */
  idsFrom(id: number): number[];
  /** Moves to another position in the same view; `date` as `2026-11-22`. */
  jump(anchor: FetchAnchor, date?: string): Promise<void>;
}

export const current = signal<CurrentView | undefined>(undefined);

/** Messages of muted users that the user has chosen to show, until the page is closed. */
export const revealedMessages = new Set<number>();
/** Open editors by message id. They outlive their row, which may leave the page. */
export const editors = new Map<number, HTMLElement>();

/** State that the view around a feed displays, and what it changes in rows. */
export interface ViewStatus {
  loadError: { value: ApiError | "failed" | undefined };
  isEmpty: { value: boolean };
  removeControls: RowContext["removeControls"];
  /** Called when messages arrive at the end. */
  announce(messages: readonly Message[]): void;
}
