// Begins a search: with nothing, with where one is, or with words from elsewhere.
import { go, view } from "../../address.ts";
import { catchTyping } from "../../ui/ahead.ts";
import type { MenuItem } from "../../ui/menu.tsx";
import type { View } from "../../views.ts";
import { say } from "../../words/words.ts";
import { isFound, searching } from "./open.ts";

/** Continues the displayed search, if there is one. */
export function startSearch(): void {
  catchTyping(say("search-messages"));
  const shown = view.peek();
  searching.value = shown.kind === "messages" && isFound(shown.terms) ? shown.terms : [];
}

/** Shows the current view as pills. */
export const searchHere = (): void => searchIn(view.peek());

/** On a phone a bar has no room for the button. */
export function searchItems(shown: View): MenuItem[] {
  if (!matchMedia("(width < 640px)").matches) return [];
  return [{ label: say("search-here"), icon: "search", run: () => searchIn(shown) }];
}

function searchIn(shown: View): void {
  catchTyping(say("search-messages"));
  if (shown.kind === "messages") {
    searching.value = shown.terms.filter(
      ({ operator }) => operator !== "near" && operator !== "with",
    );
  } else if (shown.kind === "topics") {
    searching.value = [{ operator: "channel", operand: `${shown.stream_id}`, negated: false }];
  } else searching.value = [];
}

/** Searches for words of the switcher. */
export function searchFor(words: string): void {
  searching.value = undefined;
  go({ kind: "messages", terms: [{ operator: "search", operand: words, negated: false }] });
}
