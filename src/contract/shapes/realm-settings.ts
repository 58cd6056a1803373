// Schemas of the organization's settings as events report them.
import Type from "typebox";
import { changeOf, dict, unionOf, nullable, choice, partial } from "./value-types.ts";
import { granted, grantedShape } from "./rights.ts";

export const authenticationMethodsShape = dict(
  Type.Object({
    enabled: Type.Boolean(),
    available: Type.Boolean(),
    unavailable_reason: Type.Optional(Type.String()),
  }),
);

/** Settings that administrators can change, and settings derived from them. */
export const realmSettingsShape = Type.Object({
  allow_message_editing: Type.Boolean(),
  authentication_methods: authenticationMethodsShape,
  avatar_changes_disabled: Type.Boolean(),
  default_avatar_source: choice("G", "J"),
  default_code_block_language: Type.String(),
  default_language: Type.String(),
  description: Type.String(),
  digest_emails_enabled: Type.Boolean(),
  digest_weekday: Type.Integer(),
  disallow_disposable_email_addresses: Type.Boolean(),
  email_changes_disabled: Type.Boolean(),
  emails_restricted_to_domains: Type.Boolean(),
  enable_guest_user_dm_warning: Type.Boolean(),
  allow_search_engines: Type.Boolean(),
  newcomer_hours: Type.Integer(),
  newcomer_messages_per_hour: Type.Integer(),
  newcomer_links_per_message: Type.Integer(),
  newcomer_conversations: Type.Integer(),
  enable_guest_user_indicator: Type.Boolean(),
  enable_read_receipts: Type.Boolean(),
  enable_spectator_access: Type.Boolean(),
  gif_rating_policy: Type.Integer(),
  inline_image_preview: Type.Boolean(),
  inline_url_embed_preview: Type.Boolean(),
  invite_required: Type.Boolean(),
  jitsi_server_url: nullable(Type.String()),
  keep_picture_metadata: Type.Boolean(),
  media_preview_size: choice(100, 150, 200),
  message_content_allowed_in_email_notifications: Type.Boolean(),
  message_content_delete_limit_seconds: nullable(Type.Integer()),
  message_content_edit_limit_seconds: nullable(Type.Integer()),
  message_edit_history_visibility_policy: choice("all", "moves", "none"),
  message_retention_days: Type.Integer(),
  moderation_request_channel_id: Type.Integer(),
  move_messages_between_streams_limit_seconds: nullable(Type.Integer()),
  move_messages_within_stream_limit_seconds: nullable(Type.Integer()),
  name: Type.String(),
  name_changes_disabled: Type.Boolean(),
  new_stream_announcements_stream_id: Type.Integer(),
  org_type: Type.Integer(),
  presence_disabled: Type.Boolean(),
  require_e2ee_push_notifications: Type.Boolean(),
  require_unique_names: Type.Boolean(),
  send_channel_events_messages: Type.Boolean(),
  send_welcome_emails: Type.Boolean(),
  signup_announcements_stream_id: Type.Integer(),
  topics_policy: choice("allow_empty_topic", "disable_empty_topic"),
  video_chat_provider: Type.Integer(),
  waiting_period_threshold: Type.Integer(),
  want_advertise_in_communities_directory: Type.Boolean(),
  welcome_message_custom_text: Type.String(),
  zulip_update_announcements_stream_id: Type.Integer(),
  service_update_announcements_stream_id: Type.Integer(),
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
  can_create_groups: grantedShape,
  can_manage_all_groups: grantedShape,
});

/** Fields that accompany a setting in the same event, or appear in no other event. */
const additionalSettingsShape = Type.Object({
  rendered_description: Type.String(),
  mandatory_topics: Type.Boolean(),
  wildcard_mention_policy: Type.Integer(),
  create_public_stream_policy: Type.Integer(),
  create_private_stream_policy: Type.Integer(),
  create_web_public_stream_policy: Type.Integer(),
});

const iconShape = Type.Object({ icon_url: Type.String(), icon_source: choice("G", "U") });
const logoShape = Type.Object({ logo_url: Type.String(), logo_source: choice("D", "U") });
const nightLogoShape = Type.Object({
  night_logo_url: Type.String(),
  night_logo_source: choice("D", "U"),
});

export const realmUpdatedShape = changeOf(realmSettingsShape.properties);

export const realmUpdatedTogetherShape = unionOf(
  Type.Object({
    property: Type.Literal("default"),
    data: Type.Object(
      partial({ ...realmSettingsShape.properties, ...additionalSettingsShape.properties }),
    ),
  }),
  Type.Object({ property: Type.Literal("icon"), data: iconShape }),
  Type.Object({ property: Type.Literal("logo"), data: logoShape }),
  Type.Object({ property: Type.Literal("night_logo"), data: nightLogoShape }),
);
