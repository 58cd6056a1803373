// Fields that name users and channels, and what an undo of an import does about their rows.
import type { tables } from "./schema.ts";

/** The undo keeps a user or channel that the row names, and reports why. */
interface Keeps {
  readonly keeps: string;
}

/** The undo deletes the row together with the user or channel. */
interface Deleted {
  readonly keeps?: undefined;
}

/** The field is the key of the row, an index of the table finds it, or the table is small. */
type Found = { readonly by: "key" | "scan" } | { readonly index: string };

/**
 * `own act`: only users who have signed in are named, and the undo keeps those. `with messages`:
 * the row is deleted with the last message of the user or channel. `may be gone`: readers of the
 * row ignore users and channels that do not exist.
 */
export type Reference = ((Keeps | Deleted) & Found) | "own act" | "with messages" | "may be gone";

export type References = {
  readonly [T in keyof typeof tables]?: Readonly<Record<string, Reference>>;
};

const ownAct = { user_id: "own act" } as const;
const ofUser = { user_id: { index: "user" } } as const;

export const USER_REFERENCES: References = {
  last_sign_ins: { user_id: { keeps: "the user has signed in since", by: "key" } },
  users: { bot_owner_id: { keeps: "the account owns a bot", index: "owner" } },
  api_keys: { user_id: { keeps: "the account has an API key", index: "user" } },
  passwords: { user_id: { keeps: "the account has a password", by: "key" } },
  subscriptions: { user_id: { keeps: "the account is in a channel", index: "user" } },
  group_members: { user_id: { keeps: "the account is in a group", index: "user" } },
  attachments: { user_id: { keeps: "the account has a file that was kept", index: "owner" } },
  message_pins: { pinned_by: { keeps: "the account pinned a message", by: "scan" } },
  bulk_subscribe_parts: { user_ids: { keeps: "the account is being subscribed", by: "scan" } },
  muted_users: { user_id: { index: "user" }, muted_user_id: { index: "muted" } },
  user_topics: ofUser,
  profile_values: ofUser,
  user_statuses: { user_id: { by: "key" } },
  bots: { user_id: { by: "key" } },
  messages: { sender_id: "with messages", mentioned_user_ids: "may be gone" },
  conversations: { user_ids: "with messages" },
  scheduled_messages: { user_id: "own act", to: "may be gone" },
  drafts: { user_id: "own act", to: "may be gone" },
  archive: { deleted_by: "own act" },
  audit: { actor_id: "may be gone" },
  audit_parts: { user_id: "may be gone" },
  groups: { creator_id: "own act" },
  channels: { creator_id: "own act" },
  channel_folders: { creator_id: "own act" },
  custom_emoji: { author_id: "own act" },
  invitations: { invited_by_user_id: "own act" },
  topic_notes: { updated_by: "own act" },
  topic_note_versions: { updated_by: "own act" },
  realm_exports: { acting_user_id: "own act" },
  bulk_subscribes: { user_id: "own act", made_ids: "may be gone" },
  ...{ alert_words: ownAct, bot_calls: ownAct, bot_storage: ownAct, bot_warnings: ownAct },
  ...{ deactivations: ownAct, devices: ownAct, missed_mail: ownAct, navigation_views: ownAct },
  ...{ onboarding_seen: ownAct, passkeys: ownAct, person_exports: ownAct, presences: ownAct },
  ...{ push_subscriptions: ownAct, push_tokens: ownAct, pushed_messages: ownAct },
  ...{ queues: ownAct, read_floors: ownAct, recovery_codes: ownAct, reminders: ownAct },
  ...{ resumable_uploads: ownAct, saved_snippets: ownAct, sends: ownAct, sessions: ownAct },
  ...{ sidebar_orders: ownAct, topic_renames: ownAct, totps: ownAct, unfinished_moves: ownAct },
  webhook_calls: ownAct,
};

export const CHANNEL_REFERENCES: References = {
  default_channel_groups: { stream_ids: { keeps: "default channels include it", by: "scan" } },
  bots: {
    default_sending_stream: { keeps: "it is the default channel of a bot", by: "scan" },
    default_events_register_stream: { keeps: "it is the default channel of a bot", by: "scan" },
  },
  bulk_subscribe_parts: { stream_id: { keeps: "users are being subscribed to it", by: "scan" } },
  unfinished_moves: {
    prev_stream: { keeps: "messages are being moved", by: "scan" },
    stream_id: { keeps: "messages are being moved", by: "scan" },
  },
  subscriptions: { stream_id: { index: "channel" } },
  user_topics: { stream_id: { by: "scan" } },
  messages: { stream_id: "with messages" },
  topics: { stream_id: "with messages" },
  message_pins: { stream_id: "with messages" },
  scheduled_messages: { to: "may be gone" },
  drafts: { to: "may be gone" },
  invitations: { stream_ids: "may be gone" },
  sidebar_orders: { channels: "may be gone" },
};
