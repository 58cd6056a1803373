// The list of users that a user has muted, which clients always receive as a whole.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { Seconds, User } from "../../schema/records.ts";

export function mutedUsersSnapshot(reader: Reader, user: User) {
  return { muted_users: mutedUsers(reader, user.user_id) };
}

export const mutedUsersChanged = (reader: Reader, user_id: number): PlainEvent => ({
  type: "muted_users",
  muted_users: mutedUsers(reader, user_id),
});

function mutedUsers(reader: Reader, user_id: number): { id: number; timestamp: Seconds }[] {
  const rows = reader.muted_users.listBy("user", user_id);
  const list = rows.map((row) => ({ id: row.muted_user_id, timestamp: row.timestamp }));
  return list.sort((a, b) => a.id - b.id);
}
