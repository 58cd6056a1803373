// A row of the settings, which is saved immediately and can be undone.
import type { SettingName, Value } from "../../../features/settings/rules.ts";
import { SavedNote } from "../../ui/form/saved-note.tsx";
import { t } from "../../words/words.ts";
import { sendsMail } from "../organization/selectors.ts";
import { OWN_SETTINGS_SCOPE, type SettingsScope } from "./actions.ts";
import { ChoiceField, ErrorNote, SettingFrame, SwitchField } from "./setting-frame.tsx";
import { type Option, labelOf, type SettingItem, type SettingsSection } from "./rows.ts";
import { ThemeSwatch } from "./swatch.tsx";

interface RowViewProps {
  row: SettingItem;
  scope: SettingsScope;
}

export function Rows({
  sections,
  scope = OWN_SETTINGS_SCOPE,
}: {
  sections: readonly SettingsSection[];
  scope?: SettingsScope;
}) {
  return (
    <>
      {sections.map(({ textKey, rows }) => (
        <section key={textKey}>
          <h3>{t(textKey)}</h3>
          {textKey === "settings-mail" && !sendsMail() ? (
            <p class="settings-intro">{t("no-mail-here")}</p>
          ) : (
            rows.map((row) => <SettingRow key={row.name} row={row} scope={scope} />)
          )}
        </section>
      ))}
    </>
  );
}

export function SettingRow({ row, scope }: RowViewProps) {
  const { name, textKey, hint, control } = row;
  const value = scope.valueOf(name);
  if (control.kind === "themes") {
    return <Themes row={row} scope={scope} options={control.options} value={value} />;
  }
  const shared = {
    name,
    value,
    isDisabled: scope.isReadOnly === true,
    change: (next: Value) => scope.change(name, next),
  };
  return (
    <SettingFrame
      id={`setting-${name}`}
      textKey={textKey}
      hint={hint}
      beside={<SavedIndicator name={name} scope={scope} />}
      more={<ErrorNote refusals={scope.refusals} name={name} />}
    >
      {control.kind === "switch" ? (
        <SwitchField {...shared} />
      ) : (
        <ChoiceField {...shared} options={control.options} refusals={scope.refusals} />
      )}
    </SettingFrame>
  );
}

/** Shows that it was saved, with an undo button. */
export function SavedIndicator({ name, scope }: { name: SettingName; scope: SettingsScope }) {
  if (!scope.isSaved(name)) return null;
  return <SavedNote undo={() => scope.undo()} isWaiting={scope.isWaiting?.()} />;
}

function Themes({
  row,
  scope,
  options,
  value,
}: RowViewProps & { options: readonly Option[]; value: unknown }) {
  return (
    <fieldset class="settings-themes" disabled={scope.isReadOnly}>
      <legend>
        {t(row.textKey)}
        <SavedIndicator name={row.name} scope={scope} />
        <ErrorNote refusals={scope.refusals} name={row.name} />
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
              onChange={() => scope.change(row.name, option.value)}
            />
            {labelOf(option)}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
