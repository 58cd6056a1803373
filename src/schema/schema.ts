// All tables: prefix on disk, key, record and indexes.
import { GUEST } from "../contract/roles.ts";
import { chunkOf } from "../store/bitmap/bitmap.ts";
import { bitmap, table } from "../store/declare.ts";
import { comparedName } from "../text/compare-names.ts";
import { foldedAddress } from "../text/email-address.ts";
import { termKeys } from "../text/search/words.ts";
import type {
  BulkSubscribe,
  BulkSubscribePart,
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
import { auditTables } from "./schema-audit.ts";
import { messageTables } from "./schema-messages.ts";
import { movingTables } from "./schema-moving.ts";
import { peopleTables } from "./schema-people.ts";

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
      "is_awaited", "signed_up",
    ],
    cached: true,
    indexes: {
      email: { of: (user) => [foldedAddress(user.delivery_email)] },
      name: { of: (user) => [user.full_name.toLowerCase()] },
      owner: { of: (user) => (user.bot_owner_id === null ? undefined : [user.bot_owner_id]) },
      /** A single group: the guests, who have less access than others. */
      guests: { of: ({ role }) => (role === GUEST ? [1] : undefined) },
      /** A single group: users who are notified of all messages in their channels. */
      notified: {
        of: ({ settings }) =>
          settings["enable_stream_email_notifications"] ||
          settings["enable_stream_push_notifications"]
            ? [1]
            : undefined,
      },
    },
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
    indexes: { name: { of: (group) => [comparedName(group.name)] } },
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
    indexes: { name: { of: (channel) => [comparedName(channel.name)] } },
  }),
  subscriptions: table<Subscription>()({
    prefix: 9,
    key: ["user_id", "stream_id"],
    fields: [
      "user_id", "stream_id", "active", "color", "is_muted", "pin_to_top", "desktop_notifications",
      "audible_notifications", "push_notifications", "email_notifications",
      "wildcard_mentions_notify", "intervals", "suspended", "is_forgotten", "is_revived",
    ],
    cached: true,
    rows: { prefix: 158, key: ["stream_id", "user_id"] },
    indexes: {
      user: { of: (sub) => sub.user_id },
      channel: { of: (sub) => sub.stream_id },
      subscribers: { of: (sub) => (sub.active ? sub.stream_id : undefined) },
      /** Subscribers with notifications for all messages of the channel. */
      notified: {
        of: ({ active, email_notifications, push_notifications, stream_id }) =>
          active && (email_notifications || push_notifications) ? stream_id : undefined,
      },
    },
  }),
  bulk_subscribes: table<BulkSubscribe>()({
    prefix: 156,
    key: ["bulk_id"],
    fields: ["bulk_id", "job_at", "user_id", "made_ids", "announce"],
    indexes: {},
  }),
  bulk_subscribe_parts: table<BulkSubscribePart>()({
    prefix: 157,
    key: ["bulk_id", "nth"],
    fields: ["bulk_id", "nth", "stream_id", "color", "user_ids", "removed_count"],
    indexes: {},
  }),
  topics: table<Topic>()({
    prefix: 10,
    journaled: true,
    key: ["topic_id"],
    fields: ["topic_id", "stream_id", "name", "first_id", "last_id", "count", "rename_id", "base"],
    indexes: {
      name: {
        prefix: 11,
        unique: true,
        of: (topic) => [topic.stream_id, topic.name.toLowerCase()],
      },
      /** Ordered by the chunk of the newest message, so that few sends move a topic. */
      latest: { prefix: 12, of: (topic) => [topic.stream_id, chunkOf(topic.last_id)] },
      words: { prefix: 86, each: (topic) => termKeys(topic.name) },
    },
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
  queues: table<QueueRecord>()({
    prefix: 21,
    key: ["queue_id"],
    fields: [
      "queue_id", "user_id", "client", "created", "idle_timeout_secs", "event_types",
      "capabilities", "all_public_streams", "narrow", "acknowledged", "pending", "session_id",
      "key_id",
    ],
    indexes: {},
  }),
  log: table<LogEntry>()({
    prefix: 22,
    journaled: true,
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
    fields: ["realm_id", "user_id", "timestamp", "delete_at"],
    cached: true,
    indexes: {},
  }),
  custom_emoji: table<CustomEmoji>()({
    prefix: 94,
    key: ["id"],
    fields: ["id", "name", "author_id", "file", "still", "deactivated"],
    cached: true,
    indexes: {
      /** The names of emoji that are in use. */
      name: { of: ({ name, deactivated }) => (deactivated ? undefined : [name]) },
    },
  }),
  ...messageTables,
  ...peopleTables,
  ...auditTables,
  ...movingTables,
};

/** Sets of message ids; the key is one or two ids. */
export const bitmaps = {
  channel_messages: bitmap(64),
  topic_messages: bitmap(65),
  conversation_messages: bitmap(66),
  sender_messages: bitmap(67),
  /** The direct messages that a user received. */
  user_directs: bitmap(68),
  /** Messages by user and flag: `FLAG_…` of features/messages/rules.ts. */
  flags: bitmap(69),
  /** A single set, key 0: the messages with a wildcard mention of the channel. */
  wildcards: bitmap(70),
  /** The messages that mention a group. */
  group_mentions: bitmap(71),
  /** Users who sent or reacted in a topic. The ids are user ids. */
  topic_participants: bitmap(72),
  /** A single set, key 0: the messages that were moved into their channel. */
  moved: bitmap(82),
  /**
   * A single set, key 0: messages that all users have read from the start, except those with
   * `FLAG_UNREAD_HERE`.
   */
  quiet: bitmap(83),
  /** Users who have a message among their own without having received it. The ids are user ids. */
  historical_holders: bitmap(84),
  /** A single set, key 0: the messages with reactions. */
  reacted_messages: bitmap(80),
  /** The messages with a link, an image or an attachment, by bit of `Message.bits`. */
  marked_messages: bitmap(85),
  /** Topics by three letters in a word of their name. The ids are topic ids. */
  topic_parts: bitmap(165),
  /** A single set, key 0: deleted messages that are still in pages of the search index. */
  search_gone: bitmap(172),
  /** A single set, key 0: the messages whose sender set their time. */
  backdated_messages: bitmap(174),
};

/** Counters; the transaction that uses an id also takes it. */
// prettier-ignore
export const SEQUENCES = [
  "users", "groups", "recipients", "channels", "topics", "messages", "keys", "sessions",
  "passkeys", "jobs", "submessages", "presence", "events", "renames", "moves", "moved_messages",
  "drafts", "saved_snippets", "scheduled_messages", "reminders", "devices", "push_subscriptions",
  "invitations", "invitation_links", "channel_folders", "default_channel_groups", "linkifiers",
  "playgrounds", "profile_fields", "realm_domains", "attachments", "custom_emoji",
  "imports", "realm_exports", "topic_names",
] as const;

export type SequenceName = (typeof SEQUENCES)[number];
