// Permissions for groups, as evaluated by the server and the browser.
import type { GroupPermission } from "./permission-rules.ts";

export interface GroupRequester {
  /** Whether a setting of the organization grants the permission for all groups. */
  canManageAll(): boolean;
  /** Whether a setting of the group grants the permission. */
  hasPermission(name: GroupPermission): boolean;
}

/** Users who can manage the group have all permissions for it; system groups cannot be changed. */
export function canChange(
  requester: GroupRequester,
  group: { readonly is_system_group: boolean },
  ...names: GroupPermission[]
): boolean {
  if (group.is_system_group) return false;
  if (requester.canManageAll()) return true;
  return (["can_manage_group", ...names] as const).some((name) => requester.hasPermission(name));
}
