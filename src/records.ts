// What a record of each table holds, by the wire's own names.
import type { LinkedPage } from "./text/linked-page.ts";

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
  /** Of what was uploaded. */
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
  /** What the person set away from the defaults. */
  settings: Record<string, string | number | boolean>;
  can_create_users: boolean;
  /** What the addresses of an uploaded picture have in them, so that nobody guesses them. */
  avatar_key?: string | null;
}

/** An argon2id hash, in a table of its own, so that nothing that lists users can leak it. */
export interface Password {
  user_id: number;
  hash: string;
}

export interface ApiKey {
  key_id: number;
  user_id: number;
  /** SHA-256 of the key, hex: a copy of the data directory gives no key away. */
  hash: string;
  client: string;
  created: Seconds;
  last_used: Seconds;
  /** Of a bot: the key, which its owner may read again, sealed by the secret of the directory. */
  sealed: string | null;
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
   * The spans of being subscribed, oldest first, four numbers each: first message id, first event
   * number, last message id, last event number (both 0 while the span is open).
   */
  spans: number[];
  /** Ended by the person's deactivation, to be taken up again with the account. */
  suspended: boolean;
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
}

/** A topic got another name as a whole, which leaves the records of its messages alone. */
export interface TopicRename {
  topic_id: number;
  rename_id: number;
  /** The newest message that was in it then. */
  last_id: number;
  user_id: number;
  timestamp: Seconds;
  prev_topic: string;
  topic: string;
}

/** The messages of one chunk that came into their channel by a move. */
export interface Arrivals {
  chunk: number;
  ways: Way[];
}

/** The channel that the messages were sent to, then each channel with the event of the move. */
export interface Way {
  path: number[];
  /** A chunk of a bitmap. */
  ids: Uint8Array;
}

/** A move of more messages than one transaction takes, as far as it is. */
export interface UnfinishedMove {
  move_id: number;
  user_id: number;
  message_id: number;
  propagate_mode: "change_one" | "change_later" | "change_all";
  timestamp: Seconds;
  from_topic_id: number;
  to_topic_id: number;
  prev_stream: number;
  prev_topic: string;
  stream_id: number;
  topic: string;
  is_toggle: boolean;
  is_whole: boolean;
  was_empty: boolean;
  notify_old: boolean;
  notify_new: boolean;
  /** The messages with greater ids are still to be moved, up to `last_id`. */
  after_id: number;
  last_id: number;
  first_moved_id: number;
  moved: number;
  /** The job that goes on with it after a crash. */
  job_at: number;
  job_id: number;
}

/** A direct conversation: one per set of people, found by that set. */
export interface Conversation {
  recipient_id: number;
  /** Ascending, with the sender. */
  user_ids: number[];
  last_id: number;
}

export interface Message {
  id: number;
  sender_id: number;
  timestamp: Seconds;
  /** Channel messages: channel and topic. Direct messages: both 0. */
  stream_id: number;
  topic_id: number;
  /** Of the channel or of the conversation. */
  recipient_id: number;
  content: string;
  /** null where it is the content in one plain paragraph. */
  rendered_content: string | null;
  client: string;
  /** A set of `MESSAGE_…` bits of features/messages/rules.ts. */
  bits: number;
  mentioned_user_ids: number[] | null;
  mentioned_group_ids: number[] | null;
  reactions: Reaction[] | null;
  submessages: Submessage[] | null;
  edit_history: EditHistoryEntry[] | null;
  last_edit_timestamp: Seconds | null;
  last_moved_timestamp: Seconds | null;
  /** Of the renames of its topic, those up to this one are in `edit_history`, or not its own. */
  renames_seen: number;
}

export interface Reaction {
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
  user_id: number;
}

export interface Submessage {
  id: number;
  message_id: number;
  sender_id: number;
  msg_type: string;
  content: string;
}

export interface EditHistoryEntry {
  user_id: number | null;
  timestamp: Seconds;
  prev_content?: string;
  prev_rendered_content?: string;
  prev_stream?: number;
  stream?: number;
  prev_topic?: string;
  topic?: string;
}

/** Below the chunk `floor`, everything that the person received is read. */
export interface ReadFloor {
  user_id: number;
  floor: number;
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

export interface MutedUser {
  user_id: number;
  muted_user_id: number;
  timestamp: Seconds;
}

/** `word` as the person wrote it; `folded` is what is looked for. */
export interface AlertWord {
  user_id: number;
  folded: string;
  word: string;
}

export interface Presence {
  user_id: number;
  active_timestamp: Seconds;
  idle_timestamp: Seconds;
  update_id: number;
}

/** What a person says of themself; "" where nothing is said. */
export interface UserStatus {
  user_id: number;
  status_text: string;
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
  timestamp: Seconds;
}

/** What a client registered for; its events wait in a ring in memory, behind the log. */
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
  /** Of a clean stop: numbers of the events still to deliver, and those that no log holds. */
  pending: unknown[] | null;
}

/** A durable event, as the log keeps it: `event` and `audience` are of events.ts. */
export interface LogEntry {
  seq: number;
  event: unknown;
  audience: unknown;
  /** How many numbers it occupies, from `seq` on. */
  width: number;
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

/** A message that was deleted, kept for as long as the operator wants. */
export interface Archived {
  message_id: number;
  deleted: Seconds;
  /** null: its time was over. */
  deleted_by: number | null;
  message: Message;
  /** The name of its topic, which may be gone too. */
  topic: string;
}

/** A part of the search index: the terms of 256 · 16^level messages. */
export interface SearchSegment {
  level: number;
  number: number;
  /** Up to this term its own pages have them, the rest is where it is made of; null: all. */
  until: string | null;
  /** Its pages, by the terms that they begin with, in order. */
  firsts: string[];
}

/** Terms of a segment, from `first` on, with their messages. */
export interface SearchPage {
  level: number;
  number: number;
  first: string;
  terms: string;
  lists: Uint8Array;
}

/** The terms of a large segment from `first` on, in lines, to find parts of words in. */
export interface SearchWords {
  level: number;
  number: number;
  first: string;
  lines: string;
}

/** The terms of a message that no segment has yet, with a space before and after each. */
export interface FreshTerms {
  id: number;
  terms: Uint8Array;
}

export interface Draft {
  user_id: number;
  draft_id: number;
  /** "" while it says nobody whom it is for. */
  type: "" | "stream" | "private";
  /** One channel; or people without the author, who stands for a note to self. */
  to: number[];
  topic: string;
  content: string;
  timestamp: Seconds;
}

export interface SavedSnippet {
  user_id: number;
  saved_snippet_id: number;
  title: string;
  content: string;
  date_created: Seconds;
}

/** A message that sends itself when its time comes. */
export interface ScheduledMessage {
  user_id: number;
  scheduled_message_id: number;
  type: "stream" | "private";
  /** One channel; or people without the author, who stands for a note to self. */
  to: number[];
  topic: string;
  content: string;
  rendered_content: string;
  scheduled_delivery_timestamp: Seconds;
  read_by_sender: boolean;
  client: string;
  failed: boolean;
  /** The job that sends it: any other one came before a change. */
  job_at: number;
  job_id: number;
}

/** A person wants to be reminded of a message. */
export interface Reminder {
  user_id: number;
  reminder_id: number;
  reminder_target_message_id: number;
  note: string;
  /** What the reminder says if the message can no longer be read then. */
  content: string;
  rendered_content: string;
  scheduled_delivery_timestamp: Seconds;
  failed: boolean;
  /** The job that delivers it. */
  job_at: number;
  job_id: number;
}

/** The message that a send made, found again by a retry. `token` is of the client's choosing. */
export interface Send {
  user_id: number;
  token: string;
  message_id: number;
  timestamp: Seconds;
}

/** A one-time link, kept as a hash: set-up, invitations, resets. */
export interface Ticket {
  hash: string;
  kind: string;
  expires: Seconds;
  payload: unknown;
}

/** A phone that a client of the person runs on; what encrypted push needs is null until then. */
export interface Device {
  user_id: number;
  device_id: number;
  /** Of the key that registered it. */
  key_id: number;
  registered: Seconds;
  push_key_id: number | null;
  push_token_id: string | null;
  pending_push_token_id: string | null;
  push_token_last_updated_timestamp: Seconds | null;
  push_registration_error_code: string | null;
}

/** How the maker of a phone reaches it. */
export interface PushToken {
  /** SHA-256 of kind and token, hex. */
  hash: string;
  user_id: number;
  /** Of the key that registered it. */
  key_id: number;
  kind: "fcm" | "apns";
  token: string;
  /** Which app of that maker's; only `apns` has several. */
  appid: string | null;
  registered: Seconds;
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
  /** Of RE2. */
  pattern: string;
  /** Of RFC 6570. */
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
  /** Of RFC 6570. */
  url_template: string;
}

/** What people may say of themselves; what they say is in `profile_values`. */
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

export interface ProfileValue {
  user_id: number;
  field_id: number;
  /** A list of people is JSON text. */
  value: string;
  /** null for the types that are no Markdown. */
  rendered_value: string | null;
}

/** The views that a person arranged in the navigation, by the fragments of their addresses. */
export interface NavigationViews {
  user_id: number;
  views: { fragment: string; is_pinned: boolean; name: string | null }[];
}

/** What clients explain once to everyone: what this person has been shown. */
export interface OnboardingSeen {
  user_id: number;
  steps: string[];
}

/** What a bot is given besides its account; channels by id. */
export interface Bot {
  user_id: number;
  default_sending_stream: number | null;
  default_events_register_stream: number | null;
  default_all_public_streams: boolean;
  /** Where the calls of an outgoing webhook go. */
  service: { base_url: string; interface: number; token: string } | null;
  /** Of all that it stores, in code points. */
  storage_size: number;
}

/** What a bot keeps under a name, whose SHA-256 in hex is `slot`. */
export interface StoredText {
  user_id: number;
  slot: string;
  name: string;
  value: string;
}

/** One row, put anew when a group gets or loses subgroups: what is worked out holds till then. */
export interface GroupGraph {
  realm_id: number;
  version: number;
}

/** What new people start with, where it is not what the product starts with. */
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
}

/** A file that somebody uploaded. */
export interface Attachment {
  id: number;
  user_id: number;
  /** Its address: the realm, two hex digits, a secret, and the name as addresses can have it. */
  path_id: string;
  name: string;
  size: number;
  content_type: string;
  create_time: Seconds;
  /** Of a picture that can be shown smaller. */
  image: { width: number; height: number; animated: boolean } | null;
  /** Since when no message links to it; null while one does. */
  unused_since: Seconds | null;
}

/** A message links to a file, which its readers may read for that. */
export interface AttachmentUse {
  attachment_id: number;
  message_id: number;
}

/** The bytes of all attachments. */
export interface UploadSpace {
  realm_id: number;
  bytes: number;
}

/** An upload in pieces; how much of it there is, the draft itself says. */
export interface ResumableUpload {
  path_id: string;
  user_id: number;
  name: string;
  content_type: string;
  size: number;
  created: Seconds;
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

/** What a page elsewhere said of itself, for the previews of the links to it. */
export interface LinkedPageRow {
  /** SHA-256 of its address, base64url. */
  hash: string;
  expires: Seconds;
  /** null: it has nothing to show, or could not be read. */
  page: LinkedPage | null;
}

/** An invitation to one address, or by a link to as many as it reaches. */
export interface Invitation {
  kind: "email" | "link";
  /** The kinds are numbered apart. */
  id: number;
  /** SHA-256 of the key in the link, hex. */
  hash: string;
  /** The key, which the inviter may read again, sealed by the secret of the directory. */
  sealed: string | null;
  email: string | null;
  invited_by_user_id: number;
  invited: Seconds;
  /** null: never. */
  expiry_date: Seconds | null;
  revoked: Seconds | null;
  invited_as: number;
  stream_ids: number[];
  group_ids: number[];
  include_realm_default_subscriptions: boolean;
  notify_referrer_on_join: boolean;
  /** null: what the organization says to all newcomers. */
  welcome_message_custom_text: string | null;
}
