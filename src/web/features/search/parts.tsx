// Parts of the search field: pills and suggestions.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { subscribe } from "../../store/store.ts";
import { Icon } from "../../ui/icon.tsx";
import { openMenu } from "../../ui/menu.tsx";
import { t } from "../../words/words.ts";
import type { SearchField } from "./field.ts";
import { canBeNegated } from "./query-rules.ts";
import { operandOf, operatorOf, sentenceOf } from "./selectors.ts";
import type { SearchSuggestion } from "./suggestions.ts";

interface PillProps {
  term: NarrowTerm;
  field: SearchField;
  /** Index of the pill. */
  index: number;
}

export function Pill({ term, field, index }: PillProps) {
  subscribe("channels", "users");
  const [operator, operand] = [operatorOf(term), operandOf(term)];
  const name = `${operator} ${operand}`;
  const other = term.negated ? "pill-include" : "pill-exclude";
  return (
    <span
      class="pill"
      data-negated={term.negated ? "" : undefined}
      onKeyDown={(event) => consumeKey(event, field.pressedAt(index, event))}
    >
      <button
        class="pill-name"
        type="button"
        aria-haspopup="menu"
        onClick={({ currentTarget }) =>
          openMenu(currentTarget, name, [
            { label: t("change"), icon: "pencil", run: () => field.edit(index) },
            ...(canBeNegated(term.operator)
              ? [{ label: t(other), icon: "eyeoff" as const, run: () => field.negate(index) }]
              : []),
            { label: t("remove"), icon: "x", run: () => field.remove(index) },
          ])
        }
      >
        <b>{operator}</b> <bdi>{operand}</bdi>
      </button>
      <button
        type="button"
        aria-label={t("remove-named", { name })}
        onClick={() => field.remove(index)}
      >
        <Icon name="x" size={16} />
      </button>
    </span>
  );
}

/** Keys for the field have no other effect. */
export function consumeKey(event: KeyboardEvent, isFor: boolean): void {
  if (!isFor) return;
  event.preventDefault();
  event.stopPropagation();
}

interface SuggestionsProps {
  suggestions: readonly SearchSuggestion[];
  activeIndex: number;
  onTake: (suggestion: SearchSuggestion) => void;
}

export function Suggestions({ suggestions, activeIndex, onTake }: SuggestionsProps) {
  return (
    <div
      class="pop search-pop"
      role="listbox"
      id="search-suggestions"
      aria-label={t("suggestions")}
    >
      {suggestions.map((suggestion, index) => (
        <div
          key={index}
          class="item"
          role="option"
          id={`search-${index}`}
          aria-selected={index === activeIndex}
          // The field keeps the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onTake(suggestion);
          }}
        >
          {suggestion.kind === "operator" ? (
            <b>{suggestion.text}</b>
          ) : (
            <span class="t">
              <b>{operatorOf(suggestion.term)}</b>{" "}
              <bdi>{suggestion.label ?? operandOf(suggestion.term)}</bdi>
            </span>
          )}
          {suggestion.kind === "term" && <small>{sentenceOf([suggestion.term])}</small>}
        </div>
      ))}
    </div>
  );
}
