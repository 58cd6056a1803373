// Changes the user's settings: locally at once, then on the server, with rollback after an error.
import { effect, signal } from "@preact/signals";
import { hasWholeDays } from "../../../features/settings/time-format-rules.ts";
import type { SettingName, Value } from "../../../features/settings/rules.ts";
import { changeSettings } from "../../api/message-calls.ts";
import { subscribe, maybeState, getState } from "../../store/store.ts";
import { sync } from "../../sync/session.ts";
import { optimistic } from "../../sync/optimistic.ts";
import type { LocalEvent } from "../../contract/snapshot.ts";
import { SaveErrors } from "../../ui/form/save-errors.ts";

/** The last change, with the value before. */
interface SavedSetting {
  name: SettingName;
  before: Value;
  /** The change of the language also set the 24-hour clock. */
  clock?: boolean;
  /** Whether the event with the change has arrived. */
  isConfirmed?: boolean;
}
const saved = signal<SavedSetting | undefined>(undefined);

const refusals = new SaveErrors();

export function changeOwnSetting(name: SettingName, value: Value): void {
  const before = getState().settings.settings[name] as Value;
  refusals.forget(name);
  if (before === value) return;
  send(name, value, before);
  const clock = clockOf(name, value);
  if (clock) send(CLOCK, true, false);
  saved.value = { name, before, ...(clock && { clock }) };
}

function send(name: SettingName, value: Value, before: Value): void {
  const localEvent = (to: Value): LocalEvent => {
    return { type: "user_settings", op: "update", property: name, value: to };
  };
  const request = changeSettings.toRequest(Object.fromEntries([[name, value]]));
  void optimistic(request, [localEvent(value)], [localEvent(before)]);
}

const CLOCK = "twenty_four_hour_time";

/** Whether the clock changes with the language: German, for example, is written with 24 hours. */
const clockOf = (name: SettingName, value: Value): boolean =>
  name === "default_language" &&
  getState().settings.settings[CLOCK] === false &&
  hasWholeDays(String(value));

/** Undoes the last change; the undo itself cannot be undone. */
export function undoSetting(): void {
  const last = saved.value;
  if (!last) return;
  changeOwnSetting(last.name, last.before);
  if (last.clock) changeOwnSetting(CLOCK, false);
  saved.value = undefined;
}

/** A rejected change needs no undo. */
effect(() => {
  subscribe("settings");
  const { name, before } = saved.value ?? {};
  if (name !== undefined && maybeState()?.settings.settings[name] === before)
    saved.value = undefined;
});

sync.listen((events) => {
  for (const event of events) {
    const last = saved.peek();
    if (event.type === "user_settings" && last?.name === event.property)
      saved.value = { ...last, isConfirmed: true };
  }
});

/** The settings that a page shows, and how they are changed. */
export interface SettingsScope {
  /** When read during rendering, the view renders again after changes. */
  valueOf(name: SettingName): unknown;
  change(name: SettingName, value: Value): void;
  isSaved(name: string): boolean;
  /** Whether the last change is sent when the network is back. */
  isWaiting?(): boolean;
  undo(): void;
  readonly refusals: SaveErrors;
  /** The settings are displayed but cannot be changed. */
  isReadOnly?: boolean;
}

export const OWN_SETTINGS_SCOPE: SettingsScope = {
  valueOf(name) {
    subscribe(`setting:${name}`);
    return getState().settings.settings[name];
  },
  change: changeOwnSetting,
  isSaved: (name) => saved.value?.name === name,
  isWaiting: () => !saved.value?.isConfirmed && sync.connection.value.kind === "unreached",
  undo: undoSetting,
  refusals,
};
