// The URLs of group pages, including those of other clients.
import type { View } from "../../views.ts";

export const FILTERS = ["all", "your", "deactivated"] as const;
export type GroupFilter = (typeof FILTERS)[number];

type GroupPage =
  { kind: "list"; filter: GroupFilter } | { kind: "new" } | { kind: "one"; group_id: number };

/** `12/makers/members`, `your`, `new`; anything else is the list of groups. */
export function groupPageOf(path: readonly string[]): GroupPage {
  const [first = ""] = path;
  if (first === "new") return { kind: "new" };
  const group_id = Number.parseInt(first, 10);
  if (group_id > 0) return { kind: "one", group_id };
  return { kind: "list", filter: FILTERS.find((filterName) => filterName === first) ?? "all" };
}

const page = (path: string): View => ({ kind: "page", page: "groups", path: [path] });

export const groupListView = (filter: GroupFilter = "all"): View => page(filter);
export const newGroupView: View = page("new");
export const groupView = (group_id: number): View => page(`${group_id}`);
