// Finds the subgroups of a group at any depth, cached per state of the data.
import type { Reader, Writer } from "../../realm.ts";
import type { GroupGraph } from "../../schema/records.ts";
import type { SystemGroup } from "./permission-rules.ts";

interface GroupGraphClosure {
  /** The group itself, and all groups below it. */
  readonly ids: ReadonlySet<number>;
  /** The system groups among them. */
  readonly roles: readonly SystemGroup[];
}

/** Every change, and every transaction, has a new record of the graph. */
const closuresByGraph = new WeakMap<GroupGraph, Map<number, GroupGraphClosure>>();

export function closureOf(reader: Reader, group_id: number): GroupGraphClosure {
  const graph = reader.group_graph.get(1);
  if (!graph) return computeClosure(reader, group_id);
  let byGroup = closuresByGraph.get(graph);
  if (!byGroup) closuresByGraph.set(graph, (byGroup = new Map()));
  let closure = byGroup.get(group_id);
  if (!closure) byGroup.set(group_id, (closure = computeClosure(reader, group_id)));
  return closure;
}

/** The groups that contain one of these groups, including themselves. */
export function groupsAbove(reader: Reader, group_ids: readonly number[]): Set<number> {
  const supergroups = new Map<number, number[]>();
  for (const { id, direct_subgroup_ids } of reader.groups.range()) {
    for (const below of direct_subgroup_ids) {
      supergroups.getOrInsertComputed(below, () => []).push(id);
    }
  }
  const above = new Set(group_ids);
  // Iteration over a set also visits elements added meanwhile.
  for (const id of above) for (const supergroup of supergroups.get(id) ?? []) above.add(supergroup);
  return above;
}

/** Must be called after every change of subgroups, before membership is checked. */
export function subgroupsChanged(tx: Writer): void {
  tx.group_graph.put({ realm_id: 1, version: (tx.group_graph.get(1)?.version ?? 0) + 1 });
}

function computeClosure(reader: Reader, group_id: number): GroupGraphClosure {
  const ids = new Set([group_id]);
  const roles: SystemGroup[] = [];
  // Iteration over a set also visits elements added meanwhile.
  for (const id of ids) {
    const group = reader.groups.get(id);
    if (group?.is_system_group) roles.push(group.name as SystemGroup);
    for (const below of group?.direct_subgroup_ids ?? []) ids.add(below);
  }
  return { ids, roles };
}
