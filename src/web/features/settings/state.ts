/** The user's settings. */
import type { Static } from "typebox";
import type { personalSettingsShape } from "../../../contract/shapes/user-settings.ts";
import type { Changed, Event, Snapshot } from "../../contract/snapshot.ts";

export type UserSettings = Static<typeof personalSettingsShape>;

export interface Settings {
  settings: Partial<UserSettings>;
}

export const SETTINGS_FIELDS = ["user_settings"] as const;

export function hydrateSettings(snapshot: Snapshot): Settings {
  return { settings: snapshot.user_settings ?? {} };
}

export function dehydrateSettings({ settings }: Settings): Partial<Snapshot> {
  return { user_settings: settings };
}

export function reduceSettings({ settings }: Settings, event: Event, changed: Changed): void {
  if (event.type !== "user_settings") return;
  const { property, value } = event;
  Object.assign(settings, { [property]: value });
  changed.add("settings").add(`setting:${property}`);
}
