// The organization's default settings, and constants that clients receive.
import type { GroupSetting, RealmSettings } from "../../schema/records.ts";
import {
  CHANNEL_DESCRIPTION_LENGTH_MAX,
  CHANNEL_NAME_LENGTH_MAX,
  NEW_SUBSCRIPTION_MESSAGES_MAX,
} from "../channels/rules.ts";
import { FOLDER_DESCRIPTION_LENGTH_MAX, FOLDER_NAME_LENGTH_MAX } from "../folders/rules.ts";
import { EMPTY_TOPIC_NAME, MESSAGE_LENGTH_MAX, TOPIC_LENGTH_MAX } from "../messages/rules.ts";
import {
  PASSWORD_GUESSES_MIN,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from "../passwords/rules.ts";
import { PICTURE_MIB_MAX } from "../realm/picture-rules.ts";
import { DELETION_DAYS_MAX, DELETION_DAYS_MIN, NOWHERE } from "../realm/rules.ts";
import { REMINDER_NOTE_LENGTH_MAX } from "../reminders/rules.ts";
import { REPORT_TYPES } from "../reports/rules.ts";
import { NEW_MEMBER_SETTINGS } from "../rights/new-member-rules.ts";
import {
  REALM_PERMISSIONS,
  type RealmPermission,
  type SystemGroup,
} from "../rights/permission-rules.ts";

/** When this process started, in seconds; clients detect a restart by it. */
export const SERVER_GENERATION = Math.floor(performance.timeOrigin / 1000);

const WEEK_SECONDS = 604_800;

/** Settings of a new organization. */
export function newSettings(name: string, groupId: (group: SystemGroup) => number): RealmSettings {
  return {
    name,
    description: "",
    org_type: 0,
    default_language: "en",
    default_code_block_language: "",
    default_avatar_source: "J",
    icon_source: "G",
    icon_version: 1,
    logo_source: "D",
    night_logo_source: "D",
    allow_message_editing: true,
    message_edit_history_visibility_policy: "all",
    message_content_edit_limit_seconds: 600,
    message_content_delete_limit_seconds: 600,
    move_messages_between_streams_limit_seconds: WEEK_SECONDS,
    move_messages_within_stream_limit_seconds: WEEK_SECONDS,
    message_retention_days: -1,
    topics_policy: "allow_empty_topic",
    waiting_period_threshold: 0,
    enable_read_receipts: true,
    presence_disabled: false,
    enable_guest_user_indicator: true,
    enable_guest_user_dm_warning: true,
    enable_spectator_access: false,
    allow_search_engines: false,
    require_unique_names: false,
    name_changes_disabled: false,
    email_changes_disabled: false,
    avatar_changes_disabled: false,
    emails_restricted_to_domains: false,
    disallow_disposable_email_addresses: true,
    invite_required: true,
    send_welcome_emails: true,
    send_channel_events_messages: false,
    welcome_message_custom_text: "",
    inline_image_preview: true,
    inline_url_embed_preview: false,
    media_preview_size: 100,
    keep_picture_metadata: false,
    gif_rating_policy: 1,
    message_content_allowed_in_email_notifications: true,
    digest_emails_enabled: false,
    digest_weekday: 1,
    require_e2ee_push_notifications: false,
    want_advertise_in_communities_directory: false,
    // 0: no call button until an administrator chooses a provider.
    video_chat_provider: 0,
    jitsi_server_url: null,
    new_stream_announcements_stream_id: NOWHERE,
    signup_announcements_stream_id: NOWHERE,
    zulip_update_announcements_stream_id: NOWHERE,
    moderation_request_channel_id: NOWHERE,
    ...NEW_MEMBER_SETTINGS,
    ...initialPermissions(groupId),
  };
}

/** Stricter defaults for schools. */
export function schoolSettings(groupId: (group: SystemGroup) => number) {
  const [moderators, administrators] = [groupId("role:moderators"), groupId("role:administrators")];
  return {
    can_add_subscribers_group: moderators,
    can_create_groups: moderators,
    can_move_messages_between_channels_group: moderators,
    can_create_public_channel_group: administrators,
    can_invite_users_group: administrators,
  } satisfies Partial<RealmSettings>;
}

/** Only administrators see real email addresses. */
export const SCHOOL_ADDRESS_VISIBILITY = 3;

function initialPermissions(groupId: (group: SystemGroup) => number) {
  const rows = Object.entries(REALM_PERMISSIONS);
  const ids = rows.map(([name, permission]) => [
    name,
    groupId(permission.default_group_name as SystemGroup),
  ]);
  return Object.fromEntries(ids) as Record<RealmPermission, GroupSetting>;
}

/** Limits by the names that clients receive. */
export const LIMITS = {
  max_message_length: MESSAGE_LENGTH_MAX,
  max_topic_length: TOPIC_LENGTH_MAX,
  max_stream_name_length: CHANNEL_NAME_LENGTH_MAX,
  max_stream_description_length: CHANNEL_DESCRIPTION_LENGTH_MAX,
  max_channel_folder_name_length: FOLDER_NAME_LENGTH_MAX,
  max_channel_folder_description_length: FOLDER_DESCRIPTION_LENGTH_MAX,
  max_reminder_note_length: REMINDER_NOTE_LENGTH_MAX,
  max_bulk_new_subscription_messages: NEW_SUBSCRIPTION_MESSAGES_MAX,
  max_avatar_file_size_mib: PICTURE_MIB_MAX,
  max_icon_file_size_mib: PICTURE_MIB_MAX,
  max_logo_file_size_mib: PICTURE_MIB_MAX,
  password_min_length: PASSWORD_LENGTH_MIN,
  password_max_length: PASSWORD_LENGTH_MAX,
  password_min_guesses: PASSWORD_GUESSES_MIN,
} as const;

const JITSI_SERVER_URL = "https://meet.jit.si";

/** Facts about the server that no setting changes. */
export const SERVER = {
  event_queue_longpoll_timeout_seconds: 90,
  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 200,
  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  server_typing_started_wait_period_milliseconds: 30_000,
  server_generation: SERVER_GENERATION,
  server_needs_upgrade: false,
  server_inline_image_preview: true,
  server_inline_url_embed_preview: true,
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_can_summarize_topics: false,
  server_jitsi_server_url: JITSI_SERVER_URL,
  server_min_deactivated_realm_deletion_days: DELETION_DAYS_MIN,
  server_max_deactivated_realm_deletion_days: DELETION_DAYS_MAX,
  server_report_message_types: Object.entries(REPORT_TYPES).map(([key, name]) => ({ key, name })),
  gif_rating_policy_options: {
    disabled: { id: 0, name: "No GIFs" },
    g: { id: 1, name: "G: for everyone" },
    pg: { id: 2, name: "PG: with guidance" },
    "pg-13": { id: 3, name: "PG-13: not for children" },
    r: { id: 4, name: "R: for adults" },
  },
} as const;

/** Fixed values that clients expect among the organization's settings. */
export const CONSTANTS = {
  realm_plan_type: 1,
  realm_empty_topic_display_name: EMPTY_TOPIC_NAME,
  realm_push_notifications_enabled: false,
  realm_push_notifications_enabled_end_timestamp: null,
  realm_available_video_chat_providers: {
    disabled: { name: "None", id: 0 },
    jitsi_meet: { name: "Jitsi Meet", id: 1 },
  },
  realm_owner_full_content_access: false,
  realm_default_external_accounts: {
    twitter: {
      name: "Twitter username",
      text: "Twitter",
      hint: "",
      url_pattern: "https://twitter.com/%(username)s",
    },
    github: {
      name: "GitHub username",
      text: "GitHub",
      hint: "",
      url_pattern: "https://github.com/%(username)s",
    },
  },
  zulip_plan_is_not_limited: true,
  upgrade_text_for_wide_organization_logo: "",
  development_environment: false,
  settings_send_digest_emails: false,
} as const;
