// Whether a view is the result of a search.
import { ownValue } from "../../../text/input/own-value.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { maybeState } from "../../store/store.ts";
import { conversationOf } from "../../views.ts";
import { VIEW_TITLES } from "../page/selectors.ts";

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
