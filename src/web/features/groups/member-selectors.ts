// The members of groups, direct and indirect.
import type { Groups, GroupSetting } from "./state.ts";

/** Everybody who is in a group, through others too. Unknown groups have nobody. */
export function membersOf({ groups }: Groups, setting: GroupSetting): Set<number> {
  const people = new Set<number>();
  const seen = new Set<number>();
  const walk = (id: number): void => {
    const group = groups.get(id);
    if (!group || seen.has(id)) return;
    seen.add(id);
    for (const member of group.members) people.add(member);
    group.direct_subgroup_ids.forEach(walk);
  };
  if (typeof setting === "number") walk(setting);
  else {
    for (const member of setting.direct_members) people.add(member);
    setting.direct_subgroups.forEach(walk);
  }
  return people;
}
