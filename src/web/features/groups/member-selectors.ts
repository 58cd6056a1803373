// The members of groups, direct and indirect.
import type { Groups, GroupSetting } from "./state.ts";

/** Everybody who is in a group, through others too. Unknown groups have nobody. */
export function membersOf(groups: Groups, setting: GroupSetting): Set<number> {
  const isGroup = typeof setting === "number";
  const people = new Set(isGroup ? [] : setting.direct_members);
  for (const id of subgroupsOf(groups, isGroup ? [setting] : setting.direct_subgroups)) {
    for (const member of groups.groups.get(id)?.members ?? []) people.add(member);
  }
  return people;
}

/** These groups and all groups below them. */
export function subgroupsOf({ groups }: Groups, group_ids: readonly number[]): Set<number> {
  const ids = new Set(group_ids);
  // Iteration over a set also visits elements added meanwhile.
  for (const id of ids)
    for (const below of groups.get(id)?.direct_subgroup_ids ?? []) ids.add(below);
  return ids;
}
