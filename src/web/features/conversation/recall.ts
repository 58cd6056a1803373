// Shows a view from the cache before the server's answer.
import { fetchApart } from "../../feed/load.ts";
import { holds, isContiguous, narrowKey } from "../../feed/narrow.ts";
import { type FeedView, isOutside } from "../../feed/view.ts";
import { desk, sync } from "../../here.ts";
import { now } from "../../live.ts";
import type { KeptWindow } from "../../sync/layout.ts";
import type { View } from "../../views.ts";
import { takeKept } from "../messages/kept.ts";
import { isReadIn } from "./reader.ts";

type Kept = Pick<KeptWindow, "messages" | "ranges">;

/** The view that the page starts with, asked for beside the first state, not after it. */
let early: { key: string; found: Promise<Kept | undefined> } | undefined;

/** Returning users see cached messages. */
export function askEarly(shown: View): void {
  if (sync.user_id !== undefined || shown.kind !== "messages") return;
  const { terms } = shown;
  if (terms.some(({ operator }) => operator === "search")) return;
  const near = Number(terms.find(({ operator }) => operator === "near")?.operand);
  const first = isReadIn(terms) ? "first_unread" : "newest";
  const found = fetchApart(terms, near > 0 ? near : first).catch(() => undefined);
  early = { key: narrowKey(terms), found };
}

/** Whether something is displayed already. A promise if the cache must be read. */
export function recall(view: FeedView): boolean | Promise<boolean> {
  if (view.segments.length > 0) {
    // No event tells of all that would be found by now, or there.
    if (!isContiguous(view.terms) || view.unsure.length > 0 || isOutside(view, now())) {
      view.provisional ??= "early";
      view.unsure.length = 0;
    }
    return view.provisional !== undefined;
  }
  const { recall: kept } = sync;
  const known = kept.atOnce(view.key);
  if (known) return take(view, known, "disk");
  const asked = early?.key === view.key ? early.found : undefined;
  early = undefined;
  if (!asked && !kept.mayHave(view.key)) return false;
  return (asked ?? kept.find(view.key)).then((found) => {
    if (view.segments.length > 0) return view.provisional !== undefined;
    return found !== undefined && take(view, found, asked ? "early" : "disk");
  });
}

/** No event that came before is in it, so it is asked for all the same. */
function take(view: FeedView, { messages, ranges }: Kept, as: "disk" | "early"): boolean {
  const state = now();
  takeKept(state, messages);
  const isIn = (id: number) => {
    const message = state.messages.byId.get(id);
    return message !== undefined && holds(view.terms, message, state) !== false;
  };
  const segments = ranges.map(({ from, to, ids }) => ({ from, to, ids: ids.filter(isIn) }));
  view.segments = segments.filter(({ ids }) => ids.length > 0);
  if (view.segments.length === 0) return false;
  view.provisional = as;
  view.revision++;
  // Applies actions that the server has not confirmed.
  desk.peek()?.doings.show();
  return true;
}
