// Schemas of the register snapshot and of the server settings before sign-in.
import Type from "typebox";
import { channelShape, defaultGroupShape, folderShape, membershipShape } from "./channels.ts";
import { draftShape, reminderShape, scheduledShape, snippetShape } from "./personal.ts";
import {
  dict,
  sameSchema,
  unionOf,
  list,
  mergeGroups,
  nullable,
  choice,
  partial,
  withPrefix,
} from "./value-types.ts";
import {
  customEmojiShape,
  domainShape,
  linkifierShape,
  navigationViewShape,
  onboardingStepShape,
  playgroundShape,
  profileFieldShape,
  sidebarOrderShape,
} from "./organization.ts";
import {
  accountShape,
  botDefaultsShape,
  botServicesShape,
  groupShape,
  legacyPresenceShape,
  modernPresenceShape,
  userStatusShape,
} from "./people.ts";
import { authenticationMethodsShape, realmSettingsShape } from "./realm-settings.ts";
import { defaultSettingsShape, personalSettingsShape } from "./user-settings.ts";

const versionShape = Type.Object({
  ...sameSchema(
    ["zulip_version", "zulip_merge_base", "service_version", "service_merge_base"],
    Type.String(),
  ),
  ...sameSchema(["zulip_feature_level", "service_feature_level"], Type.Integer()),
});

const METHODS = [
  "password",
  "dev",
  "email",
  "ldap",
  "remoteuser",
  "github",
  "azuread",
  "gitlab",
  "google",
  "apple",
  "saml",
  "discord",
] as const;

const serverAloneShape = Type.Object({
  ...versionShape.properties,
  authentication_methods: Type.Object({
    ...sameSchema(METHODS, Type.Boolean()),
    "openid connect": Type.Boolean(),
  }),
  external_authentication_methods: list(
    Type.Object({
      name: Type.String(),
      display_name: Type.String(),
      display_icon: nullable(Type.String()),
      login_url: Type.String(),
      signup_url: Type.String(),
    }),
  ),
  skein_version: Type.String(),
  ...sameSchema(
    [
      "push_notifications_enabled",
      "is_incompatible",
      "email_auth_enabled",
      "require_email_format_usernames",
    ],
    Type.Boolean(),
  ),
});

const homeShape = Type.Object({
  ...sameSchema(
    ["realm_url", "realm_uri", "realm_name", "realm_icon", "realm_description"],
    Type.String(),
  ),
  realm_web_public_access_enabled: Type.Boolean(),
});

/** Server settings at the host of an organization. */
export const serverSettingsShape = Type.Object({
  ...serverAloneShape.properties,
  ...homeShape.properties,
});

/** Server settings at any host, also without an organization. */
export const openSettingsShape = Type.Object({
  ...serverAloneShape.properties,
  ...partial(homeShape.properties),
});

const { is_active: _, ...listed } = accountShape.properties;
const listedShape = Type.Object(listed);

const { profile_data: __, ...hasNoProfile } = accountShape.properties;
const peopleShape = Type.Object({
  realm_users: list(listedShape),
  realm_non_active_users: list(listedShape),
  cross_realm_bots: list(
    Type.Object({ ...hasNoProfile, is_active: Type.Boolean(), is_system_bot: Type.Literal(true) }),
  ),
  user_id: Type.Integer(),
  email: Type.String(),
  delivery_email: nullable(Type.String()),
  full_name: Type.String(),
  avatar_source: choice("G", "J", "U"),
  ...sameSchema(["avatar_url", "avatar_url_medium"], Type.String()),
  ...sameSchema(["is_owner", "is_admin", "is_moderator", "is_guest"], Type.Boolean()),
  ...sameSchema(
    [
      "can_create_streams",
      "can_create_public_streams",
      "can_create_private_streams",
      "can_create_web_public_streams",
      "can_invite_others_to_realm",
    ],
    Type.Boolean(),
  ),
});

const permissionShape = Type.Object({
  ...sameSchema(
    ["require_system_group", "allow_internet_group", "allow_nobody_group"],
    Type.Boolean(),
  ),
  allow_everyone_group: Type.Boolean(),
  default_group_name: Type.String(),
  default_for_system_groups: nullable(Type.String()),
  allowed_system_groups: list(Type.String()),
});

const numberedShape = dict(Type.Object({ id: Type.Integer(), name: Type.String() }));

const policyShape = choice(1, 2, 3, 4);

const organizationShape = Type.Object({
  ...withPrefix("realm_", realmSettingsShape.properties),
  realm_authentication_methods: authenticationMethodsShape,
  ...sameSchema(
    [
      "realm_url",
      "realm_uri",
      "realm_uuid",
      "realm_bot_domain",
      "realm_icon_url",
      "realm_logo_url",
      "realm_night_logo_url",
      "realm_empty_topic_display_name",
    ],
    Type.String(),
  ),
  realm_icon_source: choice("G", "U"),
  realm_logo_source: choice("D", "U"),
  realm_night_logo_source: choice("D", "U"),
  ...sameSchema(["realm_date_created", "realm_plan_type"], Type.Integer()),
  ...sameSchema(
    [
      "realm_allow_edit_history",
      "realm_mandatory_topics",
      "realm_owner_full_content_access",
      "realm_email_auth_enabled",
      "realm_password_auth_enabled",
      "realm_push_notifications_enabled",
      "zulip_plan_is_not_limited",
      "service_plan_is_not_limited",
    ],
    Type.Boolean(),
  ),
  realm_push_notifications_enabled_end_timestamp: nullable(Type.Integer()),
  realm_upload_quota_mib: nullable(Type.Integer()),
  realm_create_public_stream_policy: policyShape,
  realm_create_private_stream_policy: policyShape,
  realm_create_web_public_stream_policy: choice(2, 4, 6, 7),
  realm_wildcard_mention_policy: choice(1, 2, 3, 5, 6, 7),
  realm_available_video_chat_providers: numberedShape,
  realm_default_external_accounts: dict(
    Type.Object(sameSchema(["name", "text", "hint", "url_pattern"], Type.String())),
  ),
});

const serverShape = Type.Object({
  ...sameSchema(
    [
      "development_environment",
      "settings_send_digest_emails",
      "server_inline_image_preview",
      "server_inline_url_embed_preview",
      "server_avatar_changes_disabled",
      "server_name_changes_disabled",
      "server_needs_upgrade",
      "server_web_public_streams_enabled",
      "server_can_summarize_topics",
      "server_sends_mail",
    ],
    Type.Boolean(),
  ),
  ...sameSchema(
    ["jitsi_server_url", "server_emoji_data_url", "upgrade_text_for_wide_organization_logo"],
    Type.String(),
  ),
  server_jitsi_server_url: nullable(Type.String()),
  ...sameSchema(
    [
      "server_generation",
      "event_queue_longpoll_timeout_seconds",
      "password_min_length",
      "password_max_length",
      "password_min_guesses",
      "max_file_upload_size_mib",
      "max_avatar_file_size_mib",
      "max_icon_file_size_mib",
      "max_logo_file_size_mib",
      "max_message_length",
      "max_topic_length",
      "max_stream_name_length",
      "max_stream_description_length",
      "max_channel_folder_name_length",
      "max_channel_folder_description_length",
      "max_reminder_note_length",
      "max_bulk_new_subscription_messages",
      "server_presence_ping_interval_seconds",
      "server_presence_offline_threshold_seconds",
      "server_typing_started_expiry_period_milliseconds",
      "server_typing_started_wait_period_milliseconds",
      "server_typing_stopped_wait_period_milliseconds",
    ],
    Type.Integer(),
  ),
  ...sameSchema(["server_min_deactivated_realm_deletion_days"], nullable(Type.Integer())),
  ...sameSchema(["server_max_deactivated_realm_deletion_days"], nullable(Type.Integer())),
  gif_rating_policy_options: numberedShape,
  server_report_message_types: list(Type.Object({ key: Type.String(), name: Type.String() })),
  server_thumbnail_formats: list(
    Type.Object({
      ...sameSchema(["name", "format"], Type.String()),
      ...sameSchema(["max_width", "max_height"], Type.Integer()),
      animated: Type.Boolean(),
    }),
  ),
  server_supported_permission_settings: Type.Object(
    sameSchema(["realm", "stream", "group"], dict(permissionShape)),
  ),
});

const idsShape = list(Type.Integer());

const unreadShape = Type.Object({
  count: Type.Integer(),
  pms: list(
    Type.Object({
      other_user_id: Type.Integer(),
      sender_id: Type.Integer(),
      unread_message_ids: idsShape,
    }),
  ),
  streams: list(
    Type.Object({ stream_id: Type.Integer(), topic: Type.String(), unread_message_ids: idsShape }),
  ),
  huddles: list(Type.Object({ user_ids_string: Type.String(), unread_message_ids: idsShape })),
  mentions: idsShape,
  old_unreads_missing: Type.Boolean(),
});

/** Groups of fields that a client can request separately. */
export const snapshotParts = {
  alert_words: { alert_words: list(Type.String()) },
  channel_folders: { channel_folders: list(folderShape) },
  custom_profile_fields: {
    custom_profile_fields: list(profileFieldShape),
    custom_profile_field_types: numberedShape,
  },
  default_streams: { realm_default_streams: idsShape },
  default_stream_groups: { realm_default_stream_groups: list(defaultGroupShape) },
  device: {
    devices: dict(
      Type.Object({
        ...sameSchema(
          ["push_key_id", "push_token_last_updated_timestamp"],
          nullable(Type.Integer()),
        ),
        ...sameSchema(
          ["push_token_id", "pending_push_token_id", "push_registration_error_code"],
          nullable(Type.String()),
        ),
      }),
    ),
  },
  drafts: { drafts: list(draftShape) },
  giphy: { giphy_api_key: Type.String() },
  klipy: { klipy_api_key: Type.String() },
  message: { max_message_id: Type.Integer() },
  muted_topics: { muted_topics: list(list(unionOf(Type.String(), Type.Integer()))) },
  muted_users: {
    muted_users: list(Type.Object({ id: Type.Integer(), timestamp: Type.Integer() })),
  },
  navigation_views: { navigation_views: list(navigationViewShape) },
  onboarding_steps: {
    onboarding_steps: list(onboardingStepShape),
    navigation_tour_video_url: nullable(Type.String()),
  },
  presence: {
    presences: dict(unionOf(legacyPresenceShape, modernPresenceShape)),
    presence_last_update_id: Type.Integer(),
    server_timestamp: Type.Number(),
  },
  realm: { ...organizationShape.properties, ...serverShape.properties },
  realm_billing: {
    realm_billing: Type.Object({ has_pending_sponsorship_request: Type.Boolean() }),
  },
  realm_bot: {
    realm_bots: list(
      Type.Object({
        user_id: Type.Integer(),
        ...botDefaultsShape.properties,
        services: botServicesShape,
      }),
    ),
  },
  realm_domains: { realm_domains: list(domainShape) },
  realm_embedded_bots: {
    realm_embedded_bots: list(Type.Object({ name: Type.String(), config: dict(Type.String()) })),
  },
  realm_emoji: { realm_emoji: dict(customEmojiShape) },
  realm_filters: { realm_filters: list(Type.Unknown()) },
  realm_incoming_webhook_bots: {
    realm_incoming_webhook_bots: list(
      Type.Object({
        ...sameSchema(["name", "display_name"], Type.String()),
        all_event_types: unionOf(list(Type.String()), Type.Null()),
        config_options: list(Type.Object(sameSchema(["key", "label", "validator"], Type.String()))),
        url_options: list(Type.Object(sameSchema(["key", "label", "input_type"], Type.String()))),
      }),
    ),
  },
  realm_linkifiers: { realm_linkifiers: list(linkifierShape) },
  realm_playgrounds: { realm_playgrounds: list(playgroundShape) },
  realm_user: peopleShape.properties,
  realm_user_groups: { realm_user_groups: list(groupShape) },
  realm_user_settings_defaults: { realm_user_settings_defaults: defaultSettingsShape },
  recent_private_conversations: {
    recent_private_conversations: list(
      Type.Object({ max_message_id: Type.Integer(), user_ids: idsShape }),
    ),
  },
  reminders: { reminders: list(reminderShape) },
  saved_snippets: { saved_snippets: list(snippetShape) },
  scheduled_messages: { scheduled_messages: list(scheduledShape) },
  skein_sidebar_order: partial({ skein_sidebar_order: sidebarOrderShape }),
  starred_messages: { starred_messages: idsShape },
  stop_words: { stop_words: list(Type.String()) },
  stream: { streams: list(channelShape) },
  subscription: {
    subscriptions: list(membershipShape),
    unsubscribed: list(membershipShape),
    never_subscribed: list(
      Type.Object({
        ...channelShape.properties,
        ...partial(sameSchema(["subscribers", "partial_subscribers"], idsShape)),
      }),
    ),
  },
  tenor: { tenor_api_key: Type.String() },
  user_settings: { user_settings: personalSettingsShape },
  user_status: { user_status: dict(userStatusShape) },
  user_topic: {
    user_topics: list(
      Type.Object({
        ...sameSchema(["stream_id", "last_updated"], Type.Integer()),
        topic_name: Type.String(),
        visibility_policy: choice(1, 2, 3),
      }),
    ),
  },
  video_calls: sameSchema(["has_zoom_token", "has_webex_token"], Type.Boolean()),
  zulip_version: {},
};

/** Fields of every response. */
export const alwaysShape = Type.Object({
  ...versionShape.properties,
  queue_id: Type.String(),
  last_event_id: Type.Integer(),
  idle_queue_timeout_secs: Type.Integer(),
});

/** The snapshot of a client that requests everything. */
export const snapshotShape = Type.Object({
  ...alwaysShape.properties,
  ...mergeGroups(snapshotParts),
  unread_msgs: unreadShape,
});

const { queue_id: ___, ...fields } = snapshotShape.properties;

/** The response to a registration. Spectators have no queue. */
export const registeredShape = Type.Object({
  ...partial(fields),
  queue_id: nullable(Type.String()),
});
