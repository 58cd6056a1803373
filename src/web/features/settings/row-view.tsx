// A row of the settings, which is saved immediately and can be undone.
import type { SettingName, Value } from "../../../features/settings/rules.ts";
import { SavedNote } from "../../ui/form/saved-note.tsx";
import { t } from "../../words/words.ts";
import { sendsMail } from "../organization/selectors.ts";
import { OWN, type SettingsScope } from "./actions.ts";
import { ChoiceField, ErrorNote, SettingFrame, SwitchField } from "./setting-frame.tsx";
import { type Option, labelOf, type SettingItem, type SettingsSection } from "./rows.ts";
import { ThemeSwatch } from "./swatch.tsx";

interface RowViewProps {
  row: SettingItem;
  place: SettingsScope;
}

export function Rows({
  sections,
  place = OWN,
}: {
  sections: readonly SettingsSection[];
  place?: SettingsScope;
}) {
  return (
    <>
      {sections.map(({ words, rows }) => (
        <section key={words}>
          <h3>{t(words)}</h3>
          {words === "settings-mail" && !sendsMail() ? (
            <p class="settings-intro">{t("no-mail-here")}</p>
          ) : (
            rows.map((row) => <SettingRow key={row.name} row={row} place={place} />)
          )}
        </section>
      ))}
    </>
  );
}

export function SettingRow({ row, place }: RowViewProps) {
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
      beside={<SavedIndicator name={name} place={place} />}
      more={<ErrorNote refusals={place.refusals} name={name} />}
    >
      {control.kind === "switch" ? (
        <SwitchField {...shared} />
      ) : (
        <ChoiceField {...shared} options={control.options} refusals={place.refusals} />
      )}
    </SettingFrame>
  );
}

/** Shows that it was saved, with an undo button. */
export function SavedIndicator({ name, place }: { name: SettingName; place: SettingsScope }) {
  return place.isSaved(name) ? <SavedNote undo={() => place.undo()} /> : null;
}

function Themes({
  row,
  place,
  options,
  value,
}: RowViewProps & { options: readonly Option[]; value: unknown }) {
  return (
    <fieldset class="settings-themes" disabled={place.isOff}>
      <legend>
        {t(row.words)}
        <SavedIndicator name={row.name} place={place} />
        <ErrorNote refusals={place.refusals} name={row.name} />
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
            {labelOf(option)}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
