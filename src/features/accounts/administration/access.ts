// Loads another user's account for an administrator who changes how its user signs in.
import {
  insufficientPermission,
  userIsDeactivated,
  userNotFound,
} from "../../../contract/errors/channels.ts";
import { isOwnAccount, ownerRequired } from "../../../contract/errors/people.ts";
import type { Reader } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { accessToAdminister } from "../../people/access.ts";
import { isBot, isOwner } from "../../rights/rules.ts";

/**
 * The caller must be an administrator, so only owners can have a higher role. Reads the caller
 * again, whose role may have changed while the password was checked.
 */
export function accessForAccountHelp(
  reader: Reader,
  { user_id: by_id }: User,
  user_id: number,
): User {
  const actingUser = reader.users.get(by_id);
  if (!actingUser?.is_active) throw insufficientPermission();
  const user = accessToAdminister(reader, actingUser, user_id);
  if (isBot(user)) throw userNotFound();
  if (user.user_id === actingUser.user_id) throw isOwnAccount();
  if (isOwner(user) && !isOwner(actingUser)) throw ownerRequired();
  if (!user.is_active) throw userIsDeactivated();
  return user;
}
