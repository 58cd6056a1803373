// Tells who is active right now and needs no notification.
import type { Reader, Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { OFFLINE_SECONDS, PING_SECONDS } from "../presence/rules.ts";
import { presencesOf } from "../presence/state.ts";
import { userSetting } from "../settings/rules.ts";
import { isUndisturbed } from "../settings/undisturbed-rules.ts";

/** Users who were active this recently see messages as they arrive. */
const ACTIVE_SECONDS = OFFLINE_SECONDS - PING_SECONDS;

export function isActive(realm: Realm, user_id: number): boolean {
  const { active_timestamp = 0 } = presencesOf(realm).get(user_id) ?? {};
  return realm.read.now - active_timestamp < ACTIVE_SECONDS;
}

/** During Do Not Disturb nothing is pushed, also not later. */
export function isLeftAlone({ now }: Reader, user: User): boolean {
  const until = Number(userSetting(user, "do_not_disturb_until"));
  const hours = userSetting(user, "do_not_disturb_hours");
  const zone = userSetting(user, "timezone");
  return isUndisturbed({ until, hours, zone }, now);
}
