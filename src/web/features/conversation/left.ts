// Where one stood in a view when one left it, and whether to stand there again.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import type { Standing } from "../../feed/anchor.ts";

/** As the history keeps it too. */
export interface Left {
  standing: Standing;
  /** Milliseconds since 1970. */
  at: number;
  /** The newest message that the view had. */
  newest: number;
  /** The message that had the focus. */
  focused?: number | undefined;
}

/** Who was away for longer begins where there is something to read. */
const KEPT_MS = 1_800_000;
const VIEWS_MAX = 200;

/** By the view's key, in the order of leaving. */
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

/** Who comes back has the focus where it was. */
export const focusLeft = (key: string, own: Left | undefined): number | undefined =>
  left.get(key)?.focused ?? own?.focused;

/** Who goes on by keys stays at the message, or comes to the one that the address names. */
export function focusCarried(terms: readonly NarrowTerm[]): number | undefined {
  const named = terms.find(({ operator }) => operator === "near")?.operand;
  return carried === undefined || named === undefined ? carried : Number(named);
}
