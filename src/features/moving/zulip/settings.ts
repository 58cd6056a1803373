// Maps columns to settings of the organization, of new users and of users.
import type { RealmRecord, RealmSettings, SettingDefault, User } from "../../../schema/records.ts";
import { newSettings } from "../../organization/setting-rules.ts";
import { NOWHERE, REALM_DESCRIPTION_LENGTH_MAX } from "../../realm/rules.ts";
import { REALM_NAME_LENGTH_MAX, ORG_TYPES, REALM_ID, WAITING_DAYS_MAX } from "../../realm/rules.ts";
import { REALM_PERMISSIONS, type RealmPermission } from "../../rights/permission-rules.ts";
import {
  PERSONAL_NAMES,
  SETTING_NAMES,
  type SettingName,
  USER_SETTINGS,
  type Value,
} from "../../settings/rules.ts";
import type { ZulipGroups } from "./groups.ts";
import { OLD_REALM_SETTINGS, OLD_USER_SETTINGS, REALM_POLICIES } from "./read/policies-rules.ts";
import { bool, cleaned, truncated, field, int, text, type ZulipRow } from "./read/rows.ts";
import { seconds } from "./read/rows.ts";

/** Settings with a column of the same name and type. */
const SAME = [
  "default_language",
  "default_code_block_language",
  "allow_message_editing",
  "message_retention_days",
  "waiting_period_threshold",
  "enable_read_receipts",
  "presence_disabled",
  "enable_guest_user_indicator",
  "enable_guest_user_dm_warning",
  "enable_spectator_access",
  "require_unique_names",
  "name_changes_disabled",
  "email_changes_disabled",
  "avatar_changes_disabled",
  "emails_restricted_to_domains",
  "disallow_disposable_email_addresses",
  "invite_required",
  "send_welcome_emails",
  "send_channel_events_messages",
  "welcome_message_custom_text",
  "inline_image_preview",
  "inline_url_embed_preview",
  "media_preview_size",
  "message_content_allowed_in_email_notifications",
  "digest_emails_enabled",
  "digest_weekday",
  "require_e2ee_push_notifications",
  "want_advertise_in_communities_directory",
  "video_chat_provider",
] as const satisfies (keyof RealmSettings)[];

/** Settings where null or a missing column has a special meaning. */
const LIMITS = [
  "message_content_edit_limit_seconds",
  "message_content_delete_limit_seconds",
  "move_messages_between_streams_limit_seconds",
  "move_messages_within_stream_limit_seconds",
] as const;

const CHANNEL_SETTINGS = {
  new_stream_announcements_stream: "new_stream_announcements_stream_id",
  signup_announcements_stream: "signup_announcements_stream_id",
  zulip_update_announcements_stream: "zulip_update_announcements_stream_id",
  moderation_request_channel: "moderation_request_channel_id",
} as const;

const TEXT_LENGTH_MAX = 8_000;
const NUMBER_MAX = 2 ** 31 - 1;
const NOBODY_DAYS = -1;

export function realmRecord(
  row: ZulipRow,
  groups: ZulipGroups,
  channels: { has(id: number): boolean },
  now: number,
): RealmRecord {
  const name = truncated((text(row, "name") ?? "").trim(), REALM_NAME_LENGTH_MAX).trim();
  const initial = newSettings(name || "Zulip", (group) => groups.systemId(group));
  const settings: RealmSettings = { ...initial };
  for (const key of SAME) copy(settings, key, field(row, key));
  for (const key of LIMITS) {
    const value = field(row, key);
    // Up to version 4, 0 meant no limit.
    if (value === null || value === 0) settings[key] = null;
    else copy(settings, key, value);
  }
  for (const [column, key] of Object.entries(CHANNEL_SETTINGS)) {
    const oldName = Object.entries(OLD_REALM_SETTINGS).find(
      ([, current]) => current === column,
    )?.[0];
    const id =
      int(row, column) ?? (oldName === undefined ? undefined : int(row, oldName)) ?? NOWHERE;
    const setting = key as (typeof CHANNEL_SETTINGS)[keyof typeof CHANNEL_SETTINGS];
    settings[setting] = channels.has(id) ? id : NOWHERE;
  }
  for (const [permission, rules] of Object.entries(REALM_PERMISSIONS)) {
    const key = permission as RealmPermission;
    settings[key] = groups.setting(row, key, rules, null, REALM_POLICIES[key]);
  }
  settings.description = truncated(text(row, "description") ?? "", REALM_DESCRIPTION_LENGTH_MAX);
  const rating = int(row, "gif_rating_policy") ?? int(row, "giphy_rating");
  if (rating !== undefined && rating >= 0 && rating <= 4) settings.gif_rating_policy = rating;
  settings.org_type = orgTypeOf(row);
  settings.topics_policy = topicsPolicyOf(row);
  settings.message_edit_history_visibility_policy = historyPolicyOf(row);
  settings.message_retention_days = retentionOf(int(row, "message_retention_days")) ?? NOBODY_DAYS;
  settings.waiting_period_threshold = Math.min(settings.waiting_period_threshold, WAITING_DAYS_MAX);
  const url = text(row, "jitsi_server_url");
  settings.jitsi_server_url = url && /^https:\/\/\S{1,190}$/.test(url) ? url : null;
  const source = text(row, "default_avatar_source");
  settings.default_avatar_source = source === "J" ? "J" : "G";
  const date_created = seconds(row, "date_created") ?? now;
  const realm_uuid = crypto.randomUUID();
  return { realm_id: REALM_ID, realm_uuid, date_created, settings };
}

/** null: the organization's setting; -1: forever. */
export function retentionOf(days: number | undefined): number | null {
  if (days === undefined) return null;
  return days === -1 || (days >= 1 && days <= NUMBER_MAX) ? days : null;
}

/** The settings of a user that differ from the defaults. */
export function userSettings(row: ZulipRow, realm: ZulipRow): User["settings"] {
  const settings: User["settings"] = {};
  for (const name of SETTING_NAMES) {
    const value = settingIn(row, name, realm);
    if (value !== undefined && value !== USER_SETTINGS[name].default) settings[name] = value;
  }
  return settings;
}

/** Defaults for new users that differ from Skein's defaults. */
export function settingDefaults(row: ZulipRow): SettingDefault[] {
  return SETTING_NAMES.flatMap((name) => {
    if (PERSONAL_NAMES.includes(name as (typeof PERSONAL_NAMES)[number])) return [];
    const value = settingIn(row, name, {});
    return value === undefined || value === USER_SETTINGS[name].default ? [] : [{ name, value }];
  });
}

function settingIn(row: ZulipRow, name: SettingName, realm: ZulipRow): Value | undefined {
  const { kind, isValid } = USER_SETTINGS[name];
  const oldName = Object.entries(OLD_USER_SETTINGS).find(([, current]) => current === name)?.[0];
  let value = field(row, name) ?? (oldName === undefined ? undefined : field(row, oldName));
  // Up to version 7, the organization decided for all users.
  if (name === "email_address_visibility") value ??= int(realm, name);
  if (name === "color_scheme") value ??= bool(row, "night_mode") ? 2 : undefined;
  if (name === "web_home_view" && value === "recent_topics") value = "recent";
  const isKind = { text: "string", int: "number", bool: "boolean" }[kind] === typeof value;
  if (!isKind) return undefined;
  // The type of the value was checked above.
  const cleanedValue = (typeof value === "string" ? cleaned(value) : value) as Value;
  return isValid(cleanedValue) ? cleanedValue : undefined;
}

function copy<K extends keyof RealmSettings>(settings: RealmSettings, key: K, given: unknown) {
  const initial = settings[key];
  if (typeof given !== typeof (initial ?? 0)) return;
  if (typeof given === "number" && !(Number.isInteger(given) && Math.abs(given) <= NUMBER_MAX)) {
    return;
  }
  const value = typeof given === "string" ? truncated(cleaned(given), TEXT_LENGTH_MAX) : given;
  // The type of the value was checked above.
  settings[key] = value as RealmSettings[K];
}

function orgTypeOf(row: ZulipRow): number {
  const code = int(row, "org_type");
  return Object.values(ORG_TYPES).some(({ id }) => id === code) ? code! : 0;
}

function topicsPolicyOf(row: ZulipRow): RealmSettings["topics_policy"] {
  // 1 means "inherit", which is invalid for the organization itself.
  const policy = field(row, "topics_policy");
  if (policy === 3 || policy === "disable_empty_topic") return "disable_empty_topic";
  return bool(row, "mandatory_topics") ? "disable_empty_topic" : "allow_empty_topic";
}

function historyPolicyOf(row: ZulipRow): RealmSettings["message_edit_history_visibility_policy"] {
  const policy = field(row, "message_edit_history_visibility_policy");
  if (policy === 2 || policy === "moves") return "moves";
  if (policy === 3 || policy === "none") return "none";
  return bool(row, "allow_edit_history") === false ? "none" : "all";
}
