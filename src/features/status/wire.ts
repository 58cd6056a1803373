// What clients see of the statuses that people give themselves.
import type { PlainEvent } from "../../events.ts";
import type { Reader } from "../../realm.ts";
import type { UserStatus } from "../../records-people.ts";
import type { User } from "../../records.ts";
import { userSetting } from "../settings/rules.ts";

export type StatusFields = Omit<UserStatus, "user_id" | "timestamp">;

const FIELDS = ["status_text", "emoji_name", "emoji_code", "reaction_type"] as const;

/** Only what is set. `away` is what older clients call presence that is turned off. */
export function statusObject(reader: Reader, user: User): Partial<StatusFields & { away: true }> {
  const status = reader.user_statuses.get(user.user_id);
  const object: Partial<StatusFields & { away: true }> = {};
  if (!userSetting(user, "presence_enabled")) object.away = true;
  if (!status) return object;
  for (const field of FIELDS) {
    // Without an emoji its type says nothing.
    const isSaid = field === "reaction_type" ? status.emoji_name !== "" : status[field] !== "";
    if (isSaid) object[field] = status[field];
  }
  return object;
}

export function statusChanged(
  user_id: number,
  changed: Partial<StatusFields & { away: boolean }>,
): PlainEvent {
  return { type: "user_status", user_id, ...changed };
}
