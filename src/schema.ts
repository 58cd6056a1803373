// What is kept: every table, with its prefix on disk, its key, its record and its indexes.
import type {
  Archived,
  Arrivals,
  Attachment,
  AttachmentUse,
  Conversation,
  Draft,
  FreshTerms,
  LinkedPageRow,
  Message,
  ReadFloor,
  Reminder,
  ResumableUpload,
  SavedSnippet,
  ScheduledMessage,
  SearchPage,
  SearchSegment,
  SearchWords,
  Send,
  TopicRename,
  UnfinishedMove,
  UploadSpace,
} from "./records-messages.ts";
import type {
  AlertWord,
  ApiKey,
  Bot,
  BotWarning,
  Device,
  Invitation,
  MailProgress,
  MissedMail,
  MutedUser,
  NavigationViews,
  OnboardingSeen,
  Passkey,
  Password,
  Presence,
  ProfileValue,
  PushKeys,
  PushSubscription,
  PushToken,
  PushedMessage,
  RecoveryCode,
  Session,
  StoredText,
  Ticket,
  Totp,
  UserStatus,
  WaitingPush,
  WebhookCall,
} from "./records-people.ts";
import type {
  Channel,
  ChannelFolder,
  CustomEmoji,
  Deactivation,
  DefaultChannelGroup,
  DueJob,
  Group,
  GroupGraph,
  GroupMember,
  LinkifierRecord,
  LogEntry,
  Playground,
  ProfileField,
  QueueRecord,
  RealmDomain,
  RealmRecord,
  SettingDefault,
  Subscription,
  Topic,
  User,
  UserTopic,
} from "./records.ts";
import { chunkOf } from "./store/bitmap.ts";
import { bitmap, table } from "./store/declare.ts";
import { setKey } from "./store/set-key.ts";
import { beginningOf } from "./text/alert-words.ts";
import { termKeys } from "./text/search-words.ts";

// prettier-ignore
export const tables = {
  realm: table<RealmRecord>()({
    prefix: 2,
    key: ["realm_id"],
    fields: ["realm_id", "realm_uuid", "date_created", "settings"],
    cached: true,
    indexes: {},
  }),
  users: table<User>()({
    prefix: 3,
    key: ["user_id"],
    fields: [
      "user_id", "delivery_email", "full_name", "role", "is_active", "bot_type", "bot_owner_id",
      "is_system_bot", "date_joined", "avatar_source", "avatar_version", "settings",
      "can_create_users", "avatar_key", "can_forge_sender", "can_change_user_emails", "is_deleted",
      "is_awaited",
    ],
    cached: true,
    indexes: {
      email: { of: (user) => [user.delivery_email.toLowerCase()] },
      name: { of: (user) => [user.full_name.toLowerCase()] },
      owner: { of: (user) => (user.bot_owner_id === null ? undefined : [user.bot_owner_id]) },
      /** One group: those who are to be told of all that is said in their channels. */
      notified: {
        of: ({ settings }) =>
          settings["enable_stream_email_notifications"] ||
          settings["enable_stream_push_notifications"]
            ? [1]
            : undefined,
      },
    },
  }),
  passwords: table<Password>()({
    prefix: 4,
    key: ["user_id"],
    fields: ["user_id", "hash"],
    indexes: {},
  }),
  api_keys: table<ApiKey>()({
    prefix: 5,
    key: ["key_id"],
    fields: ["key_id", "user_id", "hash", "client", "created", "last_used", "sealed"],
    cached: true,
    indexes: { hash: { of: (key) => [key.hash] }, user: { of: (key) => [key.user_id] } },
  }),
  groups: table<Group>()({
    prefix: 6,
    key: ["id"],
    fields: [
      "id", "name", "description", "date_created", "creator_id", "is_system_group", "deactivated",
      "direct_subgroup_ids", "can_add_members_group", "can_join_group", "can_leave_group",
      "can_manage_group", "can_mention_group", "can_remove_members_group",
    ],
    cached: true,
    indexes: { name: { of: (group) => [group.name] } },
  }),
  group_members: table<GroupMember>()({
    prefix: 7,
    key: ["group_id", "user_id"],
    fields: ["group_id", "user_id"],
    cached: true,
    indexes: { group: { of: (row) => [row.group_id] }, user: { of: (row) => [row.user_id] } },
  }),
  channels: table<Channel>()({
    prefix: 8,
    key: ["stream_id"],
    fields: [
      "stream_id", "recipient_id", "name", "description", "rendered_description", "date_created",
      "creator_id", "invite_only", "is_web_public", "history_public_to_subscribers", "is_archived",
      "is_default", "is_recently_active", "folder_id", "topics_policy", "message_retention_days",
      "first_message_id", "can_add_subscribers_group", "can_administer_channel_group",
      "can_create_topic_group", "can_delete_any_message_group", "can_delete_own_message_group",
      "can_move_messages_out_of_channel_group", "can_move_messages_within_channel_group",
      "can_remove_subscribers_group", "can_resolve_topics_group", "can_send_message_group",
      "can_subscribe_group",
    ],
    cached: true,
    indexes: { name: { of: (channel) => [channel.name.toLowerCase()] } },
  }),
  subscriptions: table<Subscription>()({
    prefix: 9,
    key: ["user_id", "stream_id"],
    fields: [
      "user_id", "stream_id", "active", "color", "is_muted", "pin_to_top", "desktop_notifications",
      "audible_notifications", "push_notifications", "email_notifications",
      "wildcard_mentions_notify", "spans", "suspended", "is_forgotten",
    ],
    cached: true,
    indexes: {
      user: { of: (sub) => [sub.user_id] },
      channel: { of: (sub) => [sub.stream_id] },
      subscribers: { of: (sub) => (sub.active ? [sub.stream_id] : undefined) },
      /** Those who are to be told of all that is said in this channel. */
      notified: {
        of: ({ active, email_notifications, push_notifications, stream_id }) =>
          active && (email_notifications || push_notifications) ? [stream_id] : undefined,
      },
    },
  }),
  topics: table<Topic>()({
    prefix: 10,
    journaled: true,
    key: ["topic_id"],
    fields: ["topic_id", "stream_id", "name", "first_id", "last_id", "count", "rename_id"],
    indexes: {
      name: {
        prefix: 11,
        unique: true,
        of: (topic) => [topic.stream_id, topic.name.toLowerCase()],
      },
      /** By the chunk of the newest message, so that few sends move a topic. */
      latest: { prefix: 12, of: (topic) => [topic.stream_id, chunkOf(topic.last_id)] },
      words: { prefix: 86, each: (topic) => termKeys(topic.name) },
    },
  }),
  conversations: table<Conversation>()({
    prefix: 13,
    journaled: true,
    key: ["recipient_id"],
    fields: ["recipient_id", "user_ids", "last_id"],
    indexes: {
      people: { prefix: 14, unique: true, of: (direct) => [setKey(direct.user_ids)] },
      /** As that of topics, for each of the people. */
      recent: {
        prefix: 15,
        each: ({ user_ids, last_id }) => user_ids.map((id) => [id, chunkOf(last_id)]),
      },
    },
  }),
  messages: table<Message>()({
    prefix: 16,
    key: ["id"],
    fields: [
      "id", "sender_id", "timestamp", "stream_id", "topic_id", "recipient_id", "content",
      "rendered_content", "client", "bits", "mentioned_user_ids", "mentioned_group_ids",
      "reactions", "submessages", "edit_history", "last_edit_timestamp", "last_moved_timestamp",
      "renames_seen",
    ],
    indexes: {},
  }),
  read_floors: table<ReadFloor>()({
    prefix: 17,
    journaled: true,
    key: ["user_id"],
    fields: ["user_id", "floor"],
    indexes: {},
  }),
  user_topics: table<UserTopic>()({
    prefix: 18,
    key: ["user_id", "stream_id", "folded"],
    fields: ["user_id", "stream_id", "folded", "topic_name", "visibility_policy", "last_updated"],
    cached: true,
    indexes: {
      user: { of: (row) => [row.user_id] },
      topic: { of: (row) => [row.stream_id, row.folded] },
    },
  }),
  muted_users: table<MutedUser>()({
    prefix: 19,
    key: ["user_id", "muted_user_id"],
    fields: ["user_id", "muted_user_id", "timestamp"],
    cached: true,
    indexes: {
      user: { of: (row) => [row.user_id] },
      muted: { of: (row) => [row.muted_user_id] },
    },
  }),
  presences: table<Presence>()({
    prefix: 20,
    key: ["user_id"],
    fields: ["user_id", "active_timestamp", "idle_timestamp", "update_id"],
    indexes: {},
  }),
  queues: table<QueueRecord>()({
    prefix: 21,
    key: ["queue_id"],
    fields: [
      "queue_id", "user_id", "client", "created", "idle_timeout_secs", "event_types",
      "capabilities", "all_public_streams", "narrow", "acknowledged", "pending", "session_id",
    ],
    indexes: {},
  }),
  log: table<LogEntry>()({
    prefix: 22,
    key: ["seq"],
    fields: ["seq", "event", "audience", "width"],
    indexes: {},
  }),
  due: table<DueJob>()({
    prefix: 23,
    key: ["at", "job_id"],
    fields: ["at", "job_id", "kind", "payload", "attempts"],
    indexes: {},
  }),
  sends: table<Send>()({
    prefix: 24,
    journaled: true,
    key: ["user_id", "token"],
    fields: ["user_id", "token", "message_id", "timestamp"],
    indexes: {},
  }),
  tickets: table<Ticket>()({
    prefix: 25,
    key: ["hash"],
    fields: ["hash", "kind", "expires", "payload"],
    indexes: {},
  }),
  user_statuses: table<UserStatus>()({
    prefix: 26,
    key: ["user_id"],
    fields: ["user_id", "status_text", "emoji_name", "emoji_code", "reaction_type", "timestamp"],
    cached: true,
    indexes: {},
  }),
  arrivals: table<Arrivals>()({
    prefix: 30,
    key: ["chunk"],
    fields: ["chunk", "ways"],
    indexes: {},
  }),
  topic_renames: table<TopicRename>()({
    prefix: 31,
    key: ["topic_id", "rename_id"],
    fields: ["topic_id", "rename_id", "last_id", "user_id", "timestamp", "prev_topic", "topic"],
    indexes: {},
  }),
  unfinished_moves: table<UnfinishedMove>()({
    prefix: 32,
    key: ["move_id"],
    fields: [
      "move_id", "user_id", "message_id", "propagate_mode", "timestamp", "from_topic_id",
      "to_topic_id", "prev_stream", "prev_topic", "stream_id", "topic", "is_toggle", "is_whole",
      "was_empty", "notify_old", "notify_new", "after_id", "last_id", "first_moved_id", "moved",
      "job_at", "job_id",
    ],
    indexes: {},
  }),
  archive: table<Archived>()({
    prefix: 33,
    key: ["message_id"],
    fields: ["message_id", "deleted", "deleted_by", "message", "topic"],
    indexes: { deleted: { prefix: 34, of: (row) => [row.deleted] } },
  }),
  drafts: table<Draft>()({
    prefix: 35,
    key: ["user_id", "draft_id"],
    fields: ["user_id", "draft_id", "type", "to", "topic", "content", "timestamp"],
    indexes: {},
  }),
  saved_snippets: table<SavedSnippet>()({
    prefix: 36,
    key: ["user_id", "saved_snippet_id"],
    fields: ["user_id", "saved_snippet_id", "title", "content", "date_created"],
    indexes: {},
  }),
  channel_folders: table<ChannelFolder>()({
    prefix: 47,
    key: ["id"],
    fields: [
      "id", "name", "description", "rendered_description", "date_created", "creator_id",
      "is_archived", "order",
    ],
    cached: true,
    indexes: {},
  }),
  default_channel_groups: table<DefaultChannelGroup>()({
    prefix: 48,
    key: ["id"],
    fields: ["id", "name", "description", "stream_ids"],
    cached: true,
    indexes: {},
  }),
  linkifiers: table<LinkifierRecord>()({
    prefix: 49,
    key: ["id"],
    fields: [
      "id", "order", "pattern", "url_template", "example_input", "reverse_template",
      "alternative_url_templates",
    ],
    cached: true,
    indexes: {},
  }),
  playgrounds: table<Playground>()({
    prefix: 50,
    key: ["id"],
    fields: ["id", "name", "pygments_language", "url_template"],
    cached: true,
    indexes: {},
  }),
  profile_fields: table<ProfileField>()({
    prefix: 61,
    key: ["id"],
    fields: [
      "id", "type", "order", "name", "hint", "field_data", "required", "editable_by_user",
      "display_in_profile_summary", "use_for_user_matching",
    ],
    cached: true,
    indexes: {},
  }),
  profile_values: table<ProfileValue>()({
    prefix: 62,
    key: ["user_id", "field_id"],
    fields: ["user_id", "field_id", "value", "rendered_value"],
    cached: true,
    indexes: {
      user: { of: (row) => [row.user_id] },
      field: { of: (row) => [row.field_id] },
    },
  }),
  linked_pages: table<LinkedPageRow>()({
    prefix: 60,
    key: ["hash"],
    fields: ["hash", "expires", "page"],
    indexes: {},
  }),
  navigation_views: table<NavigationViews>()({
    prefix: 63,
    key: ["user_id"],
    fields: ["user_id", "views"],
    indexes: {},
  }),
  onboarding_seen: table<OnboardingSeen>()({
    prefix: 73,
    key: ["user_id"],
    fields: ["user_id", "steps"],
    indexes: {},
  }),
  scheduled_messages: table<ScheduledMessage>()({
    prefix: 37,
    key: ["user_id", "scheduled_message_id"],
    fields: [
      "user_id", "scheduled_message_id", "type", "to", "topic", "content", "rendered_content",
      "scheduled_delivery_timestamp", "read_by_sender", "client", "failed", "job_at", "job_id",
    ],
    indexes: {},
  }),
  reminders: table<Reminder>()({
    prefix: 38,
    key: ["user_id", "reminder_id"],
    fields: [
      "user_id", "reminder_id", "reminder_target_message_id", "note", "content", "rendered_content",
      "scheduled_delivery_timestamp", "failed", "job_at", "job_id",
    ],
    indexes: {},
  }),
  devices: table<Device>()({
    prefix: 55,
    key: ["user_id", "device_id"],
    fields: [
      "user_id", "device_id", "key_id", "registered", "push_key_id", "push_token_id",
      "pending_push_token_id", "push_token_last_updated_timestamp", "push_registration_error_code",
    ],
    indexes: {},
  }),
  push_tokens: table<PushToken>()({
    prefix: 56,
    key: ["hash"],
    fields: ["hash", "user_id", "key_id", "kind", "token", "appid", "registered"],
    cached: true,
    indexes: { user: { of: (row) => [row.user_id] } },
  }),
  search_segments: table<SearchSegment>()({
    prefix: 40,
    key: ["level", "number"],
    fields: ["level", "number", "until", "firsts"],
    cached: true,
    indexes: {},
  }),
  search_pages: table<SearchPage>()({
    prefix: 41,
    key: ["level", "number", "first"],
    fields: ["level", "number", "first", "terms", "lists"],
    indexes: {},
  }),
  /** Of the newest messages, a few hundred: each search looks at all of them. */
  search_fresh: table<FreshTerms>()({
    prefix: 42,
    journaled: true,
    key: ["id"],
    fields: ["id", "terms"],
    cached: true,
    indexes: {},
  }),
  bots: table<Bot>()({
    prefix: 57,
    key: ["user_id"],
    fields: [
      "user_id", "default_sending_stream", "default_events_register_stream",
      "default_all_public_streams", "service", "storage_size",
    ],
    cached: true,
    indexes: {},
  }),
  bot_storage: table<StoredText>()({
    prefix: 58,
    key: ["user_id", "slot"],
    fields: ["user_id", "slot", "name", "value"],
    indexes: {},
  }),
  webhook_calls: table<WebhookCall>()({
    prefix: 120,
    key: ["user_id", "message_id"],
    fields: ["user_id", "message_id", "attempts"],
    indexes: {},
  }),
  bot_warnings: table<BotWarning>()({
    prefix: 121,
    key: ["user_id"],
    fields: ["user_id", "timestamp"],
    indexes: {},
  }),
  group_graph: table<GroupGraph>()({
    prefix: 43,
    key: ["realm_id"],
    fields: ["realm_id", "version"],
    cached: true,
    indexes: {},
  }),
  setting_defaults: table<SettingDefault>()({
    prefix: 44,
    key: ["name"],
    fields: ["name", "value"],
    cached: true,
    indexes: {},
  }),
  realm_domains: table<RealmDomain>()({
    prefix: 45,
    key: ["domain"],
    fields: ["domain", "id", "allow_subdomains"],
    cached: true,
    indexes: {},
  }),
  deactivations: table<Deactivation>()({
    prefix: 46,
    key: ["realm_id"],
    fields: ["realm_id", "user_id", "timestamp"],
    cached: true,
    indexes: {},
  }),
  attachments: table<Attachment>()({
    prefix: 51,
    key: ["id"],
    fields: [
      "id", "user_id", "path_id", "name", "size", "content_type", "create_time", "image",
      "unused_since",
    ],
    indexes: {
      path: { prefix: 52, unique: true, of: (file) => [file.path_id] },
      owner: { prefix: 53, of: (file) => [file.user_id] },
      unused: {
        prefix: 90,
        of: ({ unused_since }) => (unused_since === null ? undefined : [unused_since]),
      },
    },
  }),
  attachment_uses: table<AttachmentUse>()({
    prefix: 54,
    key: ["attachment_id", "message_id"],
    fields: ["attachment_id", "message_id"],
    indexes: { message: { prefix: 91, of: (use) => [use.message_id] } },
  }),
  upload_space: table<UploadSpace>()({
    prefix: 92,
    key: ["realm_id"],
    fields: ["realm_id", "bytes"],
    cached: true,
    indexes: {},
  }),
  resumable_uploads: table<ResumableUpload>()({
    prefix: 93,
    key: ["path_id"],
    fields: ["path_id", "user_id", "name", "content_type", "size", "created"],
    cached: true,
    indexes: { user: { of: (upload) => [upload.user_id] } },
  }),
  custom_emoji: table<CustomEmoji>()({
    prefix: 94,
    key: ["id"],
    fields: ["id", "name", "author_id", "file", "still", "deactivated"],
    cached: true,
    indexes: {
      /** Those in use. */
      name: { of: ({ name, deactivated }) => (deactivated ? undefined : [name]) },
    },
  }),
  search_words: table<SearchWords>()({
    prefix: 87,
    key: ["level", "number", "first"],
    fields: ["level", "number", "first", "lines"],
    indexes: {},
  }),
  invitations: table<Invitation>()({
    prefix: 59,
    key: ["kind", "id"],
    fields: [
      "kind", "id", "hash", "sealed", "email", "invited_by_user_id", "invited", "expiry_date",
      "revoked", "invited_as", "stream_ids", "group_ids", "include_realm_default_subscriptions",
      "notify_referrer_on_join", "welcome_message_custom_text",
    ],
    cached: true,
    indexes: {
      hash: { of: (invitation) => [invitation.hash] },
      inviter: { of: (invitation) => [invitation.invited_by_user_id] },
      email: { of: ({ email }) => (email === null ? undefined : [email.toLowerCase()]) },
    },
  }),
  sessions: table<Session>()({
    prefix: 130,
    key: ["session_id"],
    fields: [
      "session_id", "user_id", "hash", "created", "last_used", "expires", "user_agent", "method",
    ],
    cached: true,
    indexes: {
      hash: { of: (session) => [session.hash] },
      user: { of: (session) => [session.user_id] },
    },
  }),
  totps: table<Totp>()({
    prefix: 131,
    key: ["user_id"],
    fields: ["user_id", "sealed", "created", "confirmed", "last_period"],
    indexes: {},
  }),
  passkeys: table<Passkey>()({
    prefix: 132,
    key: ["hash"],
    fields: [
      "hash", "passkey_id", "user_id", "credential_id", "public_key", "counter", "transports",
      "name", "created", "last_used",
    ],
    indexes: { user: { prefix: 133, of: (passkey) => [passkey.user_id] } },
  }),
  recovery_codes: table<RecoveryCode>()({
    prefix: 134,
    key: ["user_id", "hash"],
    fields: ["user_id", "hash"],
    indexes: {},
  }),
  missed_mail: table<MissedMail>()({
    prefix: 124,
    key: ["user_id"],
    fields: ["user_id", "message_ids", "since"],
    indexes: {},
  }),
  mail_progress: table<MailProgress>()({
    prefix: 125,
    key: ["realm_id"],
    fields: ["realm_id", "message_id"],
    indexes: {},
  }),
  push_subscriptions: table<PushSubscription>()({
    prefix: 142,
    key: ["push_id"],
    fields: [
      "push_id", "user_id", "key_id", "kind", "hash", "endpoint", "p256dh", "auth", "sealed_token",
      "name", "with_content", "with_removals", "registered", "after_message_id", "failure",
    ],
    cached: true,
    indexes: { hash: { of: (row) => [row.hash] }, user: { of: (row) => [row.user_id] } },
  }),
  push_keys: table<PushKeys>()({
    prefix: 143,
    key: ["realm_id"],
    fields: ["realm_id", "public_key", "sealed"],
    indexes: {},
  }),
  waiting_pushes: table<WaitingPush>()({
    prefix: 144,
    key: ["push_id", "message_id"],
    fields: ["push_id", "message_id", "is_removal"],
    indexes: {},
  }),
  pushed_messages: table<PushedMessage>()({
    prefix: 145,
    key: ["push_id", "message_id"],
    fields: ["push_id", "message_id", "user_id"],
    indexes: {
      user: { prefix: 146, of: (row) => [row.user_id] },
      message: { prefix: 147, of: (row) => [row.message_id] },
    },
  }),
  alert_words: table<AlertWord>()({
    prefix: 27,
    key: ["user_id", "folded"],
    fields: ["user_id", "folded", "word"],
    cached: true,
    indexes: {
      user: { of: (row) => [row.user_id] },
      word: { of: (row) => [row.folded] },
      /** A message is asked only for the words that begin as one of its own does. */
      beginning: { of: (row) => [beginningOf(row.folded)] },
    },
  }),
};

/** Sets of message ids; the key is one or two ids. */
export const bitmaps = {
  channel_messages: bitmap(64),
  topic_messages: bitmap(65),
  conversation_messages: bitmap(66),
  sender_messages: bitmap(67),
  /** By person: the direct messages that the person received. */
  user_directs: bitmap(68),
  /** By person and flag: `FLAG_…` of features/messages/rules.ts. */
  flags: bitmap(69),
  /** One set, key 0: the messages with a wildcard mention of the channel. */
  wildcards: bitmap(70),
  /** By group: the messages that mention it. */
  group_mentions: bitmap(71),
  /** By topic: who sent or reacted in it; these ids are of people. */
  topic_participants: bitmap(72),
  /** One set, key 0: the messages that came into their channel by a move. */
  moved: bitmap(82),
  /** One set, key 0: what everyone has read from the start but those with `FLAG_LOUD`. */
  quiet: bitmap(83),
  /** By message: who has it among the own ones without having received it; ids of people. */
  historical_holders: bitmap(84),
  /** One set, key 0: the messages that somebody reacted to. */
  reacted_messages: bitmap(80),
  /** By bit of `Message.bits`: the messages with a link, an image, an attachment. */
  marked_messages: bitmap(85),
};

/** Counters; an id is given inside the transaction that uses it. */
export type SequenceName =
  | "users"
  | "groups"
  | "recipients"
  | "channels"
  | "topics"
  | "messages"
  | "keys"
  | "sessions"
  | "passkeys"
  | "jobs"
  | "submessages"
  | "presence"
  | "events"
  | "renames"
  | "moves"
  | "moved_messages"
  | "drafts"
  | "saved_snippets"
  | "scheduled_messages"
  | "reminders"
  | "devices"
  | "push_subscriptions"
  | "invitations"
  | "invitation_links"
  | "channel_folders"
  | "default_channel_groups"
  | "linkifiers"
  | "playgrounds"
  | "profile_fields"
  | "realm_domains"
  | "attachments"
  | "custom_emoji";
