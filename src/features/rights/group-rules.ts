// Permissions for groups, as evaluated by the server and the browser.
import type { GroupPermission } from "./permission-rules.ts";

export interface GroupAsker {
  /** By a setting of the organization. */
  mayManageAll(): boolean;
  /** By a setting of the group. */
  mayWith(name: GroupPermission): boolean;
}

/** Managing a group grants all else; system groups are nobody's to change. */
export function mayChange(
  asker: GroupAsker,
  group: { readonly is_system_group: boolean },
  ...names: GroupPermission[]
): boolean {
  if (group.is_system_group) return false;
  if (asker.mayManageAll()) return true;
  return (["can_manage_group", ...names] as const).some((name) => asker.mayWith(name));
}
