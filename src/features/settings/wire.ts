// The settings of a user for clients.
import { ownValue } from "../../text/input/own-value.ts";
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { LANGUAGES } from "./language-rules.ts";
import {
  EMOJI_SETS,
  NOTIFICATION_SOUNDS,
  SETTING_NAMES,
  type SettingName,
  USER_SETTINGS,
  userSetting,
  type Value,
} from "./rules.ts";

/** Settings without a default for new users. */
const SETTINGS_WITHOUT_DEFAULT = new Set<SettingName>([
  "timezone",
  "do_not_disturb_until",
  "do_not_disturb_hours",
]);
const CHOICES = {
  available_notification_sounds: NOTIFICATION_SOUNDS.filter((soundName) => soundName !== "none"),
  emojiset_choices: EMOJI_SETS,
};

/** `user_settings`: every setting with this user's value. */
export function userSettingsSnapshot(
  _reader: Reader,
  user: Pick<User, "settings">,
): Record<string, unknown> {
  const settings = SETTING_NAMES.map((name) => [name, userSetting(user, name)]);
  return { user_settings: { ...Object.fromEntries(settings), ...CHOICES } };
}

/** `realm_user_settings_defaults`: the defaults for new users. */
export function userSettingsDefaultsSnapshot(reader: Reader): Record<string, unknown> {
  const shared = SETTING_NAMES.filter((name) => !SETTINGS_WITHOUT_DEFAULT.has(name));
  const defaults = shared.map((name) => [name, defaultOf(reader, name)]);
  return { realm_user_settings_defaults: { ...Object.fromEntries(defaults), ...CHOICES } };
}

/** The language is that of the organization. */
export function defaultOf(reader: Reader, name: SettingName): Value {
  if (name === "default_language") return reader.settings.default_language;
  return reader.setting_defaults.get(name)?.value ?? USER_SETTINGS[name].default;
}

/** The settings in a new user's row: those that differ from the defaults of the product. */
export function firstSettings(reader: Reader): Record<string, Value> {
  const values = SETTING_NAMES.map((name) => [name, defaultOf(reader, name)] as const);
  return Object.fromEntries(
    values.filter(([name, value]) => value !== USER_SETTINGS[name].default),
  );
}

export const defaultChanged = (property: SettingName, value: Value): PlainEvent => ({
  type: "realm_user_settings_defaults",
  op: "update",
  property,
  value,
});

export function settingChanged(property: SettingName, value: Value): PlainEvent {
  const event = { type: "user_settings", op: "update", property, value } as const;
  if (property !== "default_language") return event;
  return { ...event, language_name: ownValue(LANGUAGES, value as string) };
}
