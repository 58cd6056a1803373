// A row of the settings: saved as soon as it is chosen, with the way back beside it.
import type { ComponentChildren } from "preact";
import { keyed, now } from "../../live.ts";
import { say, type Word } from "../../words/words.ts";
import { changeOwnSetting, saved, undoSetting } from "./actions.ts";
import { type Option, optionsWith, type Row, type Section } from "./rows.ts";
import { ThemeSwatch } from "./swatch.tsx";

export function Rows({ sections }: { sections: readonly Section[] }) {
  return (
    <>
      {sections.map(({ words, rows }) => (
        <section key={words}>
          <h3>{say(words)}</h3>
          {rows.map((row) => (
            <SettingRow key={row.name} row={row} />
          ))}
        </section>
      ))}
    </>
  );
}

export function SettingRow({ row }: { row: Row }) {
  const { name, words, hint, control } = row;
  keyed(`setting:${name}`);
  const value = now().settings.settings[name];
  const id = `setting-${name}`;
  if (control.kind === "themes") {
    return <Themes row={row} options={control.options} value={value} />;
  }
  return (
    <SettingFrame id={id} words={words} hint={hint} beside={<Beside name={name} />}>
      {control.kind === "switch" ? (
        <input
          class="switch"
          type="checkbox"
          role="switch"
          id={id}
          checked={value === true}
          onChange={({ currentTarget }) => changeOwnSetting(name, currentTarget.checked)}
        />
      ) : (
        <span class="field">
          <select
            id={id}
            value={String(value)}
            onChange={({ currentTarget }) => choose(row, control.options, currentTarget.value)}
          >
            {optionsWith(control.options, value).map((option) => (
              <option key={option.value} value={String(option.value)}>
                {saidOf(option)}
              </option>
            ))}
          </select>
        </span>
      )}
    </SettingFrame>
  );
}

function choose({ name }: Row, options: readonly Option[], text: string): void {
  const option = options.find(({ value }) => String(value) === text);
  if (option) changeOwnSetting(name, option.value);
}

interface Framed {
  id: string;
  words: Word;
  hint?: Word | undefined;
  beside?: ComponentChildren;
  children: ComponentChildren;
}

export function SettingFrame({ id, words, hint, beside, children }: Framed) {
  return (
    <div class="settings-row">
      <span>
        <label for={id}>{say(words)}</label>
        {beside}
      </span>
      {hint && <p>{say(hint)}</p>}
      <span class="settings-ctl">{children}</span>
    </div>
  );
}

/** That it was saved, with the way back. */
export function Beside({ name }: { name: string }) {
  if (saved.value?.name !== name) return null;
  return (
    <span class="settings-saved" role="status">
      {say("settings-saved")}{" "}
      <button type="button" onClick={() => undoSetting()}>
        {say("undo")}
      </button>
    </span>
  );
}

function Themes({ row, options, value }: { row: Row; options: readonly Option[]; value: unknown }) {
  return (
    <fieldset class="settings-themes">
      <legend>
        {say(row.words)}
        <Beside name={row.name} />
      </legend>
      {options.map((option) => (
        <label key={option.value}>
          <ThemeSwatch scheme={Number(option.value)} />
          <input
            class="radio"
            type="radio"
            name={row.name}
            checked={option.value === value}
            onChange={() => changeOwnSetting(row.name, option.value)}
          />
          {saidOf(option)}
        </label>
      ))}
    </fieldset>
  );
}

function saidOf({ words }: Option): string {
  if (typeof words === "string") return say(words);
  return "text" in words ? words.text : say(words.word, { count: words.count });
}
