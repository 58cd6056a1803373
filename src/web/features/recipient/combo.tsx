// A field with suggestions, which accepts a suggestion or, if allowed, the typed text.
import { type Signal, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

export interface ComboChoice {
  readonly key: string;
  readonly row: VNode;
  /** The choice is the typed text itself. */
  readonly isTyped?: boolean;
  choose(): void;
}

interface ComboProps {
  label: string;
  placeholder: string;
  value: string;
  /** The choices for the input. Enter takes the first one. */
  choicesFor: (text: string) => readonly ComboChoice[];
  onInput: (text: string) => void;
  /** Called for Backspace in the empty field. */
  onBack?: () => void;
  /** Called for Enter without suggestions, and after a suggestion was accepted. */
  onDone?: () => void;
  hasFocus?: boolean;
  /** Suggests nothing before a key press, and Enter submits the form if it would change nothing. */
  isInForm?: boolean;
  /** Name for tests and styles. */
  name: string;
}

export function Combo(props: ComboProps) {
  const { label, placeholder, value, choicesFor, onInput, onDone, hasFocus, name } = props;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const isOpen = useSignal(false);
  const active = useSignal(0);
  // Runs before the next key press.
  useLayoutEffect(() => {
    if (hasFocus) field.current?.focus();
  }, [hasFocus]);
  const choices = isOpen.value ? choicesFor(value) : [];
  const activeIndex = Math.min(active.value, Math.max(0, choices.length - 1));
  const choose = (choice: ComboChoice) => {
    isOpen.value = false;
    active.value = 0;
    choice.choose();
    onDone?.();
  };
  const list = { isOpen, active, activeIndex, choices, choose };
  return (
    <span class="compose-combo">
      <input
        ref={field}
        name={name}
        role="combobox"
        autocomplete="off"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={choices.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={choices.length > 0 ? `${id}-${activeIndex}` : undefined}
        placeholder={placeholder}
        value={value}
        dir="auto"
        onFocus={() => (isOpen.value = props.isInForm !== true)}
        onBlur={() => (isOpen.value = false)}
        onInput={(event) => {
          isOpen.value = true;
          active.value = 0;
          onInput(event.currentTarget.value);
        }}
        onKeyDown={(event) => onKey(event, list, props)}
      />
      {choices.length > 0 && (
        <ChoiceList
          id={id}
          label={label}
          choices={choices}
          activeIndex={activeIndex}
          onChoose={choose}
        />
      )}
    </span>
  );
}

interface ChoiceListProps {
  id: string;
  label: string;
  choices: readonly ComboChoice[];
  activeIndex: number;
  onChoose: (choice: ComboChoice) => void;
}

function ChoiceList({ id, label, choices, activeIndex, onChoose }: ChoiceListProps) {
  return (
    <div class="pop compose-choices">
      <ul role="listbox" id={`${id}-list`} aria-label={label}>
        {choices.map((choice, index) => (
          <li
            class="item"
            role="option"
            id={`${id}-${index}`}
            key={choice.key}
            aria-selected={index === activeIndex}
            onPointerDown={(event) => event.preventDefault()}
            onClick={(event) => {
              // Otherwise a label around the field would focus it again.
              event.preventDefault();
              onChoose(choice);
            }}
          >
            {choice.row}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ComboState {
  isOpen: Signal<boolean>;
  active: Signal<number>;
  activeIndex: number;
  choices: readonly ComboChoice[];
  choose: (choice: ComboChoice) => void;
}

function onKey(event: KeyboardEvent, list: ComboState, props: ComboProps): void {
  const { value, onBack, onDone, isInForm } = props;
  const { isOpen, active, activeIndex, choices, choose } = list;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) {
    if (!isOpen.value) isOpen.value = true;
    else active.value = (activeIndex + step + choices.length) % Math.max(1, choices.length);
  } else if (event.key === "Enter" && isInForm && choices[activeIndex]?.isTyped) {
    isOpen.value = false;
    return;
  } else if (event.key === "Enter" || (event.key === "Tab" && !event.shiftKey && value !== "")) {
    const choice = choices[activeIndex];
    if (choice) choose(choice);
    else if (event.key === "Enter" && !isInForm) onDone?.();
    else return;
  } else if (event.key === "Escape" && choices.length > 0) isOpen.value = false;
  else if (event.key === "Backspace" && value === "" && onBack) onBack();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
