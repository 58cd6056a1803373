// The organization's settings as its events tell of them: what each is called, and may be.
import { dict, either, oneOf } from "../clients/shapes.ts";
import { type Fields, GRANTED, granted, optional } from "./objects.ts";

export const AUTHENTICATION_METHODS = dict({
  enabled: "bool",
  available: "bool",
  "unavailable_reason?": "str",
});

/** Settings that an administrator can change, and those that follow from one. */
export const REALM_SETTINGS: Fields = {
  allow_message_editing: "bool",
  authentication_methods: AUTHENTICATION_METHODS,
  avatar_changes_disabled: "bool",
  default_avatar_source: oneOf("G", "J"),
  default_code_block_language: "str",
  default_language: "str",
  description: "str",
  digest_emails_enabled: "bool",
  digest_weekday: "int",
  disallow_disposable_email_addresses: "bool",
  email_changes_disabled: "bool",
  emails_restricted_to_domains: "bool",
  enable_guest_user_dm_warning: "bool",
  enable_guest_user_indicator: "bool",
  enable_read_receipts: "bool",
  enable_spectator_access: "bool",
  gif_rating_policy: "int",
  inline_image_preview: "bool",
  inline_url_embed_preview: "bool",
  invite_required: "bool",
  jitsi_server_url: "str?",
  media_preview_size: oneOf(100, 150, 200),
  message_content_allowed_in_email_notifications: "bool",
  message_content_delete_limit_seconds: "int?",
  message_content_edit_limit_seconds: "int?",
  message_edit_history_visibility_policy: oneOf("all", "moves", "none"),
  message_retention_days: "int",
  moderation_request_channel_id: "int",
  move_messages_between_streams_limit_seconds: "int?",
  move_messages_within_stream_limit_seconds: "int?",
  name: "str",
  name_changes_disabled: "bool",
  new_stream_announcements_stream_id: "int",
  org_type: "int",
  presence_disabled: "bool",
  require_e2ee_push_notifications: "bool",
  require_unique_names: "bool",
  send_channel_events_messages: "bool",
  send_welcome_emails: "bool",
  signup_announcements_stream_id: "int",
  topics_policy: oneOf("allow_empty_topic", "disable_empty_topic"),
  video_chat_provider: "int",
  waiting_period_threshold: "int",
  want_advertise_in_communities_directory: "bool",
  welcome_message_custom_text: "str",
  zulip_update_announcements_stream_id: "int",
  service_update_announcements_stream_id: "int",
  ...granted(
    "can_access_all_users",
    "can_add_custom_emoji",
    "can_add_subscribers",
    "can_create_bots",
    "can_create_private_channel",
    "can_create_public_channel",
    "can_create_web_public_channel",
    "can_create_write_only_bots",
    "can_delete_any_message",
    "can_delete_own_message",
    "can_invite_users",
    "can_manage_billing",
    "can_mention_many_users",
    "can_move_messages_between_channels",
    "can_move_messages_between_topics",
    "can_resolve_topics",
    "can_set_delete_message_policy",
    "can_set_topics_policy",
    "can_summarize_topics",
    "create_multiuse_invite",
    "direct_message_initiator",
    "direct_message_permission",
    "workplace_users",
  ),
  can_create_groups: GRANTED,
  can_manage_all_groups: GRANTED,
};

/** What goes with a setting in the same event, or is told in no other. */
const TOLD_BESIDE: Fields = {
  rendered_description: "str",
  mandatory_topics: "bool",
  wildcard_mention_policy: "int",
  create_public_stream_policy: "int",
  create_private_stream_policy: "int",
  create_web_public_stream_policy: "int",
};
const SOURCES: Fields = {
  icon: { icon_url: "str", icon_source: oneOf("G", "U") },
  logo: { logo_url: "str", logo_source: oneOf("D", "U") },
  night_logo: { night_logo_url: "str", night_logo_source: oneOf("D", "U") },
};

export const REALM_UPDATED = either(
  ...Object.entries(REALM_SETTINGS).map(([name, value]) => ({ property: oneOf(name), value })),
);
export const REALM_UPDATED_TOGETHER = either(
  { property: oneOf("default"), data: optional({ ...REALM_SETTINGS, ...TOLD_BESIDE }) },
  ...Object.entries(SOURCES).map(([property, data]) => ({ property: oneOf(property), data })),
);
