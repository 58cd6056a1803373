// The input of the search field, and its effects.
import { signal } from "@preact/signals";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { go, view } from "../../store/address.ts";
import { maybeState } from "../../store/store.ts";
import { EVERYTHING } from "../../views.ts";
import { directory } from "./directory.ts";
import { searching } from "./open-state.ts";
import { itemAt } from "../../content/item-at.ts";
import {
  bareToken,
  type EditedToken,
  lastToken,
  tokenFromOperator,
  queryOf,
  invalidFilterIn,
  termsOf,
  withPills,
} from "./query-rules.ts";
import { operandOf, operatorOf, plainName } from "./selectors.ts";
import { isSearchView } from "./result-selectors.ts";
import {
  type SearchSuggestion,
  SUGGESTED_MAX,
  suggestedPeriods,
  suggestionsFor,
} from "./suggestions.ts";

function isResultShown(): boolean {
  const currentView = view.peek();
  return currentView.kind === "messages" && isSearchView(currentView.terms);
}

/** Set after results are displayed: the next search of this field replaces their history entry. */
const NO_TERMS: readonly NarrowTerm[] = [];
let isContinuedSearch = false;

/** Whether the search was started from this field. */
export function wasSearchStartedHere(): boolean {
  const isContinued = isContinuedSearch;
  isContinuedSearch = false;
  return isContinued;
}

export class SearchField {
  readonly pills = signal<readonly NarrowTerm[]>([]);
  readonly text = signal("");
  /** The selected suggestion; -1: none. */
  readonly activeIndex = signal(-1);
  readonly isOpen = signal(false);
  input: HTMLInputElement | null = null;
  private edited: EditedToken | undefined;

  /** Takes the terms from the URL. */
  setTerms(terms: readonly NarrowTerm[]): void {
    const { pills, text } = queryOf(terms);
    this.pills.value = pills;
    this.text.value = text;
  }

  terms(): NarrowTerm[] {
    return termsOf({ pills: [...this.pills.value], text: this.text.value });
  }

  /** Suggestions, and a finished token that is no valid filter. */
  suggest(): { suggestions: SearchSuggestion[]; invalidFilter: string | undefined } {
    if (!maybeState()) return { suggestions: [], invalidFilter: undefined };
    const text = this.text.value;
    const { before, suggestions } = this.isOpen.value
      ? this.suggested()
      : { before: text, suggestions: [] };
    const finished = suggestions.length > 0 ? before : `${text} `;
    return { suggestions, invalidFilter: invalidFilterIn(finished, directory(true, this.edited)) };
  }

  /** The suggestions for the words before the caret, and these words. */
  private suggested(): { before: string; suggestions: SearchSuggestion[] } {
    const state = maybeState();
    const text = this.text.value;
    const operand = this.pills.value.find(({ operator }) => operator === "channel")?.operand;
    const channel = operand === undefined ? undefined : Number(operand);
    if (!state) return { before: text, suggestions: [] };
    const suggestionsOf = (token: string) => suggestionsFor(state, token, channel, this.edited);
    const long = tokenFromOperator(text);
    const longestMatches = long ? suggestionsOf(long.token) : [];
    if (long && longestMatches.length > 0)
      return { before: long.before, suggestions: longestMatches };
    const { before, token } = lastToken(text);
    const periods = suggestedPeriods(state, text);
    // The suggestions of periods are added only if both replace the same words.
    const others = !periods || periods.before === before ? suggestionsOf(token) : [];
    const suggestions = [...(periods?.suggestions ?? []), ...others].slice(0, SUGGESTED_MAX);
    return { before: suggestions.length > 0 ? (periods?.before ?? before) : text, suggestions };
  }

  onInput(input: HTMLInputElement): void {
    this.activeIndex.value = -1;
    this.isOpen.value = true;
    this.text.value = input.value;
    // A name may contain spaces: the typed text belongs to the operator as long as a known name
    // matches.
    const long = tokenFromOperator(input.value);
    const { before, suggestions } = this.suggested();
    const isComplete = long === undefined || before !== long.before || suggestions.length === 0;
    const { pills, searchText } = withPills(input.value, directory(isComplete, this.edited));
    if (pills.length > 0) {
      this.pills.value = [...this.pills.value, ...pills];
      input.value = searchText;
    }
    this.text.value = searchText;
  }

  choose(suggestion: SearchSuggestion): void {
    const { before } = this.suggested();
    this.activeIndex.value = -1;
    if (suggestion.kind === "operator") this.text.value = before + suggestion.text;
    else {
      this.pills.value = [...this.pills.value, suggestion.term];
      this.text.value = before;
      this.follow();
    }
  }

  /** Returns whether it handled the key. */
  handleKey(event: KeyboardEvent, suggestions: readonly SearchSuggestion[]): boolean {
    const selectedSuggestion = suggestions[this.activeIndex.value];
    const { length } = suggestions;
    switch (event.key) {
      case "ArrowDown":
        this.activeIndex.value = length === 0 ? -1 : (this.activeIndex.value + 1) % length;
        return length > 0;
      case "ArrowUp":
        // Above the first suggestion is the field itself.
        this.activeIndex.value =
          this.activeIndex.value === -1 ? length - 1 : this.activeIndex.value - 1;
        return length > 0;
      case "Tab":
        if (event.shiftKey || !selectedSuggestion) return false;
        this.choose(selectedSuggestion);
        return true;
      case "Enter":
        if (selectedSuggestion) this.choose(selectedSuggestion);
        else this.search();
        return true;
      case "Escape":
        this.leave();
        return true;
      case "ArrowLeft":
      case "Home":
      case "Backspace":
        return this.isAtStart() && this.pressedAt(this.pills.value.length, event);
      default:
        return false;
    }
  }

  /**
   * Handles a key on a pill, or at the start of the text after the pills. Returns whether it
   * handled the key.
   */
  pressedAt(index: number, { key, altKey, metaKey }: KeyboardEvent): boolean {
    const all = this.pills.value.length;
    const steps: Readonly<Record<string, number>> = {
      ...{ ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: all },
    };
    const to = steps[key];
    // With Alt or Meta, arrow keys navigate the history.
    if (altKey || metaKey) return false;
    if (to !== undefined) this.focusAt(to);
    else if (key === "Backspace") this.remove(Math.min(index, all - 1));
    else if (key === "Delete") this.remove(index);
    else return false;
    return true;
  }

  /** Focuses that pill, or the text before the first or after the last one. */
  private focusAt(index: number): void {
    const names = this.input?.parentElement?.querySelectorAll<HTMLElement>(".pill-name") ?? [];
    (names[index] ?? this.input)?.focus();
  }

  clear(): void {
    this.pills.value = [];
    this.text.value = "";
    this.input?.focus();
    this.follow();
  }

  remove(index: number): void {
    this.pills.value = this.pills.value.filter((_, position) => position !== index);
    // Focuses the next pill; after the last, the text.
    if (index === this.pills.value.length) this.input?.focus();
    this.follow();
  }

  negate(index: number): void {
    this.pills.value = this.pills.value.map((term, position) =>
      position === index ? { ...term, negated: !term.negated } : term,
    );
    this.follow();
  }

  /** Turns the pill back into text for editing. */
  edit(index: number): void {
    const term = itemAt(this.pills.value, index);
    this.pills.value = this.pills.value.filter((_, position) => position !== index);
    const operand = operandOf(term, plainName).replaceAll('"', "");
    const quoted = /\s/u.test(operand) ? `"${operand}` : operand;
    const token = operatorOf(term) + quoted;
    this.edited = { token: bareToken(token), term };
    this.text.value = `${this.text.value} ${token}`.trimStart();
    this.input?.focus();
  }

  private search(): void {
    const { before, suggestions } = this.suggested();
    const [first] = suggestions;
    // Text after an operator selects the first suggestion.
    const isMeant = first?.kind === "term" && !first.isOther;
    if (isMeant && before === tokenFromOperator(this.text.value)?.before) {
      this.pills.value = [...this.pills.value, first.term];
      this.text.value = before;
    }
    const { pills, searchText } = withPills(`${this.text.value} `, directory(true, this.edited));
    this.pills.value = [...this.pills.value, ...pills];
    this.text.value = searchText.trim();
    this.isOpen.value = false;
    this.run(false);
  }

  private run(replace: boolean): void {
    const terms = this.terms();
    if (terms.length === 0) return;
    isContinuedSearch = isSearchView(terms) && !isResultShown();
    go({ kind: "messages", terms }, { replace: replace || searching.peek() === NO_TERMS });
  }

  /** The displayed search follows its pills. */
  private follow(): void {
    if (!isResultShown()) return;
    if (this.terms().length > 0) return this.run(true);
    // An empty search shows all messages and keeps the field open.
    go(EVERYTHING, { replace: true });
    searching.value = NO_TERMS;
  }

  /** Closes the suggestions first, then the field. */
  private leave(): void {
    if (this.isOpen.value && this.suggest().suggestions.length > 0 && this.text.value !== "") {
      this.isOpen.value = false;
      return;
    }
    searching.value = undefined;
    this.input?.blur();
  }

  /** The caret is before the words, with pills in front. */
  private isAtStart(): boolean {
    const { input } = this;
    const isAtStart = input?.selectionStart === 0 && input.selectionEnd === 0;
    return isAtStart && this.pills.value.length > 0;
  }
}
