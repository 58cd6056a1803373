// The controls above a list: a filter menu and a search field.
import { type Signal } from "@preact/signals";
import { SearchField } from "../../ui/form/search-field.tsx";
import { Segments } from "../../ui/form/segments.tsx";
import { t, type TextKey } from "../../words/words.ts";

interface FiltersProps<T extends string> {
  all: readonly T[];
  chosen: Signal<T>;
  text: Signal<string>;
}

export function Filters<T extends string>({ all, chosen, text }: FiltersProps<T>) {
  return (
    <div class="filters">
      <Segments
        all={all}
        chosen={chosen.value}
        nameOf={(option) => t(`filter-${option}` as TextKey)}
        choose={(option) => (chosen.value = option)}
      />
      <SearchField text={text} label={t("filter-places")} isFocused />
    </div>
  );
}
