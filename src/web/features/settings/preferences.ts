// Preferences for appearance and behavior, one row each.
import { ownValue } from "../../../text/input/own-value.ts";
import { LANGUAGES } from "../../../features/settings/language-rules.ts";
import { EMOJI_SETS } from "../../../features/settings/rules.ts";
import { choice, onOff, option, textOption, type SettingsSection } from "./rows.ts";
import { UI_LANGUAGES } from "../../words/words.ts";

const FONT_PIXELS = [13, 14, 15, 16, 17, 18, 20, 24] as const;
const LINE_PERCENTS = [122, 130, 140, 150, 170, 200] as const;

export const PREFERENCES: readonly SettingsSection[] = [
  {
    textKey: "settings-look",
    rows: [
      {
        name: "color_scheme",
        textKey: "colors",
        control: {
          kind: "themes",
          options: [
            option(3, "settings-light"),
            option(2, "settings-dark"),
            option(1, "settings-system"),
          ],
        },
      },
      {
        name: "web_font_size_px",
        textKey: "settings-text-size",
        hint: "settings-text-size-hint",
        control: choice(...FONT_PIXELS.map((pixels) => textOption(pixels, `${pixels}`))),
      },
      {
        name: "web_line_height_percent",
        textKey: "settings-line-height",
        control: choice(...LINE_PERCENTS.map((percent) => textOption(percent, `${percent / 100}`))),
      },
      {
        name: "fluid_layout_width",
        textKey: "settings-fluid",
        hint: "settings-fluid-hint",
        control: onOff,
      },
      {
        name: "high_contrast_mode",
        textKey: "settings-contrast",
        hint: "settings-contrast-hint",
        control: onOff,
      },
      {
        name: "emojiset",
        textKey: "emoji",
        hint: "settings-emoji-hint",
        control: choice(
          ...EMOJI_SETS.map(({ key, text }) =>
            key === "text" ? option(key, "settings-emoji-text") : textOption(key, text),
          ),
        ),
      },
      {
        name: "web_animate_image_previews",
        textKey: "settings-animated-images",
        hint: "settings-animated-images-hint",
        control: choice(
          option("always", "settings-always"),
          option("on_hover", "settings-animated-images-hover"),
          option("never", "never"),
        ),
      },
      {
        name: "user_list_style",
        textKey: "settings-people-list",
        control: choice(
          option(1, "settings-people-names"),
          option(2, "settings-people-status"),
          option(3, "settings-people-pictures"),
        ),
      },
    ],
  },
  {
    textKey: "settings-reading",
    rows: [
      {
        name: "web_home_view",
        textKey: "settings-home",
        hint: "settings-home-hint",
        control: choice(
          option("inbox", "inbox"),
          option("recent", "recent"),
          option("all_messages", "everything"),
        ),
      },
      {
        name: "web_escape_navigates_to_home_view",
        textKey: "settings-escape",
        control: onOff,
      },
      {
        name: "web_mark_read_on_scroll_policy",
        textKey: "settings-mark-read",
        hint: "settings-mark-read-hint",
        control: choice(
          option(1, "settings-mark-always"),
          option(2, "settings-mark-conversations"),
          option(3, "settings-mark-never"),
        ),
      },
      {
        name: "web_channel_default_view",
        textKey: "settings-channel-opens",
        control: choice(
          option(1, "settings-channel-newest"),
          option(2, "settings-channel-feed"),
          option(3, "settings-channel-topics"),
          option(4, "settings-channel-unread"),
        ),
      },
      {
        name: "web_stream_unreads_count_display_policy",
        textKey: "settings-channel-counts",
        hint: "settings-channel-counts-hint",
        control: choice(
          option(1, "settings-counts-all"),
          option(2, "settings-counts-unmuted"),
          option(3, "settings-counts-none"),
        ),
      },
      {
        name: "web_left_sidebar_unreads_count_summary",
        textKey: "settings-inbox-count",
        hint: "settings-inbox-count-hint",
        control: onOff,
      },
      {
        name: "web_left_sidebar_show_channel_folders",
        textKey: "settings-sidebar-folders",
        control: onOff,
      },
      {
        name: "web_inbox_show_channel_folders",
        textKey: "settings-inbox-folders",
        control: onOff,
      },
      {
        name: "demote_inactive_streams",
        textKey: "settings-inactive",
        hint: "settings-inactive-hint",
        control: choice(
          option(1, "settings-automatic"),
          option(2, "settings-always"),
          option(3, "never"),
        ),
      },
      {
        name: "display_emoji_reaction_users",
        textKey: "settings-reactors",
        hint: "settings-reactors-hint",
        control: onOff,
      },
      {
        name: "starred_message_counts",
        textKey: "settings-starred-counts",
        control: onOff,
      },
    ],
  },
  {
    textKey: "settings-writing",
    rows: [
      {
        name: "enter_sends",
        textKey: "settings-enter-sends",
        hint: "settings-enter-sends-hint",
        control: onOff,
      },
      {
        name: "web_navigate_to_sent_message",
        textKey: "settings-follow-sent",
        control: onOff,
      },
      {
        name: "translate_emoticons",
        textKey: "settings-emoticons",
        hint: "settings-emoticons-hint",
        control: onOff,
      },
      {
        name: "enable_drafts_synchronization",
        textKey: "settings-drafts-sync",
        hint: "settings-drafts-sync-hint",
        control: onOff,
      },
    ],
  },
  {
    textKey: "settings-language-and-time",
    rows: [
      {
        name: "default_language",
        textKey: "language",
        control: choice(
          ...UI_LANGUAGES.map((code) => textOption(code, ownValue(LANGUAGES, code) ?? code)),
        ),
      },
      {
        name: "twenty_four_hour_time",
        textKey: "settings-24-hours",
        hint: "settings-24-hours-hint",
        control: onOff,
      },
      {
        name: "timezone",
        textKey: "settings-zone",
        hint: "settings-zone-hint",
        control: choice(
          option("", "settings-zone-browser"),
          ...Intl.supportedValuesOf("timeZone").map((zone) => textOption(zone, zoneLabel(zone))),
        ),
      },
      {
        name: "web_suggest_update_timezone",
        textKey: "settings-zone-offer",
        control: onOff,
      },
    ],
  },
];

function zoneLabel(zone: string): string {
  return zone.replaceAll("_", " ").replaceAll("/", " / ");
}
