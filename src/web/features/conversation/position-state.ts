// The position at which a view was left, and whether to return to it.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import type { SavedPosition, ScrollPosition } from "../../feed/anchor.ts";

/** After a longer absence, the view opens at the first unread message. */
const POSITION_AGE_MS_MAX = 1_800_000;
const VIEWS_MAX = 200;

/** Positions by view key, in the order of leaving. */
const positions = new Map<string, SavedPosition>();

/** The message that had the focus in the view that is being left. */
let focusedBefore: number | undefined;

export function savePosition(key: string, position: SavedPosition): void {
  focusedBefore = position.focused;
  queueMicrotask(() => (focusedBefore = undefined));
  positions.delete(key);
  positions.set(key, position);
  if (positions.size > VIEWS_MAX) positions.delete(positions.keys().next().value!);
}

/** `newestUnread`: of the view, or 0. `own`: the state stored in the history entry. */
export function savedPosition(
  key: string,
  ownPosition: SavedPosition | undefined,
  newestUnread: number,
  now: number,
): ScrollPosition | undefined {
  const stored = ownPosition ?? positions.get(key);
  if (!stored || now - stored.at > POSITION_AGE_MS_MAX || newestUnread > stored.newest)
    return undefined;
  return stored.standing;
}

/** Returning to a view restores the focus. */
export const lastFocused = (
  key: string,
  savedPosition: SavedPosition | undefined,
): number | undefined => positions.get(key)?.focused ?? savedPosition?.focused;

/** With the keyboard, the focus stays on the same message, or moves to the one in the URL. */
export function messageToFocus(terms: readonly NarrowTerm[]): number | undefined {
  const nearOperand = terms.find(({ operator }) => operator === "near")?.operand;
  return focusedBefore === undefined || nearOperand === undefined
    ? focusedBefore
    : Number(nearOperand);
}
