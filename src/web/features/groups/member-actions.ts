// Direct and indirect members of a group, and adding and removing them.
import { changeMembers } from "../../api/manage-calls.ts";
import { sync } from "../../sync/session.ts";
import { getState } from "../../store/store.ts";
import { showRefusal } from "../../sync/optimistic.ts";
import type { State } from "../../store/state.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { membershipPath } from "./audience-selectors.ts";
import type { Group } from "./state.ts";
import { membersOf } from "./member-selectors.ts";

const NONE: {
  add: number[];
  delete: number[];
  add_subgroups: number[];
  delete_subgroups: number[];
} = { add: [], delete: [], add_subgroups: [], delete_subgroups: [] };

export const changeGroup = (user_group_id: number, change: Partial<typeof NONE>) =>
  changeMembers(sync, { user_group_id, ...NONE, ...change });

export async function changeOwnMembership(group_id: number, isJoining: boolean): Promise<void> {
  const { me } = getState().people;
  const name = getState().groups.groups.get(group_id)?.name ?? "";
  try {
    await changeGroup(group_id, isJoining ? { add: [me] } : { delete: [me] });
    const text = t(isJoining ? "group-joined" : "group-left", { name });
    showToast({ text });
  } catch (error) {
    showRefusal(error);
  }
}

export interface Member {
  user_id: number;
  /** The subgroups through which the user is a member, if not directly. */
  viaGroups: Group[] | undefined;
}

/** Direct members come first. */
export function allMembers(state: State, group: Group): Member[] {
  const direct = new Set(group.members);
  const others = [...membersOf(state.groups, group.id)].filter((id) => !direct.has(id));
  return [
    ...group.members.map((user_id) => ({ user_id, viaGroups: undefined })),
    ...others.map((user_id) => ({ user_id, viaGroups: membershipPath(state, group.id, user_id) })),
  ].filter(({ user_id }) => state.people.active.has(user_id));
}
