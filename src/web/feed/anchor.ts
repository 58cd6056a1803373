// Keeps a message at its position on the screen while rows are added and removed around it.
import { extentOf, offsetOf, visibleRowsIn } from "./measure.ts";

/** A third below the top edge, because users read on downwards. */
const ANCHOR_HEIGHT_SHARE = 1 / 3;

/** A message, and its distance from the scroller's top edge in pixels. */
export interface Anchor {
  id: number;
  offset: number;
}

/** The position in a view: at a message, at the first unread one, or at the end. */
export type ScrollPosition = { at: Anchor } | { near: number } | { at: "end" };

/**
 * The row that should not move: the first whose start is visible, or else the first visible one.
 * The very first row comes last, because its sender's name disappears when an older row of the same
 * sender is added above.
 */
export function anchorIn(scroller: HTMLElement, rows: readonly HTMLElement[]): Anchor | undefined {
  const visibleRows = visibleRowsIn(scroller, rows);
  const started = visibleRows.filter(({ start }) => start >= 0);
  const first = Number(rows[0]?.dataset["id"]);
  const row = started.find(({ id }) => id !== first) ?? started[0] ?? visibleRows[0];
  return row && { id: row.id, offset: row.start };
}

/** Scrolls so that the message is at its previous position. Returns whether it could. */
export function restore(
  scroller: HTMLElement,
  row: HTMLElement | undefined,
  { offset }: Anchor,
): boolean {
  if (!row) return false;
  const shift = offsetOf(scroller, row) - offset;
  if (Math.abs(shift) >= 0.5) scroller.scrollTop += shift;
  return true;
}

/** The id of the current message; undefined at the end. */
export const idOf = (position: ScrollPosition): number | undefined => {
  if ("near" in position) return position.near;
  return position.at === "end" ? undefined : position.at.id;
};

/** Scrolls to the position; `rowAt` returns the row of a message, or of its replacement. */
export function restoreScroll(
  scroller: HTMLElement,
  position: ScrollPosition,
  rowAt: (id: number) => HTMLElement | undefined,
): void {
  if ("near" in position) {
    const { height } = extentOf(scroller);
    const offset = height * ANCHOR_HEIGHT_SHARE;
    restore(scroller, rowAt(position.near), { id: position.near, offset });
  } else if (position.at === "end") scroller.scrollTop = extentOf(scroller).content;
  else restore(scroller, rowAt(position.at.id), position.at);
}

/** The position at which a view was left. Stored in the history entry, too. */
export interface SavedPosition {
  standing: ScrollPosition;
  /** Milliseconds since 1970. */
  at: number;
  /** The newest message that the view had. */
  newest: number;
  /** The message that had the focus. */
  focused?: number | undefined;
}
