// What stands above a list: which of its rows one wants, and a field that looks for words.
import { type Signal } from "@preact/signals";
import { SearchField } from "../../ui/form/search-field.tsx";
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
      <SearchField words={words} label={say("filter-places")} leads />
    </div>
  );
}
