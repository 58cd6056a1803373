// A field in which people, groups and channels are chosen: what is chosen stands in it as pills.
import { useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import { keyed, now } from "../../live.ts";
import { Icon } from "../../ui/icon.tsx";
import { say } from "../../words/words.ts";
import { candidates, keyOf, type Picked } from "./candidates.ts";
import { nameOfPicked, noteOf, Sign } from "./names.tsx";

interface Shown {
  label: string;
  /** The label stands above already. */
  isLabelled?: boolean;
  placeholder?: string;
  picked: readonly Picked[];
  kinds: readonly Picked["kind"][];
  onChange: (picked: Picked[]) => void;
  mayBe?: (one: Picked) => boolean;
  disabled?: boolean;
  describedBy?: string;
  isWrong?: boolean;
}

export function Picker(shown: Shown) {
  keyed("groups", "users", "channels");
  const { label, picked, onChange, disabled = false, isWrong = false } = shown;
  const id = useId();
  const words = useSignal("");
  const isOpen = useSignal(false);
  const active = useSignal(0);
  const input = useRef<HTMLInputElement>(null);
  const groupNameOf = (group_id: number) => nameOfPicked({ kind: "group", id: group_id });
  const found = isOpen.value
    ? candidates(now(), { ...shown, words: words.value, taken: picked, groupName: groupNameOf })
    : [];
  const at = Math.min(active.value, Math.max(0, found.length - 1));
  const take = (one: Picked) => {
    words.value = "";
    active.value = 0;
    isOpen.value = false;
    onChange([...picked, one]);
    input.current?.focus();
  };
  const drop = (one: Picked) => {
    onChange(picked.filter((other) => keyOf(other) !== keyOf(one)));
    input.current?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const last = picked.at(-1);
    if (step !== undefined) {
      if (!isOpen.value) isOpen.value = true;
      else active.value = (at + step + found.length) % Math.max(1, found.length);
    } else if (event.key === "Enter" && found[at]) take(found[at]);
    else if (event.key === "Tab" && words.value !== "" && found[at]) take(found[at]);
    else if (event.key === "Escape" && isOpen.value && found.length > 0) isOpen.value = false;
    else if (event.key === "Backspace" && words.value === "" && last) drop(last);
    else if (event.key === "Enter" && words.value !== "") isOpen.value = true;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="rel">
      {!shown.isLabelled && (
        <label class="label" for={id}>
          {label}
        </label>
      )}
      <div
        class="picker"
        data-wrong={isWrong ? "" : undefined}
        data-off={disabled ? "" : undefined}
      >
        {picked.map((one) => (
          <Pill key={keyOf(one)} one={one} {...(!disabled && { onDrop: () => drop(one) })} />
        ))}
        {(!disabled || picked.length === 0) && (
          <input
            ref={input}
            id={id}
            role="combobox"
            autocomplete="off"
            dir="auto"
            disabled={disabled}
            aria-label={shown.isLabelled ? label : undefined}
            aria-autocomplete="list"
            aria-expanded={found.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
            aria-describedby={shown.describedBy}
            aria-invalid={isWrong}
            placeholder={picked.length === 0 ? (shown.placeholder ?? say("picker-example")) : ""}
            value={words.value}
            onFocus={() => (isOpen.value = words.value !== "")}
            onClick={() => (isOpen.value = true)}
            onBlur={() => (isOpen.value = false)}
            onInput={({ currentTarget }) => {
              words.value = currentTarget.value;
              active.value = 0;
              isOpen.value = true;
            }}
            onKeyDown={onKey}
          />
        )}
      </div>
      {isOpen.value && words.value.trim() !== "" && found.length === 0 && (
        <div class="pop picker-pop" role="status">
          <p class="cap">{say("none-found", { words: words.value })}</p>
        </div>
      )}
      {found.length > 0 && (
        <div class="pop picker-pop">
          <ul role="listbox" id={`${id}-list`} aria-label={label}>
            {found.map((one, index) => (
              <li
                key={keyOf(one)}
                id={`${id}-${index}`}
                class="item"
                role="option"
                aria-selected={index === at}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => take(one)}
              >
                <Sign one={one} size={24} />
                <bdi>{nameOfPicked(one)}</bdi>
                <small>{noteOf(one)}</small>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function Pill({ one, onDrop }: { one: Picked; onDrop?: () => void }) {
  const name = nameOfPicked(one);
  return (
    <span class="pill">
      <Sign one={one} size={20} />
      <bdi>{name}</bdi>
      {onDrop && (
        <button type="button" aria-label={say("remove-person", { name })} onClick={onDrop}>
          <Icon name="x" size={16} />
        </button>
      )}
    </span>
  );
}
