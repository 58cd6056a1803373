// Decodes the value of a group-valued setting, with all its errors.
import Type from "typebox";
import {
  expectationMismatch,
  groupDeactivated,
  groupNotFound,
  groupSettingNotAllowed,
  systemGroupRequired,
  userGroupIdInvalid,
  userIdInvalid,
} from "../../contract/errors/channels.ts";
import type { Reader } from "../../realm.ts";
import type { Group, GroupSetting } from "../../schema/records.ts";
import { systemGroupId } from "./access.ts";
import type { Permission, SystemGroup } from "./permission-rules.ts";
import { isSameSetting, normalisedSetting, shownSetting } from "./setting-wire.ts";

/** Returns the stored value. `name`: the setting, for error messages. */
export function decodeGroupSetting(
  reader: Reader,
  name: string,
  permission: Permission,
  value: GroupSetting,
): GroupSetting {
  if (typeof value !== "number") checkMembers(reader, name, value);
  const setting = normalisedSetting(value, systemGroupId(reader, "role:nobody"));
  if (typeof setting === "number") checkGroup(reader, name, permission, setting);
  else if (permission.require_system_group) throw systemGroupRequired(name);
  return setting;
}

/** The form of the setting in requests. */
export const groupSetting = Type.Union([
  Type.Integer(),
  Type.Object({
    direct_members: Type.Array(Type.Integer()),
    direct_subgroups: Type.Array(Type.Integer()),
  }),
]);

/** A change in a request: the new value, and the old one that the client knows. */
export interface RequestedSetting {
  new: GroupSetting;
  old?: GroupSetting | undefined;
}

/** Returns the new stored value; undefined if it equals the current one. */
export function decodeSettingChange(
  reader: Reader,
  name: string,
  permission: Permission,
  current: GroupSetting,
  setting: RequestedSetting,
): GroupSetting | undefined {
  const nobody_id = systemGroupId(reader, "role:nobody");
  if (setting.old !== undefined) {
    const before = normalisedSetting(setting.old, nobody_id);
    const currentSetting = normalisedSetting(shownSetting(reader, current), nobody_id);
    if (!isSameSetting(before, currentSetting)) throw expectationMismatch("old");
  }
  const value = decodeGroupSetting(reader, name, permission, setting.new);
  return isSameSetting(value, current) ? undefined : value;
}

/** The default of the setting. `maker` stands for the user who creates the object. */
export function defaultSetting(
  reader: Reader,
  permission: Permission,
  maker_id: number | null,
): GroupSetting {
  const name = permission.default_group_name;
  if (name !== "channel_creator" && name !== "group_creator") return systemGroupId(reader, name);
  if (maker_id === null) return systemGroupId(reader, "role:nobody");
  return { direct_members: [maker_id], direct_subgroups: [] };
}

function checkMembers(reader: Reader, name: string, value: Exclude<GroupSetting, number>) {
  for (const id of value.direct_members) {
    if (!reader.users.get(id)?.is_active) throw userIdInvalid(id);
  }
  for (const id of value.direct_subgroups) {
    const group = reader.groups.get(id);
    if (!group) throw userGroupIdInvalid(id);
    checkUsable(group, name);
  }
}

function checkGroup(reader: Reader, name: string, permission: Permission, id: number): void {
  const group = reader.groups.get(id);
  if (!group) throw groupNotFound();
  checkUsable(group, name);
  if (!group.is_system_group) {
    if (permission.require_system_group) throw systemGroupRequired(name);
    return;
  }
  const role = group.name as SystemGroup;
  const { allowed_system_groups: allowed } = permission;
  const isAllowed =
    (role !== "role:nobody" || permission.allow_nobody_group) &&
    (role !== "role:everyone" || permission.allow_everyone_group) &&
    (allowed.length === 0 || allowed.includes(role));
  if (!isAllowed) throw groupSettingNotAllowed(name, role);
}

function checkUsable(group: Group, name: string): void {
  if (group.deactivated) throw groupDeactivated();
  if (group.name === "role:internet") throw groupSettingNotAllowed(name, group.name);
}
