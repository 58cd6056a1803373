// The tables of a JSONL export, in the order of an import, with the type of each field.

/**
 * A type is int, text, bool, list or json (any value). `?` after it: null is allowed. `~`: the
 * field may be absent. A table's place in this list is part of the key of `imported`: only append.
 */
// prettier-ignore
const SHAPES = {
  realm: "realm_id:int realm_uuid:text date_created:int settings:json",
  users: `
    user_id:int delivery_email:text full_name:text role:int is_active:bool bot_type:int?
    bot_owner_id:int? is_system_bot:bool date_joined:int avatar_source:text avatar_version:int
    settings:json can_create_users:bool avatar_key:text?~ can_forge_sender:bool~
    can_change_user_emails:bool~ is_deleted:bool~ is_awaited:bool~ signed_up:bool~`,
  passwords: "user_id:int hash:text",
  api_keys: `
    key_id:int user_id:int hash:text client:text created:int last_used:int sealed:text?
    is_app_password:bool~`,
  totps: "user_id:int sealed:text created:int confirmed:int? last_period:int",
  passkeys: `
    hash:text passkey_id:int user_id:int credential_id:text public_key:text counter:int
    transports:list name:text created:int last_used:int?`,
  recovery_codes: "user_id:int hash:text",
  groups: `
    id:int name:text description:text date_created:int? creator_id:int? is_system_group:bool
    deactivated:bool direct_subgroup_ids:list can_add_members_group:json can_join_group:json
    can_leave_group:json can_manage_group:json can_mention_group:json
    can_remove_members_group:json`,
  group_members: "group_id:int user_id:int",
  group_graph: "realm_id:int version:int",
  setting_defaults: "name:text value:json",
  realm_domains: "domain:text id:int allow_subdomains:bool",
  deactivations: "realm_id:int user_id:int timestamp:int delete_at:int?~",
  profile_fields: `
    id:int type:int order:int name:text hint:text field_data:text required:bool
    editable_by_user:bool display_in_profile_summary:bool use_for_user_matching:bool`,
  profile_values: "user_id:int field_id:int value:text rendered_value:text?",
  user_statuses: `
    user_id:int status_text:text emoji_name:text emoji_code:text reaction_type:text timestamp:int`,
  presences: "user_id:int active_timestamp:int idle_timestamp:int update_id:int",
  alert_words: "user_id:int folded:text word:text",
  muted_users: "user_id:int muted_user_id:int timestamp:int",
  navigation_views: "user_id:int views:json?",
  sidebar_orders: "user_id:int folders:list channels:list",
  onboarding_seen: "user_id:int steps:list is_founder:json~",
  bots: `
    user_id:int default_sending_stream:int? default_events_register_stream:int?
    default_all_public_streams:bool service:json? storage_size:int storage_names:int~
    can_notify:json~`,
  bot_storage: "user_id:int slot:text name:text value:text",
  bot_calls: "user_id:int calls:list",
  linkifiers: `
    id:int order:int pattern:text url_template:text example_input:text? reverse_template:text?
    alternative_url_templates:list`,
  playgrounds: "id:int name:text pygments_language:text url_template:text",
  custom_emoji: "id:int name:text author_id:int file:text still:text? deactivated:bool",
  channel_folders: `
    id:int name:text description:text rendered_description:text date_created:int creator_id:int?
    is_archived:bool order:int`,
  channels: `
    stream_id:int recipient_id:int name:text description:text rendered_description:text
    date_created:int creator_id:int? invite_only:bool is_web_public:bool
    history_public_to_subscribers:bool is_archived:bool is_default:bool is_recently_active:bool
    folder_id:int? topics_policy:text message_retention_days:int? first_message_id:int?
    can_add_subscribers_group:json can_administer_channel_group:json can_create_topic_group:json
    can_delete_any_message_group:json can_delete_own_message_group:json
    can_move_messages_out_of_channel_group:json can_move_messages_within_channel_group:json
    can_remove_subscribers_group:json can_resolve_topics_group:json can_send_message_group:json
    can_subscribe_group:json`,
  default_channel_groups: "id:int name:text description:text stream_ids:list",
  subscriptions: `
    user_id:int stream_id:int active:bool color:text is_muted:bool pin_to_top:bool
    desktop_notifications:bool? audible_notifications:bool? push_notifications:bool?
    email_notifications:bool? wildcard_mentions_notify:bool? intervals:list suspended:bool
    is_forgotten:bool~ is_revived:bool~`,
  bulk_subscribes: "bulk_id:int job_at:int user_id:int made_ids:list announce:bool",
  bulk_subscribe_parts: `
    bulk_id:int nth:int stream_id:int color:text? user_ids:list removed_count:int~`,
  user_topics: `
    user_id:int stream_id:int folded:text topic_name:text visibility_policy:int last_updated:int`,
  invitations: `
    kind:text id:int hash:text sealed:text? email:text? invited_by_user_id:int invited:int
    expiry_date:int? revoked:int? invited_as:int stream_ids:list group_ids:list
    include_realm_default_subscriptions:bool notify_referrer_on_join:bool
    welcome_message_custom_text:text?`,
  attachments: `
    id:int user_id:int path_id:text name:text size:int content_type:text create_time:int
    image:json? unused_since:int? sha256:text~`,
  conversations: "recipient_id:int user_ids:list last_id:int",
  topics: `
    topic_id:int stream_id:int name:text first_id:int last_id:int count:int rename_id:int
    base:text~`,
  topic_renames: `
    topic_id:int rename_id:int last_id:int user_id:int timestamp:int prev_topic:text topic:text`,
  messages: `
    id:int sender_id:int timestamp:int stream_id:int topic_id:int recipient_id:int content:text
    rendered_content:text? client:text bits:int mentioned_user_ids:list? mentioned_group_ids:list?
    reactions:list? submessages:list? edit_history:list? last_edit_timestamp:int?
    last_moved_timestamp:int? renames_seen:int spelling:text?`,
  attachment_uses: "attachment_id:int message_id:int",
  note_attachment_uses: "attachment_id:int topic_id:int",
  moved_messages: "chunk:int move_paths:list",
  message_pins: "message_id:int stream_id:int pinned_by:int pinned_at:int",
  topic_notes: `
    topic_id:int content:text rendered_content:text? version:int updated_by:int updated_at:int`,
  topic_note_versions: `
    topic_id:int version:int content:text updated_by:int updated_at:int event_id:int~`,
  backdated_times: "chunk:int latest:int",
  read_floors: "user_id:int floor:int",
  unfinished_moves: `
    move_id:int user_id:int message_id:int propagate_mode:text timestamp:int from_topic_id:int
    to_topic_id:int prev_stream:int prev_topic:text stream_id:int topic:text is_toggle:bool
    is_whole:bool was_empty:bool notify_old:bool notify_new:bool after_id:int last_id:int
    first_moved_id:int moved:int job_at:int job_id:int`,
  archive: "message_id:int deleted:int deleted_by:int? message:json topic:text",
  drafts: "user_id:int draft_id:int type:text to:list topic:text content:text timestamp:int",
  saved_snippets: "user_id:int saved_snippet_id:int title:text content:text date_created:int",
  scheduled_messages: `
    user_id:int scheduled_message_id:int type:text to:list topic:text content:text
    rendered_content:text scheduled_delivery_timestamp:int read_by_sender:bool client:text
    failed:bool job_at:int job_id:int`,
  reminders: `
    user_id:int reminder_id:int reminder_target_message_id:int note:text content:text
    rendered_content:text scheduled_delivery_timestamp:int failed:bool job_at:int job_id:int`,
  due: "at:int job_id:int kind:text payload:json attempts:int",
};

export type ExportedTable = keyof typeof SHAPES;

export const EXPORTED_TABLES = Object.keys(SHAPES) as ExportedTable[];

/** Tables that an export leaves out, with the reason that its documentation gives. */
export const OMITTED_FIELDS: Readonly<Record<string, string>> = {
  audit: "evidence about the server that wrote it; `skein audit list --json` prints it",
  audit_parts: "as audit",
  sessions: "browsers sign in again at the new address",
  last_sign_ins: "users sign in again at the new address",
  tickets: "one-time links contain the old address and expire within the hour",
  queues: "clients register again",
  log: "clients register again",
  sends: "retries of a send reach the old server only",
  devices: "phones register again",
  push_tokens: "phones register again",
  push_subscriptions: "browsers and apps subscribe again",
  push_keys: "created for the new address",
  waiting_pushes: "pushes under way are sent by the old server",
  pushed_messages: "as waiting_pushes",
  missed_mail: "mail under way is sent by the old server",
  mail_progress: "starts at the newest message",
  webhook_calls: "calls under way are made by the old server",
  bot_warnings: "the owner of a failing bot is warned again",
  linked_pages: "link previews are fetched again",
  resumable_uploads: "clients start an interrupted upload again",
  upload_space: "counted from attachments",
  search_segments: "the search index is rebuilt",
  search_pages: "the search index is rebuilt",
  search_fresh: "the search index is rebuilt",
  search_words: "the search index is rebuilt",
  search_parts: "the search index is rebuilt",
  imports: "an import can be undone where it was made",
  imported: "an import can be undone where it was made",
  realm_exports: "exports are downloaded from the server that made them",
  person_exports: "as realm_exports",
};

/** Sets of ids that are exported; the others follow from the rows. */
export const EXPORTED_SETS = [
  "flags",
  "user_directs",
  "topic_participants",
  "moved",
  "quiet",
  "historical_holders",
  "backdated_messages",
] as const;

export type ExportedSet = (typeof EXPORTED_SETS)[number];

/** Sets that an import builds from the rows. */
export const DERIVED_SETS = [
  "channel_messages",
  "topic_messages",
  "conversation_messages",
  "sender_messages",
  "wildcards",
  "group_mentions",
  "reacted_messages",
  "marked_messages",
  "topic_parts",
  "search_gone",
] as const;

interface Field {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly isOptional: boolean;
}

export function fieldsOf(table: ExportedTable): Field[] {
  return SHAPES[table]
    .trim()
    .split(/\s+/)
    .map((word) => {
      const [, name = "", type = "", nullable = "", optional = ""] =
        /^(\w+):(\w+)(\??)(~?)$/.exec(word) ?? [];
      return { name, type, isNullable: nullable !== "", isOptional: optional !== "" };
    });
}
