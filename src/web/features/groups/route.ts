// The addresses of groups' pages, also in the forms that other clients write.
import type { View } from "../../views.ts";

export const FILTERS = ["all", "your", "deactivated"] as const;
export type Filter = (typeof FILTERS)[number];

export type GroupPage =
  { kind: "list"; filter: Filter } | { kind: "new" } | { kind: "one"; group_id: number };

/** `12/makers/members`, `your`, `new`; anything else is the list of all. */
export function groupPageOf(path: readonly string[]): GroupPage {
  const [first = ""] = path;
  if (first === "new") return { kind: "new" };
  const group_id = Number.parseInt(first, 10);
  if (group_id > 0) return { kind: "one", group_id };
  return { kind: "list", filter: FILTERS.find((one) => one === first) ?? "all" };
}

const page = (path: string): View => ({ kind: "page", page: "groups", path: [path] });

export const groupListView = (filter: Filter = "all"): View => page(filter);
export const newGroupView: View = page("new");
export const groupView = (group_id: number): View => page(`${group_id}`);
