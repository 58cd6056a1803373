// The controls above a list: a filter menu and a search field.
import { type Signal } from "@preact/signals";
import { SearchField } from "../../ui/form/search-field.tsx";
import { Segments } from "../../ui/form/segments.tsx";
import { t, type TextKey } from "../../words/words.ts";

interface FiltersProps<T extends string> {
  all: readonly T[];
  selected: Signal<T>;
  text: Signal<string>;
}

export function Filters<T extends string>({ all, selected, text }: FiltersProps<T>) {
  return (
    <div class="filters">
      <Segments
        all={all}
        selected={selected.value}
        nameOf={(option) => t(`filter-${option}` as TextKey)}
        choose={(option) => (selected.value = option)}
      />
      <SearchField text={text} label={t("filter-places")} isFocused />
    </div>
  );
}
