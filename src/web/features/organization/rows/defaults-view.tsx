// How the settings of newcomers are at first: the rows of one's own, kept for the organization.
import { signal } from "@preact/signals";
import {
  PERSONAL_NAMES,
  type SettingName,
  type Value,
} from "../../../../features/settings/rules.ts";
import { changeDefaults } from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { keyed, now, take } from "../../../live.ts";
import { say } from "../../../words/words.ts";
import { isAdministrator } from "../may.ts";
import type { Place } from "../../settings/actions.ts";
import { attempt } from "../../settings/form.tsx";
import { NotificationGrid } from "../../settings/grid-view.tsx";
import { NOTIFICATIONS } from "../../settings/notifications.ts";
import { PREFERENCES } from "../../settings/preferences.ts";
import { PRIVACY } from "../../settings/privacy.ts";
import { Rows } from "../../settings/row-view.tsx";
import type { Section } from "../../settings/rows.ts";

const personal = new Set<SettingName>(PERSONAL_NAMES);

/** Without what everybody says of themselves alone. */
export function offered(sections: readonly Section[]): readonly Section[] {
  return sections.flatMap(({ words, rows }) => {
    const some = rows.filter(({ name }) => !personal.has(name));
    return some.length === 0 ? [] : [{ words, rows: some }];
  });
}

const saved = signal<{ name: SettingName; before: Value } | undefined>(undefined);

const NEWCOMERS: Place = {
  valueOf(name) {
    keyed("realm_user_settings_defaults");
    return now().organization.defaults[name];
  },
  change: (name, value) => void change(name, value),
  isSaved: (name) => saved.value?.name === name,
  undo() {
    const last = saved.value;
    if (last) void change(last.name, last.before).then(() => (saved.value = undefined));
  },
};

/** Seen at once, and taken back where the server says no. */
async function change(name: SettingName, value: Value): Promise<void> {
  const before = now().organization.defaults[name] as Value;
  const tell = (to: Value) =>
    take([{ type: "realm_user_settings_defaults", op: "update", property: name, value: to }]);
  tell(value);
  const isDone = await attempt(() => changeDefaults(sync, { [name]: value }));
  if (!isDone) tell(before);
  saved.value = isDone ? { name, before } : undefined;
}

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
