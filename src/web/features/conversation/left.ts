// The position at which a view was left, and whether to return to it.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import type { Standing } from "../../feed/anchor.ts";

/** Also stored in the history entry. */
export interface Left {
  standing: Standing;
  /** Milliseconds since 1970. */
  at: number;
  /** The newest message that the view had. */
  newest: number;
  /** The message that had the focus. */
  focused?: number | undefined;
}

/** After a longer absence, the view opens at the first unread message. */
const KEPT_MS = 1_800_000;
const VIEWS_MAX = 200;

/** By view key, in the order of leaving. */
const left = new Map<string, Left>();

/** The message that had the focus in the view that gives way to another just now. */
let carried: number | undefined;

export function leave(key: string, where: Left): void {
  carried = where.focused;
  queueMicrotask(() => (carried = undefined));
  left.delete(key);
  left.set(key, where);
  const [oldest] = left.keys();
  if (left.size > VIEWS_MAX) left.delete(oldest!);
}

/** `newestUnread`: of the view, 0 where nothing is. `own`: what the entry of the history keeps. */
export function standingLeft(
  key: string,
  own: Left | undefined,
  newestUnread: number,
  now: number,
): Standing | undefined {
  const found = own ?? left.get(key);
  if (!found || now - found.at > KEPT_MS || newestUnread > found.newest) return undefined;
  return found.standing;
}

/** Returning to a view restores the focus. */
export const focusLeft = (key: string, own: Left | undefined): number | undefined =>
  left.get(key)?.focused ?? own?.focused;

/** With the keyboard, the focus stays at the same message, or goes to the one in the address. */
export function focusCarried(terms: readonly NarrowTerm[]): number | undefined {
  const named = terms.find(({ operator }) => operator === "near")?.operand;
  return carried === undefined || named === undefined ? carried : Number(named);
}
