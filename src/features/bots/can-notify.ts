// The bot owner's choice of users that messages from the bot's webhook can notify.
import Type, { type Static } from "typebox";
import type { Reader } from "../../realm.ts";
import type { Bot } from "../../schema/records-people.ts";
import type { GroupSetting } from "../../schema/records.ts";
import { systemGroupId } from "../rights/access.ts";
import type { Permission } from "../rights/permission-rules.ts";
import { decodeGroupSetting, groupSetting } from "../rights/setting.ts";
import { isSameSetting } from "../rights/setting-wire.ts";

export const canNotify = Type.Union([
  groupSetting,
  Type.Literal("nobody"),
  Type.Literal("everyone"),
]);

type CanNotify = NonNullable<Bot["can_notify"]>;

const EVERYONE: Permission = {
  default_group_name: "role:nobody",
  allow_nobody_group: true,
  allow_everyone_group: true,
  require_system_group: false,
  allowed_system_groups: [],
};

/** Converts the setting to its stored form. Unknown users and groups are an error. */
export function decodeCanNotify(reader: Reader, requested: Static<typeof canNotify>): CanNotify {
  if (requested === "everyone") return requested;
  const value: GroupSetting =
    requested === "nobody" ? systemGroupId(reader, "role:nobody") : requested;
  return decodeGroupSetting(reader, "can_notify", EVERYONE, value);
}

export function isSameCanNotify(first: Bot["can_notify"], other: CanNotify): boolean {
  if (first === undefined || first === "everyone" || other === "everyone") return first === other;
  return isSameSetting(first, other);
}
