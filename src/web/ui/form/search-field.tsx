// The search field above a list, which filters its items.
import type { Signal } from "@preact/signals";
import { commandOf } from "../keys/commands.ts";
import { Icon } from "../icon.tsx";

interface SearchFieldProps {
  text: Signal<string>;
  /** Label for screen readers: what is searched. */
  label: string;
  /** Placeholder; by default the label. */
  hint?: string;
  class?: string;
  /** Connected to the list below, which handles keys: `↓` and Enter go to its first row. */
  isFocused?: boolean;
}

export function SearchField({
  text,
  label,
  hint = label,
  class: more = "",
  isFocused,
}: SearchFieldProps) {
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    if (event.key === "Escape" && text.value !== "") {
      text.value = "";
      event.stopPropagation();
      event.preventDefault();
    } else if (isFocused && (event.key === "ArrowDown" || event.key === "Enter")) {
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
        value={text.value}
        placeholder={hint}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </label>
  );
}
