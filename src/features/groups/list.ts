// Reads user groups: the list, their members, and their subgroups.
import Type from "typebox";
import { groupDeactivated, userIsDeactivated } from "../../contract/errors/channels.ts";
import { list } from "../../contract/shapes/value-types.ts";
import { groupShape } from "../../contract/shapes/people.ts";
import { bool, defaulted, endpoint, int } from "../../endpoint.ts";
import { accessUser } from "../people/access.ts";
import { accessGroup, isInGroup } from "../rights/access.ts";
import { closureOf } from "../rights/subgroups-access.ts";
import { peopleIn } from "./effects.ts";
import { directMembers, userGroupsSnapshot } from "./wire.ts";

export const getGroups = endpoint({
  summary: "List groups",
  tag: "Groups",
  params: { include_deactivated_groups: defaulted(bool, false) },
  answer: Type.Object({ user_groups: list(groupShape) }),
  run: ({ realm: { read } }, { include_deactivated_groups }) => ({
    user_groups: userGroupsSnapshot(read, include_deactivated_groups).realm_user_groups,
  }),
});

export const getMembers = endpoint({
  summary: "List the members of a group",
  tag: "Groups",
  params: { user_group_id: int, direct_member_only: defaulted(bool, false) },
  answer: Type.Object({ members: list(Type.Integer()) }),
  run: ({ realm: { read } }, { user_group_id, direct_member_only }) => {
    const group = accessGroup(read, user_group_id);
    if (group.deactivated) throw groupDeactivated();
    if (direct_member_only) return { members: directMembers(read, group) };
    const people = peopleIn(read, [user_group_id]);
    const members = people.filter((user) => user.is_active && !user.is_system_bot);
    return { members: members.map(({ user_id }) => user_id).toSorted((a, b) => a - b) };
  },
});

export const getIsMember = endpoint({
  summary: "Get whether a user is a member of a group",
  tag: "Groups",
  params: { user_group_id: int, user_id: int, direct_member_only: defaulted(bool, false) },
  answer: Type.Object({ is_user_group_member: Type.Boolean() }),
  run: ({ realm: { read }, user }, { user_group_id, user_id, direct_member_only }) => {
    const group = accessGroup(read, user_group_id);
    if (group.deactivated) throw groupDeactivated();
    const person = accessUser(read, user, user_id);
    if (!person.is_active) throw userIsDeactivated();
    const isIncluded = direct_member_only
      ? directMembers(read, group).includes(user_id)
      : isInGroup(read, person, user_group_id);
    return { is_user_group_member: isIncluded };
  },
});

export const getSubgroups = endpoint({
  summary: "List the subgroups of a group",
  tag: "Groups",
  params: { user_group_id: int, direct_subgroup_only: defaulted(bool, false) },
  answer: Type.Object({ subgroups: list(Type.Integer()) }),
  run: ({ realm: { read } }, { user_group_id, direct_subgroup_only }) => {
    const group = accessGroup(read, user_group_id);
    const below = direct_subgroup_only
      ? group.direct_subgroup_ids
      : closureOf(read, user_group_id).ids;
    const subgroups = [...below].filter((id) => id !== user_group_id);
    return { subgroups: subgroups.toSorted((a, b) => a - b) };
  },
});
