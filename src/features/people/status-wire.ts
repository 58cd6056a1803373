// The status of users for clients.
import type { Static } from "typebox";
import type { PlainEvent } from "../../contract/events.ts";
import type { userStatusShape } from "../../contract/shapes/people.ts";
import type { Reader } from "../../realm.ts";
import type { UserStatus } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { userSetting } from "../settings/rules.ts";

type UserStatusView = Static<typeof userStatusShape>;
export type StatusFields = Omit<UserStatus, "user_id" | "timestamp">;

const FIELDS = ["status_text", "emoji_name", "emoji_code", "reaction_type"] as const;

/** Contains only fields that are set. `away` means disabled presence for older clients. */
export function statusObject(reader: Reader, user: User): UserStatusView {
  const status = reader.user_statuses.get(user.user_id);
  const object: Partial<StatusFields & { away: true }> = {};
  if (!userSetting(user, "presence_enabled")) object.away = true;
  if (!status) return object as UserStatusView;
  for (const field of FIELDS) {
    // The type is omitted if there is no emoji.
    const isSet = field === "reaction_type" ? status.emoji_name !== "" : status[field] !== "";
    if (isSet) object[field] = status[field];
  }
  return object as UserStatusView;
}

export function statusChanged(
  user_id: number,
  fields: Partial<StatusFields & { away: boolean }>,
): PlainEvent {
  return { type: "user_status", user_id, ...fields };
}
