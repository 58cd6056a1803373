// What a client starts from: every field of a snapshot, and of the settings before anyone signs in.
import { dict, either, list, oneOf, type Shape } from "../clients/shapes.ts";
import {
  ACCOUNT,
  BOT_DEFAULTS,
  BOT_SERVICES,
  CHANNEL,
  CUSTOM_EMOJI,
  DEFAULT_GROUP,
  DOMAIN,
  DRAFT,
  FOLDER,
  GROUP,
  LEGACY_PRESENCE,
  LINKIFIER,
  MEMBERSHIP,
  MODERN_PRESENCE,
  NAVIGATION_VIEW,
  ONBOARDING_STEP,
  optional,
  PLAYGROUND,
  PROFILE_FIELD,
  REMINDER,
  SCHEDULED,
  SNIPPET,
  USER_STATUS,
} from "./objects.ts";
import { AUTHENTICATION_METHODS, REALM_SETTINGS } from "./realm-settings.ts";
import { DEFAULT_SETTINGS, PERSONAL_SETTINGS } from "./user-settings.ts";

type Fields = { readonly [field: string]: Shape };

const each = (names: string, shape: Shape): Fields =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, shape]));

const VERSION: Fields = {
  ...each("zulip_version zulip_merge_base service_version service_merge_base", "str"),
  ...each("zulip_feature_level service_feature_level", "int"),
};

const METHODS =
  "password dev email ldap remoteuser github azuread gitlab google apple saml discord";

export const SERVER_SETTINGS: Fields = {
  ...VERSION,
  authentication_methods: { ...each(METHODS, "bool"), "openid connect": "bool" },
  external_authentication_methods: list({
    name: "str",
    display_name: "str",
    display_icon: "str?",
    login_url: "str",
    signup_url: "str",
  }),
  ...each(
    `push_notifications_enabled is_incompatible email_auth_enabled require_email_format_usernames
    realm_web_public_access_enabled`,
    "bool",
  ),
  ...each("realm_url realm_uri realm_name realm_icon realm_description", "str"),
};

const LISTED = Object.fromEntries(
  Object.entries(ACCOUNT).filter(([name]) => name !== "is_active?"),
);
const { "profile_data?": _, ...HAS_NO_PROFILE } = ACCOUNT;

const PEOPLE: Fields = {
  realm_users: list(LISTED),
  realm_non_active_users: list(LISTED),
  cross_realm_bots: list({ ...HAS_NO_PROFILE, is_active: "bool", is_system_bot: oneOf(true) }),
  user_id: "int",
  email: "str",
  delivery_email: "str?",
  full_name: "str",
  avatar_source: oneOf("G", "J", "U"),
  ...each("avatar_url avatar_url_medium", "str"),
  ...each("is_owner is_admin is_moderator is_guest", "bool"),
  ...each(
    `can_create_streams can_create_public_streams can_create_private_streams
    can_create_web_public_streams can_invite_others_to_realm`,
    "bool",
  ),
};

const PERMISSION: Fields = {
  ...each("require_system_group allow_internet_group allow_nobody_group", "bool"),
  allow_everyone_group: "bool",
  default_group_name: "str",
  default_for_system_groups: "str?",
  allowed_system_groups: list("str"),
};
const NUMBERED = dict({ id: "int", name: "str" });
const POLICY = oneOf(1, 2, 3, 4);

const ORGANIZATION: Fields = {
  ...Object.fromEntries(
    Object.entries(REALM_SETTINGS).map(([name, shape]) => [`realm_${name}`, shape]),
  ),
  realm_authentication_methods: AUTHENTICATION_METHODS,
  ...each(
    `realm_url realm_uri realm_uuid realm_bot_domain realm_icon_url realm_logo_url
    realm_night_logo_url realm_empty_topic_display_name`,
    "str",
  ),
  realm_icon_source: oneOf("G", "U"),
  realm_logo_source: oneOf("D", "U"),
  realm_night_logo_source: oneOf("D", "U"),
  ...each("realm_date_created realm_plan_type", "int"),
  ...each(
    `realm_allow_edit_history realm_mandatory_topics realm_owner_full_content_access
    realm_email_auth_enabled realm_password_auth_enabled realm_push_notifications_enabled
    zulip_plan_is_not_limited service_plan_is_not_limited`,
    "bool",
  ),
  realm_push_notifications_enabled_end_timestamp: "int?",
  realm_upload_quota_mib: "int?",
  realm_create_public_stream_policy: POLICY,
  realm_create_private_stream_policy: POLICY,
  realm_create_web_public_stream_policy: oneOf(2, 4, 6, 7),
  realm_wildcard_mention_policy: oneOf(1, 2, 3, 5, 6, 7),
  realm_available_video_chat_providers: NUMBERED,
  realm_default_external_accounts: dict(each("name text hint url_pattern", "str")),
};

const SERVER: Fields = {
  ...each(
    `development_environment settings_send_digest_emails server_inline_image_preview
    server_inline_url_embed_preview server_avatar_changes_disabled server_name_changes_disabled
    server_needs_upgrade server_web_public_streams_enabled server_can_summarize_topics`,
    "bool",
  ),
  ...each("jitsi_server_url server_emoji_data_url upgrade_text_for_wide_organization_logo", "str"),
  server_jitsi_server_url: "str?",
  ...each(
    `server_generation event_queue_longpoll_timeout_seconds password_min_length
    password_max_length password_min_guesses max_file_upload_size_mib max_avatar_file_size_mib
    max_icon_file_size_mib max_logo_file_size_mib max_message_length max_topic_length
    max_stream_name_length max_stream_description_length max_channel_folder_name_length
    max_channel_folder_description_length max_reminder_note_length
    max_bulk_new_subscription_messages server_presence_ping_interval_seconds
    server_presence_offline_threshold_seconds server_typing_started_expiry_period_milliseconds
    server_typing_started_wait_period_milliseconds server_typing_stopped_wait_period_milliseconds`,
    "int",
  ),
  ...each("server_min_deactivated_realm_deletion_days", "int?"),
  ...each("server_max_deactivated_realm_deletion_days", "int?"),
  gif_rating_policy_options: NUMBERED,
  server_report_message_types: list({ key: "str", name: "str" }),
  server_thumbnail_formats: list({
    ...each("name format", "str"),
    ...each("max_width max_height", "int"),
    animated: "bool",
  }),
  server_supported_permission_settings: each("realm stream group", dict(PERMISSION)),
};

const IDS = list("int");
const UNREAD: Fields = {
  count: "int",
  pms: list({ other_user_id: "int", sender_id: "int", unread_message_ids: IDS }),
  streams: list({ stream_id: "int", topic: "str", unread_message_ids: IDS }),
  huddles: list({ user_ids_string: "str", unread_message_ids: IDS }),
  mentions: IDS,
  old_unreads_missing: "bool",
};

/** The groups of fields that a client may ask for by themselves. */
export const GROUPS: Readonly<Record<string, Fields>> = {
  alert_words: { alert_words: list("str") },
  channel_folders: { channel_folders: list(FOLDER) },
  custom_profile_fields: {
    custom_profile_fields: list(PROFILE_FIELD),
    custom_profile_field_types: NUMBERED,
  },
  default_streams: { realm_default_streams: IDS },
  default_stream_groups: { realm_default_stream_groups: list(DEFAULT_GROUP) },
  device: {
    devices: dict({
      ...each("push_key_id push_token_last_updated_timestamp", "int?"),
      ...each("push_token_id pending_push_token_id push_registration_error_code", "str?"),
    }),
  },
  drafts: { drafts: list(DRAFT) },
  giphy: { giphy_api_key: "str" },
  klipy: { klipy_api_key: "str" },
  message: { max_message_id: "int" },
  muted_topics: { muted_topics: list(list(either("str", "int"))) },
  muted_users: { muted_users: list({ id: "int", timestamp: "int" }) },
  navigation_views: { navigation_views: list(NAVIGATION_VIEW) },
  onboarding_steps: {
    onboarding_steps: list(ONBOARDING_STEP),
    navigation_tour_video_url: "str?",
  },
  presence: {
    presences: dict(either(LEGACY_PRESENCE, MODERN_PRESENCE)),
    presence_last_update_id: "int",
    server_timestamp: "num",
  },
  realm: { ...ORGANIZATION, ...SERVER },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: "bool" } },
  realm_bot: { realm_bots: list({ user_id: "int", ...BOT_DEFAULTS, services: BOT_SERVICES }) },
  realm_domains: { realm_domains: list(DOMAIN) },
  realm_embedded_bots: { realm_embedded_bots: list({ name: "str", config: dict("str") }) },
  realm_emoji: { realm_emoji: dict(CUSTOM_EMOJI) },
  realm_filters: { realm_filters: list("any") },
  realm_incoming_webhook_bots: {
    realm_incoming_webhook_bots: list({
      ...each("name display_name", "str"),
      all_event_types: either(list("str"), oneOf(null)),
      config_options: list(each("key label validator", "str")),
      url_options: list(each("key label input_type", "str")),
    }),
  },
  realm_linkifiers: { realm_linkifiers: list(LINKIFIER) },
  realm_playgrounds: { realm_playgrounds: list(PLAYGROUND) },
  realm_user: PEOPLE,
  realm_user_groups: { realm_user_groups: list(GROUP) },
  realm_user_settings_defaults: { realm_user_settings_defaults: DEFAULT_SETTINGS },
  recent_private_conversations: {
    recent_private_conversations: list({ max_message_id: "int", user_ids: IDS }),
  },
  reminders: { reminders: list(REMINDER) },
  saved_snippets: { saved_snippets: list(SNIPPET) },
  scheduled_messages: { scheduled_messages: list(SCHEDULED) },
  starred_messages: { starred_messages: IDS },
  stop_words: { stop_words: list("str") },
  stream: { streams: list(CHANNEL) },
  subscription: {
    subscriptions: list(MEMBERSHIP),
    unsubscribed: list(MEMBERSHIP),
    never_subscribed: list({
      ...CHANNEL,
      ...optional(each("subscribers partial_subscribers", IDS)),
    }),
  },
  tenor: { tenor_api_key: "str" },
  user_settings: { user_settings: PERSONAL_SETTINGS },
  user_status: { user_status: dict(USER_STATUS) },
  user_topic: {
    user_topics: list({
      ...each("stream_id last_updated", "int"),
      topic_name: "str",
      visibility_policy: oneOf(1, 2, 3),
    }),
  },
  video_calls: each("has_zoom_token has_webex_token", "bool"),
  zulip_version: {},
};

/** In every answer, whatever is asked for. */
export const ALWAYS: Fields = {
  ...VERSION,
  queue_id: "str",
  last_event_id: "int",
  idle_queue_timeout_secs: "int",
};

/** Of a client that asks for all there is. */
export const SNAPSHOT: Fields = {
  ...ALWAYS,
  ...Object.assign({}, ...Object.values(GROUPS)),
  unread_msgs: UNREAD,
};
