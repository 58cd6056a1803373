// Notification settings: a grid of events and ways, and rows.
import type { SettingName } from "../../../features/settings/rules.ts";
import type { TextKey } from "../../words/words.ts";
import { sendsMail } from "../organization/selectors.ts";
import { choice, onOff, option, type SettingsSection } from "./rows.ts";

/** The kinds of notifications in the order of the columns; each can be set per channel. */
export const NOTIFICATION_METHODS = [
  { textKey: "settings-by-desktop", ofChannel: "desktop_notifications" },
  { textKey: "settings-by-sound", ofChannel: "audible_notifications" },
  { textKey: "settings-by-push", ofChannel: "push_notifications" },
  { textKey: "settings-by-email", ofChannel: "email_notifications" },
] as const satisfies readonly { textKey: TextKey; ofChannel: string }[];

/** Number of columns; without email if the server sends none. */
export const methodCount = (): number => NOTIFICATION_METHODS.length - (sendsMail() ? 0 : 1);

interface NotificationRow {
  readonly textKey: TextKey;
  /** A setting for each kind of notification. */
  readonly names: readonly [SettingName, SettingName, SettingName, SettingName];
}

export const GRID: readonly NotificationRow[] = [
  {
    textKey: "directs-and-mentions",
    names: [
      "enable_desktop_notifications",
      "enable_sounds",
      "enable_offline_push_notifications",
      "enable_offline_email_notifications",
    ],
  },
  {
    textKey: "settings-notify-followed",
    names: [
      "enable_followed_topic_desktop_notifications",
      "enable_followed_topic_audible_notifications",
      "enable_followed_topic_push_notifications",
      "enable_followed_topic_email_notifications",
    ],
  },
  {
    textKey: "settings-notify-channels",
    names: [
      "enable_stream_desktop_notifications",
      "enable_stream_audible_notifications",
      "enable_stream_push_notifications",
      "enable_stream_email_notifications",
    ],
  },
];

const FOLLOW_POLICY = choice(
  option(1, "settings-when-part"),
  option(2, "settings-when-send"),
  option(3, "settings-when-start"),
  option(4, "never"),
);
const delayOption = (seconds: number) =>
  seconds < 60
    ? { value: seconds, words: { word: "settings-seconds", count: seconds } as const }
    : { value: seconds, words: { word: "settings-minutes", count: seconds / 60 } as const };

export const NOTIFICATIONS: readonly SettingsSection[] = [
  {
    textKey: "settings-wildcard-mentions",
    rows: [
      { name: "wildcard_mentions_notify", textKey: "settings-wildcard", control: onOff },
      {
        name: "enable_followed_topic_wildcard_mentions_notify",
        textKey: "settings-wildcard-followed",
        control: onOff,
      },
    ],
  },
  {
    textKey: "settings-on-screen",
    rows: [
      {
        name: "notification_sound",
        textKey: "settings-sound",
        control: choice(
          option("zulip", "settings-sound-zulip"),
          option("ding", "settings-sound-ding"),
          option("none", "settings-sound-none"),
        ),
      },
      {
        name: "pm_content_in_desktop_notifications",
        textKey: "settings-content-desktop",
        control: onOff,
      },
      {
        name: "desktop_icon_count_display",
        textKey: "settings-icon-count",
        control: choice(
          option(1, "settings-icon-all"),
          option(2, "settings-icon-followed"),
          option(3, "directs-and-mentions"),
          option(4, "none-selected"),
        ),
      },
    ],
  },
  {
    textKey: "settings-phone",
    rows: [
      {
        name: "enable_online_push_notifications",
        textKey: "settings-online-push",
        hint: "settings-online-push-hint",
        control: onOff,
      },
    ],
  },
  {
    textKey: "settings-mail",
    rows: [
      {
        name: "message_content_in_email_notifications",
        textKey: "settings-mail-content",
        control: onOff,
      },
      {
        name: "email_notifications_batching_period_seconds",
        textKey: "settings-mail-wait",
        hint: "settings-mail-wait-hint",
        control: choice(...[30, 60, 120, 300, 600, 1800, 3600].map(delayOption)),
      },
      {
        name: "realm_name_in_email_notifications_policy",
        textKey: "settings-mail-realm",
        control: choice(
          option(1, "settings-automatic"),
          option(2, "settings-always"),
          option(3, "never"),
        ),
      },
      { name: "enable_login_emails", textKey: "settings-login-mails", control: onOff },
    ],
  },
  {
    textKey: "topics",
    rows: [
      {
        name: "automatically_follow_topics_policy",
        textKey: "settings-follow-when",
        control: FOLLOW_POLICY,
      },
      {
        name: "automatically_unmute_topics_in_muted_streams_policy",
        textKey: "settings-unmute-when",
        control: FOLLOW_POLICY,
      },
      {
        name: "automatically_follow_topics_where_mentioned",
        textKey: "settings-follow-mentioned",
        control: onOff,
      },
      {
        name: "resolved_topic_notice_auto_read_policy",
        textKey: "settings-resolved-read",
        control: choice(
          option("always", "settings-always"),
          option("except_followed", "settings-except-followed"),
          option("never", "never"),
        ),
      },
    ],
  },
];
