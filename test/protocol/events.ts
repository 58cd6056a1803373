// Every event that a client may hear, by type and op, as the protocol describes it.
import { dict, either, list, oneOf } from "../clients/shapes.ts";
import { FLAGS, LINK, TOLD_MESSAGE } from "./message-objects.ts";
import {
  ACCOUNT,
  ATTACHMENT,
  BOT_DEFAULTS,
  BOT_SERVICES,
  CHANNEL,
  CUSTOM_EMOJI,
  DEFAULT_GROUP,
  DOMAIN,
  DRAFT,
  type Fields,
  FOLDER,
  GROUP,
  GROUP_GRANTS,
  LINKIFIER,
  MEMBERSHIP,
  MODERN_PRESENCE,
  NAVIGATION_VIEW,
  ONBOARDING_STEP,
  optional,
  PLAYGROUND,
  PROFILE_FIELD,
  REMINDER,
  ROLE,
  SCHEDULED,
  SNIPPET,
  TOPIC_POLICY,
  USER_STATUS,
  WEBSITE_PRESENCE,
  EMOJI_TYPE,
} from "./objects.ts";
import { REALM_UPDATED, REALM_UPDATED_TOGETHER } from "./realm-settings.ts";

const REACTION = {
  user_id: "int",
  message_id: "int",
  emoji_name: "str",
  emoji_code: "str",
  reaction_type: EMOJI_TYPE,
} as const;
const ADDRESSED = { user_id: "int", email: "str" } as const;
const TYPING = either(
  { message_type: oneOf("direct"), sender: ADDRESSED, recipients: list(ADDRESSED) },
  { message_type: oneOf("stream"), sender: ADDRESSED, stream_id: "int", topic: "str" },
);
const TYPING_ON_EDIT = {
  sender_id: "int",
  message_id: "int",
  recipient: either(
    { type: oneOf("channel"), channel_id: "int", topic: "str" },
    { type: oneOf("direct"), user_ids: list("int") },
  ),
} as const;
const FILE = { attachment: ATTACHMENT, upload_space_used: "int" } as const;
const PLACE = { stream_id: "int", topic: "str" } as const;
const GONE: readonly Fields[] = [{ message_ids: list("int") }, { message_id: "int" }];
const DELETED: readonly Fields[] = GONE.flatMap((ids) => [
  { ...ids, ...PLACE, message_type: oneOf("stream") },
  { ...ids, message_type: oneOf("private") },
]);
const FLAGGED = { flag: "str", messages: list("int") } as const;
const UNREAD = {
  ...optional({ mentioned: oneOf(true), unmuted_stream_msg: "bool" }),
} as const;
const CHANGED: Fields = {
  edit_timestamp: "secs",
  message_id: "int",
  message_ids: list("int"),
  flags: FLAGS,
};
const EDITED: Fields = { ...CHANGED, user_id: "int", rendering_only: oneOf(false) };
const WAS_IN: Fields = { stream_name: "str", stream_id: "int" };
const NEWLY: Fields = { content: "str", rendered_content: "str", is_me_message: "bool" };
const REWORDED: Fields = { ...NEWLY, orig_content: "str", orig_rendered_content: "str" };
const MOVED: Fields = {
  ...EDITED,
  ...WAS_IN,
  propagate_mode: oneOf("change_one", "change_later", "change_all"),
  orig_subject: "str",
};
const RETITLED: Fields = { ...MOVED, subject: "str", topic_links: list(LINK) };
const DRAWN_ANEW: Fields = {
  ...CHANGED,
  ...NEWLY,
  user_id: oneOf(null),
  rendering_only: oneOf(true),
};
const CHANGED_MESSAGE = either(
  { ...EDITED, ...REWORDED },
  { ...EDITED, ...WAS_IN, ...REWORDED },
  { ...RETITLED, "new_stream_id?": "int" },
  { ...RETITLED, ...REWORDED },
  { ...MOVED, new_stream_id: "int" },
  DRAWN_ANEW,
  { ...DRAWN_ANEW, ...WAS_IN },
);
const FIELD_VALUE = { id: "int", value: "str?", "rendered_value?": "str" } as const;
const PERSON_CHANGES: readonly Fields[] = [
  { full_name: "str" },
  {
    avatar_url: "str?",
    avatar_source: oneOf("G", "J", "U"),
    avatar_url_medium: "str?",
    avatar_version: "int",
  },
  { email: "str", timezone: "str" },
  { bot_owner_id: "int?" },
  { role: ROLE },
  { delivery_email: "str?" },
  { custom_profile_field: FIELD_VALUE },
  { new_email: "str" },
  { is_active: "bool" },
  { is_imported_stub: oneOf(false) },
  { is_deleted: oneOf(true) },
  { date_joined: "str" },
];
const CHANNEL_CHANGE = { stream_id: "int", name: "str" } as const;
const GROUP_MEMBERS = { group_id: "int", user_ids: list("int") } as const;
const SUBGROUPS = { group_id: "int", direct_subgroup_ids: list("int") } as const;
const PEERS = { stream_ids: list("int"), user_ids: list("int") } as const;
const SETTING = either("bool", "int", "str");

export const EVENTS: Fields = {
  alert_words: { alert_words: list("str") },
  "attachment/add": FILE,
  "attachment/update": FILE,
  "attachment/remove": { attachment: { id: "int" }, upload_space_used: "int" },
  "channel_folder/add": { channel_folder: FOLDER },
  "channel_folder/update": {
    channel_folder_id: "int",
    data: optional({
      name: "str",
      description: "str",
      rendered_description: "str",
      is_archived: "bool",
    }),
  },
  "channel_folder/reorder": { order: list("int") },
  custom_profile_fields: { fields: list(PROFILE_FIELD) },
  default_stream_groups: { default_stream_groups: list(DEFAULT_GROUP) },
  default_streams: { default_streams: list("int") },
  delete_message: either(...DELETED),
  "device/add": { device_id: "int" },
  "device/remove": { device_id: "int" },
  "device/update": {
    device_id: "int",
    ...optional({
      push_key_id: "int?",
      push_token_id: "str?",
      pending_push_token_id: "str?",
      push_token_last_updated_timestamp: "secs?",
      push_registration_error_code: "str?",
    }),
  },
  "drafts/add": { drafts: list(DRAFT) },
  "drafts/update": { draft: DRAFT },
  "drafts/remove": { draft_id: "int" },
  heartbeat: {},
  invites_changed: {},
  message: { message: TOLD_MESSAGE, flags: FLAGS, "local_message_id?": "str" },
  muted_topics: { muted_topics: list(list(either("str", "int"))) },
  muted_users: { muted_users: list({ id: "int", timestamp: "secs" }) },
  "navigation_view/add": { navigation_view: NAVIGATION_VIEW },
  "navigation_view/update": {
    fragment: "str",
    data: optional({ is_pinned: "bool", name: "str?" }),
  },
  "navigation_view/remove": { fragment: "str" },
  onboarding_steps: { onboarding_steps: list(ONBOARDING_STEP) },
  presence: either(
    { presences: dict(MODERN_PRESENCE) },
    { user_id: "int", server_timestamp: "num", presence: WEBSITE_PRESENCE },
    { user_id: "int", email: "str", server_timestamp: "num", presence: WEBSITE_PRESENCE },
  ),
  "reaction/add": REACTION,
  "reaction/remove": REACTION,
  "realm/update": REALM_UPDATED,
  "realm/update_dict": REALM_UPDATED_TOGETHER,
  "realm/deactivated": { realm_id: "int" },
  "realm_bot/add": { bot: { user_id: "int", ...BOT_DEFAULTS, services: BOT_SERVICES } },
  "realm_bot/update": {
    bot: { user_id: "int", ...optional({ ...BOT_DEFAULTS, services: BOT_SERVICES }) },
  },
  "realm_bot/delete": { bot: { user_id: "int" } },
  "realm_domains/add": { realm_domain: DOMAIN },
  "realm_domains/change": { realm_domain: DOMAIN },
  "realm_domains/remove": { domain: "str" },
  "realm_emoji/add": { emoji: CUSTOM_EMOJI },
  "realm_emoji/update_one": { emoji_id: "str", data: { deactivated: "bool" } },
  "realm_emoji/update": { realm_emoji: dict(CUSTOM_EMOJI) },
  realm_export_consent: { user_id: "int", consented: "bool" },
  realm_linkifiers: { realm_linkifiers: list(LINKIFIER) },
  realm_playgrounds: { realm_playgrounds: list(PLAYGROUND) },
  "realm_user/add": { person: { ...ACCOUNT, is_active: "bool" } },
  "realm_user/remove": { person: { user_id: "int", full_name: "str" } },
  "realm_user/update": {
    person: either(...PERSON_CHANGES.map((change) => ({ user_id: "int" as const, ...change }))),
  },
  "realm_user_settings_defaults/update": { property: "str", value: SETTING },
  "reminders/add": { reminders: list(REMINDER) },
  "reminders/remove": { reminder_id: "int" },
  restart: {
    zulip_version: "str",
    zulip_merge_base: "str",
    zulip_feature_level: "int",
    service_version: "str",
    service_merge_base: "str",
    service_feature_level: "int",
    server_generation: "secs",
  },
  "saved_snippets/add": { saved_snippet: SNIPPET },
  "saved_snippets/update": { saved_snippet: SNIPPET },
  "saved_snippets/remove": { saved_snippet_id: "int" },
  "scheduled_messages/add": { scheduled_messages: list(SCHEDULED) },
  "scheduled_messages/update": { scheduled_message: SCHEDULED },
  "scheduled_messages/remove": { scheduled_message_id: "int" },
  "stream/create": { streams: list(CHANNEL) },
  "stream/delete": { stream_ids: list("int"), streams: list({ stream_id: "int" }) },
  "stream/update": either(
    {
      ...CHANNEL_CHANGE,
      property: oneOf("description"),
      value: "str",
      rendered_description: "str",
    },
    {
      ...CHANNEL_CHANGE,
      property: oneOf("invite_only"),
      value: "bool",
      history_public_to_subscribers: "bool",
      is_web_public: "bool",
    },
    ...Object.entries(CHANNEL)
      .filter(([property]) => !["description", "invite_only"].includes(property))
      .map(([property, value]) => ({ ...CHANNEL_CHANGE, property: oneOf(property), value })),
  ),
  submessage: {
    message_id: "int",
    submessage_id: "int",
    sender_id: "int",
    msg_type: "str",
    content: "str",
  },
  "subscription/add": { subscriptions: list({ ...MEMBERSHIP, subscribers: list("int") }) },
  "subscription/remove": { subscriptions: list({ stream_id: "int", name: "str" }) },
  "subscription/update": { stream_id: "int", property: "str", value: either("bool", "str") },
  "subscription/peer_add": PEERS,
  "subscription/peer_remove": PEERS,
  "typing/start": TYPING,
  "typing/stop": TYPING,
  "typing_edit_message/start": TYPING_ON_EDIT,
  "typing_edit_message/stop": TYPING_ON_EDIT,
  update_message: CHANGED_MESSAGE,
  "update_message_flags/add": { ...FLAGGED, operation: oneOf("add"), all: "bool" },
  "update_message_flags/remove": {
    ...FLAGGED,
    operation: oneOf("remove"),
    all: oneOf(false),
    "message_details?": dict(
      either(
        { ...UNREAD, type: oneOf("stream"), ...PLACE },
        { ...UNREAD, type: oneOf("private"), user_ids: list("int") },
      ),
    ),
  },
  "user_group/add": { group: GROUP },
  "user_group/update": {
    group_id: "int",
    data: optional({ name: "str", description: "str", deactivated: "bool", ...GROUP_GRANTS }),
  },
  "user_group/add_members": GROUP_MEMBERS,
  "user_group/remove_members": GROUP_MEMBERS,
  "user_group/add_subgroups": SUBGROUPS,
  "user_group/remove_subgroups": SUBGROUPS,
  "user_group/remove": { group_id: "int" },
  "user_settings/update": { property: "str", value: SETTING, "language_name?": "str" },
  user_status: { user_id: "int", ...USER_STATUS },
  user_topic: {
    stream_id: "int",
    topic_name: "str",
    last_updated: "secs",
    visibility_policy: TOPIC_POLICY,
  },
};
