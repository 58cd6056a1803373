// Dims other conversations while the user writes in one of several in a view.
import { signal } from "@preact/signals";
import { keyOfConversation } from "../conversation-keys.ts";
import type { ConversationRef } from "../views.ts";
import { mark } from "./row.ts";

/** The conversation being written to in a view of several; undefined if there is none. */
export const replyPlace = signal<ConversationRef | undefined>(undefined);

/** Blocks keep their class, however often they alternate with others. */
export function dimAnswered(column: HTMLElement): void {
  const conversation = replyPlace.peek();
  const key = conversation && keyOfConversation(conversation);
  let isAny = false;
  for (const block of column.querySelectorAll<HTMLElement>(".conv")) {
    const isHere = block.dataset["place"] === key;
    mark(block, "here", isHere);
    isAny ||= isHere;
  }
  mark(column, "answered", isAny);
}
