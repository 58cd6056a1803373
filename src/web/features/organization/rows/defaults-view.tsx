// How the settings of newcomers are at first: the rows of one's own, kept for the organization.
import {
  PERSONAL_NAMES,
  type SettingName,
  type Value,
} from "../../../../features/settings/rules.ts";
import { changeDefaults } from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { keyed, now } from "../../../live.ts";
import { say } from "../../../words/words.ts";
import { isAdministrator } from "../may.ts";
import type { Place } from "../../settings/actions.ts";
import { NotificationGrid } from "../../settings/grid-view.tsx";
import { NOTIFICATIONS } from "../../settings/notifications.ts";
import { PREFERENCES } from "../../settings/preferences.ts";
import { PRIVACY } from "../../settings/privacy.ts";
import { Rows } from "../../settings/row-view.tsx";
import type { Section } from "../../settings/rows.ts";
import { Choices } from "./choices.ts";

const personal = new Set<SettingName>(PERSONAL_NAMES);

/** Without settings that each user chooses. */
export function offered(sections: readonly Section[]): readonly Section[] {
  return sections.flatMap(({ words, rows }) => {
    const some = rows.filter(({ name }) => !personal.has(name));
    return some.length === 0 ? [] : [{ words, rows: some }];
  });
}

const choices = new Choices<SettingName>((name) => now().organization.defaults[name]);

function change(name: SettingName, value: Value): Promise<boolean> {
  return choices.choose(name, value, {
    ask: () => changeDefaults(sync, { [name]: value }),
    foretold: { type: "realm_user_settings_defaults", op: "update", property: name, value },
  });
}

const NEWCOMERS: Place = {
  valueOf(name) {
    keyed("realm_user_settings_defaults");
    return choices.shownOf(name);
  },
  change: (name, value) => void change(name, value),
  isSaved: (name) => choices.saved.value?.name === name,
  undo: () => void choices.undo((name, before) => change(name, before as Value)),
  refusals: choices.refusals,
};

export function DefaultsPage() {
  const isOff = !isAdministrator();
  const place = { ...NEWCOMERS, isOff };
  return (
    <>
      {isOff && <p class="org-note">{say("org-not-yours")}</p>}
      <Rows sections={offered(PREFERENCES)} place={place} />
      <section>
        <h3>{say("settings-notifications")}</h3>
        <NotificationGrid place={place} />
      </section>
      <Rows sections={offered([...NOTIFICATIONS, ...PRIVACY])} place={place} />
    </>
  );
}
