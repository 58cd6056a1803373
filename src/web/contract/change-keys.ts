/** The keys that name parts of the state, so that views subscribe to what they read. */

/** Types of events that are keys by themselves. */
type EventKey =
  | "alert_words"
  | "device"
  | "drafts"
  | "invites_changed"
  | "navigation_view"
  | "onboarding_steps"
  | "realm_domains"
  | "realm_emoji"
  | "realm_linkifiers"
  | "realm_playgrounds"
  | "realm_user_settings_defaults"
  | "reminders"
  | "saved_snippets"
  | "scheduled_messages";

export type ChangeKey =
  | EventKey
  | "bots"
  | "channels"
  | "deactivated"
  | "dms"
  | "fields"
  | "folders"
  | "groups"
  | "hidden-messages"
  | "muted-users"
  | "outgoing"
  | "own drafts"
  | "realm"
  | "recent"
  | "settings"
  | "starred"
  | "topics-left"
  | "unread:all"
  | "unread:directs"
  | "user_topic"
  | "users"
  | "words"
  | `channel:${number}`
  | `dm:${string}`
  | `group:${number}`
  | `message:${number}`
  | `notes:${number}`
  | `pins:${number}`
  | `presence:${number | string}`
  | `realm:${string}`
  | `setting:${string}`
  | `status:${number}`
  | `subscribers:${number}`
  | `topic:${string}`
  | `topics:${number}`
  | `typing:${string}`
  | `unread:channel/${number}`
  | `unread:${string}`
  | `user:${number}`
  | `view:${string}`;
