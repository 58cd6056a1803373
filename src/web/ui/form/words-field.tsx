// Words that are asked for, in a field with its name above: a line of them, or several.
import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { Wrong } from "./text-field.tsx";

interface Asked {
  label: string;
  words: Signal<string>;
  /** A moment is picked instead; `words` are as `2026-11-22T16:00`. */
  type?: "datetime-local";
  /** Number of visible lines. One if absent. */
  rows?: number;
  maxLength?: number;
  /** Why they were refused. */
  wrong?: string;
}

export function WordsField({ label, words, rows, wrong = "", ...more }: Asked) {
  const id = useId();
  const isWrong = wrong !== "";
  const take = (event: { currentTarget: { value: string } }) =>
    (words.value = event.currentTarget.value);
  const told = isWrong && { "aria-invalid": true, "aria-describedby": id };
  const field = { dir: "auto", ...more, ...told, value: words.value, onInput: take } as object;
  return (
    <>
      <label class="label">
        {label}
        <span class="field" data-wrong={isWrong ? "" : undefined}>
          {rows === undefined ? <input {...field} /> : <textarea rows={rows} {...field} />}
        </span>
      </label>
      {isWrong && <Wrong id={id} words={wrong} />}
    </>
  );
}
