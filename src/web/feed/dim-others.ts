// Dims other conversations while the user writes in one of several in a view.
import { signal } from "@preact/signals";
import { conversationKey } from "../conversation-keys.ts";
import { topicKey } from "../conversation-keys.ts";
import type { ConversationRef } from "../views.ts";
import { mark } from "./row.ts";

/** The conversation being written to in a view of several; undefined if there is none. */
export const replyPlace = signal<ConversationRef | undefined>(undefined);

export const blockKey = (place: ConversationRef): string =>
  "user_ids" in place ? conversationKey(place.user_ids) : topicKey(place.stream_id, place.topic);

/** Blocks keep their class, however often they alternate with others. */
export function markAnswered(column: HTMLElement): void {
  const place = replyPlace.peek();
  const key = place && blockKey(place);
  let isAny = false;
  for (const block of column.querySelectorAll<HTMLElement>(".conv")) {
    const isHere = block.dataset["place"] === key;
    mark(block, "here", isHere);
    isAny ||= isHere;
  }
  mark(column, "answered", isAny);
}
