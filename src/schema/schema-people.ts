// Tables of users: credentials, notifications and bots.
import { table } from "../store/declare.ts";
import { beginningOf } from "../text/alert-words.ts";
import { foldedAddress } from "../text/email-address.ts";
import type {
  AlertWord,
  ApiKey,
  Bot,
  BotCalls,
  BotWarning,
  Device,
  Invitation,
  LastSignIn,
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
  SidebarOrder,
  StoredText,
  Ticket,
  Totp,
  UserStatus,
  WaitingPush,
  WebhookCall,
} from "./records-people.ts";

// prettier-ignore
export const peopleTables = {
  passwords: table<Password>()({
    prefix: 4,
    key: ["user_id"],
    fields: ["user_id", "hash"],
    indexes: {},
  }),
  api_keys: table<ApiKey>()({
    prefix: 5,
    key: ["key_id"],
    fields: [
      "key_id", "user_id", "hash", "client", "created", "last_used", "sealed", "is_app_password",
    ],
    cached: true,
    indexes: { hash: { of: (key) => [key.hash] }, user: { of: (key) => [key.user_id] } },
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
  navigation_views: table<NavigationViews>()({
    prefix: 63,
    key: ["user_id"],
    fields: ["user_id", "views"],
    indexes: {},
  }),
  sidebar_orders: table<SidebarOrder>()({
    prefix: 152,
    key: ["user_id"],
    fields: ["user_id", "folders", "channels"],
    indexes: {},
  }),
  onboarding_seen: table<OnboardingSeen>()({
    prefix: 73,
    key: ["user_id"],
    fields: ["user_id", "steps", "is_founder"],
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
  bots: table<Bot>()({
    prefix: 57,
    key: ["user_id"],
    fields: [
      "user_id", "default_sending_stream", "default_events_register_stream",
      "default_all_public_streams", "service", "storage_size", "storage_names", "can_notify",
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
  bot_calls: table<BotCalls>()({
    prefix: 186,
    key: ["user_id"],
    fields: ["user_id", "calls"],
    indexes: {},
  }),
  bot_warnings: table<BotWarning>()({
    prefix: 121,
    key: ["user_id"],
    fields: ["user_id", "timestamp"],
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
      email: { of: ({ email }) => (email === null ? undefined : [foldedAddress(email)]) },
    },
  }),
  sessions: table<Session>()({
    prefix: 130,
    key: ["session_id"],
    fields: [
      "session_id", "user_id", "hash", "created", "last_used", "expires", "user_agent", "method",
      "username",
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
  last_sign_ins: table<LastSignIn>()({
    prefix: 148,
    key: ["user_id"],
    fields: ["user_id", "at"],
    indexes: {},
  }),
  alert_words: table<AlertWord>()({
    prefix: 27,
    key: ["user_id", "folded"],
    fields: ["user_id", "folded", "word"],
    cached: true,
    indexes: {
      user: { of: (row) => [row.user_id] },
      word: { of: (row) => [row.folded] },
      /**
       * Finds alert words by their beginnings, so that a message is compared only with words that
       * may match.
       */
      beginning: { of: (row) => [beginningOf(row.folded)] },
    },
  }),
};
