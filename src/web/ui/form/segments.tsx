// Buttons side by side, of which one is chosen.
import type { ComponentChildren } from "preact";
import { say } from "../../words/words.ts";

interface Choices<T extends string> {
  all: readonly T[];
  chosen: T;
  nameOf: (choice: T) => ComponentChildren;
  choose: (choice: T) => void;
  /** Label for screen readers. If absent, the visible text. */
  label?: string;
  /** The id of the words beside them, in its place. */
  labelledBy?: string;
}

export function Segments<T extends string>({ all, chosen, nameOf, choose, ...named }: Choices<T>) {
  const { labelledBy, label = labelledBy ? undefined : say("show") } = named;
  return (
    <div class="seg" role="group" aria-label={label} aria-labelledby={labelledBy}>
      {all.map((one) => (
        <button key={one} type="button" aria-pressed={one === chosen} onClick={() => choose(one)}>
          {nameOf(one)}
        </button>
      ))}
    </div>
  );
}
