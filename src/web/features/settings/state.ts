/** The user's settings. */
import type { Changed, Event, Snapshot } from "../../snapshot.ts";

export interface Settings {
  settings: Record<string, unknown>;
}

export const SETTINGS_FIELDS = ["user_settings"];

export function hydrateSettings(snapshot: Snapshot): Settings {
  return { settings: snapshot["user_settings"] ?? {} };
}

export function dehydrateSettings({ settings }: Settings): Record<string, unknown> {
  return { user_settings: settings };
}

export function reduceSettings({ settings }: Settings, event: Event, changed: Changed): void {
  if (event.type !== "user_settings") return;
  const { property, value } = event;
  settings[property] = value;
  changed.add("settings").add(`setting:${property}`);
}
