// Limits for new users who signed up without an invitation.
import { HOUR_SECONDS } from "../../contract/units.ts";
import type { RealmSettings, User } from "../../schema/records.ts";
import { isBot, isModerator } from "./rules.ts";

/** For so long, and so much meanwhile; 0 hours: nobody is limited. */
export const NEWCOMER_SETTINGS = {
  newcomer_hours: 24,
  newcomer_messages_per_hour: 30,
  newcomer_links_per_message: 2,
  /** With users whom they have not written to before. */
  newcomer_conversations: 5,
} as const;

export type NewcomerSetting = keyof typeof NEWCOMER_SETTINGS;
export const NEWCOMER_SETTING_NAMES = Object.keys(NEWCOMER_SETTINGS) as NewcomerSetting[];
export const NEWCOMER_SETTING_MAX = 10_000;

/** An organization of earlier days has never said. */
export const newcomerSetting = (settings: RealmSettings, name: NewcomerSetting): number =>
  settings[name] ?? NEWCOMER_SETTINGS[name];

/** Invited users and those with a higher role are not limited. `now` in seconds. */
export function isNewcomer(user: User, settings: RealmSettings, now: number): boolean {
  if (user.signed_up !== true || isBot(user) || isModerator(user)) return false;
  return now - user.date_joined < newcomerSetting(settings, "newcomer_hours") * HOUR_SECONDS;
}
