// Loads another user or rejects the request, since guests may see only some users.
import { insufficientPermission, userNotFound } from "../../contract/errors/channels.ts";
import { accountDeactivated, type Refusal } from "../../contract/errors/general.ts";
import type { Reader } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { isSubscribed } from "../channels/access.ts";
import { hasPermission } from "../rights/access.ts";
import {
  canSeeEmail,
  isAdministrator,
  isBot,
  isGuest,
  SPECTATOR,
  type Viewer,
} from "../rights/rules.ts";
import { emailOf } from "./wire.ts";

/** The current account, after slow work during which it may have been deactivated. */
export function accessActiveUser(reader: Reader, { user_id }: User): User {
  const user = reader.users.get(user_id);
  if (!user?.is_active) throw accountDeactivated();
  return user;
}

/** Returns the user, active or not, if the viewer may see that user. */
export function accessUser(reader: Reader, viewer: Viewer, user_id: number): User {
  const user = reader.users.get(user_id);
  if (!user || user.is_system_bot) throw userNotVisible(reader, viewer);
  if (!canSeeUser(reader, viewer, user)) throw userNotVisible(reader, viewer);
  return user;
}

/** The same error for hidden and for absent users, if the viewer sees only some users. */
export function userNotVisible(reader: Reader, viewer: Viewer): Refusal {
  const isSecret = viewer !== SPECTATOR && isLimited(reader, viewer);
  return isSecret ? insufficientPermission() : userNotFound();
}

/** Finds a user by the visible email address, or by the real one if the viewer may see it. */
export function accessUserByEmail(reader: Reader, viewer: User, email: string): User {
  const byRealAddress = reader.users.findBy("email", foldedAddress(email));
  if (byRealAddress && canSeeEmail(viewer, byRealAddress)) {
    return accessUser(reader, viewer, byRealAddress.user_id);
  }
  const user = reader.users.get(Number(/^user(\d+)@/.exec(email)?.[1] ?? NaN));
  if (!user || emailOf(reader, user) !== email) throw userNotVisible(reader, viewer);
  return accessUser(reader, viewer, user.user_id);
}

/** Like `accessUser`, for an account that the user may administer. */
export function accessToAdminister(reader: Reader, admin: User, user_id: number): User {
  const user = accessUser(reader, admin, user_id);
  const isOwnBot = user.bot_owner_id === admin.user_id;
  if (!isAdministrator(admin) && !isOwnBot) throw insufficientPermission();
  return user;
}

/** Spectators are limited only by channels and can see every user. */
export function canSeeUser(reader: Reader, viewer: Viewer, user: User): boolean {
  if (viewer === SPECTATOR || !isLimited(reader, viewer)) return true;
  if (viewer.user_id === user.user_id || isBot(user)) return true;
  return sharesChannel(reader, viewer, user) || sharesConversation(reader, viewer, user);
}

/** Like `canSeeUser` for ids, to select an audience; cheap if there are no guests. */
export function isHiddenFrom(reader: Reader, viewer_id: number, user_id: number): boolean {
  if (reader.users.countBy("guests", 1) === 0) return false;
  const [viewer, user] = [reader.users.get(viewer_id), reader.users.get(user_id)];
  if (!viewer || !user || !isGuest(viewer)) return false;
  return !canSeeUser(reader, viewer, user);
}

/** Whether there is a user with this id whom the viewer may see. */
export function isKnown(reader: Reader, viewer: Viewer, user_id: number): boolean {
  const user = reader.users.get(user_id);
  return user !== undefined && canSeeUser(reader, viewer, user);
}

/** Like `canSeeUser`, for many users. */
export function visibilityTo(reader: Reader, viewer: Viewer): (user: User) => boolean {
  if (viewer === SPECTATOR || !isLimited(reader, viewer)) return () => true;
  const visibleIds = new Set([viewer.user_id]);
  for (const { stream_id, active } of reader.subscriptions.listBy("user", viewer.user_id)) {
    if (!active) continue;
    for (const sub of reader.subscriptions.listBy("channel", stream_id)) {
      if (sub.active) visibleIds.add(sub.user_id);
    }
  }
  for (const { user_ids } of reader.conversations.scanIndex("recent", [viewer.user_id])) {
    for (const user_id of user_ids) visibleIds.add(user_id);
  }
  return (user) => isBot(user) || visibleIds.has(user.user_id);
}

/** Whether the viewer sees only some of the users. */
export function isLimited(reader: Reader, viewer: User): boolean {
  return isGuest(viewer) && !hasPermission(reader, viewer, "can_access_all_users_group");
}

function sharesChannel(reader: Reader, viewer: User, user: User): boolean {
  const subscriptions = reader.subscriptions.listBy("user", viewer.user_id);
  return subscriptions.some(
    (sub) => sub.active && isSubscribed(reader, user.user_id, sub.stream_id),
  );
}

function sharesConversation(reader: Reader, viewer: User, user: User): boolean {
  for (const { user_ids } of reader.conversations.scanIndex("recent", [viewer.user_id])) {
    if (user_ids.includes(user.user_id)) return true;
  }
  return false;
}
