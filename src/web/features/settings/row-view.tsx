// A row of the settings: saved as soon as it is chosen, with the way back beside it.
import type { SettingName, Value } from "../../../features/settings/rules.ts";
import { say } from "../../words/words.ts";
import { sendsMail } from "../notifications/mail.ts";
import { OWN, type Place } from "./actions.ts";
import { ChoiceField, RefusedNote, SavedNote, SettingFrame, SwitchField } from "./frame.tsx";
import { type Option, saidOf, type Row, type Section } from "./rows.ts";
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
          {words === "settings-mail" && !sendsMail() ? (
            <p class="settings-intro">{say("no-mail-here")}</p>
          ) : (
            rows.map((row) => <SettingRow key={row.name} row={row} place={place} />)
          )}
        </section>
      ))}
    </>
  );
}

function SettingRow({ row, place }: Shown) {
  const { name, words, hint, control } = row;
  const value = place.valueOf(name);
  if (control.kind === "themes") {
    return <Themes row={row} place={place} options={control.options} value={value} />;
  }
  const shared = {
    name,
    value,
    isOff: place.isOff === true,
    change: (next: Value) => place.change(name, next),
  };
  return (
    <SettingFrame
      id={`setting-${name}`}
      words={words}
      hint={hint}
      beside={<Beside name={name} place={place} />}
      more={<RefusedNote refusals={place.refusals} name={name} />}
    >
      {control.kind === "switch" ? (
        <SwitchField {...shared} />
      ) : (
        <ChoiceField {...shared} options={control.options} refusals={place.refusals} />
      )}
    </SettingFrame>
  );
}

/** That it was saved, with the way back. */
export function Beside({ name, place }: { name: SettingName; place: Place }) {
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
        <RefusedNote refusals={place.refusals} name={row.name} />
      </legend>
      {options.map((option) => (
        <label key={option.value}>
          <ThemeSwatch scheme={Number(option.value)} />
          <span>
            <input
              class="radio"
              type="radio"
              id={option.value === value ? `setting-${row.name}` : undefined}
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
