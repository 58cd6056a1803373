// Whether reading in the view that is open marks anything, and what has been in sight there.
import { signal } from "@preact/signals";
import type { Seen } from "../../feed/measure.ts";
import { isConversation } from "../../feed/narrow.ts";
import { now } from "../../live.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";

const POLICY = { always: 1, conversations: 2, never: 3 } as const;

/** Marks messages in a view as read, until it is closed. */
export interface Marker {
  /** Rows that are in sight now. */
  see(seen: readonly Seen[], scroller: HTMLElement): void;
  /** A person has moved the feed; scrolls by code do not come here. */
  scrolled(): void;
  paused(): void;
  resumed(): void;
  close(): void;
}

let markerFor: ((reader: Reader) => Marker) | undefined;
/** Starts marking in the open view. */
let begin = () => {};

/** Nothing is marked before the view is displayed. */
export function markWith(make: (reader: Reader) => Marker): void {
  markerFor = make;
  begin();
}

export class Reader {
  /** Paused after the user marked messages as unread, until they move on. */
  readonly isPaused = signal(false);
  readonly opened = performance.now();
  last: { seen: readonly Seen[]; scroller: HTMLElement } | undefined;
  marker: Marker | undefined;
  private isClosed = false;

  constructor(private readonly terms: readonly NarrowTerm[]) {
    begin = () => {
      if (this.isClosed) return;
      this.marker = markerFor?.(this);
      if (this.last) this.marker?.see(this.last.seen, this.last.scroller);
    };
    begin();
  }

  /** Reading here marks nothing: the view is a search, or the settings say so. */
  get marksNothing(): boolean {
    return !mayMark(this.terms);
  }

  see(seen: readonly Seen[], scroller: HTMLElement): void {
    this.last = { seen, scroller };
    this.marker?.see(seen, scroller);
  }

  pause(): void {
    this.isPaused.value = true;
    this.marker?.paused();
  }

  resume(): void {
    this.isPaused.value = false;
    this.marker?.resumed();
  }

  close(): void {
    this.isClosed = true;
    this.marker?.close();
  }
}

/** Views of what was said somewhere, in which one reads; a search is none, nor is a glance. */
const READING = ["channel", "topic", "dm", "with", "is"];

function mayMark(terms: readonly NarrowTerm[]): boolean {
  const policy = now().settings.settings["web_mark_read_on_scroll_policy"];
  if (policy === POLICY.never) return false;
  const isPlace = isConversation(terms, now().people.me);
  if (policy === POLICY.conversations && !isPlace) return false;
  return isReadIn(terms);
}

/** Others are looked through from the newest on. */
export const isReadIn = (terms: readonly NarrowTerm[]): boolean =>
  terms.every(({ operator, negated }) => !negated && READING.includes(operator));
