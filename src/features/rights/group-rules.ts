// Permissions for groups, as evaluated by the server and the browser.
import type { GroupPermission } from "./permission-rules.ts";

export interface GroupRequester {
  /** Granted by a setting of the organization. */
  canManageAll(): boolean;
  /** Granted by a setting of the group. */
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
