// A line of text that is asked for, with its name above and what is wrong with it below.
import { useId } from "preact/hooks";
import { Icon, type IconName } from "../icon.tsx";

export interface Typed {
  value: string;
  onInput: (value: string) => void;
  /** In words; undefined: nothing is. */
  wrong: string | undefined;
  disabled?: boolean;
}

interface Asked extends Typed {
  label: string;
  icon?: IconName;
  lengthMax: number;
  required?: boolean;
}

export function TextField({ label, icon, value, onInput, wrong, lengthMax, ...more }: Asked) {
  const id = useId();
  return (
    <div>
      <label class="label" for={id}>
        {label}
      </label>
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
        />
      </span>
      <Wrong id={`${id}-wrong`} words={wrong} />
    </div>
  );
}

export function Wrong({ id, words }: { id?: string; words: string | undefined }) {
  return (
    <p class={words === undefined ? "" : "hint wrong"} id={id} role="alert">
      {words}
    </p>
  );
}
