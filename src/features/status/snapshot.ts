// The statuses in the register snapshot.
import type { Reader } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { visibilityTo } from "../people/access.ts";
import { statusObject } from "../people/status-wire.ts";

/** `user_status`: by user, only those who have a status. */
export function userStatusSnapshot(reader: Reader, viewer: User): Record<string, unknown> {
  const isSeen = visibilityTo(reader, viewer);
  const user_status: Record<string, unknown> = {};
  for (const user of reader.users.range()) {
    if (!isSeen(user)) continue;
    const status = statusObject(reader, user);
    if (Object.keys(status).length > 0) user_status[user.user_id] = status;
  }
  return { user_status };
}
