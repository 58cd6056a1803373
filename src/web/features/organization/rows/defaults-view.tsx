// How the settings of newcomers are at first: the rows of one's own, kept for the organization.
import { signal } from "@preact/signals";
import {
  PERSONAL_NAMES,
  type SettingName,
  type Value,
} from "../../../../features/settings/rules.ts";
import { changeDefaults } from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { keyed, now } from "../../../live.ts";
import { refusalOf } from "../../../ui/saving.ts";
import { say } from "../../../words/words.ts";
import { isAdministrator } from "../may.ts";
import type { Place } from "../../settings/actions.ts";
import { NotificationGrid } from "../../settings/grid-view.tsx";
import { NOTIFICATIONS } from "../../settings/notifications.ts";
import { PREFERENCES } from "../../settings/preferences.ts";
import { PRIVACY } from "../../settings/privacy.ts";
import { Rows } from "../../settings/row-view.tsx";
import type { Section } from "../../settings/rows.ts";
import { seenOnce } from "./seen-once.ts";

const personal = new Set<SettingName>(PERSONAL_NAMES);

/** Without what everybody says of themselves alone. */
export function offered(sections: readonly Section[]): readonly Section[] {
  return sections.flatMap(({ words, rows }) => {
    const some = rows.filter(({ name }) => !personal.has(name));
    return some.length === 0 ? [] : [{ words, rows: some }];
  });
}

const saved = signal<{ name: SettingName; before: Value } | undefined>(undefined);

/** What is on its way to the server, and is seen at once. */
const asked = signal<Partial<Record<SettingName, Value>>>({});
/** Why the server would not have it. */
const refusals = signal<Partial<Record<SettingName, string>>>({});

const NEWCOMERS: Place = {
  valueOf(name) {
    keyed("realm_user_settings_defaults");
    return name in asked.value ? asked.value[name] : now().organization.defaults[name];
  },
  refusalOf: (name) => refusals.value[name],
  change: (name, value) => void change(name, value),
  isSaved: (name) => saved.value?.name === name,
  undo() {
    const last = saved.value;
    if (last) void change(last.name, last.before).then(() => (saved.value = undefined));
  },
};

let last: Promise<unknown> = Promise.resolve();

/** One after the other, as the last one chosen is to be the last one kept. */
function change(name: SettingName, value: Value): Promise<unknown> {
  asked.value = { ...asked.value, [name]: value };
  saved.value = undefined;
  return (last = last.then(() => send(name, value)));
}

async function send(name: SettingName, value: Value): Promise<void> {
  const before = now().organization.defaults[name] as Value;
  const { [name]: _mended, ...others } = refusals.value;
  try {
    await seenOnce(changeDefaults(sync, { [name]: value }), [
      { type: "realm_user_settings_defaults", op: "update", property: name, value },
    ]);
    refusals.value = others;
    saved.value = { name, before };
  } catch (error) {
    refusals.value = { ...others, [name]: refusalOf(error) };
  }
  if (asked.value[name] !== value) return;
  const { [name]: _answered, ...waiting } = asked.value;
  asked.value = waiting;
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
