// Changes a user's own settings, and emits events to users who see the effect.
import { invalidValue } from "../../../contract/errors/channels.ts";
import {
  batchingPeriodInvalid,
  notificationSoundInvalid,
  timezoneInvalid,
} from "../../../contract/errors/people.ts";
import type { Writer } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { forgetDrafts } from "../../drafts/actions.ts";
import { viewersOf } from "../../people/events.ts";
import { statusChanged } from "../../people/status-wire.ts";
import { avatarUrl, avatarUrlMedium, emailOf, userUpdated } from "../../people/wire.ts";
import { canSeeEmail } from "../../rights/rules.ts";
import { type SettingName, USER_SETTINGS, userSetting, type Value } from "../rules.ts";
import { settingChanged } from "../wire.ts";

/**
 * Changes a setting and returns whether the value was new. `emitsStatus`: whether to emit presence
 * changes also as a status, for older clients.
 */
export function changeSetting(
  tx: Writer,
  user_id: number,
  name: SettingName,
  value: Value,
  { emitsStatus = true } = {},
): boolean {
  if (!USER_SETTINGS[name].isValid(value)) throw settingInvalid(name, value);
  const user = tx.users.get(user_id)!;
  if (userSetting(user, name) === value) return false;

  const { [name]: _before, ...otherSettings } = user.settings;
  const isDefault = USER_SETTINGS[name].default === value;
  const updatedUser = {
    ...user,
    settings: isDefault ? otherSettings : { ...otherSettings, [name]: value },
  };
  tx.users.put(updatedUser);
  tx.emit(settingChanged(name, value), { to: "people", user_ids: [user_id] });
  if (name === "presence_enabled" && emitsStatus) {
    tx.emit(statusChanged(user_id, { away: !value }), { to: "seers", user_id });
  }
  if (name === "enable_drafts_synchronization" && !value) forgetDrafts(tx, user);
  if (name === "timezone") emitTimezone(tx, updatedUser);
  if (name === "email_address_visibility") emitAddress(tx, user, updatedUser);
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

function emitTimezone(tx: Writer, user: User): void {
  const change = { email: emailOf(tx, user), timezone: userSetting(user, "timezone") };
  tx.emit(userUpdated(user.user_id, change), { to: "seers", user_id: user.user_id });
}

/** Emits events to users who gained or lost access to the real address. */
function emitAddress(tx: Writer, before: User, after: User): void {
  const { user_id } = after;
  const others = viewersOf(tx, after).filter((viewer) => viewer.user_id !== user_id);
  const newViewers = others.filter((v) => !canSeeEmail(v, before) && canSeeEmail(v, after));
  const losing = others.filter((v) => canSeeEmail(v, before) && !canSeeEmail(v, after));
  const notify = (people: readonly User[], delivery_email: string | null) => {
    const user_ids = people.map((viewer) => viewer.user_id);
    if (user_ids.length === 0) return;
    tx.emit(userUpdated(user_id, { delivery_email }), { to: "people", user_ids });
  };
  notify(newViewers, after.delivery_email);
  notify(losing, null);
  if (emailOf(tx, before) === emailOf(tx, after)) return;

  const audience = { to: "seers", user_id } as const;
  tx.emit(userUpdated(user_id, { new_email: emailOf(tx, after) }), audience);
  const picture = { ...after, avatar_version: after.avatar_version + 1 };
  tx.users.put(picture);
  const { avatar_source, avatar_version } = picture;
  const urls = {
    avatar_url: avatarUrl(picture, false),
    avatar_url_medium: avatarUrlMedium(picture),
  };
  tx.emit(userUpdated(user_id, { avatar_source, ...urls, avatar_version }), audience);
}
