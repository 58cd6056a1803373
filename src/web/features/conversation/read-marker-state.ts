// Whether reading in the open view marks messages as read, and which messages were visible.
import { signal } from "@preact/signals";
import type { VisibleRow } from "../../feed/measure.ts";
import { isConversation } from "../../store/narrow.ts";
import { getState } from "../../store/store.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";

const POLICY = { always: 1, conversations: 2, never: 3 } as const;

/** Marks messages in a view as read, until it is closed. */
export interface ReadMarker {
  /** Receives the rows that are visible now. */
  recordVisible(visibleRows: readonly VisibleRow[], scroller: HTMLElement): void;
  /** Called when the user scrolls, but not when code does. */
  onScroll(): void;
  onPause(): void;
  onResume(): void;
  close(): void;
}

export class Reader {
  /** Paused after the user marked messages as unread, until they move on. */
  readonly isPaused = signal(false);
  readonly openedAt = performance.now();
  last: { rows: readonly VisibleRow[]; scroller: HTMLElement } | undefined;
  marker: ReadMarker | undefined;
  private isClosed = false;

  constructor(private readonly terms: readonly NarrowTerm[]) {}

  /** Starts marking, unless the view is closed. */
  start(make: () => ReadMarker): void {
    if (this.isClosed) return;
    this.marker = make();
    if (this.last) this.marker.recordVisible(this.last.rows, this.last.scroller);
  }

  /** Whether marking as read is disabled here, by the settings or because the view is a search. */
  get isMarkingOff(): boolean {
    return !canMark(this.terms);
  }

  recordVisible(visibleRows: readonly VisibleRow[], scroller: HTMLElement): void {
    this.last = { rows: visibleRows, scroller };
    this.marker?.recordVisible(visibleRows, scroller);
  }

  pause(): void {
    this.isPaused.value = true;
    this.marker?.onPause();
  }

  resume(): void {
    this.isPaused.value = false;
    this.marker?.onResume();
  }

  close(): void {
    this.isClosed = true;
    this.marker?.close();
  }
}

/** Views in which reading marks messages: conversations and channels, but no searches. */
const READING_OPERATORS = ["channel", "topic", "dm", "with", "is"];

function canMark(terms: readonly NarrowTerm[]): boolean {
  const policy = getState().settings.settings["web_mark_read_on_scroll_policy"];
  if (policy === POLICY.never) return false;
  const isPlace = isConversation(terms, getState().people.me);
  if (policy === POLICY.conversations && !isPlace) return false;
  return isReadIn(terms);
}

/** Marked while reading from the newest message on. */
export const isReadIn = (terms: readonly NarrowTerm[]): boolean =>
  terms.every(({ operator, negated }) => !negated && READING_OPERATORS.includes(operator));
