// Which groups are in a group, through any depth of subgroups: worked out once for each state.
import type { Reader, Writer } from "../../realm.ts";
import type { GroupGraph } from "../../schema/records.ts";
import type { SystemGroup } from "./permission-rules.ts";

export interface Reach {
  /** The group itself, and all groups below it. */
  readonly ids: ReadonlySet<number>;
  /** The system groups among them. */
  readonly roles: readonly SystemGroup[];
}

/** The record of the graph is another one after every change, and within every transaction. */
const known = new WeakMap<GroupGraph, Map<number, Reach>>();

export function reachOf(reader: Reader, group_id: number): Reach {
  const graph = reader.group_graph.get(1);
  if (!graph) return workOut(reader, group_id);
  let byGroup = known.get(graph);
  if (!byGroup) known.set(graph, (byGroup = new Map()));
  let reach = byGroup.get(group_id);
  if (!reach) byGroup.set(group_id, (reach = workOut(reader, group_id)));
  return reach;
}

/** The groups that hold one of these, themselves among them. */
export function groupsAbove(reader: Reader, group_ids: readonly number[]): Set<number> {
  const above = [...reader.groups.range()].filter(({ id }) => {
    const { ids } = reachOf(reader, id);
    return group_ids.some((below) => ids.has(below));
  });
  return new Set(above.map((group) => group.id));
}

/** To be called after every change of subgroups, before anything asks who is in what. */
export function reshaped(tx: Writer): void {
  tx.group_graph.put({ realm_id: 1, version: (tx.group_graph.get(1)?.version ?? 0) + 1 });
}

function workOut(reader: Reader, group_id: number): Reach {
  const ids = new Set([group_id]);
  const roles: SystemGroup[] = [];
  // A set is walked in the order of its making, and what is added meanwhile comes by too.
  for (const id of ids) {
    const group = reader.groups.get(id);
    if (group?.is_system_group) roles.push(group.name as SystemGroup);
    for (const below of group?.direct_subgroup_ids ?? []) ids.add(below);
  }
  return { ids, roles };
}
