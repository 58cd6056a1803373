// What stands in the field of a search besides words: its pills, and suggestions below it.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { Icon } from "../../ui/icon.tsx";
import { openMenu } from "../../ui/menu.tsx";
import { say } from "../../words/words.ts";
import { canBeNegated } from "./query.ts";
import { operandOf, operatorOf, sentenceOf } from "./say.ts";
import type { Suggestion } from "./suggestions.ts";

interface Pilled {
  term: NarrowTerm;
  onRemove: () => void;
  onNegate: () => void;
  onEdit: () => void;
}

export function Pill({ term, onRemove, onNegate, onEdit }: Pilled) {
  const [operator, operand] = [operatorOf(term), operandOf(term)];
  const name = `${operator} ${operand}`;
  const other = term.negated ? "pill-include" : "pill-exclude";
  return (
    <span class="pill" data-negated={term.negated ? "" : undefined}>
      <button
        class="pill-name"
        type="button"
        aria-haspopup="menu"
        onClick={({ currentTarget }) =>
          openMenu(currentTarget, name, [
            { label: say("pill-edit"), icon: "pencil", run: onEdit },
            ...(canBeNegated(term.operator)
              ? [{ label: say(other), icon: "eyeoff" as const, run: onNegate }]
              : []),
            { label: say("pill-remove"), icon: "x", run: onRemove },
          ])
        }
      >
        <b>{operator}</b> <bdi>{operand}</bdi>
      </button>
      <button type="button" aria-label={say("remove-pill", { name })} onClick={onRemove}>
        <Icon name="x" size={16} />
      </button>
    </span>
  );
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
