// Group membership and group-valued permissions.
import { groupNotFound, insufficientPermission } from "../../contract/errors/channels.ts";
import { ADMINISTRATOR, GUEST, MODERATOR, OWNER } from "../../contract/roles.ts";
import type { Reader } from "../../realm.ts";
import type { Channel, Group, GroupSetting, User } from "../../schema/records.ts";
import { comparedName } from "../../text/compare-names.ts";
import {
  CHANNEL_PERMISSIONS,
  type ChannelPermission,
  GROUP_PERMISSIONS,
  type GroupPermission,
  REALM_PERMISSIONS,
  type RealmPermission,
  SYSTEM_GROUPS,
  type SystemGroup,
} from "./permission-rules.ts";
import { canChange } from "./group-rules.ts";
import { closureOf, groupsAbove } from "./subgroups-access.ts";
import { isFullMember, isGuest } from "./rules.ts";

/** The id of a system group; every organization has all of them. */
export function systemGroupId(reader: Reader, name: SystemGroup): number {
  return reader.groups.listBy("name", name).find((group) => group.is_system_group)!.id;
}

/**
 * The group with this name. If two groups made by an earlier version differ only in case, the exact
 * match.
 */
export function groupByName(reader: Reader, name: string): Group | undefined {
  const groups = reader.groups.listBy("name", comparedName(name));
  return groups.find((group) => group.name === name) ?? groups[0];
}

/** Whether the user is in the group, directly or through subgroups. */
export function isInGroup(reader: Reader, user: User, group_id: number): boolean {
  const group = reader.groups.get(group_id);
  if (!group) return false;
  if (group.is_system_group) return isInSystemGroup(reader, user, group.name as SystemGroup);
  const { ids, roles } = closureOf(reader, group_id);
  if (roles.some((name) => isInSystemGroup(reader, user, name))) return true;
  const { user_id } = user;
  if (ids.size > reader.group_members.countBy("user", user_id)) {
    return reader.group_members.listBy("user", user_id).some((row) => ids.has(row.group_id));
  }
  for (const id of ids) if (reader.group_members.has(id, user_id)) return true;
  return false;
}

/** The ids of all groups for which `isInGroup` is true. */
export function groupsOf(reader: Reader, user: User): Set<number> {
  const systemGroups = SYSTEM_GROUPS.filter((name) => isInSystemGroup(reader, user, name));
  const direct = reader.group_members.listBy("user", user.user_id).map((row) => row.group_id);
  return groupsAbove(reader, [
    ...systemGroups.map((name) => systemGroupId(reader, name)),
    ...direct,
  ]);
}

function isInSystemGroup(reader: Reader, user: User, name: SystemGroup): boolean {
  switch (name) {
    case "role:nobody":
      return false;
    case "role:owners":
      return user.role <= OWNER;
    case "role:administrators":
      return user.role <= ADMINISTRATOR;
    case "role:moderators":
      return user.role <= MODERATOR;
    case "role:fullmembers":
      return isFullMember(user, reader.settings, reader.now);
    case "role:members":
      return user.role < GUEST;
    case "role:everyone":
    case "role:internet":
      return true;
  }
}

export function isAllowedBy(reader: Reader, user: User, setting: GroupSetting): boolean {
  if (!user.is_active) return false;
  if (typeof setting === "number") return isInGroup(reader, user, setting);
  if (setting.direct_members.includes(user.user_id)) return true;
  return setting.direct_subgroups.some((id) => isInGroup(reader, user, id));
}

/** Whether the user has a permission that a setting of the organization grants. */
export function hasPermission(reader: Reader, user: User, name: RealmPermission): boolean {
  if (isGuest(user) && !REALM_PERMISSIONS[name].allow_everyone_group) return false;
  return isAllowedBy(reader, user, reader.settings[name]);
}

export function hasChannelPermission(
  reader: Reader,
  user: User,
  channel: Channel,
  name: ChannelPermission,
): boolean {
  if (isGuest(user) && !CHANNEL_PERMISSIONS[name].allow_everyone_group) return false;
  return isAllowedBy(reader, user, channel[name]);
}

export function hasGroupPermission(
  reader: Reader,
  user: User,
  group: Group,
  name: GroupPermission,
): boolean {
  if (isGuest(user) && !GROUP_PERMISSIONS[name].allow_everyone_group) return false;
  return isAllowedBy(reader, user, group[name]);
}

/**
 * Whether the user may change the group, with one of these permissions or as a manager. System
 * groups cannot be changed.
 */
export function canChangeGroup(
  reader: Reader,
  user: User,
  group: Group,
  ...names: GroupPermission[]
): boolean {
  const requester = {
    canManageAll: () => hasPermission(reader, user, "can_manage_all_groups"),
    hasPermission: (name: GroupPermission) => hasGroupPermission(reader, user, group, name),
  };
  return canChange(requester, group, ...names);
}

/** All users except guests may know of every group. */
export function accessGroup(reader: Reader, group_id: number): Group {
  const group = reader.groups.get(group_id);
  if (!group) throw groupNotFound();
  return group;
}

/** Like `canChangeGroup`. */
export function accessGroupToChange(
  reader: Reader,
  user: User,
  group_id: number,
  ...names: GroupPermission[]
): Group {
  const group = accessGroup(reader, group_id);
  if (!canChangeGroup(reader, user, group, ...names)) throw insufficientPermission();
  return group;
}
