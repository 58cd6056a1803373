// Changes one's own settings: at once here, then on the server, and back if that refuses.
import { effect, signal } from "@preact/signals";
import type { SettingName, Value } from "../../../features/settings/rules.ts";
import { changeSettings } from "../../api/deed-calls.ts";
import { keyed, known, now } from "../../live.ts";
import { onRefusal, optimistic } from "../../optimistic.ts";
import type { Deed } from "../../snapshot.ts";
import { Refusals } from "./form.tsx";

/** The last change, with the value before. */
export const saved = signal<{ name: SettingName; before: Value } | undefined>(undefined);

const refusals = new Refusals();
onRefusal(({ foretold: [deed] }, words) => {
  if (deed?.type !== "user_settings") return false;
  refusals.tell(deed.property, words);
  return true;
});

export function changeOwnSetting(name: SettingName, value: Value): void {
  const before = now().settings.settings[name] as Value;
  refusals.forget(name);
  if (before === value) return;
  const foretold = (to: Value): Deed => {
    return { type: "user_settings", op: "update", property: name, value: to };
  };
  const wanted = changeSettings.asked(Object.fromEntries([[name, value]]));
  void optimistic(wanted, [foretold(value)], [foretold(before)]);
  saved.value = { name, before };
}

/** Takes back what was changed last; that cannot be taken back again. */
export function undoSetting(): void {
  const last = saved.value;
  if (!last) return;
  changeOwnSetting(last.name, last.before);
  saved.value = undefined;
}

/** A rejected change needs no undo. */
effect(() => {
  keyed("settings");
  const { name, before } = saved.value ?? {};
  if (name !== undefined && known()?.settings.settings[name] === before) saved.value = undefined;
});

/** The settings that a page shows, and how they are changed. */
export interface Place {
  /** Read in a view, it is drawn anew when the value changes. */
  valueOf(name: SettingName): unknown;
  change(name: SettingName, value: Value): void;
  isSaved(name: string): boolean;
  undo(): void;
  readonly refusals: Refusals;
  /** Read-only. */
  isOff?: boolean;
}

export const OWN: Place = {
  valueOf(name) {
    keyed(`setting:${name}`);
    return now().settings.settings[name];
  },
  change: changeOwnSetting,
  isSaved: (name) => saved.value?.name === name,
  undo: undoSetting,
  refusals,
};
