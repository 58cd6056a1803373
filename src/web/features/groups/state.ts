/** Groups of people, and who is in them through which. */
import type { Changed, Event, Snapshot } from "../../snapshot.ts";

/** A group's id, or people and groups that nobody named. */
export type GroupSetting =
  number | { direct_members: readonly number[]; direct_subgroups: readonly number[] };

export interface Group {
  id: number;
  name: string;
  description: string;
  members: readonly number[];
  direct_subgroup_ids: readonly number[];
  is_system_group: boolean;
  deactivated: boolean;
  creator_id: number | null;
  date_created: number | null;
  can_manage_group: GroupSetting;
  can_mention_group: GroupSetting;
  can_add_members_group: GroupSetting;
  can_join_group: GroupSetting;
  can_leave_group: GroupSetting;
  can_remove_members_group: GroupSetting;
}

export interface Groups {
  groups: Map<number, Group>;
  /** Grows with each change, so that what was derived from groups knows its age. */
  revision: number;
}

export const GROUP_FIELDS = ["realm_user_groups"];

export function hydrateGroups(snapshot: Snapshot): Groups {
  const list: Group[] = snapshot["realm_user_groups"] ?? [];
  return { groups: new Map(list.map((group) => [group.id, group])), revision: 0 };
}

export function dehydrateGroups({ groups }: Groups): Record<string, unknown> {
  return { realm_user_groups: [...groups.values()] };
}

export function reduceGroups(slice: Groups, event: Event<"user_group">, changed: Changed): void {
  slice.revision++;
  const id = event.op === "add" ? event.group.id : event.group_id;
  changed.add("groups").add(`group:${id}`);
  if (event.op === "add") slice.groups.set(id, event.group);
  else if (event.op === "remove") slice.groups.delete(id);
  else {
    const group = slice.groups.get(id);
    if (group) reduceGroup(group, event);
  }
}

function reduceGroup(group: Group, event: Event<"user_group">): void {
  const { op, data, user_ids = [], direct_subgroup_ids = [] } = event;
  if (op === "update") Object.assign(group, data);
  else if (op === "add_members") group.members = [...group.members, ...user_ids];
  else if (op === "remove_members") group.members = without(group.members, user_ids);
  else if (op === "add_subgroups") {
    group.direct_subgroup_ids = [...group.direct_subgroup_ids, ...direct_subgroup_ids];
  } else if (op === "remove_subgroups") {
    group.direct_subgroup_ids = without(group.direct_subgroup_ids, direct_subgroup_ids);
  }
}

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

/** A deactivated user is removed from all groups and settings, without an event. */
export function forgetMember(part: unknown, user_id: number): void {
  if (typeof part !== "object" || part === null) return;
  for (const [name, value] of Object.entries(part)) {
    if (name === "direct_members" || (name === "members" && "direct_subgroup_ids" in part)) {
      (part as Record<string, unknown>)[name] = without(value as number[], [user_id]);
    } else forgetMember(value, user_id);
  }
}

function without(ids: readonly number[], gone: readonly number[]): number[] {
  const out = new Set(gone);
  return ids.filter((id) => !out.has(id));
}
