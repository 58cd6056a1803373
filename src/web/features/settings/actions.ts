// Changes one's own settings: at once here, then on the server, and back if that refuses.
import { signal } from "@preact/signals";
import type { SettingName, Value } from "../../../features/settings/rules.ts";
import { changeSettings } from "../../api/calls.ts";
import { Refused } from "../../api/http.ts";
import { sync } from "../../here.ts";
import { now, touch } from "../../live.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";

/** What was changed last, and what it was before. */
export const saved = signal<{ name: SettingName; before: Value } | undefined>(undefined);

export async function changeOwnSetting(name: SettingName, value: Value): Promise<void> {
  const { settings } = now().settings;
  const before = settings[name] as Value;
  if (before === value) return;
  show(name, value);
  saved.value = { name, before };
  try {
    await changeSettings(sync, Object.fromEntries([[name, value]]));
  } catch (error) {
    // What an event has brought meanwhile is newer than what was here before.
    if (now().settings.settings[name] === value) show(name, before);
    if (saved.value?.name === name) saved.value = undefined;
    const words = error instanceof Refused ? error.words : say("settings-not-saved");
    showToast({ words, isAlert: true });
  }
}

/** Takes back what was changed last; that cannot be taken back again. */
export async function undoSetting(): Promise<void> {
  const last = saved.value;
  if (!last) return;
  await changeOwnSetting(last.name, last.before);
  saved.value = undefined;
}

function show(name: SettingName, value: Value): void {
  now().settings.settings[name] = value;
  touch(new Set(["settings", `setting:${name}`]));
}
