// The data of groups and of group-valued settings for clients.
import type { PlainEvent } from "../../contract/events.ts";
import { ADMINISTRATOR, GUEST, MEMBER, MODERATOR, OWNER } from "../../contract/roles.ts";
import type { Reader } from "../../realm.ts";
import type { Group, GroupSetting, User } from "../../schema/records.ts";
import { everyone } from "../people/everyone-wire.ts";
import {
  GROUP_PERMISSIONS,
  type GroupPermission,
  type SystemGroup,
} from "../rights/permission-rules.ts";
import { isFullMember } from "../rights/rules.ts";
import { shownSetting } from "../rights/setting-wire.ts";

/** The `realm_user_groups` part of the snapshot. */
export function userGroupsSnapshot(reader: Reader, include_deactivated_groups = false) {
  return groupsWhere(reader, (group) => !group.deactivated || include_deactivated_groups);
}

/** Spectators get the system groups, since each account shows its role anyway. */
export function systemGroupsSnapshot(reader: Reader) {
  return groupsWhere(reader, (group) => group.is_system_group);
}

function groupsWhere(reader: Reader, isShown: (group: Group) => boolean) {
  const byRole = directMembersOfSystemGroups(reader);
  const groups = [...reader.groups.range()].filter(isShown).toSorted((a, b) => a.id - b.id);
  return {
    realm_user_groups: groups.map((group) => {
      const members = group.is_system_group
        ? byRole[group.name as SystemGroup]
        : activeMembers(reader, group.id);
      return userGroupObject(reader, group, members);
    }),
  };
}

export function userGroupObject(reader: Reader, group: Group, members: number[]) {
  const { id, name, description, date_created, creator_id } = group;
  const { is_system_group, direct_subgroup_ids, deactivated } = group;
  return {
    id,
    name,
    description,
    date_created,
    creator_id,
    members,
    direct_subgroup_ids,
    is_system_group,
    deactivated,
    ...settingsOf(reader, group),
  };
}

/** Direct members, active ones only, ascending. */
export function directMembers(reader: Reader, group: Group): number[] {
  if (!group.is_system_group) return activeMembers(reader, group.id);
  return directMembersOfSystemGroups(reader)[group.name as SystemGroup];
}

/** The names of the system groups that users of this role are direct members of. */
export function systemGroupsOf(reader: Reader, user: User): SystemGroup[] {
  switch (user.role) {
    case OWNER:
      return ["role:owners"];
    case ADMINISTRATOR:
      return ["role:administrators"];
    case MODERATOR:
      return ["role:moderators"];
    case GUEST:
      return ["role:everyone"];
    case MEMBER:
    default:
      return isFullMember(user, reader.settings, reader.now)
        ? ["role:members", "role:fullmembers"]
        : ["role:members"];
  }
}

function settingsOf(reader: Reader, group: Group) {
  const names = Object.keys(GROUP_PERMISSIONS) as GroupPermission[];
  const settings = names.map((name) => [name, shownSetting(reader, group[name])]);
  return Object.fromEntries(settings) as Record<GroupPermission, GroupSetting>;
}

function activeMembers(reader: Reader, group_id: number): number[] {
  const ids = reader.group_members.listBy("group", group_id).map((row) => row.user_id);
  return ids.filter((id) => reader.users.get(id)?.is_active).toSorted((a, b) => a - b);
}

/** Computes the members of all eight system groups in one pass over the users. */
function directMembersOfSystemGroups(reader: Reader): Record<SystemGroup, number[]> {
  const members: Record<SystemGroup, number[]> = {
    "role:nobody": [],
    "role:owners": [],
    "role:administrators": [],
    "role:moderators": [],
    "role:fullmembers": [],
    "role:members": [],
    "role:everyone": [],
    "role:internet": [],
  };
  for (const user of everyone(reader)) {
    if (!user.is_active || user.is_system_bot) continue;
    for (const name of systemGroupsOf(reader, user)) members[name].push(user.user_id);
  }
  return members;
}

type Object = ReturnType<typeof userGroupObject>;
type Changes = Partial<Pick<Object, "name" | "description" | "deactivated" | GroupPermission>>;

export const groupAdded = (group: Object): PlainEvent => ({
  type: "user_group",
  op: "add",
  group,
});

export const groupChanged = (group_id: number, data: Changes): PlainEvent => ({
  type: "user_group",
  op: "update",
  group_id,
  data,
});

/** The event for clients that do not support deactivated groups. */
export const groupRemoved = (group_id: number): PlainEvent => ({
  type: "user_group",
  op: "remove",
  group_id,
});

export const subgroupsAdded = (group_id: number, ids: readonly number[]): PlainEvent => ({
  type: "user_group",
  op: "add_subgroups",
  group_id,
  direct_subgroup_ids: ids,
});

export const subgroupsRemoved = (group_id: number, ids: readonly number[]): PlainEvent => ({
  type: "user_group",
  op: "remove_subgroups",
  group_id,
  direct_subgroup_ids: ids,
});

/** The variants of an event for clients with and without support for deactivated groups. */
export const groupEvent = (group: Group, event: PlainEvent): PlainEvent =>
  group.deactivated ? { ...event, needs: "include_deactivated_groups" } : event;
