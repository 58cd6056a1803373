// What stands above a list: which of its rows one wants, and a field that looks for words.
import { type Signal } from "@preact/signals";
import { Icon } from "../../ui/icon.tsx";
import { say } from "../../words/words.ts";

interface Chosen<T extends string> {
  /** Each with how it is called. */
  choices: readonly (readonly [T, string])[];
  chosen: Signal<T>;
  words: Signal<string>;
}

export function Filters<T extends string>({ choices, chosen, words }: Chosen<T>) {
  return (
    <div class="filters">
      {choices.length > 0 && (
        <div class="seg" role="group" aria-label={say("show")}>
          {choices.map(([choice, name]) => (
            <button
              key={choice}
              type="button"
              aria-pressed={chosen.value === choice}
              onClick={() => (chosen.value = choice)}
            >
              {name}
            </button>
          ))}
        </div>
      )}
      <FilterField words={words} />
    </div>
  );
}

interface Looked {
  words: Signal<string>;
  /** What is looked for, where it is no conversations. */
  hint?: string;
}

export function FilterField({ words, hint = say("filter-places") }: Looked) {
  return (
    <label class="field">
      <Icon name="search" size={16} />
      <span class="vh">{say("filter")}</span>
      <input
        value={words.value}
        placeholder={hint}
        onInput={(event) => (words.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && words.value !== "") {
            words.value = "";
            event.stopPropagation();
            event.preventDefault();
          } else if (event.key === "ArrowDown" || event.key === "Enter") {
            // Away from the field, so that the list has its keys.
            event.currentTarget.blur();
          }
        }}
      />
    </label>
  );
}
