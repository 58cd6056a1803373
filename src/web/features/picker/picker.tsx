// A field for selecting users, groups and channels, which are displayed as pills.
import { type Signal, useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import { subscribe, getState } from "../../store/store.ts";
import { Icon } from "../../ui/icon.tsx";
import { t } from "../../words/words.ts";
import { candidates, keyOf, type Picked } from "./selectors.ts";
import { nameOfPicked, kindLabel, PickedIcon } from "./names.tsx";

interface PickerProps {
  /** Id of the field, for a label elsewhere. */
  id?: string;
  label: string;
  /** There is a label above the field already. */
  isLabelled?: boolean;
  placeholder?: string;
  picked: readonly Picked[];
  kinds: readonly Picked["kind"][];
  onChange: (picked: Picked[]) => void;
  canBePicked?: (pick: Picked) => boolean;
  includesDeactivated?: boolean;
  disabled?: boolean;
  describedBy?: string;
  isWrong?: boolean;
}

export function Picker(props: PickerProps) {
  subscribe("groups", "users", "channels");
  const { label, picked, onChange, disabled = false, isWrong = false } = props;
  const id = useOwnId(props.id);
  const text = useSignal("");
  const isOpen = useSignal(false);
  const active = useSignal(0);
  const input = useRef<HTMLInputElement>(null);
  const groupName = (group_id: number) => nameOfPicked({ kind: "group", id: group_id });
  const matches = isOpen.value
    ? candidates(getState(), { ...props, text: text.value, groupName })
    : [];
  const activeIndex = Math.min(active.value, Math.max(0, matches.length - 1));
  const pick = (item: Picked) => {
    text.value = "";
    active.value = 0;
    isOpen.value = false;
    onChange([...picked, item]);
    input.current?.focus();
  };
  const drop = (item: Picked) => {
    onChange(picked.filter((other) => keyOf(other) !== keyOf(item)));
    input.current?.focus();
  };
  const dropLast = () => picked.slice(-1).forEach(drop);
  const open: PickerState = { text, isOpen, active, activeIndex, matches, pick, drop: dropLast };
  return (
    <div class="rel">
      {!props.isLabelled && (
        <label class="label" for={id}>
          {label}
        </label>
      )}
      <div
        class="picker"
        data-wrong={isWrong ? "" : undefined}
        data-off={disabled ? "" : undefined}
      >
        {picked.map((item) => (
          <Pill key={keyOf(item)} pick={item} {...(!disabled && { onDrop: () => drop(item) })} />
        ))}
        {(!disabled || picked.length === 0) && (
          <input
            ref={input}
            id={id}
            aria-label={props.isLabelled ? label : undefined}
            aria-describedby={props.describedBy}
            aria-invalid={isWrong}
            disabled={disabled}
            placeholder={picked.length === 0 ? (props.placeholder ?? t("picker-example")) : ""}
            {...attributesOf(id, open)}
          />
        )}
      </div>
      {isOpen.value && <Matches {...{ id, label, matches, activeIndex, pick }} text={text.value} />}
    </div>
  );
}

function useOwnId(ownId: string | undefined): string {
  const generatedId = useId();
  return ownId ?? generatedId;
}

function Pill({ pick, onDrop }: { pick: Picked; onDrop?: () => void }) {
  const name = nameOfPicked(pick);
  return (
    <span class="pill">
      <PickedIcon pick={pick} size={20} />
      <bdi>{name}</bdi>
      {onDrop && (
        <button type="button" aria-label={t("remove-named", { name })} onClick={onDrop}>
          <Icon name="x" size={16} />
        </button>
      )}
    </span>
  );
}

interface PickerState {
  text: Signal<string>;
  isOpen: Signal<boolean>;
  active: Signal<number>;
  activeIndex: number;
  matches: readonly Picked[];
  pick: (pick: Picked) => void;
  /** Removes the last selected item. */
  drop: () => void;
}

/** Attributes of a field with suggestions. */
function attributesOf(id: string, open: PickerState) {
  const { text, isOpen, active, activeIndex, matches } = open;
  return {
    role: "combobox",
    autocomplete: "off",
    dir: "auto",
    "aria-autocomplete": "list",
    "aria-expanded": matches.length > 0,
    "aria-controls": `${id}-list`,
    "aria-activedescendant": matches.length > 0 ? `${id}-${activeIndex}` : undefined,
    value: text.value,
    onFocus: () => (isOpen.value = text.value !== ""),
    onClick: () => (isOpen.value = true),
    onBlur: () => (isOpen.value = false),
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      text.value = currentTarget.value;
      active.value = 0;
      isOpen.value = true;
    },
    onKeyDown: (event: KeyboardEvent) => onKey(event, open),
  } as const;
}

function onKey(event: KeyboardEvent, open: PickerState): void {
  const { text, isOpen, active, activeIndex, matches, pick, drop } = open;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const item = matches[activeIndex];
  if (step !== undefined) {
    if (!isOpen.value) isOpen.value = true;
    else active.value = (activeIndex + step + matches.length) % Math.max(1, matches.length);
  } else if (event.key === "Enter" && item) pick(item);
  else if (event.key === "Tab" && text.value !== "" && item) pick(item);
  else if (event.key === "Escape" && matches.length > 0) isOpen.value = false;
  else if (event.key === "Backspace" && text.value === "") drop();
  else if (event.key === "Enter" && text.value !== "") isOpen.value = true;
  else return;
  event.preventDefault();
  event.stopPropagation();
}

interface MatchesProps {
  id: string;
  label: string;
  matches: readonly Picked[];
  activeIndex: number;
  text: string;
  pick: (pick: Picked) => void;
}

function Matches({ id, label, matches, activeIndex, text, pick }: MatchesProps) {
  if (matches.length === 0) {
    if (text.trim() === "") return null;
    return (
      <div class="pop picker-pop" role="status">
        <p class="cap">{t("none-found", { words: text })}</p>
      </div>
    );
  }
  return (
    <div class="pop picker-pop">
      <ul role="listbox" id={`${id}-list`} aria-label={label}>
        {matches.map((candidate, index) => (
          <li
            key={keyOf(candidate)}
            id={`${id}-${index}`}
            class="item"
            role="option"
            aria-selected={index === activeIndex}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => pick(candidate)}
          >
            <PickedIcon pick={candidate} size={24} />
            <bdi>{nameOfPicked(candidate)}</bdi>
            <small>{kindLabel(candidate)}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}
