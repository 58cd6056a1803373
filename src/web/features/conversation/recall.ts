// Takes a view from the disk into memory, as it was when it was last looked at.
import { holds } from "../../feed/narrow.ts";
import type { FeedView } from "../../feed/view.ts";
import { desk, sync } from "../../here.ts";
import { now } from "../../live.ts";
import type { KeptWindow } from "../../sync/layout.ts";
import { takeKept } from "../messages/kept.ts";

/** Is anything shown from the disk? A promise where the disk has to be asked. */
export function recall(view: FeedView): boolean | Promise<boolean> {
  if (view.segments.length > 0) return view.isKept;
  const { recall: kept } = sync;
  const known = kept.atOnce(view.key);
  if (known) return take(view, known);
  if (!kept.mayHave(view.key)) return false;
  return kept.find(view.key).then((found) => {
    if (view.segments.length > 0) return view.isKept;
    return found !== undefined && take(view, found);
  });
}

function take(view: FeedView, { messages, ranges }: KeptWindow): boolean {
  const state = now();
  takeKept(state, messages);
  const isIn = (id: number) => {
    const message = state.messages.byId.get(id);
    return message !== undefined && holds(view.terms, message, state) !== false;
  };
  const segments = ranges.map(({ from, to, ids }) => ({ from, to, ids: ids.filter(isIn) }));
  view.segments = segments.filter(({ ids }) => ids.length > 0);
  if (view.segments.length === 0) return false;
  view.isKept = true;
  view.revision++;
  // What one did that the server has not heard of.
  desk.peek()?.doings.show();
  return true;
}
