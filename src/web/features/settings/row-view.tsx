// A row of the settings: saved as soon as it is chosen, with the way back beside it.
import type { SettingName } from "../../../features/settings/rules.ts";
import { say } from "../../words/words.ts";
import { OWN, type Place } from "./actions.ts";
import { Refusal } from "./form.tsx";
import { SavedNote, SettingFrame } from "./frame.tsx";
import { type Option, optionsWith, saidOf, type Row, type Section } from "./rows.ts";
import { ThemeSwatch } from "./swatch.tsx";

interface Shown {
  row: Row;
  place: Place;
}

export function Rows({ sections, place = OWN }: { sections: readonly Section[]; place?: Place }) {
  return (
    <>
      {sections.map(({ words, rows }) => (
        <section key={words}>
          <h3>{say(words)}</h3>
          {rows.map((row) => (
            <SettingRow key={row.name} row={row} place={place} />
          ))}
        </section>
      ))}
    </>
  );
}

function SettingRow({ row, place }: Shown) {
  const { name, words, hint, control } = row;
  const value = place.valueOf(name);
  const id = `setting-${name}`;
  if (control.kind === "themes") {
    return <Themes row={row} place={place} options={control.options} value={value} />;
  }
  return (
    <SettingFrame id={id} words={words} hint={hint} beside={<Beside name={name} place={place} />}>
      {control.kind === "switch" ? (
        <input
          class="switch"
          type="checkbox"
          role="switch"
          id={id}
          disabled={place.isOff}
          checked={value === true}
          onChange={({ currentTarget }) => place.change(name, currentTarget.checked)}
        />
      ) : (
        <span class="field">
          <select
            id={id}
            disabled={place.isOff}
            value={String(value)}
            onChange={({ currentTarget: { value: text } }) => {
              const option = control.options.find((one) => String(one.value) === text);
              if (option) place.change(name, option.value);
            }}
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

/** That it was saved, with the way back. */
export function Beside({ name, place }: { name: SettingName; place: Place }) {
  const refusal = place.refusalOf?.(name) ?? "";
  if (refusal !== "") return <Refusal words={refusal} />;
  return place.isSaved(name) ? <SavedNote undo={() => place.undo()} /> : null;
}

function Themes({
  row,
  place,
  options,
  value,
}: Shown & { options: readonly Option[]; value: unknown }) {
  return (
    <fieldset class="settings-themes" disabled={place.isOff}>
      <legend>
        {say(row.words)}
        <Beside name={row.name} place={place} />
      </legend>
      {options.map((option) => (
        <label key={option.value}>
          <ThemeSwatch scheme={Number(option.value)} />
          <span>
            <input
              class="radio"
              type="radio"
              name={row.name}
              checked={option.value === value}
              onChange={() => place.change(row.name, option.value)}
            />
            {saidOf(option)}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
