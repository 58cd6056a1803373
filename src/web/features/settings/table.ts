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
const NOT_SENT = "there are no such mails";
const BY_TIMES = "it is set beside the notifications, with times";
const OTHERS_ONLY = "only other clients go by it";
export const LEFT_OUT: Partial<Record<SettingName, string>> = {
  web_left_sidebar_show_channel_folders: OTHERS_ONLY,
  web_left_sidebar_unreads_count_summary: OTHERS_ONLY,
  web_inbox_show_channel_folders: OTHERS_ONLY,
  left_side_userlist: OTHERS_ONLY,
  enable_digest_emails: NOT_SENT,
  enable_marketing_emails: NOT_SENT,
  do_not_disturb_until: BY_TIMES,
  do_not_disturb_hours: BY_TIMES,
  hide_ai_features: "there are none to hide",
};
