// Members and subgroups of a group: adding and removing them.
import Type from "typebox";
import {
  alreadyMember,
  alreadySubgroup,
  groupDeactivated,
  noMembershipChange,
  noSubgroupChange,
  notMember,
  notSubgroup,
  subgroupsInCircle,
  userGroupIdInvalid,
  userIdInvalid,
} from "../../contract/errors/channels.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { defaulted, endpoint, int, json } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Group, User } from "../../schema/records.ts";
import { NOT_NOTIFYING } from "../messages/rules.ts";
import { sendNoticeToPeople } from "../messages/send/notices.ts";
import { membersAdded, membersRemoved } from "../people/wire.ts";
import { accessGroupToChange } from "../rights/access.ts";
import { closureOf, subgroupsChanged } from "../rights/subgroups-access.ts";
import { isBot } from "../rights/rules.ts";
import { addition, removal } from "./bot-messages.ts";
import { peopleIn, watchMembership } from "./effects.ts";
import { MEMBERSHIP_NOTICES_MAX } from "./rules.ts";
import { groupEvent, subgroupsAdded, subgroupsRemoved } from "./wire.ts";

/** Users may join by themselves if the group allows it. */
function addMembers(tx: Writer, actingUser: User, group_id: number, ids: readonly number[]): void {
  const own = isOwn(actingUser, ids) ? (["can_join_group"] as const) : [];
  const group = accessGroupToChange(tx, actingUser, group_id, "can_add_members_group", ...own);
  const people = activePeople(tx, ids);
  const member = people.find(({ user_id }) => tx.group_members.has(group_id, user_id));
  if (member) throw alreadyMember(member.user_id);

  const emitEffects = watchMembership(tx, [group_id], people);
  for (const { user_id } of people) tx.group_members.put({ group_id, user_id });
  tx.emit(groupEvent(group, membersAdded(group_id, people.map(idOf))), { to: "realm" });
  emitEffects();
  notify(tx, actingUser, people, addition(actingUser, group));
}

function removeMembers(
  tx: Writer,
  actingUser: User,
  group_id: number,
  ids: readonly number[],
): void {
  const own = isOwn(actingUser, ids) ? (["can_leave_group"] as const) : [];
  const group = accessGroupToChange(tx, actingUser, group_id, "can_remove_members_group", ...own);
  const people = activePeople(tx, ids);
  const outsider = people.find(({ user_id }) => !tx.group_members.has(group_id, user_id));
  if (outsider) throw notMember(outsider.user_id);

  const emitEffects = watchMembership(tx, [group_id], people);
  for (const { user_id } of people) tx.group_members.delete(group_id, user_id);
  tx.emit(groupEvent(group, membersRemoved(group_id, people.map(idOf))), { to: "realm" });
  emitEffects();
  notify(tx, actingUser, people, removal(actingUser, group));
}

function addSubgroups(
  tx: Writer,
  actingUser: User,
  group_id: number,
  ids: readonly number[],
): void {
  const group = accessGroupToChange(tx, actingUser, group_id, "can_add_members_group");
  const addedGroups = usableGroups(tx, ids);
  for (const { id } of addedGroups) {
    if (group.direct_subgroup_ids.includes(id)) throw alreadySubgroup(id);
    if (closureOf(tx, id).ids.has(group_id)) throw subgroupsInCircle(group_id);
  }

  changeSubgroups(tx, group, addedGroups.map(idOfGroup), subgroupsAdded, (before, changedIds) => [
    ...before,
    ...changedIds,
  ]);
}

function removeSubgroups(
  tx: Writer,
  actingUser: User,
  group_id: number,
  ids: readonly number[],
): void {
  const group = accessGroupToChange(tx, actingUser, group_id);
  const removedIds = ascending(ids);
  for (const id of removedIds) {
    if (!tx.groups.has(id)) throw userGroupIdInvalid(id);
    if (!group.direct_subgroup_ids.includes(id)) throw notSubgroup(id);
  }

  changeSubgroups(tx, group, removedIds, subgroupsRemoved, (before, changedIds) =>
    before.filter((id) => !changedIds.includes(id)),
  );
}

function changeSubgroups(
  tx: Writer,
  group: Group,
  changedIds: readonly number[],
  event: typeof subgroupsAdded,
  next: (before: readonly number[], ids: readonly number[]) => number[],
): void {
  const { id } = group;
  const emitEffects = watchMembership(tx, [id], peopleIn(tx, changedIds));
  const direct_subgroup_ids = ascending(next(group.direct_subgroup_ids, changedIds));
  tx.groups.put({ ...group, direct_subgroup_ids });
  subgroupsChanged(tx);
  tx.emit(groupEvent(group, event(id, changedIds)), { to: "realm" });
  emitEffects();
}

/** Active users and bots, each once, ascending. */
export function activePeople(reader: Reader, ids: readonly number[]): User[] {
  return ascending(ids).map((id) => {
    const user = reader.users.get(id);
    if (!user?.is_active || user.is_system_bot) throw userIdInvalid(id);
    return user;
  });
}

/** Groups that may be subgroups, each once, ascending. */
export function usableGroups(reader: Reader, ids: readonly number[]): Group[] {
  return ascending(ids).map((id) => {
    const group = reader.groups.get(id);
    if (!group) throw userGroupIdInvalid(id);
    if (group.deactivated) throw groupDeactivated();
    return group;
  });
}

/** Sends each user a direct message, except the acting user. */
function notify(tx: Writer, actingUser: User, people: readonly User[], text: string): void {
  const others = people.filter((user) => user.user_id !== actingUser.user_id && !isBot(user));
  if (others.length > MEMBERSHIP_NOTICES_MAX) return;
  for (const { user_id } of others)
    sendNoticeToPeople(tx, [user_id], text, { bits: NOT_NOTIFYING });
}

const isOwn = (user: User, ids: readonly number[]) => ids.every((id) => id === user.user_id);
const idOf = ({ user_id }: User) => user_id;
const idOfGroup = ({ id }: Group) => id;
const ascending = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b);

const ids = defaulted(json(Type.Array(Type.Integer())), []);

export const postMembers = endpoint({
  summary: "Add or remove members of a group",
  tag: "Groups",
  params: { user_group_id: int, add: ids, delete: ids, add_subgroups: ids, delete_subgroups: ids },
  answer: nothing,
  run: async ({ realm, user }, { user_group_id: id, ...params }) => {
    const { add, delete: removedIds, add_subgroups, delete_subgroups } = params;
    const lists = [add, removedIds, add_subgroups, delete_subgroups];
    if (lists.every((list) => list.length === 0)) throw noMembershipChange();
    await realm.write((tx) => {
      if (add.length > 0) addMembers(tx, user, id, add);
      if (removedIds.length > 0) removeMembers(tx, user, id, removedIds);
      if (add_subgroups.length > 0) addSubgroups(tx, user, id, add_subgroups);
      if (delete_subgroups.length > 0) removeSubgroups(tx, user, id, delete_subgroups);
    });
    return {};
  },
});

export const postSubgroups = endpoint({
  summary: "Add or remove subgroups of a group",
  tag: "Groups",
  params: { user_group_id: int, add: ids, delete: ids },
  answer: nothing,
  run: async ({ realm, user }, { user_group_id: id, add, delete: removedIds }) => {
    if (add.length === 0 && removedIds.length === 0) throw noSubgroupChange();
    await realm.write((tx) => {
      if (add.length > 0) addSubgroups(tx, user, id, add);
      if (removedIds.length > 0) removeSubgroups(tx, user, id, removedIds);
    });
    return {};
  },
});
