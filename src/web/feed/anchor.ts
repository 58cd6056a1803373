// Holds a message at its place on the screen while rows come and go around it.
import { extentOf, offsetOf, rowsInSight } from "./measure.ts";

/** A third below the top edge, as what one reads next is below. */
const NEAR_SHARE = 1 / 3;

/** A message, and how many pixels below the scroller's top edge it stands. */
export interface Anchor {
  id: number;
  offset: number;
}

/** The position in a view: at a message, at the first unread one, or at the end. */
export type Standing = { at: Anchor } | { near: number } | { at: "end" };

/**
 * The row that should not move: the first whose start is in sight, else the first in sight. The
 * first of all is so last: its author goes when an older row of the same one comes above it.
 */
export function anchorIn(scroller: HTMLElement, rows: readonly HTMLElement[]): Anchor | undefined {
  const seen = rowsInSight(scroller, rows);
  const begun = seen.filter(({ start }) => start >= 0);
  const first = Number(rows[0]?.dataset["id"]);
  const row = begun.find(({ id }) => id !== first) ?? begun[0] ?? seen[0];
  return row && { id: row.id, offset: row.start };
}

/** Scrolls so that the message stands where it stood. Says whether it could. */
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

/** The message that one stands at; none at the end. */
export const idOf = (standing: Standing): number | undefined => {
  if ("near" in standing) return standing.near;
  return standing.at === "end" ? undefined : standing.at.id;
};

/** Scrolls there; `rowAt` gives the row of a message, or the one that stands where it stood. */
export function standAt(
  scroller: HTMLElement,
  standing: Standing,
  rowAt: (id: number) => HTMLElement | undefined,
): void {
  if ("near" in standing) {
    const { height } = extentOf(scroller);
    const offset = height * NEAR_SHARE;
    restore(scroller, rowAt(standing.near), { id: standing.near, offset });
  } else if (standing.at === "end") scroller.scrollTop = extentOf(scroller).content;
  else restore(scroller, rowAt(standing.at.id), standing.at);
}
