// Default settings for new users: the rows of the personal settings, saved for the organization.
import {
  PERSONAL_NAMES,
  type SettingName,
  type Value,
} from "../../../../features/settings/rules.ts";
import { changeDefaults } from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { t } from "../../../words/words.ts";
import { isAdministrator } from "../permissions.ts";
import type { SettingsScope } from "../../settings/actions.ts";
import { NotificationGrid } from "../../settings/grid-view.tsx";
import { NOTIFICATIONS } from "../../settings/notifications.ts";
import { PREFERENCES } from "../../settings/preferences.ts";
import { PRIVACY } from "../../settings/privacy.ts";
import { Rows } from "../../settings/row-view.tsx";
import type { SettingsSection } from "../../settings/rows.ts";
import { Choices } from "./choice-actions.ts";
import { ownValue } from "../../../../text/input/own-value.ts";

const personal = new Set<SettingName>(PERSONAL_NAMES);

/** Excludes settings that each user chooses. */
function offeredSections(sections: readonly SettingsSection[]): readonly SettingsSection[] {
  return sections.flatMap(({ textKey, rows }) => {
    const offeredRows = rows.filter(({ name }) => !personal.has(name));
    return offeredRows.length === 0 ? [] : [{ textKey, rows: offeredRows }];
  });
}

const choices = new Choices<SettingName>((name) =>
  ownValue(getState().organization.defaults, name),
);

function changeDefaultSetting(name: SettingName, value: Value): Promise<boolean> {
  return choices.choose(name, value, {
    ask: () => changeDefaults(sync, { [name]: value }),
    localEvent: { type: "realm_user_settings_defaults", op: "update", property: name, value },
  });
}

const DEFAULT_SETTINGS_SCOPE: SettingsScope = {
  valueOf(name) {
    subscribe("realm_user_settings_defaults");
    return choices.shownOf(name);
  },
  change: (name, value) => void changeDefaultSetting(name, value),
  isSaved: (name) => choices.saved.value?.name === name,
  undo: () => void choices.undo((name, before) => changeDefaultSetting(name, before as Value)),
  refusals: choices.refusals,
};

export function DefaultsPage() {
  const isReadOnly = !isAdministrator();
  const scope = { ...DEFAULT_SETTINGS_SCOPE, isReadOnly };
  return (
    <>
      {isReadOnly && <p class="org-note">{t("org-not-allowed")}</p>}
      <Rows sections={offeredSections(PREFERENCES)} scope={scope} />
      <section>
        <h3>{t("settings-notifications")}</h3>
        <NotificationGrid scope={scope} />
      </section>
      <Rows sections={offeredSections([...NOTIFICATIONS, ...PRIVACY])} scope={scope} />
    </>
  );
}
