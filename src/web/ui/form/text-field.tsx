// A text field with its label above and its error below.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Icon } from "../icon.tsx";
import type { IconName } from "../../content/icon-names.ts";

export interface Typed {
  value: string;
  onInput: (value: string) => void;
  /** The error text; undefined if there is none. */
  wrong: string | undefined;
  disabled?: boolean;
  /** The user leaves the field, or presses Enter in it. */
  onChange?: () => void;
  onBlur?: () => void;
  /** Beside the label. */
  beside?: ComponentChildren;
}

interface TextFieldProps extends Typed {
  label: string;
  icon?: IconName;
  lengthMax: number;
  required?: boolean;
}

export function TextField({
  label,
  icon,
  value,
  onInput,
  wrong,
  lengthMax,
  ...more
}: TextFieldProps) {
  const id = useId();
  return (
    <div>
      <label class="label" for={id}>
        {label}
      </label>{" "}
      {more.beside}
      <span class="field" data-big="" data-wrong={wrong === undefined ? undefined : ""}>
        {icon && <Icon name={icon} />}
        <input
          id={id}
          value={value}
          required={more.required ?? false}
          disabled={more.disabled ?? false}
          maxLength={lengthMax}
          dir="auto"
          autocomplete="off"
          aria-invalid={wrong !== undefined}
          aria-describedby={`${id}-wrong`}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
          onChange={more.onChange}
          onBlur={more.onBlur}
        />
      </span>
      <Wrong id={`${id}-wrong`} words={wrong} />
    </div>
  );
}

export function Wrong({ id, words: text }: { id?: string; words: string | undefined }) {
  return (
    <p class={text === undefined ? "" : "hint wrong"} id={id} role="alert">
      {text}
    </p>
  );
}
