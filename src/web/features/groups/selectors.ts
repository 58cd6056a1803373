// Membership in groups.
import type { Groups, GroupSetting } from "./state.ts";

/** Direct members, and members through any depth of subgroups. */
export function isMemberOf({ groups }: Groups, setting: GroupSetting, user_id: number): boolean {
  const visitedIds = new Set<number>();
  const isInGroup = (id: number): boolean => {
    const group = groups.get(id);
    if (!group || visitedIds.has(id)) return false;
    visitedIds.add(id);
    return group.members.includes(user_id) || group.direct_subgroup_ids.some(isInGroup);
  };
  if (typeof setting === "number") return isInGroup(setting);
  return setting.direct_members.includes(user_id) || setting.direct_subgroups.some(isInGroup);
}
