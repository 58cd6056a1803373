// Whether a search was begun: its field takes the place of the bar, over what was there before.
import { ownValue } from "../../../text/input/own-value.ts";
import { effect, signal } from "@preact/signals";
import { view } from "../../address.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { caughtTyping } from "../../ui/ahead.ts";
import { placeOf } from "../../views.ts";
import { known } from "../../live.ts";
import { NAMED } from "../frame/name.ts";

/** The terms that the field begins with; undefined: nobody is searching. */
export const searching = signal<readonly NarrowTerm[] | undefined>(undefined);

// Leaving the view ends a search that was not submitted.
effect(() => {
  void view.value;
  searching.value = undefined;
  caughtTyping();
});

const PLAIN = ["channel", "near", "with"];

/** Whether the view is a search, so that its bar contains the search field. */
export function isFound(terms: readonly NarrowTerm[]): boolean {
  if (terms.length === 0) return false;
  const state = known();
  if (terms.some(({ operator }) => operator === "search")) return true;
  if (state && placeOf(terms, state.people.me)) return false;
  const rest = terms.filter(({ operator }) => operator !== "near" && operator !== "with");
  const [only] = rest;
  if (rest.length !== 1 || only!.negated) return true;
  return only!.operator === "is"
    ? !ownValue(NAMED, only!.operand)
    : !PLAIN.includes(only!.operator);
}
