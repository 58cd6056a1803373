// Whether a view is the result of a search, and how many messages that found.
import { ownValue } from "../../../text/input/own-value.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { viewFor } from "../../store/feed-views.ts";
import { viewKey } from "../../store/narrow.ts";
import { maybeState, subscribe } from "../../store/store.ts";
import { conversationOf } from "../../views.ts";
import { VIEW_TITLES } from "../page/selectors.ts";

/** With this many results, the end of the search is not shown. */
const FEW_RESULTS = 10;

/** The number of results, if they are all loaded and only few. */
export function fewResults(terms: readonly NarrowTerm[]): number | undefined {
  subscribe(viewKey(terms));
  const [whole] = viewFor(terms).segments;
  const isWhole = whole?.from === 0 && whole.to === Infinity;
  return isWhole && whole.ids.length < FEW_RESULTS ? whole.ids.length : undefined;
}

const PLAIN = ["channel", "near", "with"];

/** Whether the view is a search, so that its bar contains the search field. */
export function isSearchView(terms: readonly NarrowTerm[]): boolean {
  if (terms.length === 0) return false;
  const state = maybeState();
  if (terms.some(({ operator }) => operator === "search")) return true;
  if (state && conversationOf(terms, state.people.me)) return false;
  const rest = terms.filter(({ operator }) => operator !== "near" && operator !== "with");
  const [only, ...others] = rest;
  if (!only || others.length > 0 || only.negated) return true;
  return only.operator === "is"
    ? !ownValue(VIEW_TITLES, only.operand)
    : !PLAIN.includes(only.operator);
}
