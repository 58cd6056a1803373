// Records of users: credentials, settings and notifications.
import type { GroupSetting, Seconds } from "./records.ts";

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
  /**
   * For bots: the key, encrypted with the secret of the directory, so that the owner can read it.
   */
  sealed: string | null;
  /** Made by its person for one program. Keys of earlier versions count as API keys. */
  is_app_password?: boolean;
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

/** A phone that a client of the person runs on; what encrypted push needs is null until then. */
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

/** How the maker of a phone reaches it. */
export interface PushToken {
  /** SHA-256 of kind and token, hex. */
  hash: string;
  user_id: number;
  /** Id of the API key that registered it. */
  key_id: number;
  kind: "fcm" | "apns";
  token: string;
  /** Which app of that maker's; only `apns` has several. */
  appid: string | null;
  registered: Seconds;
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

/** Explanations that clients have shown to the user. */
export interface OnboardingSeen {
  user_id: number;
  steps: string[];
  /** They have set the organization up, and are led through its first steps. */
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
  /** How many texts that is. */
  storage_names?: number;
  /**
   * Whom text at its webhook may notify. Unset for bots of earlier versions, which means
   * "everyone".
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

/** An outgoing webhook is yet to be told of a message; `attempts` have failed. */
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
  /** `quiet`: all went well, and there was nothing to say. */
  outcome: "said" | "quiet" | "put off" | "failed";
  /** Why it failed, without anything of what was sent. */
  why: string | null;
  /** How long the program took; null where none was asked. */
  duration_ms: number | null;
}

/** The last of a bot, the newest at the end. */
export interface BotCalls {
  user_id: number;
  calls: BotCall[];
}

/** When the owner of a bot was last told that something of it is amiss. */
export interface BotWarning {
  user_id: number;
  timestamp: Seconds;
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

/** A browser in which somebody is signed in. */
export interface Session {
  session_id: number;
  user_id: number;
  /** SHA-256 of the token in the cookie, hex. */
  hash: string;
  created: Seconds;
  last_used: Seconds;
  /** Moves on with each use, up to a limit. */
  expires: Seconds;
  /** The browser, as it calls itself. */
  user_agent: string;
  /** By which way the person came in: a name of features/realm/methods-wire.ts. */
  method: string;
  /** The user's name in the directory. */
  username?: string | undefined;
}

/** A secret that an authenticator app makes codes of. */
export interface Totp {
  user_id: number;
  /** By the secret of the directory. */
  sealed: string;
  created: Seconds;
  /** null: no code has come from the app yet, so none is asked for. */
  confirmed: Seconds | null;
  /** The number of the newest period whose code was used: a code works once. */
  last_period: number;
}

/** A passkey or security key. */
export interface Passkey {
  /** SHA-256 of the id that the authenticator gave, hex: ids may be longer than a key. */
  hash: string;
  passkey_id: number;
  user_id: number;
  /** base64url, as are all of WebAuthn's ids. */
  credential_id: string;
  /** COSE, base64url. */
  public_key: string;
  /** Number of uses. If it does not grow, the authenticator was copied. */
  counter: number;
  transports: string[];
  name: string;
  created: Seconds;
  last_used: Seconds | null;
}

/** One of the codes for who has lost everything else; gone when used. */
export interface RecoveryCode {
  user_id: number;
  /** SHA-256, hex. */
  hash: string;
}

/** A message that is sent by email if the user has not read it by then. */
export interface MissedMail {
  user_id: number;
  message_ids: number[];
  since: Seconds;
}

/** The newest message that was looked at for whom to tell of it, by mail or push. */
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
  /** `web`: what speaks Web Push, UnifiedPush too. */
  kind: "web" | "ntfy";
  /** SHA-256 of what tells it apart, hex. */
  hash: string;
  /** Anyone who knows this URL can post to it. */
  endpoint: string;
  /** Keys with which pushes are encrypted, in base64url. Empty for `ntfy`. */
  p256dh: string;
  auth: string;
  /** By the secret of the directory: what the ntfy server wants to see. */
  sealed_token: string | null;
  name: string;
  /** Whether it is told what was written. */
  with_content: boolean;
  /** Whether it may be told to take a notification away. */
  with_removals: boolean;
  registered: Seconds;
  /** It is told only of what was sent after this message. */
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

/** By these the push services know the organization. */
export interface PushKeys {
  realm_id: number;
  /** base64url. */
  public_key: string;
  /** By the secret of the directory. */
  sealed: string;
}

/** A push that waits to be sent. */
export interface WaitingPush {
  push_id: number;
  message_id: number;
  /** The person has seen the message elsewhere. */
  is_removal: boolean;
}

/** A push that can still be withdrawn. */
export interface PushedMessage {
  push_id: number;
  message_id: number;
  user_id: number;
}
