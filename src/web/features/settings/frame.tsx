// How a row of settings stands: its name with what is said beside it, why, and its control.
import type { ComponentChildren } from "preact";
import { say, type Word } from "../../words/words.ts";
import { Refusal, type Refusals } from "./form.tsx";
import { type Option, optionsWith, saidOf } from "./rows.ts";

interface Framed {
  id: string;
  words: Word;
  hint?: Word | undefined;
  beside?: ComponentChildren;
  /** What stands below the hint. */
  more?: ComponentChildren;
  /** The control takes a line of its own. */
  isWide?: boolean;
  children: ComponentChildren;
}

export function SettingFrame({ id, words, hint, beside, more, isWide, children }: Framed) {
  return (
    <div class="settings-row" data-wide={isWide ? "" : undefined}>
      <span>
        <label for={id}>{say(words)}</label>
        {beside}
      </span>
      {hint && <p id={`${id}-hint`}>{say(hint)}</p>}
      {more}
      <span class="settings-ctl">{children}</span>
    </div>
  );
}

/** What is said below a row, for who does not see that it stands there. */
export function describedBy(name: string): string {
  return ["hint", "why", "refused"].map((part) => `setting-${name}-${part}`).join(" ");
}

interface Chosen {
  name: string;
  value: unknown;
  isOff: boolean;
  change: (value: string | number | boolean) => void;
}

export function SwitchField({ name, value, isOff, change }: Chosen) {
  return (
    <input
      class="switch"
      type="checkbox"
      role="switch"
      id={`setting-${name}`}
      aria-describedby={describedBy(name)}
      disabled={isOff}
      checked={value === true}
      onChange={({ currentTarget }) => change(currentTarget.checked)}
    />
  );
}

type Offered = Chosen & { options: readonly Option[]; refusals: Refusals };

export function ChoiceField({ name, value, isOff, change, options, refusals }: Offered) {
  const all = optionsWith(options, value);
  return (
    <span class="field">
      <select
        id={`setting-${name}`}
        aria-describedby={describedBy(name)}
        aria-invalid={refusals.of(name) !== undefined}
        disabled={isOff}
        value={String(value)}
        onChange={({ currentTarget }) => {
          const option = all.find((one) => String(one.value) === currentTarget.value);
          if (option) change(option.value);
        }}
      >
        {all.map((option) => (
          <option key={option.value} value={String(option.value)}>
            {saidOf(option)}
          </option>
        ))}
      </select>
    </span>
  );
}

/** Why the server would not have what was chosen in a row. */
export function RefusedNote({ refusals, name }: { refusals: Refusals; name: string }) {
  return <Refusal id={`setting-${name}-refused`} words={refusals.useRow(name) ?? ""} />;
}

/** That something was saved, with the way back. */
export function SavedNote({ undo }: { undo: () => void }) {
  return (
    <span class="settings-saved" role="status">
      {say("settings-saved")}{" "}
      <button type="button" onClick={undo}>
        {say("undo")}
      </button>
    </span>
  );
}
