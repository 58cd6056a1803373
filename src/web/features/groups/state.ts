/** User groups with their members and subgroups. */
import type { Static } from "typebox";
import type { groupShape } from "../../../contract/shapes/people.ts";
import type { grantedShape } from "../../../contract/shapes/rights.ts";
import type { Changed, Event, Snapshot } from "../../contract/snapshot.ts";

/** A group's id, or an unnamed set of users and groups. */
export type GroupSetting = Static<typeof grantedShape>;

export type Group = Static<typeof groupShape>;

export interface Groups {
  groups: Map<number, Group>;
  /** Grows with each change, so that derived values can be cached. */
  revision: number;
}

export const GROUP_FIELDS = ["realm_user_groups"] as const;

export function hydrateGroups(snapshot: Snapshot): Groups {
  const list = snapshot.realm_user_groups ?? [];
  return { groups: new Map(list.map((group) => [group.id, group])), revision: 0 };
}

export function dehydrateGroups({ groups }: Groups): Partial<Snapshot> {
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
  else if (op === "remove_members") group.members = withoutIds(group.members, user_ids);
  else if (op === "add_subgroups") {
    group.direct_subgroup_ids = [...group.direct_subgroup_ids, ...direct_subgroup_ids];
  } else if (op === "remove_subgroups") {
    group.direct_subgroup_ids = withoutIds(group.direct_subgroup_ids, direct_subgroup_ids);
  }
}

/** A deactivated user is removed from all groups and settings, without an event. */
export function forgetMember(audience: unknown, user_id: number): void {
  if (typeof audience !== "object" || audience === null) return;
  for (const [name, value] of Object.entries(audience)) {
    if (name === "direct_members" || (name === "members" && "direct_subgroup_ids" in audience)) {
      Object.assign(audience, { [name]: withoutIds(value, [user_id]) });
    } else forgetMember(value, user_id);
  }
}

function withoutIds(ids: readonly number[], removedIds: readonly number[]): number[] {
  const out = new Set(removedIds);
  return ids.filter((id) => !out.has(id));
}
