// Parts of the search field: pills and suggestions.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { Icon } from "../../ui/icon.tsx";
import { openMenu } from "../../ui/menu.tsx";
import { say } from "../../words/words.ts";
import type { SearchField } from "./field.ts";
import { canBeNegated } from "./query.ts";
import { operandOf, operatorOf, sentenceOf } from "./say.ts";
import type { Suggestion } from "./suggestions.ts";

interface Pilled {
  term: NarrowTerm;
  field: SearchField;
  /** Which of the pills it is. */
  index: number;
}

export function Pill({ term, field, index }: Pilled) {
  const [operator, operand] = [operatorOf(term), operandOf(term)];
  const name = `${operator} ${operand}`;
  const other = term.negated ? "pill-include" : "pill-exclude";
  return (
    <span
      class="pill"
      data-negated={term.negated ? "" : undefined}
      onKeyDown={(event) => heed(event, field.pressedAt(index, event))}
    >
      <button
        class="pill-name"
        type="button"
        aria-haspopup="menu"
        onClick={({ currentTarget }) =>
          openMenu(currentTarget, name, [
            { label: say("change"), icon: "pencil", run: () => field.edit(index) },
            ...(canBeNegated(term.operator)
              ? [{ label: say(other), icon: "eyeoff" as const, run: () => field.negate(index) }]
              : []),
            { label: say("remove"), icon: "x", run: () => field.remove(index) },
          ])
        }
      >
        <b>{operator}</b> <bdi>{operand}</bdi>
      </button>
      <button
        type="button"
        aria-label={say("remove-named", { name })}
        onClick={() => field.remove(index)}
      >
        <Icon name="x" size={16} />
      </button>
    </span>
  );
}

/** Keys for the field have no other effect. */
export function heed(event: KeyboardEvent, isFor: boolean): void {
  if (!isFor) return;
  event.preventDefault();
  event.stopPropagation();
}

interface Suggested {
  suggestions: readonly Suggestion[];
  at: number;
  onTake: (one: Suggestion) => void;
}

export function Suggestions({ suggestions, at, onTake }: Suggested) {
  return (
    <div
      class="pop search-pop"
      role="listbox"
      id="search-suggestions"
      aria-label={say("suggestions")}
    >
      {suggestions.map((one, index) => (
        <div
          key={index}
          class="item"
          role="option"
          id={`search-${index}`}
          aria-selected={index === at}
          // The field keeps the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onTake(one);
          }}
        >
          {one.kind === "operator" ? (
            <b>{one.text}</b>
          ) : (
            <span class="t">
              <b>{operatorOf(one.term)}</b> <bdi>{operandOf(one.term)}</bdi>
            </span>
          )}
          {one.kind === "term" && <small>{sentenceOf([one.term])}</small>}
        </div>
      ))}
    </div>
  );
}
