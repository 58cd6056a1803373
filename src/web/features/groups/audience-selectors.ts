// The users to whom a group-valued setting applies, and through which groups.
import type { State } from "../../store/state.ts";
import { personOf } from "../people/state.ts";
import type { Group, GroupSetting } from "./state.ts";
import { membersOf } from "./member-selectors.ts";

const GUEST = 600;

interface SettingAudience {
  /** All users, each once, without bots. */
  people: Set<number>;
  throughGroups: { group: Group; count: number }[];
  direct: number[];
}

/** `hasGuests`: whether guests count, which depends on whether everyone may be chosen. */
export function settingAudience(
  state: State,
  setting: GroupSetting,
  hasGuests: boolean,
): SettingAudience {
  const counts = (user_id: number) => {
    const person = state.people.active.get(user_id);
    if (!person || person.is_bot) return false;
    return hasGuests || person.role !== GUEST;
  };
  const { direct_members, direct_subgroups } = partsOf(setting);
  const people = new Set<number>();
  for (const id of membersOf(state.groups, setting)) if (counts(id)) people.add(id);
  const throughGroups = direct_subgroups.flatMap((id) => {
    const group = state.groups.groups.get(id);
    if (!group) return [];
    let count = 0;
    for (const member of membersOf(state.groups, id)) if (counts(member)) count++;
    return [{ group, count }];
  });
  return { people, throughGroups, direct: direct_members.filter(counts) };
}

export function partsOf(setting: GroupSetting) {
  if (typeof setting !== "number") return setting;
  return { direct_members: [], direct_subgroups: [setting] };
}

/** Normalized as on the server: an empty setting is a group, and a single group is its id. */
export function settingOf(
  state: State,
  direct_members: readonly number[],
  direct_subgroups: readonly number[],
): GroupSetting {
  const [members, subgroups] = [ascending(direct_members), ascending(direct_subgroups)];
  if (members.length > 0 || subgroups.length > 1) {
    return { direct_members: members, direct_subgroups: subgroups };
  }
  return subgroups[0] ?? systemGroup(state, "role:nobody").id;
}

const ascending = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b);

export function isSameSetting(setting: GroupSetting, other: GroupSetting): boolean {
  if (typeof setting === "number" || typeof other === "number") return setting === other;
  const text = ({ direct_members, direct_subgroups }: typeof setting) =>
    `${ascending(direct_members).join()}/${ascending(direct_subgroups).join()}`;
  return text(setting) === text(other);
}

/** Every organization has all system groups. */
export function systemGroup({ groups }: Pick<State, "groups">, name: string): Group {
  for (const group of groups.groups.values())
    if (group.is_system_group && group.name === name) return group;
  throw new Error(`The organization has no group ${name}.`);
}

/** The shortest chain of subgroups through which a user is a member of a group. */
export function membershipPath(
  state: State,
  group_id: number,
  user_id: number,
): Group[] | undefined {
  const { groups } = state.groups;
  const containers = new Map([[group_id, group_id]]);
  // Iteration over a map also visits entries added meanwhile, here in order of their distance.
  for (const id of containers.keys()) {
    const group = groups.get(id);
    if (id !== group_id && group?.members.includes(user_id)) {
      return pathTo(id, containers).flatMap((groupId) => groups.get(groupId) ?? []);
    }
    for (const below of group?.direct_subgroup_ids ?? []) {
      if (!containers.has(below)) containers.set(below, id);
    }
  }
  return undefined;
}

/** The groups from below the outermost one, which is its own container, to this one. */
function pathTo(group_id: number, containers: ReadonlyMap<number, number>): number[] {
  const path = [];
  for (let id = group_id; containers.get(id) !== id; id = containers.get(id)!) path.push(id);
  return path.reverse();
}

/** The custom groups of which a user is a direct or indirect member. */
export function groupsOf(state: State, user_id: number): Group[] {
  if (!personOf(state.people, user_id)) return [];
  return [...state.groups.groups.values()].filter(
    (group) =>
      !group.is_system_group &&
      !group.deactivated &&
      (group.members.includes(user_id) || membershipPath(state, group.id, user_id) !== undefined),
  );
}
