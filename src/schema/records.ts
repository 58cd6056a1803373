// Records of all tables, with the names of the API: organization, accounts, channels.

/** A group-setting value: the id of a named group, or users and groups together. */
export type GroupSetting = number | { direct_members: number[]; direct_subgroups: number[] };

/** Whole seconds since 1970. */
export type Seconds = number;

export interface RealmRecord {
  realm_id: number;
  realm_uuid: string;
  date_created: Seconds;
  settings: RealmSettings;
}

/** Every setting of the organization, by its API name without `realm_`. */
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
  /** The file of the uploaded icon. */
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
  /** Whether uploaded images keep metadata about location, time and device. Defaults to false. */
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
  /** Whether each sign-in method is enabled; unlisted methods are. */
  authentication_methods?: Record<string, boolean>;
}

export interface User {
  user_id: number;
  /** The real address; `email_address_visibility` decides which address others see. */
  delivery_email: string;
  full_name: string;
  /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
  role: number;
  is_active: boolean;
  /** null for humans; 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
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
  /** May set the send time of messages, like a program that copies messages from elsewhere. */
  can_forge_sender?: boolean;
  /** May change the email addresses of other users. */
  can_change_user_emails?: boolean;
  /** The account was erased with its personal data and cannot be reactivated. */
  is_deleted?: boolean;
  /** The account was created by someone else, and its user has not signed in yet. */
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
   * The intervals of the subscription, oldest first, four numbers each: first message id, first
   * event number, last message id, last event number (both 0 while the interval is open).
   */
  intervals: number[];
  /** Ended because the account was deactivated; continues if it is reactivated. */
  suspended: boolean;
  /**
   * The channel became invisible after the user left it. Since it is visible again, clients do not
   * know that the user was subscribed.
   */
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
  /** The name in the spelling of the newest message. */
  name: string;
  first_id: number;
  last_id: number;
  count: number;
  /** The newest of `topic_renames`; 0 if it was never renamed. */
  rename_id: number;
  /** The spelling of messages that store none, if it differs from `name`. */
  base?: string | undefined;
}

export interface UserTopic {
  user_id: number;
  stream_id: number;
  /** Folded for comparison; `topic_name` has the original spelling. */
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
  /** The newest event number that the client had acknowledged at the last checkpoint. */
  acknowledged: number;
  /** After a clean stop: the numbers of undelivered events, and events that are not in the log. */
  pending: unknown[] | null;
  /** The session that registered the queue; the queue ends with it. */
  session_id?: number | null;
  /**
   * The API key that registered the queue; the queue ends with it. Earlier versions did not record
   * it.
   */
  key_id?: number | null;
}

/** A durable event in the log; events.ts defines `event` and `audience`. */
export interface LogEntry {
  seq: number;
  /** JSON, compressed if it is long; rows of earlier versions contain the value itself. */
  event: unknown;
  audience: unknown;
  /** Number of event numbers that it occupies, starting with `seq`. */
  width: number;
}

/** Subscribes or unsubscribes many users, in several transactions, and is not complete. */
export interface BulkSubscribe {
  /** The id of the job that continues it after a crash. */
  bulk_id: number;
  job_at: number;
  /** The account that requested it. */
  user_id: number;
  /** New channels of the request, which are announced when everyone is subscribed. */
  made_ids: number[];
  announce: boolean;
}

/**
 * The users that one transaction subscribes, with their color if one was requested, or that some
 * transactions unsubscribe.
 */
export interface BulkSubscribePart {
  bulk_id: number;
  nth: number;
  stream_id: number;
  color: string | null;
  user_ids: number[];
  /** Set if the users are unsubscribed: the number of those who already are. */
  removed_count?: number;
}

/** A scheduled job; jobs.ts defines its `kind`. */
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

/** Channels that a new user may choose together. */
export interface DefaultChannelGroup {
  id: number;
  name: string;
  description: string;
  stream_ids: number[];
}

/** Turns text that matches the pattern into a link made from the template. */
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

/** A site that runs code of a language. */
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
  /** JSON text; "" for types without data. */
  field_data: string;
  required: boolean;
  editable_by_user: boolean;
  display_in_profile_summary: boolean;
  use_for_user_matching: boolean;
}

/**
 * A single row, rewritten when a group gets or loses subgroups; cached results are valid until
 * then.
 */
export interface GroupGraph {
  realm_id: number;
  version: number;
}

/** A default for new users that differs from the product's. */
export interface SettingDefault {
  name: string;
  value: string | number | boolean;
}

/** A domain whose addresses may join, if that is restricted. */
export interface RealmDomain {
  domain: string;
  id: number;
  allow_subdomains: boolean;
}

/** The organization is deactivated: no user can sign in, and no key works. */
export interface Deactivation {
  realm_id: number;
  user_id: number;
  timestamp: Seconds;
  /** When all of its data is deleted; null: never. */
  delete_at?: Seconds | null;
}

export interface CustomEmoji {
  id: number;
  name: string;
  author_id: number;
  /** The emoji's image file; `still` only for animated images. */
  file: string;
  still: string | null;
  deactivated: boolean;
}
