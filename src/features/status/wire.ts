// The status of users for clients.
import type { Static } from "typebox";
import type { PlainEvent } from "../../contract/events.ts";
import type { userStatusShape } from "../../contract/shapes/people.ts";
import type { Reader } from "../../realm.ts";
import type { UserStatus } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { userSetting } from "../settings/rules.ts";

type Told = Static<typeof userStatusShape>;
export type StatusFields = Omit<UserStatus, "user_id" | "timestamp">;

const FIELDS = ["status_text", "emoji_name", "emoji_code", "reaction_type"] as const;

/** Only what is set. `away` is what older clients call presence that is turned off. */
export function statusObject(reader: Reader, user: User): Told {
  const status = reader.user_statuses.get(user.user_id);
  const object: Partial<StatusFields & { away: true }> = {};
  if (!userSetting(user, "presence_enabled")) object.away = true;
  if (!status) return object as Told;
  for (const field of FIELDS) {
    // Without an emoji, its type is omitted.
    const isSaid = field === "reaction_type" ? status.emoji_name !== "" : status[field] !== "";
    if (isSaid) object[field] = status[field];
  }
  return object as Told;
}

export function statusChanged(
  user_id: number,
  changed: Partial<StatusFields & { away: boolean }>,
): PlainEvent {
  return { type: "user_status", user_id, ...changed };
}
