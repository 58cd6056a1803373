// The position at which a view was left, and whether to return to it.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import type { LeftPosition, ScrollPosition } from "../../feed/anchor.ts";

/** After a longer absence, the view opens at the first unread message. */
const KEPT_MS = 1_800_000;
const VIEWS_MAX = 200;

/** Positions by view key, in the order of leaving. */
const left = new Map<string, LeftPosition>();

/** The message that had the focus in the view that is being left. */
let carried: number | undefined;

export function leave(key: string, where: LeftPosition): void {
  carried = where.focused;
  queueMicrotask(() => (carried = undefined));
  left.delete(key);
  left.set(key, where);
  if (left.size > VIEWS_MAX) left.delete(left.keys().next().value!);
}

/** `newestUnread`: of the view, or 0. `own`: the state stored in the history entry. */
export function positionToRestore(
  key: string,
  own: LeftPosition | undefined,
  newestUnread: number,
  now: number,
): ScrollPosition | undefined {
  const found = own ?? left.get(key);
  if (!found || now - found.at > KEPT_MS || newestUnread > found.newest) return undefined;
  return found.standing;
}

/** Returning to a view restores the focus. */
export const lastFocused = (key: string, own: LeftPosition | undefined): number | undefined =>
  left.get(key)?.focused ?? own?.focused;

/** With the keyboard, the focus stays on the same message, or moves to the one in the URL. */
export function messageToFocus(terms: readonly NarrowTerm[]): number | undefined {
  const named = terms.find(({ operator }) => operator === "near")?.operand;
  return carried === undefined || named === undefined ? carried : Number(named);
}
