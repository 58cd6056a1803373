// Dims other conversations while the user writes in one of several in a view.
import { signal } from "@preact/signals";
import { keyOfConversation } from "../conversation-keys.ts";
import type { ConversationRef } from "../views.ts";
import { mark } from "./row.ts";

/** The conversation being written to in a view of several; undefined if there is none. */
export const replyPlace = signal<ConversationRef | undefined>(undefined);

/** Marks every block of the conversation that the user writes to, so that all others are dimmed. */
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
