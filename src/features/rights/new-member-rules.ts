// Limits for new users who signed up without an invitation.
import { HOUR_SECONDS } from "../../contract/units.ts";
import type { RealmSettings, User } from "../../schema/records.ts";
import { isBot, isModerator } from "./rules.ts";

/** The waiting period and the limits during it; 0 hours: no limits. */
export const NEW_MEMBER_SETTINGS = {
  newcomer_hours: 24,
  newcomer_messages_per_hour: 30,
  newcomer_links_per_message: 2,
  /** Conversations with users to whom the new user has not written before. */
  newcomer_conversations: 5,
} as const;

export type NewMemberSetting = keyof typeof NEW_MEMBER_SETTINGS;
export const NEW_MEMBER_SETTING_NAMES = Object.keys(NEW_MEMBER_SETTINGS) as NewMemberSetting[];
export const NEW_MEMBER_SETTING_MAX = 10_000;

/** Organizations created by earlier versions may have no value. */
export const newMemberSetting = (settings: RealmSettings, name: NewMemberSetting): number =>
  settings[name] ?? NEW_MEMBER_SETTINGS[name];

/** Invited users and those with a higher role are not limited. `now` in seconds. */
export function isNewMember(user: User, settings: RealmSettings, now: number): boolean {
  if (user.signed_up !== true || isBot(user) || isModerator(user)) return false;
  return now - user.date_joined < newMemberSetting(settings, "newcomer_hours") * HOUR_SECONDS;
}
