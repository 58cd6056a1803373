// Fields of the organization in the snapshot, with the types of their values.

type Test = (value: unknown) => boolean;

const bool: Test = (value) => typeof value === "boolean";
const int: Test = (value) => Number.isSafeInteger(value);
const str: Test = (value) => typeof value === "string";
const nullable =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);
const oneOfValues =
  (...values: unknown[]): Test =>
  (value) =>
    values.includes(value);
const list: Test = Array.isArray;
const record: Test = (value) => typeof value === "object" && value !== null && !list(value);
const setting: Test = (value) => int(value) || record(value);

const testsByName = (test: Test, names: string) =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, test]),
  );

export const realmFields: Record<string, Test> = {
  ...testsByName(
    str,
    `realm_name realm_description realm_uuid realm_url realm_uri realm_bot_domain
    realm_default_language realm_default_code_block_language realm_icon_url realm_logo_url
    realm_night_logo_url realm_empty_topic_display_name realm_welcome_message_custom_text
    server_emoji_data_url`,
  ),
  ...testsByName(
    bool,
    `realm_allow_message_editing realm_allow_edit_history realm_mandatory_topics
    realm_enable_read_receipts realm_presence_disabled realm_enable_guest_user_indicator
    realm_enable_guest_user_dm_warning realm_enable_spectator_access realm_require_unique_names
    realm_name_changes_disabled realm_email_changes_disabled realm_avatar_changes_disabled
    realm_emails_restricted_to_domains realm_disallow_disposable_email_addresses
    realm_invite_required realm_send_welcome_emails realm_send_channel_events_messages
    realm_inline_image_preview realm_inline_url_embed_preview
    realm_message_content_allowed_in_email_notifications realm_digest_emails_enabled
    realm_push_notifications_enabled realm_require_e2ee_push_notifications
    realm_want_advertise_in_communities_directory realm_owner_full_content_access
    realm_email_auth_enabled realm_password_auth_enabled zulip_plan_is_not_limited
    development_environment settings_send_digest_emails server_needs_upgrade
    server_inline_image_preview server_inline_url_embed_preview server_avatar_changes_disabled
    server_name_changes_disabled server_web_public_streams_enabled server_can_summarize_topics
    server_sends_mail`,
  ),
  ...testsByName(
    int,
    `realm_org_type realm_plan_type realm_date_created realm_message_retention_days
    realm_waiting_period_threshold realm_gif_rating_policy realm_digest_weekday
    realm_video_chat_provider realm_new_stream_announcements_stream_id
    realm_signup_announcements_stream_id realm_zulip_update_announcements_stream_id
    realm_moderation_request_channel_id realm_create_public_stream_policy
    realm_create_private_stream_policy realm_create_web_public_stream_policy max_message_length
    max_topic_length max_stream_name_length max_stream_description_length
    max_channel_folder_name_length max_channel_folder_description_length max_reminder_note_length
    max_bulk_new_subscription_messages max_file_upload_size_mib max_avatar_file_size_mib
    max_icon_file_size_mib max_logo_file_size_mib password_min_length password_max_length
    password_min_guesses server_generation`,
  ),
  ...testsByName(
    nullable(int),
    `realm_message_content_edit_limit_seconds realm_message_content_delete_limit_seconds
    realm_move_messages_between_streams_limit_seconds
    realm_move_messages_within_stream_limit_seconds
    realm_push_notifications_enabled_end_timestamp realm_upload_quota_mib
    server_min_deactivated_realm_deletion_days server_max_deactivated_realm_deletion_days`,
  ),
  ...testsByName(
    nullable(str),
    `realm_jitsi_server_url upgrade_text_for_wide_organization_logo server_jitsi_server_url
    jitsi_server_url`,
  ),
  ...testsByName(
    setting,
    `realm_create_multiuse_invite_group realm_can_access_all_users_group
    realm_can_add_custom_emoji_group realm_can_add_subscribers_group realm_can_create_bots_group
    realm_can_create_groups realm_can_create_private_channel_group
    realm_can_create_public_channel_group realm_can_create_web_public_channel_group
    realm_can_create_write_only_bots_group realm_can_delete_any_message_group
    realm_can_delete_own_message_group realm_can_invite_users_group realm_can_manage_all_groups
    realm_can_manage_billing_group realm_can_mention_many_users_group
    realm_can_move_messages_between_channels_group realm_can_move_messages_between_topics_group
    realm_can_resolve_topics_group realm_can_set_delete_message_policy_group
    realm_can_set_topics_policy_group realm_can_summarize_topics_group
    realm_direct_message_initiator_group realm_direct_message_permission_group
    realm_workplace_users_group`,
  ),
  realm_default_avatar_source: oneOfValues("G", "J"),
  realm_icon_source: oneOfValues("G", "U"),
  realm_logo_source: oneOfValues("D", "U"),
  realm_night_logo_source: oneOfValues("D", "U"),
  realm_message_edit_history_visibility_policy: oneOfValues("all", "moves", "none"),
  realm_topics_policy: oneOfValues("allow_empty_topic", "disable_empty_topic"),
  realm_wildcard_mention_policy: oneOfValues(1, 2, 3, 5, 6, 7),
  realm_allow_search_engines: bool,
  realm_newcomer_hours: oneOfValues(24),
  realm_newcomer_messages_per_hour: oneOfValues(30),
  realm_newcomer_links_per_message: oneOfValues(2),
  realm_newcomer_conversations: oneOfValues(5),
  realm_keep_picture_metadata: bool,
  realm_media_preview_size: oneOfValues(100, 150, 200),
  realm_available_video_chat_providers: record,
  realm_authentication_methods: record,
  realm_default_external_accounts: record,
  event_queue_longpoll_timeout_seconds: oneOfValues(90),
  server_presence_ping_interval_seconds: oneOfValues(60),
  server_presence_offline_threshold_seconds: oneOfValues(200),
  server_typing_started_expiry_period_milliseconds: oneOfValues(45_000),
  server_typing_stopped_wait_period_milliseconds: oneOfValues(12_000),
  server_typing_started_wait_period_milliseconds: oneOfValues(30_000),
  server_thumbnail_formats: list,
  server_report_message_types: list,
  gif_rating_policy_options: record,
  custom_profile_fields: list,
  custom_profile_field_types: record,
  server_supported_permission_settings: (value) =>
    ["realm", "stream", "group"].every((kind) => {
      const settings = Object.values((value as Record<string, object>)[kind]!);
      return settings.length > 0 && settings.every(isPermission);
    }),
};

const permissionFields: Record<string, Test> = {
  require_system_group: bool,
  allow_internet_group: oneOfValues(false),
  allow_nobody_group: bool,
  allow_everyone_group: bool,
  default_group_name: str,
  default_for_system_groups: nullable(str),
  allowed_system_groups: list,
};

function isPermission(value: Record<string, unknown>) {
  const names = Object.keys(permissionFields);
  return (
    Object.keys(value).length === names.length &&
    names.every((name) => permissionFields[name]!(value[name]))
  );
}
