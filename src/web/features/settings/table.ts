// All pages of setting rows, and the settings without a row; together they cover every setting.
import type { SettingName } from "../../../features/settings/rules.ts";
import { GRID, NOTIFICATIONS } from "./notifications.ts";
import { PREFERENCES } from "./preferences.ts";
import { PRIVACY } from "./privacy.ts";
import type { SettingsSection } from "./rows.ts";

const ROW_PAGES = {
  preferences: PREFERENCES,
  notifications: NOTIFICATIONS,
  privacy: PRIVACY,
} as const satisfies Record<string, readonly SettingsSection[]>;

export const ALL_SECTIONS: readonly SettingsSection[] = Object.values(ROW_PAGES).flat();
export const GRID_NAMES: readonly SettingName[] = GRID.flatMap(({ names }) => names);

/** Settings that no page offers, each with the reason. */
const NOT_SENT = "there are no such mails";
const SET_WITH_TIMES = "it is set beside the notifications, with times";
export const LEFT_OUT: Partial<Record<SettingName, string>> = {
  left_side_userlist: "where it is narrow people come from the side of their button",
  enable_digest_emails: NOT_SENT,
  enable_marketing_emails: NOT_SENT,
  do_not_disturb_until: SET_WITH_TIMES,
  do_not_disturb_hours: SET_WITH_TIMES,
  hide_ai_features: "there are none to hide",
};
