// Dims other conversations while the user writes in one of several in a view.
import { signal } from "@preact/signals";
import { conversationKey } from "../conversation-keys.ts";
import { topicKey } from "../conversation-keys.ts";
import type { ConversationRef } from "../views.ts";
import { mark } from "./row.ts";

/** The conversation being written to in a view of several; undefined if there is none. */
export const replyPlace = signal<ConversationRef | undefined>(undefined);

export const blockKey = (conversation: ConversationRef): string =>
  "user_ids" in conversation
    ? conversationKey(conversation.user_ids)
    : topicKey(conversation.stream_id, conversation.topic);

/** Blocks keep their class, however often they alternate with others. */
export function dimAnswered(column: HTMLElement): void {
  const conversation = replyPlace.peek();
  const key = conversation && blockKey(conversation);
  let isAny = false;
  for (const block of column.querySelectorAll<HTMLElement>(".conv")) {
    const isHere = block.dataset["place"] === key;
    mark(block, "here", isHere);
    isAny ||= isHere;
  }
  mark(column, "answered", isAny);
}
