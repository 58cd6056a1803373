// Words that are asked for, in a field with its name above: a line of them, or several.
import type { Signal } from "@preact/signals";

interface Asked {
  label: string;
  words: Signal<string>;
  /** A moment is picked instead; `words` are as `2026-11-22T16:00`. */
  type?: "datetime-local";
  /** So many lines are in sight; without it there is one. */
  rows?: number;
  maxLength?: number;
  /** The id of a `datalist`. */
  list?: string;
}

export function WordsField({ label, words, rows, ...more }: Asked) {
  const take = (event: { currentTarget: { value: string } }) =>
    (words.value = event.currentTarget.value);
  const field = { dir: "auto", ...more, value: words.value, onInput: take } as object;
  return (
    <label class="label">
      {label}
      <span class="field">
        {rows === undefined ? <input {...field} /> : <textarea rows={rows} {...field} />}
      </span>
    </label>
  );
}
