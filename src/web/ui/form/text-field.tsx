// A text field with its label above and its error below.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Icon } from "../icon.tsx";
import type { IconName } from "../../content/icon-names.ts";

export interface TextInputProps {
  value: string;
  onInput: (value: string) => void;
  /** The error text; undefined if there is none. */
  error: string | undefined;
  disabled?: boolean;
  /** The user leaves the field, or presses Enter in it. */
  onChange?: () => void;
  onBlur?: () => void;
  /** Beside the label. */
  beside?: ComponentChildren;
}

interface TextFieldProps extends TextInputProps {
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
  error,
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
      <span class="field" data-big="" data-wrong={error === undefined ? undefined : ""}>
        {icon && <Icon name={icon} />}
        <input
          id={id}
          value={value}
          required={more.required ?? false}
          disabled={more.disabled ?? false}
          maxLength={lengthMax}
          dir="auto"
          autocomplete="off"
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-wrong`}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
          onChange={more.onChange}
          onBlur={more.onBlur}
        />
      </span>
      <FieldError id={`${id}-wrong`} text={error} />
    </div>
  );
}

export function FieldError({ id, text }: { id?: string; text: string | undefined }) {
  return (
    <p class={text === undefined ? "" : "hint wrong"} id={id} role="alert">
      {text}
    </p>
  );
}
