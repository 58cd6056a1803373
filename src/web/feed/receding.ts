// While one writes to one of many conversations in a view, the others step back.
import { signal } from "@preact/signals";
import { conversationKey } from "../features/conversations/state.ts";
import { topicKey } from "../features/topics/state.ts";
import type { Place } from "../views.ts";
import { mark } from "./row.ts";

/** The conversation that is written to from a view of many; undefined: none. */
export const answeredPlace = signal<Place | undefined>(undefined);

export const blockKey = (place: Place): string =>
  "user_ids" in place ? conversationKey(place.user_ids) : topicKey(place.stream_id, place.topic);

/** Blocks keep their class, however often they alternate with others. */
export function markAnswered(column: HTMLElement): void {
  const place = answeredPlace.peek();
  const key = place && blockKey(place);
  let isAny = false;
  for (const block of column.querySelectorAll<HTMLElement>(".conv")) {
    const isHere = block.dataset["place"] === key;
    mark(block, "here", isHere);
    isAny ||= isHere;
  }
  mark(column, "answered", isAny);
}
