// Fields that the mobile app requires, where a wrong type or null ends its session.
import { dict, nonEmptyList, nonEmptyDict, list, type Schema } from "./shapes.ts";

export const SERVER_SETTINGS: Schema = {
  authentication_methods: { ldap: "bool", password: "bool", email: "bool" },
  external_authentication_methods: list({
    name: "str",
    display_name: "str",
    display_icon: "str?",
    login_url: "str",
    signup_url: "str",
  }),
  zulip_version: "str",
  zulip_merge_base: "str",
  zulip_feature_level: "int",
  push_notifications_enabled: "bool",
  is_incompatible: "bool",
  email_auth_enabled: "bool",
  require_email_format_usernames: "bool",
  realm_web_public_access_enabled: "bool",
  realm_url: "str",
  realm_uri: "str",
  realm_name: "str",
  realm_icon: "str",
  realm_description: "str",
};

const PERSON: Schema = {
  user_id: "int",
  email: "str",
  delivery_email: "str?",
  full_name: "str",
  date_joined: "str",
  is_bot: "bool",
  "bot_type?": "int?",
  "bot_owner_id?": "int?",
  role: "int",
  timezone: "str",
  avatar_version: "int",
  "avatar_url?": "str?",
  "profile_data?": dict({ value: "str", "rendered_value?": "str" }),
};

const CHANNEL: Schema = {
  stream_id: "int",
  name: "str",
  description: "str",
  rendered_description: "str",
  date_created: "int",
  first_message_id: "int?",
  folder_id: "int?",
  invite_only: "bool",
  is_web_public: "bool",
  is_archived: "bool",
  is_recently_active: "bool",
  history_public_to_subscribers: "bool",
  message_retention_days: "int?",
  topics_policy: "str",
  stream_post_policy: "int",
  stream_weekly_traffic: "int?",
  can_add_subscribers_group: "any",
  can_delete_any_message_group: "any",
  can_delete_own_message_group: "any",
  can_send_message_group: "any",
  can_subscribe_group: "any",
};

const SUBSCRIPTION: Schema = {
  ...CHANNEL,
  color: "str",
  is_muted: "bool",
  pin_to_top: "bool",
  desktop_notifications: "bool?",
  email_notifications: "bool?",
  push_notifications: "bool?",
  audible_notifications: "bool?",
  wildcard_mentions_notify: "bool?",
};

const GROUP: Schema = {
  id: "int",
  name: "str",
  description: "str",
  members: list("int"),
  direct_subgroup_ids: list("int"),
  is_system_group: "bool",
  deactivated: "bool",
};

const UNREAD_IDS = nonEmptyList("int");

/** Shape of a snapshot that has an example of every field. */
export const SNAPSHOT: Schema = {
  queue_id: "str",
  last_event_id: "int",
  zulip_version: "str",
  zulip_merge_base: "str",
  zulip_feature_level: "int",
  idle_queue_timeout_secs: "int",
  alert_words: list("str"),
  custom_profile_fields: list({
    id: "int",
    type: "int",
    order: "int",
    name: "str",
    hint: "str",
    field_data: "str",
  }),
  max_stream_name_length: "int",
  max_topic_length: "int",
  max_file_upload_size_mib: "int",
  server_presence_ping_interval_seconds: "int",
  server_presence_offline_threshold_seconds: "int",
  server_typing_started_expiry_period_milliseconds: "int",
  server_typing_stopped_wait_period_milliseconds: "int",
  server_typing_started_wait_period_milliseconds: "int",
  server_emoji_data_url: "str",
  server_thumbnail_formats: list({
    name: "str",
    max_width: "int",
    max_height: "int",
    format: "str",
    animated: "bool",
  }),
  server_report_message_types: list({ key: "str", name: "str" }),
  event_queue_longpoll_timeout_seconds: "int",
  muted_users: nonEmptyList({ id: "int", timestamp: "int" }),
  presences: nonEmptyDict({ active_timestamp: "int", idle_timestamp: "int" }),
  realm_emoji: dict({ id: "str", name: "str", source_url: "str", deactivated: "bool" }),
  realm_user_groups: nonEmptyList(GROUP),
  recent_private_conversations: nonEmptyList({
    max_message_id: "int",
    user_ids: nonEmptyList("int"),
  }),
  saved_snippets: list({ id: "int", title: "str", content: "str", date_created: "int" }),
  channel_folders: list({ id: "int", name: "str", order: "int", is_archived: "bool" }),
  devices: dict({ push_key_id: "int?" }),
  subscriptions: nonEmptyList(SUBSCRIPTION),
  streams: nonEmptyList(CHANNEL),
  unread_msgs: {
    count: "int",
    pms: nonEmptyList({ other_user_id: "int", sender_id: "int", unread_message_ids: UNREAD_IDS }),
    streams: nonEmptyList({ stream_id: "int", topic: "str", unread_message_ids: UNREAD_IDS }),
    huddles: nonEmptyList({ user_ids_string: "str", unread_message_ids: UNREAD_IDS }),
    mentions: UNREAD_IDS,
    old_unreads_missing: "bool",
  },
  starred_messages: nonEmptyList("int"),
  user_status: nonEmptyDict({
    "status_text?": "str",
    "emoji_name?": "str",
    "emoji_code?": "str",
    "reaction_type?": "str",
  }),
  user_settings: {
    twenty_four_hour_time: "bool?",
    starred_message_counts: "bool",
    display_emoji_reaction_users: "bool",
    emojiset: "str",
    presence_enabled: "bool",
  },
  user_topics: nonEmptyList({
    stream_id: "int",
    topic_name: "str",
    last_updated: "int",
    visibility_policy: "int",
  }),
  realm_can_delete_any_message_group: "any",
  realm_can_delete_own_message_group: "any",
  realm_wildcard_mention_policy: "int",
  realm_mandatory_topics: "bool",
  realm_name: "str",
  realm_waiting_period_threshold: "int",
  realm_message_content_delete_limit_seconds: "int?",
  realm_allow_message_editing: "bool",
  realm_message_content_edit_limit_seconds: "int?",
  realm_enable_read_receipts: "bool",
  realm_icon_url: "str",
  realm_presence_disabled: "bool",
  realm_topics_policy: "str",
  realm_moderation_request_channel_id: "int",
  realm_default_external_accounts: dict({
    name: "str",
    text: "str",
    hint: "str",
    url_pattern: "str",
  }),
  realm_empty_topic_display_name: "str",
  realm_users: nonEmptyList(PERSON),
  realm_non_active_users: nonEmptyList(PERSON),
  cross_realm_bots: nonEmptyList(PERSON),
};

const ANY_MESSAGE: Schema = {
  id: "int",
  type: "str",
  client: "str",
  content: "str",
  content_type: "str",
  is_me_message: "bool",
  recipient_id: "int",
  sender_id: "int",
  sender_email: "str",
  sender_full_name: "str",
  sender_realm_str: "str",
  timestamp: "int",
  subject: "str",
  avatar_url: "str?",
  topic_links: list({ text: "str", url: "str" }),
  reactions: list({
    emoji_name: "str",
    emoji_code: "str",
    reaction_type: "str",
    user_id: "int",
  }),
  submessages: list({
    id: "int",
    message_id: "int",
    sender_id: "int",
    msg_type: "str",
    content: "str",
  }),
};

const IN_CHANNEL: Schema = { ...ANY_MESSAGE, stream_id: "int", display_recipient: "str" };
const DIRECT: Schema = {
  ...ANY_MESSAGE,
  display_recipient: nonEmptyList({
    id: "int",
    email: "str",
    full_name: "str",
    is_mirror_dummy: "bool",
  }),
};

/** Messages by type; fetched ones contain their flags, events have them beside the message. */
export const MESSAGES: Record<string, Schema> = { stream: IN_CHANNEL, private: DIRECT };

export const FETCHED_MESSAGE: Schema = {
  anchor: "int",
  found_newest: "bool",
  found_oldest: "bool",
  found_anchor: "bool",
  history_limited: "bool",
  messages: nonEmptyList({ ...ANY_MESSAGE, flags: list("str") }),
};

const TYPIST: Schema = { user_id: "int", email: "str" };

/** Examples by event type, and by op if there is one. */
export const EVENTS: Record<string, Schema> = {
  message: { flags: list("str"), message: ANY_MESSAGE, "local_message_id?": "str" },
  "update_message_flags add": { flag: "str", messages: list("int"), all: "bool" },
  "update_message_flags remove": {
    flag: "str",
    messages: list("int"),
    message_details: nonEmptyDict({
      type: "str",
      "stream_id?": "int",
      "topic?": "str",
      "user_ids?": list("int"),
      "mentioned?": "bool",
    }),
  },
  "typing start": {
    message_type: "str",
    sender: TYPIST,
    "recipients?": nonEmptyList(TYPIST),
    "stream_id?": "int",
    "topic?": "str",
  },
  presence: {
    user_id: "int",
    server_timestamp: "num",
    presence: nonEmptyDict({ client: "str", status: "str", timestamp: "int", pushable: "bool" }),
  },
  user_status: { user_id: "int", status_text: "str" },
  user_topic: {
    stream_id: "int",
    topic_name: "str",
    last_updated: "int",
    visibility_policy: "int",
  },
  muted_users: { muted_users: list({ id: "int", timestamp: "int" }) },
  "stream create": { streams: nonEmptyList(CHANNEL) },
  "stream delete": { stream_ids: nonEmptyList("int") },
  "stream update": { stream_id: "int", name: "str", property: "str", value: "any?" },
  "subscription add": { subscriptions: nonEmptyList(SUBSCRIPTION) },
  "subscription remove": { subscriptions: nonEmptyList({ stream_id: "int" }) },
  "subscription update": { stream_id: "int", property: "str", value: "any" },
  "subscription peer_add": { stream_ids: nonEmptyList("int"), user_ids: nonEmptyList("int") },
  "subscription peer_remove": { stream_ids: nonEmptyList("int"), user_ids: nonEmptyList("int") },
  "realm_user add": { person: PERSON },
  "realm_user update": { person: { user_id: "int" } },
  "user_group add_members": { group_id: "int", user_ids: nonEmptyList("int") },
  "user_group remove_members": { group_id: "int", user_ids: nonEmptyList("int") },
  "user_settings update": { property: "str", value: "any" },
};
