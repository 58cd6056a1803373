// A person's own settings, changed.
import { defaulted, endpoint, json, optional, type Parameter, text } from "../../endpoint.ts";
import { invalidValue } from "../../errors-channels.ts";
import {
  batchingPeriodInvalid,
  notificationSoundInvalid,
  timezoneInvalid,
} from "../../errors-people.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { User } from "../../records.ts";
import { forgetDrafts } from "../drafts/actions.ts";
import { changePassword } from "../passwords/actions.ts";
import { showPresence } from "../presence/actions.ts";
import { statusChanged } from "../status/wire.ts";
import { renameUser } from "../users/changes.ts";
import { askForAddress, wantedAddress } from "../users/address.ts";
import { seersOf } from "../users/telling.ts";
import { canSeeEmail, isAdministrator } from "../users/rules.ts";
import { avatarUrl, avatarUrlMedium, emailOf, userUpdated } from "../users/wire.ts";
import { KINDS, TARGETS } from "./defaults.ts";
import { changeForOthers } from "./others.ts";
import {
  SETTING_NAMES,
  type SettingName,
  USER_SETTINGS,
  userSetting,
  type Value,
} from "./rules.ts";
import { settingChanged } from "./wire.ts";

/** Gives a setting another value, and says whether it was another. */
export function changeSetting(
  tx: Writer,
  user_id: number,
  name: SettingName,
  value: Value,
): boolean {
  if (!USER_SETTINGS[name].isValid(value)) throw settingInvalid(name, value);
  const user = tx.users.get(user_id)!;
  if (userSetting(user, name) === value) return false;

  const { [name]: _before, ...others } = user.settings;
  const isDefault = USER_SETTINGS[name].default === value;
  const changed = { ...user, settings: isDefault ? others : { ...others, [name]: value } };
  tx.users.put(changed);
  tx.emit(settingChanged(name, value), { to: "people", user_ids: [user_id] });
  if (name === "presence_enabled") {
    // Older clients know the setting as a status.
    tx.emit(statusChanged(user_id, { away: !value }), { to: "seers", user_id });
  }
  if (name === "enable_drafts_synchronization" && !value) forgetDrafts(tx, user);
  if (name === "timezone") tellTimezone(tx, changed);
  if (name === "email_address_visibility") tellAddress(tx, user, changed);
  if (name === "allow_private_data_export") {
    const event = { type: "realm_export_consent", user_id, consented: value } as const;
    tx.emit(event, { to: "administrators" });
  }
  return true;
}

export function settingInvalid(name: SettingName, value: Value) {
  if (name === "timezone") return timezoneInvalid();
  if (name === "notification_sound") return notificationSoundInvalid(String(value));
  if (name === "email_notifications_batching_period_seconds") {
    return batchingPeriodInvalid(Number(value));
  }
  return invalidValue(name);
}

function tellTimezone(tx: Writer, user: User): void {
  const change = { email: emailOf(tx, user), timezone: userSetting(user, "timezone") };
  tx.emit(userUpdated(user.user_id, change), { to: "seers", user_id: user.user_id });
}

/** Those who see the real address now and did not, or did and do not, hear so. */
function tellAddress(tx: Writer, before: User, after: User): void {
  const { user_id } = after;
  const others = seersOf(tx, after).filter((viewer) => viewer.user_id !== user_id);
  const gaining = others.filter((v) => !canSeeEmail(v, before) && canSeeEmail(v, after));
  const losing = others.filter((v) => canSeeEmail(v, before) && !canSeeEmail(v, after));
  const tell = (people: readonly User[], delivery_email: string | null) => {
    const user_ids = people.map((viewer) => viewer.user_id);
    if (user_ids.length === 0) return;
    tx.emit(userUpdated(user_id, { delivery_email }), { to: "people", user_ids });
  };
  tell(gaining, after.delivery_email);
  tell(losing, null);
  if (emailOf(tx, before) === emailOf(tx, after)) return;

  const seers = { to: "seers", user_id } as const;
  tx.emit(userUpdated(user_id, { new_email: emailOf(tx, after) }), seers);
  const picture = { ...after, avatar_version: after.avatar_version + 1 };
  tx.users.put(picture);
  const { avatar_source, avatar_version } = picture;
  const urls = {
    avatar_url: avatarUrl(picture, false),
    avatar_url_medium: avatarUrlMedium(picture),
  };
  tx.emit(userUpdated(user_id, { avatar_source, ...urls, avatar_version }), seers);
}

type Params = Record<SettingName, Parameter<Value | undefined>>;

const params = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, optional<Value>(KINDS[USER_SETTINGS[name].kind])]),
) as Params;

export const updateSettings = endpoint({
  params: {
    ...params,
    full_name: optional(text),
    email: optional(text),
    old_password: defaulted(text, ""),
    new_password: defaulted(text, ""),
    target_users: optional(json(TARGETS)),
  },
  run: async ({ realm, user, session }, { target_users, ...asked }) => {
    if (target_users !== undefined) {
      return changeForOthers(realm, user, target_users, asked);
    }
    const { full_name, email, old_password, new_password, ...given } = asked;
    const address = email === undefined ? undefined : wantedAddress(realm.read, user, email);
    const isRenamed = full_name !== undefined && mayRename(realm.read, user);
    const { user_id } = user;
    if (new_password !== "") {
      await changePassword(realm, user, old_password, new_password, session?.session_id);
    }
    const changed = await realm.write((tx) => {
      if (isRenamed) renameUser(tx, user_id, full_name);
      return SETTING_NAMES.filter((name) => {
        const value = given[name];
        return value !== undefined && changeSetting(tx, user_id, name, value);
      });
    });
    if (changed.includes("presence_enabled")) {
      await showPresence(realm, realm.read.users.get(user_id)!);
    }
    return address === undefined ? {} : askForAddress(realm, user, address);
  },
});

function mayRename(reader: Reader, user: User): boolean {
  return isAdministrator(user) || !reader.settings.name_changes_disabled;
}
