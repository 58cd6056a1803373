// The view of messages that is open, and the message in it that one is at.
import { signal } from "@preact/signals";
import { now } from "../../live.ts";
import type { Message } from "../messages/state.ts";
import type { Anchor } from "../../feed/load.ts";
import type { Feed } from "../../feed/feed.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import type { Reader } from "./reader.ts";

/** The interface of an open view for other modules. */
interface Open {
  readonly terms: readonly NarrowTerm[];
  readonly reader: Reader;
  /** The feed that is in the page. */
  shownFeed(): Feed | undefined;
  /** This message and what is known to follow it. */
  idsFrom(id: number): number[];
  /** Stands elsewhere in the same view; `date` as `2026-11-22`. */
  jump(anchor: Anchor, date?: string): Promise<void>;
}

export const current = signal<Open | undefined>(undefined);

/** Keys of messages are for the feed: not while one is in another part of the page. */
export function isInFeed(): boolean {
  const { activeElement } = document;
  if (!current.peek()?.shownFeed()) return false;
  if (!activeElement || activeElement === document.body) return true;
  return activeElement.closest(".feed") !== null || activeElement.id === "main";
}

/** Whether the focus is on a row or nothing, so that keys do not press a button. */
export function isFree(): boolean {
  const { activeElement } = document;
  return !activeElement?.matches("a, button, summary, input, textarea, select, [role=button]");
}

/** The message that one is at: its row has the focus, or would have it. */
export function selectedMessage(): Message | undefined {
  const id = current.peek()?.shownFeed()?.roving.id;
  return id === undefined ? undefined : now().messages.byId.get(id);
}

export function selectedRow(): HTMLElement | undefined {
  const feed = current.peek()?.shownFeed();
  const id = feed?.roving.id;
  return id === undefined ? undefined : feed!.rowOf(id);
}
