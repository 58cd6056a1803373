// The user and state with which the group rules are evaluated.
import { type GroupRequester, canChange } from "../../../features/rights/group-rules.ts";
import type { GroupPermission } from "../../../features/rights/permission-rules.ts";
import type { State } from "../../store/state.ts";
import { can, passesGroupSetting, roleOf } from "./permissions.ts";
import type { Group } from "./state.ts";

const GUEST = 600;

export function canChangeGroup(state: State, group: Group, ...names: GroupPermission[]): boolean {
  // Guests cannot have this permission, whatever the group contains.
  if (roleOf(state) === GUEST) return false;
  const asker: GroupRequester = {
    canManageAll: () => can(state, "can_manage_all_groups"),
    hasPermission: (name) => passesGroupSetting(state, group, name),
  };
  return canChange(asker, group, ...names);
}

export const canCreateGroups = (state: State): boolean =>
  roleOf(state) !== GUEST && can(state, "can_create_groups");
