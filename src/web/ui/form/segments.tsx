// A segmented control: buttons side by side, of which one is selected.
import type { ComponentChildren } from "preact";
import { t } from "../../words/words.ts";

interface SegmentsProps<T extends string> {
  all: readonly T[];
  selected: T;
  nameOf: (choice: T) => ComponentChildren;
  choose: (choice: T) => void;
  /** Label for screen readers. If absent, the visible text. */
  label?: string;
  /** The id of a label, instead of `label`. */
  labelledBy?: string;
}

export function Segments<T extends string>({
  all,
  selected,
  nameOf,
  choose,
  ...named
}: SegmentsProps<T>) {
  const { labelledBy, label = labelledBy ? undefined : t("show") } = named;
  return (
    <div class="seg" role="group" aria-label={label} aria-labelledby={labelledBy}>
      {all.map((item) => (
        <button
          key={item}
          type="button"
          aria-pressed={item === selected}
          onClick={() => choose(item)}
        >
          {nameOf(item)}
        </button>
      ))}
    </div>
  );
}
