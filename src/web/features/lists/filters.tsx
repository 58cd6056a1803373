// The controls above a list: a choice of rows, and a search field.
import { type Signal } from "@preact/signals";
import { SearchField } from "../../ui/form/search-field.tsx";
import { Segments } from "../../ui/form/segments.tsx";
import { say, type Word } from "../../words/words.ts";

interface Chosen<T extends string> {
  all: readonly T[];
  chosen: Signal<T>;
  words: Signal<string>;
}

export function Filters<T extends string>({ all, chosen, words }: Chosen<T>) {
  return (
    <div class="filters">
      <Segments
        all={all}
        chosen={chosen.value}
        nameOf={(one) => say(`filter-${one}` as Word)}
        choose={(one) => (chosen.value = one)}
      />
      <SearchField words={words} label={say("filter-places")} leads />
    </div>
  );
}
