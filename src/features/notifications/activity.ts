// Finds users who are active now and need no notification.
import type { Reader, Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { OFFLINE_SECONDS, PING_SECONDS } from "../presence/rules.ts";
import { presencesOf } from "../presence/state.ts";
import { userSetting } from "../settings/rules.ts";
import { isDoNotDisturb } from "../settings/do-not-disturb-rules.ts";

/** Users who were active this recently see messages as they arrive. */
const ACTIVE_SECONDS = OFFLINE_SECONDS - PING_SECONDS;

export function isActive(realm: Realm, user_id: number): boolean {
  const { active_timestamp = 0 } = presencesOf(realm).get(user_id) ?? {};
  return realm.read.now - active_timestamp < ACTIVE_SECONDS;
}

/** Whether the user has turned on Do Not Disturb. No pushes are sent then, not even later. */
export function hasDoNotDisturb({ now }: Reader, user: User): boolean {
  const until = Number(userSetting(user, "do_not_disturb_until"));
  const hours = userSetting(user, "do_not_disturb_hours");
  const zone = userSetting(user, "timezone");
  return isDoNotDisturb({ until, hours, zone }, now);
}
