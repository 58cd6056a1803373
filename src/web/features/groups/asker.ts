// The user and state with which the group rules are evaluated.
import { type GroupAsker, mayChange } from "../../../features/rights/group-rules.ts";
import type { GroupPermission } from "../../../features/rights/permission-rules.ts";
import type { State } from "../../state.ts";
import { may, mayWith, roleOf } from "./may.ts";
import type { Group } from "./state.ts";

const GUEST = 600;

export function mayChangeGroup(state: State, group: Group, ...names: GroupPermission[]): boolean {
  // Guests are refused at the door, whatever a group says.
  if (roleOf(state) === GUEST) return false;
  const asker: GroupAsker = {
    mayManageAll: () => may(state, "can_manage_all_groups"),
    mayWith: (name) => mayWith(state, group, name),
  };
  return mayChange(asker, group, ...names);
}

export const mayMakeGroups = (state: State): boolean =>
  roleOf(state) !== GUEST && may(state, "can_create_groups");
