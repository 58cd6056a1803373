// Every user setting with its default and valid values.
import type { User } from "../../schema/records.ts";
import { LANGUAGES } from "./language-rules.ts";
import { isHours } from "./do-not-disturb-rules.ts";

export type Value = string | number | boolean;

/** `kind` is its form in requests; `isValid` receives values of that kind. */
interface Setting {
  readonly default: Value;
  readonly kind: "text" | "int" | "bool";
  readonly isValid: (value: Value) => boolean;
}

export const NOTIFICATION_SOUNDS = ["zulip", "ding", "none"] as const;
export const EMOJI_SETS = [
  { key: "google", text: "Google" },
  { key: "twitter", text: "Twitter" },
  { key: "text", text: "Plain text" },
] as const;
/** Accepted from clients that still offer it. */
const OLD_EMOJI_SET = "google-blob";
const BATCHING_SECONDS_MAX = 604_800;
/** The year 9999. */
const UNTIL_SECONDS_MAX = 253_402_300_799;

const flag = (initial: boolean): Setting => ({
  default: initial,
  kind: "bool",
  isValid: () => true,
});

/** An option numbered from 1 to `last`. */
const choice = (initial: number, last: number): Setting => range(initial, 1, last);

const range = (initial: number, min: number, max: number): Setting => ({
  default: initial,
  kind: "int",
  isValid: (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
});

const word = (...values: readonly string[]): Setting => ({
  default: values[0]!,
  kind: "text",
  isValid: (value) => values.includes(value as string),
});

export const USER_SETTINGS = {
  timezone: { default: "", kind: "text", isValid: (value) => isTimezone(value as string) },
  default_language: {
    default: "en",
    kind: "text",
    isValid: (value) => Object.hasOwn(LANGUAGES, value as string),
  },
  twenty_four_hour_time: flag(false),
  color_scheme: choice(1, 3),
  web_font_size_px: range(16, 8, 48),
  web_line_height_percent: range(140, 100, 300),
  web_home_view: word("inbox", "recent", "all_messages"),
  web_escape_navigates_to_home_view: flag(true),
  web_mark_read_on_scroll_policy: choice(1, 3),
  web_channel_default_view: choice(1, 4),
  web_stream_unreads_count_display_policy: choice(2, 3),
  web_animate_image_previews: word("on_hover", "always", "never"),
  web_navigate_to_sent_message: flag(true),
  web_suggest_update_timezone: flag(true),
  web_left_sidebar_show_channel_folders: flag(true),
  web_left_sidebar_unreads_count_summary: flag(true),
  web_inbox_show_channel_folders: flag(true),
  user_list_style: choice(3, 3),
  left_side_userlist: flag(false),
  fluid_layout_width: flag(false),
  high_contrast_mode: flag(false),
  translate_emoticons: flag(false),
  enter_sends: flag(false),
  hide_ai_features: flag(false),
  allow_private_data_export: flag(false),
  starred_message_counts: flag(true),
  display_emoji_reaction_users: flag(true),
  demote_inactive_streams: choice(1, 3),
  emojiset: word(...EMOJI_SETS.map(({ key }) => key), OLD_EMOJI_SET),
  email_address_visibility: choice(1, 5),
  presence_enabled: flag(true),
  send_read_receipts: flag(true),
  send_private_typing_notifications: flag(true),
  send_stream_typing_notifications: flag(true),
  receives_typing_notifications: flag(true),
  enable_drafts_synchronization: flag(true),
  enable_stream_desktop_notifications: flag(false),
  enable_stream_email_notifications: flag(false),
  enable_stream_push_notifications: flag(false),
  enable_stream_audible_notifications: flag(false),
  wildcard_mentions_notify: flag(true),
  enable_followed_topic_desktop_notifications: flag(true),
  enable_followed_topic_email_notifications: flag(true),
  enable_followed_topic_push_notifications: flag(true),
  enable_followed_topic_audible_notifications: flag(true),
  enable_followed_topic_wildcard_mentions_notify: flag(true),
  enable_desktop_notifications: flag(true),
  enable_sounds: flag(true),
  enable_offline_email_notifications: flag(true),
  enable_offline_push_notifications: flag(true),
  enable_online_push_notifications: flag(true),
  enable_digest_emails: flag(true),
  enable_login_emails: flag(true),
  enable_marketing_emails: flag(true),
  message_content_in_email_notifications: flag(true),
  pm_content_in_desktop_notifications: flag(true),
  notification_sound: word(...NOTIFICATION_SOUNDS),
  do_not_disturb_until: range(0, 0, UNTIL_SECONDS_MAX),
  do_not_disturb_hours: { default: "", kind: "text", isValid: (value) => isHours(value as string) },
  desktop_icon_count_display: choice(1, 4),
  email_notifications_batching_period_seconds: range(120, 1, BATCHING_SECONDS_MAX),
  realm_name_in_email_notifications_policy: choice(1, 3),
  automatically_follow_topics_policy: choice(3, 4),
  automatically_unmute_topics_in_muted_streams_policy: choice(2, 4),
  automatically_follow_topics_where_mentioned: flag(true),
  resolved_topic_notice_auto_read_policy: word("except_followed", "always", "never"),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof USER_SETTINGS;
export const SETTING_NAMES = Object.keys(USER_SETTINGS) as readonly SettingName[];
type ValueOf<N extends SettingName> = (typeof USER_SETTINGS)[N]["default"] extends infer D
  ? D extends boolean
    ? boolean
    : D extends number
      ? number
      : string
  : never;

/** Settings that have no default in the organization. */
export const PERSONAL_NAMES = [
  "timezone",
  "default_language",
  "enable_login_emails",
  "enable_marketing_emails",
  "allow_private_data_export",
  "do_not_disturb_until",
  "do_not_disturb_hours",
] as const satisfies readonly SettingName[];

/** The user's value, or the default. */
export function userSetting<N extends SettingName>(
  user: Pick<User, "settings">,
  name: N,
): ValueOf<N> {
  return (user.settings[name] ?? USER_SETTINGS[name].default) as ValueOf<N>;
}

function isTimezone(name: string): boolean {
  if (name === "") return true;
  // The runtime also accepts offsets, which are not time zones.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
