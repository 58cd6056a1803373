// Schemas of user settings and of the defaults for new members.
import Type from "typebox";
import { sameSchema, list, choice } from "./value-types.ts";

/** An option of a setting, numbered from 1. */
const upTo = (maximum: number) => Type.Integer({ minimum: 1, maximum });

const FLAGS = [
  "twenty_four_hour_time",
  "web_escape_navigates_to_home_view",
  "web_navigate_to_sent_message",
  "web_suggest_update_timezone",
  "web_left_sidebar_show_channel_folders",
  "web_left_sidebar_unreads_count_summary",
  "web_inbox_show_channel_folders",
  "left_side_userlist",
  "fluid_layout_width",
  "high_contrast_mode",
  "translate_emoticons",
  "enter_sends",
  "hide_ai_features",
  "allow_private_data_export",
  "starred_message_counts",
  "display_emoji_reaction_users",
  "presence_enabled",
  "send_read_receipts",
  "send_private_typing_notifications",
  "send_stream_typing_notifications",
  "receives_typing_notifications",
  "enable_drafts_synchronization",
  "enable_stream_desktop_notifications",
  "enable_stream_email_notifications",
  "enable_stream_push_notifications",
  "enable_stream_audible_notifications",
  "wildcard_mentions_notify",
  "enable_followed_topic_desktop_notifications",
  "enable_followed_topic_email_notifications",
  "enable_followed_topic_push_notifications",
  "enable_followed_topic_audible_notifications",
  "enable_followed_topic_wildcard_mentions_notify",
  "enable_desktop_notifications",
  "enable_sounds",
  "enable_offline_email_notifications",
  "enable_offline_push_notifications",
  "enable_online_push_notifications",
  "enable_digest_emails",
  "enable_login_emails",
  "enable_marketing_emails",
  "message_content_in_email_notifications",
  "pm_content_in_desktop_notifications",
  "automatically_follow_topics_where_mentioned",
] as const;

/** Settings by their number of options, which are numbered from 1. */
const CHOICES = {
  color_scheme: upTo(3),
  demote_inactive_streams: upTo(3),
  user_list_style: upTo(3),
  web_mark_read_on_scroll_policy: upTo(3),
  web_channel_default_view: upTo(4),
  web_stream_unreads_count_display_policy: upTo(3),
  desktop_icon_count_display: upTo(4),
  realm_name_in_email_notifications_policy: upTo(3),
  automatically_follow_topics_policy: upTo(4),
  automatically_unmute_topics_in_muted_streams_policy: upTo(4),
  email_address_visibility: upTo(5),
};

export const defaultSettingsShape = Type.Object({
  ...sameSchema(FLAGS, Type.Boolean()),
  ...CHOICES,
  default_language: Type.String(),
  notification_sound: Type.String(),
  web_font_size_px: Type.Integer(),
  web_line_height_percent: Type.Integer(),
  email_notifications_batching_period_seconds: Type.Integer(),
  web_home_view: choice("inbox", "recent", "all_messages"),
  web_animate_image_previews: choice("always", "on_hover", "never"),
  resolved_topic_notice_auto_read_policy: choice("always", "except_followed", "never"),
  emojiset: choice("google", "google-blob", "twitter", "text"),
  emojiset_choices: list(Type.Object({ key: Type.String(), text: Type.String() })),
  available_notification_sounds: list(Type.String()),
});

export const personalSettingsShape = Type.Object({
  ...defaultSettingsShape.properties,
  timezone: Type.String(),
  do_not_disturb_until: Type.Integer(),
  do_not_disturb_hours: Type.String(),
});
