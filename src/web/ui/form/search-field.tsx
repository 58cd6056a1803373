// The field above a list, whose words leave what has them.
import type { Signal } from "@preact/signals";
import { commandOf } from "../../commands.ts";
import { Icon } from "../icon.tsx";

interface Searching {
  words: Signal<string>;
  /** Label for screen readers: what is searched. */
  label: string;
  /** Stands in the empty field; without it, the label does. */
  hint?: string;
  class?: string;
  /** To the list below, which has keys of its own: `↓` and Enter go to its first row. */
  leads?: boolean;
}

export function SearchField({ words, label, hint = label, class: more = "", leads }: Searching) {
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    if (event.key === "Escape" && words.value !== "") {
      words.value = "";
      event.stopPropagation();
      event.preventDefault();
    } else if (leads && (event.key === "ArrowDown" || event.key === "Enter")) {
      event.preventDefault();
      void commandOf("list-first")?.run();
    }
  };
  return (
    <label class={`field ${more}`}>
      <Icon name="search" size={16} />
      <span class="vh">{label}</span>
      <input
        type="search"
        value={words.value}
        placeholder={hint}
        onInput={({ currentTarget }) => (words.value = currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </label>
  );
}
