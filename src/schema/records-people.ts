// Records of users: credentials, settings and notifications.
import type { GroupSetting, Seconds } from "./records.ts";

/** An argon2id hash, in a separate table, so that lists of users cannot leak it. */
export interface Password {
  user_id: number;
  hash: string;
}

export interface ApiKey {
  key_id: number;
  user_id: number;
  /** SHA-256 of the key in hex, so that a copy of the data directory reveals no keys. */
  hash: string;
  client: string;
  created: Seconds;
  last_used: Seconds;
  /**
   * For bots: the key, encrypted with the secret of the directory, so that the owner can read it.
   */
  sealed: string | null;
  /** Created by the user for one program. Keys of earlier versions count as API keys. */
  is_app_password?: boolean;
}

export interface MutedUser {
  user_id: number;
  muted_user_id: number;
  timestamp: Seconds;
}

/** `word` as the user wrote it; `folded` is the form that is searched for. */
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

/** A user's status. Empty if there is none. */
export interface UserStatus {
  user_id: number;
  status_text: string;
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
  timestamp: Seconds;
}

/** A one-time link, kept as a hash: set-up, invitations, resets. */
export interface Ticket {
  hash: string;
  kind: string;
  expires: Seconds;
  payload: unknown;
}

/**
 * A phone on which a client of the user runs. The fields for encrypted push are null until it is
 * registered for that.
 */
export interface Device {
  user_id: number;
  device_id: number;
  /** Id of the API key that registered it. */
  key_id: number;
  registered: Seconds;
  push_key_id: number | null;
  push_token_id: string | null;
  pending_push_token_id: string | null;
  push_token_last_updated_timestamp: Seconds | null;
  push_registration_error_code: string | null;
}

/** The token with which the maker of a phone delivers pushes to it. */
export interface PushToken {
  /** SHA-256 of kind and token in hex. */
  hash: string;
  user_id: number;
  /** Id of the API key that registered it. */
  key_id: number;
  kind: "fcm" | "apns";
  token: string;
  /** The app's id; only `apns` has several. */
  appid: string | null;
  registered: Seconds;
}

export interface ProfileValue {
  user_id: number;
  field_id: number;
  /** A list of users is stored as JSON text. */
  value: string;
  /** null for types that are not Markdown. */
  rendered_value: string | null;
}

/** The views that a user arranged in the navigation, by their URL fragments. */
export interface NavigationViews {
  user_id: number;
  views: { fragment: string; is_pinned: boolean; name: string | null }[];
}

/**
 * The user's own order of folders and channels. Those that are not in it come after those that are.
 */
export interface SidebarOrder {
  user_id: number;
  folders: number[];
  channels: number[];
}

/** Explanations that clients have shown to the user. */
export interface OnboardingSeen {
  user_id: number;
  steps: string[];
  /** The user has set the organization up, and is shown its first steps. */
  is_founder?: true;
}

/** Settings of a bot besides its account. Channels are given by id. */
export interface Bot {
  user_id: number;
  default_sending_stream: number | null;
  default_events_register_stream: number | null;
  default_all_public_streams: boolean;
  /** Target of an outgoing webhook. */
  service: { base_url: string; interface: number; token: string } | null;
  /** Size of everything that it stores, in code points. */
  storage_size: number;
  /** Number of stored texts. */
  storage_names?: number;
  /**
   * The users that messages from its webhook can notify. Unset for bots of earlier versions, which
   * means "everyone".
   */
  can_notify?: GroupSetting | "everyone";
}

/** A text that a bot stores under a name, whose SHA-256 in hex is `slot`. */
export interface StoredText {
  user_id: number;
  slot: string;
  name: string;
  value: string;
}

/** A pending call of an outgoing webhook for a message; `attempts` have failed. */
export interface WebhookCall {
  user_id: number;
  message_id: number;
  attempts: number;
}

/** Result of a webhook call, incoming or outgoing. */
export interface BotCall {
  timestamp: Seconds;
  way: "in" | "out";
  /** The posted message, or the one that was sent to the program. */
  message_id: number | null;
  /** HTTP status of the response. Null without one. */
  status: number | null;
  /** `quiet`: the call succeeded and the bot had nothing to post. */
  outcome: "said" | "quiet" | "put off" | "failed";
  /** Why it failed, without any content of the request. */
  why: string | null;
  /** Duration of the program's response; null if no program was called. */
  duration_ms: number | null;
}

/** The latest calls of a bot, newest last. */
export interface BotCalls {
  user_id: number;
  calls: BotCall[];
}

/** When the owner of a bot was last warned about a problem. */
export interface BotWarning {
  user_id: number;
  timestamp: Seconds;
}

/** An invitation for one address, or a link for several users. */
export interface Invitation {
  kind: "email" | "link";
  /** Each kind has its own sequence. */
  id: number;
  /** SHA-256 of the key in the link, in hex. */
  hash: string;
  /**
   * The key, encrypted with the secret of the directory, so that the inviter can display it again.
   */
  sealed: string | null;
  email: string | null;
  invited_by_user_id: number;
  invited: Seconds;
  /** null: never expires. */
  expiry_date: Seconds | null;
  revoked: Seconds | null;
  invited_as: number;
  stream_ids: number[];
  group_ids: number[];
  include_realm_default_subscriptions: boolean;
  notify_referrer_on_join: boolean;
  /** null: the organization's welcome message. */
  welcome_message_custom_text: string | null;
}

/** A browser in which a user is signed in. */
export interface Session {
  session_id: number;
  user_id: number;
  /** SHA-256 of the token in the cookie, in hex. */
  hash: string;
  created: Seconds;
  last_used: Seconds;
  /** Extended with each use, up to a limit. */
  expires: Seconds;
  /** The browser's user agent. */
  user_agent: string;
  /** The sign-in method of the account: a name of features/realm/methods-wire.ts. */
  method: string;
  /** The user's name in the directory. */
  username?: string | undefined;
}

/** When a user last signed in to a browser or an app. */
export interface LastSignIn {
  user_id: number;
  at: Seconds;
}

/** The shared secret of an authenticator app. */
export interface Totp {
  user_id: number;
  /** Encrypted with the key of the data directory. */
  sealed: string;
  created: Seconds;
  /** null until the app was confirmed with a code; until then no code is required. */
  confirmed: Seconds | null;
  /** The newest period whose code was used, because each code works once. */
  last_period: number;
}

/** A passkey or security key. */
export interface Passkey {
  /**
   * SHA-256 of the authenticator's credential id in hex, because ids may be longer than a table's
   * maximum key.
   */
  hash: string;
  passkey_id: number;
  user_id: number;
  /** base64url, like all ids of WebAuthn. */
  credential_id: string;
  /** COSE key in base64url. */
  public_key: string;
  /** Number of uses. If it does not grow, the authenticator was copied. */
  counter: number;
  transports: string[];
  name: string;
  created: Seconds;
  last_used: Seconds | null;
}

/** A recovery code of two-factor authentication; deleted when used. */
export interface RecoveryCode {
  user_id: number;
  /** SHA-256 in hex. */
  hash: string;
}

/** A message that is sent by email if the user has not read it by then. */
export interface MissedMail {
  user_id: number;
  message_ids: number[];
  since: Seconds;
}

/** The newest message that was checked for users to notify by email or push. */
export interface MailProgress {
  realm_id: number;
  message_id: number;
}

/** A push subscription: a browser, an app, or a topic on an ntfy server. */
export interface PushSubscription {
  push_id: number;
  user_id: number;
  /** Id of the API key that registered it. 0 for the account itself. */
  key_id: number;
  /** `web`: Web Push, including UnifiedPush. */
  kind: "web" | "ntfy";
  /** SHA-256 of what identifies the subscription, in hex. */
  hash: string;
  /** Anyone who knows this URL can post to it. */
  endpoint: string;
  /** Keys with which pushes are encrypted, in base64url. Empty for `ntfy`. */
  p256dh: string;
  auth: string;
  /** Access token for the ntfy server, encrypted with the key of the data directory. */
  sealed_token: string | null;
  name: string;
  /** Whether its pushes contain the message text. */
  with_content: boolean;
  /** Whether pushes may withdraw notifications. */
  with_removals: boolean;
  registered: Seconds;
  /** The server pushes only messages with greater ids. */
  after_message_id: number;
  /** Error of the newest push. Null if it was accepted. */
  failure: PushFailure | null;
}

export interface PushFailure {
  timestamp: Seconds;
  /** HTTP status, if there was a response. */
  status: number | null;
  reason: string;
}

/** Keys that identify the organization to push services. */
export interface PushKeys {
  realm_id: number;
  /** base64url. */
  public_key: string;
  /** Encrypted with the key of the data directory. */
  sealed: string;
}

/** A push that waits to be sent. */
export interface WaitingPush {
  push_id: number;
  message_id: number;
  /** The user has read the message elsewhere, so the notification is withdrawn. */
  is_removal: boolean;
}

/** A push that can still be withdrawn. */
export interface PushedMessage {
  push_id: number;
  message_id: number;
  user_id: number;
}
