// The things that answers and events tell of, field by field, as the protocol describes them.
import { dict, either, list, oneOf, type Shape } from "../clients/shapes.ts";

export type Fields = { readonly [field: string]: Shape };

export const optional = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, shape]) => [`${name}?`, shape]));

/** A group, or people and groups that have no name of their own. */
export const GRANTED = either("int", {
  direct_members: list("int"),
  direct_subgroups: list("int"),
});
export const granted = (...names: string[]): Fields =>
  Object.fromEntries(names.map((name) => [`${name}_group`, GRANTED]));

export const ROLE = oneOf(100, 200, 300, 400, 600);
export const TOPIC_POLICY = oneOf(0, 1, 2, 3);
const EMOJI_TYPES = ["unicode_emoji", "realm_emoji", "zulip_extra_emoji", "service_extra_emoji"];
export const EMOJI_TYPE = oneOf(...EMOJI_TYPES);

export const CHANNEL: Fields = {
  stream_id: "int",
  name: "str",
  description: "str",
  rendered_description: "str",
  date_created: "secs",
  creator_id: "int?",
  invite_only: "bool",
  is_web_public: "bool",
  history_public_to_subscribers: "bool",
  is_archived: "bool",
  folder_id: "int?",
  topics_policy: oneOf("inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"),
  message_retention_days: "int?",
  first_message_id: "int?",
  is_recently_active: "bool",
  subscriber_count: "int",
  stream_weekly_traffic: "int?",
  stream_post_policy: oneOf(1, 2, 3, 4),
  is_announcement_only: "bool",
  ...granted(
    "can_add_subscribers",
    "can_administer_channel",
    "can_create_topic",
    "can_delete_any_message",
    "can_delete_own_message",
    "can_move_messages_out_of_channel",
    "can_move_messages_within_channel",
    "can_remove_subscribers",
    "can_resolve_topics",
    "can_send_message",
    "can_subscribe",
  ),
};

export const MEMBERSHIP: Fields = {
  ...CHANNEL,
  color: "str",
  is_muted: "bool",
  in_home_view: "bool",
  pin_to_top: "bool",
  desktop_notifications: "bool?",
  audible_notifications: "bool?",
  push_notifications: "bool?",
  email_notifications: "bool?",
  wildcard_mentions_notify: "bool?",
  "subscribers?": list("int"),
  "partial_subscribers?": list("int"),
};

export const PROFILE = dict({ value: "str", "rendered_value?": "str" });

/** Of a person or a bot; a snapshot's two lists say by themselves who is active. */
export const ACCOUNT: Fields = {
  user_id: "int",
  email: "str",
  delivery_email: "str?",
  full_name: "str",
  date_joined: "str",
  "is_active?": "bool",
  is_owner: "bool",
  is_admin: "bool",
  is_guest: "bool",
  is_bot: "bool",
  role: ROLE,
  /** Not told to spectators. */
  "timezone?": "str",
  "avatar_url?": "str?",
  avatar_version: "int",
  is_imported_stub: "bool",
  "is_deleted?": oneOf(true),
  "profile_data?": PROFILE,
  "bot_type?": "int?",
  "bot_owner_id?": "int?",
  "is_system_bot?": oneOf(true),
};

export const GROUP_GRANTS = granted(
  "can_add_members",
  "can_join",
  "can_leave",
  "can_manage",
  "can_mention",
  "can_remove_members",
);

export const GROUP: Fields = {
  id: "int",
  name: "str",
  description: "str",
  is_system_group: "bool",
  members: list("int"),
  direct_subgroup_ids: list("int"),
  deactivated: "bool",
  date_created: "secs?",
  creator_id: "int?",
  ...GROUP_GRANTS,
};

export const ATTACHMENT: Fields = {
  id: "int",
  name: "str",
  path_id: "str",
  size: "int",
  create_time: "secs",
  message_ids: list("int"),
};
export const DRAFT: Fields = {
  id: "int",
  type: oneOf("", "stream", "private"),
  to: list("int"),
  topic: "str",
  content: "str",
  timestamp: "secs",
};
export const SNIPPET: Fields = { id: "int", title: "str", content: "str", date_created: "secs" };
const LATER: Fields = {
  scheduled_message_id: "int",
  content: "str",
  rendered_content: "str",
  scheduled_delivery_timestamp: "int",
  failed: "bool",
};
export const SCHEDULED = either(
  { ...LATER, type: oneOf("stream"), to: "int", topic: "str" },
  { ...LATER, type: oneOf("private"), to: list("int") },
);
export const REMINDER: Fields = {
  reminder_id: "int",
  type: oneOf("private"),
  to: list("int"),
  content: "str",
  rendered_content: "str",
  scheduled_delivery_timestamp: "int",
  failed: "bool",
  reminder_target_message_id: "int",
};
export const FOLDER: Fields = {
  id: "int",
  name: "str",
  description: "str",
  rendered_description: "str",
  date_created: "secs?",
  creator_id: "int?",
  is_archived: "bool",
  order: "int",
};
export const DEFAULT_GROUP: Fields = {
  id: "int",
  name: "str",
  description: "str",
  streams: list("int"),
};
export const NAVIGATION_VIEW: Fields = { fragment: "str", is_pinned: "bool", name: "str?" };
export const ONBOARDING_STEP: Fields = { type: "str", name: "str" };
export const PROFILE_FIELD: Fields = {
  id: "int",
  type: oneOf(1, 2, 3, 4, 5, 6, 7, 8),
  order: "int",
  name: "str",
  hint: "str",
  field_data: "str",
  required: "bool",
  editable_by_user: "bool",
  "display_in_profile_summary?": oneOf(true),
  "use_for_user_matching?": "bool",
};
export const CUSTOM_EMOJI: Fields = {
  id: "str",
  name: "str",
  source_url: "str",
  "still_url?": "str?",
  deactivated: "bool",
  author_id: "int?",
};
export const LINKIFIER: Fields = {
  id: "int",
  pattern: "str",
  url_template: "str",
  example_input: "str?",
  reverse_template: "str?",
  alternative_url_templates: list("str"),
};
export const PLAYGROUND: Fields = {
  id: "int",
  name: "str",
  pygments_language: "str",
  url_template: "str",
};
export const DOMAIN: Fields = { domain: "str", allow_subdomains: "bool" };
export const BOT_DEFAULTS: Fields = {
  default_sending_stream: "str?",
  default_events_register_stream: "str?",
  default_all_public_streams: "bool",
};
export const BOT_SERVICES = list(
  either(
    { base_url: "str", interface: oneOf(1, 2), token: "str" },
    { service_name: "str", config_data: dict("str") },
  ),
);
export const USER_STATUS: Fields = optional({
  away: "bool",
  status_text: "str",
  emoji_name: "str",
  emoji_code: "str",
  reaction_type: oneOf("", ...EMOJI_TYPES),
});
const CLIENT_PRESENCE: Fields = {
  client: "str",
  status: oneOf("active", "idle"),
  timestamp: "secs",
};
export const WEBSITE_PRESENCE: Fields = {
  website: { ...CLIENT_PRESENCE, pushable: oneOf(false) },
};
export const LEGACY_PRESENCE: Fields = { ...WEBSITE_PRESENCE, aggregated: CLIENT_PRESENCE };
export const MODERN_PRESENCE: Fields = { active_timestamp: "secs", idle_timestamp: "secs" };
