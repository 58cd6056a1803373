// Records of all tables, with the names of the API: organization, accounts, channels.

/** A group-setting value: the id of a named group, or people and groups together. */
export type GroupSetting = number | { direct_members: number[]; direct_subgroups: number[] };

/** Seconds since 1970, whole. */
export type Seconds = number;

export interface RealmRecord {
  realm_id: number;
  realm_uuid: string;
  date_created: Seconds;
  settings: RealmSettings;
}

/** Every setting of the organization, by its name on the wire without `realm_`. */
export interface RealmSettings {
  name: string;
  description: string;
  org_type: number;
  default_language: string;
  default_code_block_language: string;
  default_avatar_source: "G" | "J";
  icon_source: "G" | "U";
  icon_version: number;
  logo_source: "D" | "U";
  night_logo_source: "D" | "U";
  /** The file of an icon that was uploaded. */
  icon_file?: string | null;
  logo_file?: string | null;
  night_logo_file?: string | null;
  allow_message_editing: boolean;
  message_edit_history_visibility_policy: "all" | "moves" | "none";
  message_content_edit_limit_seconds: number | null;
  message_content_delete_limit_seconds: number | null;
  move_messages_between_streams_limit_seconds: number | null;
  move_messages_within_stream_limit_seconds: number | null;
  message_retention_days: number;
  topics_policy: "allow_empty_topic" | "disable_empty_topic";
  waiting_period_threshold: number;
  enable_read_receipts: boolean;
  presence_disabled: boolean;
  enable_guest_user_indicator: boolean;
  enable_guest_user_dm_warning: boolean;
  enable_spectator_access: boolean;
  require_unique_names: boolean;
  name_changes_disabled: boolean;
  email_changes_disabled: boolean;
  avatar_changes_disabled: boolean;
  emails_restricted_to_domains: boolean;
  disallow_disposable_email_addresses: boolean;
  invite_required: boolean;
  send_welcome_emails: boolean;
  send_channel_events_messages: boolean;
  welcome_message_custom_text: string;
  inline_image_preview: boolean;
  inline_url_embed_preview: boolean;
  media_preview_size: number;
  /** Uploaded pictures keep what they tell of place, time and device. Absent: they do not. */
  keep_picture_metadata?: boolean;
  allow_search_engines?: boolean;
  newcomer_hours?: number;
  newcomer_messages_per_hour?: number;
  newcomer_links_per_message?: number;
  newcomer_conversations?: number;
  gif_rating_policy: number;
  message_content_allowed_in_email_notifications: boolean;
  digest_emails_enabled: boolean;
  digest_weekday: number;
  require_e2ee_push_notifications: boolean;
  want_advertise_in_communities_directory: boolean;
  video_chat_provider: number;
  jitsi_server_url: string | null;
  new_stream_announcements_stream_id: number;
  signup_announcements_stream_id: number;
  zulip_update_announcements_stream_id: number;
  moderation_request_channel_id: number;
  create_multiuse_invite_group: GroupSetting;
  can_access_all_users_group: GroupSetting;
  can_add_custom_emoji_group: GroupSetting;
  can_add_subscribers_group: GroupSetting;
  can_create_bots_group: GroupSetting;
  can_create_groups: GroupSetting;
  can_create_private_channel_group: GroupSetting;
  can_create_public_channel_group: GroupSetting;
  can_create_web_public_channel_group: GroupSetting;
  can_create_write_only_bots_group: GroupSetting;
  can_delete_any_message_group: GroupSetting;
  can_delete_own_message_group: GroupSetting;
  can_invite_users_group: GroupSetting;
  can_manage_all_groups: GroupSetting;
  can_manage_billing_group: GroupSetting;
  can_mention_many_users_group: GroupSetting;
  can_move_messages_between_channels_group: GroupSetting;
  can_move_messages_between_topics_group: GroupSetting;
  can_resolve_topics_group: GroupSetting;
  can_set_delete_message_policy_group: GroupSetting;
  can_set_topics_policy_group: GroupSetting;
  can_summarize_topics_group: GroupSetting;
  direct_message_initiator_group: GroupSetting;
  direct_message_permission_group: GroupSetting;
  workplace_users_group: GroupSetting;
  /** Which ways to sign in are on; one that is not named is. */
  authentication_methods?: Record<string, boolean>;
}

export interface User {
  user_id: number;
  /** The real address; what others see is decided by `email_address_visibility`. */
  delivery_email: string;
  full_name: string;
  /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
  role: number;
  is_active: boolean;
  /** null for people; 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
  bot_type: number | null;
  bot_owner_id: number | null;
  /** Notification and welcome bots, which every organization has. */
  is_system_bot: boolean;
  date_joined: Seconds;
  avatar_source: "G" | "J" | "U";
  avatar_version: number;
  /** The user's settings that differ from the defaults. */
  settings: Record<string, string | number | boolean>;
  can_create_users: boolean;
  /** May say when a message was sent, as a program does that copies messages from elsewhere. */
  can_forge_sender?: boolean;
  /** May give people other addresses. */
  can_change_user_emails?: boolean;
  /** It was taken away with all that it said of its person, and never comes back. */
  is_deleted?: boolean;
  /** Somebody else made it, and nobody has signed in to it yet. */
  is_awaited?: boolean;
  /** Set for users who signed up without an invitation. */
  signed_up?: boolean;
  /** Random part of the URLs of an uploaded picture. */
  avatar_key?: string | null;
}

export interface Group {
  id: number;
  name: string;
  description: string;
  date_created: Seconds | null;
  creator_id: number | null;
  /** Members of a system group follow from roles; they have no rows in group_members. */
  is_system_group: boolean;
  deactivated: boolean;
  direct_subgroup_ids: number[];
  can_add_members_group: GroupSetting;
  can_join_group: GroupSetting;
  can_leave_group: GroupSetting;
  can_manage_group: GroupSetting;
  can_mention_group: GroupSetting;
  can_remove_members_group: GroupSetting;
}

export interface GroupMember {
  group_id: number;
  user_id: number;
}

export interface Channel {
  stream_id: number;
  recipient_id: number;
  name: string;
  description: string;
  rendered_description: string;
  date_created: Seconds;
  creator_id: number | null;
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
  is_archived: boolean;
  is_default: boolean;
  is_recently_active: boolean;
  folder_id: number | null;
  topics_policy: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
  /** null inherits the organization's, -1 keeps forever. */
  message_retention_days: number | null;
  first_message_id: number | null;
  can_add_subscribers_group: GroupSetting;
  can_administer_channel_group: GroupSetting;
  can_create_topic_group: GroupSetting;
  can_delete_any_message_group: GroupSetting;
  can_delete_own_message_group: GroupSetting;
  can_move_messages_out_of_channel_group: GroupSetting;
  can_move_messages_within_channel_group: GroupSetting;
  can_remove_subscribers_group: GroupSetting;
  can_resolve_topics_group: GroupSetting;
  can_send_message_group: GroupSetting;
  can_subscribe_group: GroupSetting;
}

export interface Subscription {
  user_id: number;
  stream_id: number;
  active: boolean;
  color: string;
  is_muted: boolean;
  pin_to_top: boolean;
  desktop_notifications: boolean | null;
  audible_notifications: boolean | null;
  push_notifications: boolean | null;
  email_notifications: boolean | null;
  wildcard_mentions_notify: boolean | null;
  /**
   * The intervals of being subscribed, oldest first, four numbers each: first message id, first
   * eventnumber, last message id, last event number (both 0 while the span is open).
   */
  intervals: number[];
  /** Ended by the person's deactivation, to be taken up again with the account. */
  suspended: boolean;
  /** It was left and went out of sight; since it came back, clients know of no leaving. */
  is_forgotten?: boolean;
  /**
   * For clients that do not know archived channels: the channel was unarchived after the user left
   * it.
   */
  is_revived?: boolean;
}

export interface Topic {
  topic_id: number;
  stream_id: number;
  /** As the newest message spells it. */
  name: string;
  first_id: number;
  last_id: number;
  count: number;
  /** The newest of `topic_renames`; 0: it always had this name. */
  rename_id: number;
  /** The spelling of messages that have none of their own, where it is not `name`. */
  base?: string | undefined;
}

export interface UserTopic {
  user_id: number;
  stream_id: number;
  /** Folded; `topic_name` is as it was given. */
  folded: string;
  topic_name: string;
  /** 1 muted, 2 unmuted, 3 followed; a policy of 0 has no row. */
  visibility_policy: number;
  last_updated: Seconds;
}

/** The registration of an event queue. Its events are in memory and in the log. */
export interface QueueRecord {
  queue_id: string;
  user_id: number;
  client: string;
  created: Seconds;
  idle_timeout_secs: number;
  /** null: all. */
  event_types: string[] | null;
  /** A set of `CAN_…` bits of capabilities.ts: declared capabilities and forms of messages. */
  capabilities: number;
  all_public_streams: boolean;
  narrow: [string, string][];
  /** The number of the newest event that the client said it has, as of the last checkpoint. */
  acknowledged: number;
  /** After a clean stop: numbers of undelivered events, and events that are in no log. */
  pending: unknown[] | null;
  /** The session that registered it, and with which it ends. */
  session_id?: number | null;
  /** The API key that registered it, and with which it ends. Earlier versions did not record it. */
  key_id?: number | null;
}

/** A durable event, as the log keeps it: `event` and `audience` are of events.ts. */
export interface LogEntry {
  seq: number;
  /** As JSON, compressed where it is long; rows of earlier versions hold the value itself. */
  event: unknown;
  audience: unknown;
  /** How many numbers it occupies, from `seq` on. */
  width: number;
}

/** More subscriptions than one transaction makes, of which some parts are still to come. */
export interface BulkSubscribe {
  /** That of the job that goes on with it after a crash. */
  bulk_id: number;
  job_at: number;
  /** The account that subscribes them. */
  user_id: number;
  /** The channels made for it, which are told of when everyone is in them. */
  made_ids: number[];
  announce: boolean;
}

/** People whom one transaction subscribes, in a color that was asked for, if one was. */
export interface BulkSubscribePart {
  bulk_id: number;
  nth: number;
  stream_id: number;
  color: string | null;
  user_ids: number[];
}

/** Work to do at a time: `kind` is of jobs.ts. */
export interface DueJob {
  /** Milliseconds since 1970. */
  at: number;
  job_id: number;
  kind: string;
  payload: unknown;
  attempts: number;
}

export interface ChannelFolder {
  id: number;
  name: string;
  description: string;
  rendered_description: string;
  date_created: Seconds;
  creator_id: number | null;
  is_archived: boolean;
  order: number;
}

/** Channels that a newcomer may choose together. */
export interface DefaultChannelGroup {
  id: number;
  name: string;
  description: string;
  stream_ids: number[];
}

/** Text that matches the pattern links to what the template makes of it. */
export interface LinkifierRecord {
  id: number;
  order: number;
  /** Syntax: RE2. */
  pattern: string;
  /** Syntax: RFC 6570. */
  url_template: string;
  example_input: string | null;
  reverse_template: string | null;
  alternative_url_templates: string[];
}

/** A site where code of a language can be tried. */
export interface Playground {
  id: number;
  name: string;
  pygments_language: string;
  /** Syntax: RFC 6570. */
  url_template: string;
}

/** A custom profile field. Its values are in `profile_values`. */
export interface ProfileField {
  id: number;
  /** 1 to 8: `FIELD_TYPES` of features/profile/rules.ts. */
  type: number;
  order: number;
  name: string;
  hint: string;
  /** JSON text, "" for the types that need none. */
  field_data: string;
  required: boolean;
  editable_by_user: boolean;
  display_in_profile_summary: boolean;
  use_for_user_matching: boolean;
}

/** One row, put anew when a group gets or loses subgroups: what is worked out holds till then. */
export interface GroupGraph {
  realm_id: number;
  version: number;
}

/** A default for new users that differs from the product's. */
export interface SettingDefault {
  name: string;
  value: string | number | boolean;
}

/** Whose addresses may join, where that is limited. */
export interface RealmDomain {
  domain: string;
  id: number;
  allow_subdomains: boolean;
}

/** The organization is closed: nobody signs in, no key works. */
export interface Deactivation {
  realm_id: number;
  user_id: number;
  timestamp: Seconds;
  /** When all of its data goes; null: never by itself. */
  delete_at?: Seconds | null;
}

export interface CustomEmoji {
  id: number;
  name: string;
  author_id: number;
  /** Its picture among the pictures; `still` only of one that moves. */
  file: string;
  still: string | null;
  deactivated: boolean;
}
