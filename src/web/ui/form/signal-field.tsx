// A labeled field of one or several lines, whose text is a signal.
import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { FieldError } from "./text-field.tsx";

interface SignalFieldProps {
  label: string;
  text: Signal<string>;
  /** A date and time; `text` has the form `2026-11-22T16:00`. */
  type?: "datetime-local";
  /** Number of visible lines. One if absent. */
  rows?: number;
  maxLength?: number;
  /** The error text. */
  error?: string;
}

export function SignalField({ label, text, rows, error = "", ...more }: SignalFieldProps) {
  const id = useId();
  const isWrong = error !== "";
  const setText = (event: { currentTarget: { value: string } }) =>
    (text.value = event.currentTarget.value);
  const ariaProps = isWrong && { "aria-invalid": true, "aria-describedby": id };
  const field = {
    dir: "auto",
    ...more,
    ...ariaProps,
    value: text.value,
    onInput: setText,
  } as object;
  return (
    <>
      <label class="label">
        {label}
        <span class="field" data-wrong={isWrong ? "" : undefined}>
          {rows === undefined ? <input {...field} /> : <textarea rows={rows} {...field} />}
        </span>
      </label>
      {isWrong && <FieldError id={id} text={error} />}
    </>
  );
}
