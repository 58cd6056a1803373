// Starts a search: empty, limited to the current view, or with text from elsewhere.
import { go, view } from "../../store/address.ts";
import { captureTyping } from "../../ui/buffer-typing.ts";
import type { MenuItem } from "../../ui/menu.tsx";
import type { View } from "../../views.ts";
import { t } from "../../words/words.ts";
import { searching } from "./open-state.ts";
import { isSearchView } from "./result-selectors.ts";

/** Continues the displayed search, if there is one. */
export function startSearch(): void {
  captureTyping(t("search-messages"));
  const currentView = view.peek();
  searching.value =
    currentView.kind === "messages" && isSearchView(currentView.terms) ? currentView.terms : [];
}

/** Shows the current view as pills. */
export const searchHere = (): void => searchIn(view.peek());

/** On a phone, the bar has no room for the button. */
export function searchItems(currentView: View): MenuItem[] {
  if (!matchMedia("(width < 640px)").matches) return [];
  return [{ label: t("search-here"), icon: "search", run: () => searchIn(currentView) }];
}

function searchIn(currentView: View): void {
  captureTyping(t("search-messages"));
  if (currentView.kind === "messages") {
    searching.value = currentView.terms.filter(
      ({ operator }) => operator !== "near" && operator !== "with",
    );
  } else if (currentView.kind === "topics") {
    searching.value = [
      { operator: "channel", operand: `${currentView.stream_id}`, negated: false },
    ];
  } else searching.value = [];
}

/** Searches for words of the switcher. */
export function searchFor(text: string): void {
  searching.value = undefined;
  go({ kind: "messages", terms: [{ operator: "search", operand: text, negated: false }] });
}
