// All pages of rows, and the settings that have none: together they are every setting there is.
import type { SettingName } from "../../../features/settings/rules.ts";
import { GRID, NOTIFICATIONS } from "./notifications.ts";
import { PREFERENCES } from "./preferences.ts";
import { PRIVACY } from "./privacy.ts";
import type { Section } from "./rows.ts";

export const ROW_PAGES = {
  preferences: PREFERENCES,
  notifications: NOTIFICATIONS,
  privacy: PRIVACY,
} as const satisfies Record<string, readonly Section[]>;

export const ALL_SECTIONS: readonly Section[] = Object.values(ROW_PAGES).flat();
export const GRID_NAMES: readonly SettingName[] = GRID.flatMap(({ names }) => names);

/** The few that no page offers, each with the reason. */
const OTHERS_ONLY = "only other clients go by it";
export const LEFT_OUT: Partial<Record<SettingName, string>> = {
  web_stream_unreads_count_display_policy: OTHERS_ONLY,
  web_animate_image_previews: OTHERS_ONLY,
  web_suggest_update_timezone: OTHERS_ONLY,
  web_left_sidebar_show_channel_folders: OTHERS_ONLY,
  web_left_sidebar_unreads_count_summary: OTHERS_ONLY,
  web_inbox_show_channel_folders: OTHERS_ONLY,
  user_list_style: OTHERS_ONLY,
  left_side_userlist: OTHERS_ONLY,
  display_emoji_reaction_users: OTHERS_ONLY,
  demote_inactive_streams: OTHERS_ONLY,
  hide_ai_features: "there are none to hide",
  emojiset: "emoji are those of the system",
};
