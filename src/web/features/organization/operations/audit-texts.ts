// Names and details of the actions in the audit log.
import { ownValue } from "../../../../text/input/own-value.ts";
import { t, type TextKey } from "../../../words/words.ts";

const PLAIN = [
  ...["user_created", "user_renamed", "user_role_changed", "user_address_changed"],
  ...["user_deactivated", "user_reactivated", "user_erased", "user_right_changed"],
  ...["user_settings_changed", "signed_in", "session_ended", "key_made", "key_removed"],
  ...["password_set", "password_changed", "password_removed", "passkey_added"],
  ...["passkey_removed", "authenticator_app_added", "authenticator_app_removed"],
  ...["recovery_codes_made", "recovery_codes_removed", "bot_created", "bot_changed"],
  ...["bot_owner_changed", "group_created", "group_changed", "group_deactivated"],
  ...["group_reactivated", "group_removed", "group_members_added", "group_members_removed"],
  ...["channel_created", "channel_changed", "channel_privacy_changed", "channel_archived"],
  ...["channel_unarchived", "channel_removed", "subscribers_added", "subscribers_removed"],
  ...["organization_created", "organization_settings_changed", "organization_deactivated"],
  ...["organization_reactivated", "default_setting_changed", "invited", "uninvited"],
  ...["password_link_made", "user_signed_out", "two_factor_disabled", "backup_made"],
  ...["export_requested", "own_data_exported", "import_started", "import_undone"],
];
const ROWS = [
  ...["domain", "linkifier", "playground", "profile_field", "emoji", "channel_folder"],
  "default_channel_group",
];

export const ACTION_NAMES: readonly string[] = [
  ...PLAIN,
  ...ROWS.flatMap((kind) => ["added", "changed", "removed"].map((verb) => `${kind}_${verb}`)),
];

const knownNames = new Set(ACTION_NAMES);

/** Actions of newer servers have their own name. */
export function actionText(actionName: string): string {
  return knownNames.has(actionName)
    ? t(`audit-${actionName}` as TextKey)
    : actionName.replaceAll("_", " ");
}

/** Keys that many actions share. The others are called as in the API. */
const KEYS: Readonly<Record<string, TextKey>> = {
  address: "audit-key-address",
  client: "audit-key-client",
  method: "audit-key-method",
  session_id: "audit-key-session",
  key_id: "audit-key-key",
  name: "audit-key-name",
  invite_only: "audit-key-private",
  is_web_public: "audit-key-web",
};

export function keyWords(key: string): string {
  const word = ownValue(KEYS, key);
  return word === undefined ? key.replaceAll("_", " ") : t(word);
}
