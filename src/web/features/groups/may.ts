// The user's permissions by groups, evaluated like on the server.
import type {
  ChannelPermission,
  GroupPermission,
  RealmPermission,
} from "../../../features/rights/permission-rules.ts";
import type { State } from "../../state.ts";
import type { Channel } from "../channels/state.ts";
import { personOf } from "../people/state.ts";
import type { Group, Groups, GroupSetting } from "./state.ts";

const GUEST = 600;
const ADMINISTRATOR = 200;

type Kind = "realm" | "stream" | "group";

export function may(state: State, name: RealmPermission): boolean {
  const setting = state.organization.fields[`realm_${name}`] as GroupSetting | undefined;
  return passes(state, "realm", name, setting);
}

export function mayIn(state: State, channel: Channel, name: ChannelPermission): boolean {
  return passes(state, "stream", name, channel[name] as GroupSetting | undefined);
}

export function mayWith(state: State, group: Group, name: GroupPermission): boolean {
  return passes(state, "group", name, group[name]);
}

export function mayAdminister(state: State, channel: Channel): boolean {
  return roleOf(state) <= ADMINISTRATOR || mayIn(state, channel, "can_administer_channel_group");
}

export function roleOf({ people }: State): number {
  return personOf(people, people.me)?.role ?? GUEST;
}

function passes(state: State, kind: Kind, name: string, setting?: GroupSetting): boolean {
  if (setting === undefined) return false;
  const isGuest = roleOf(state) === GUEST;
  if (isGuest && !mayBeEveryone(state, kind, name)) return false;
  return isIn(state.groups, setting, state.people.me);
}

/** If everyone is not allowed, guests never have the permission, whatever the group contains. */
export function mayBeEveryone(
  { organization }: Pick<State, "organization">,
  kind: Kind,
  name: string,
): boolean {
  const told = organization.fields["server_supported_permission_settings"] as
    Record<Kind, Record<string, { allow_everyone_group: boolean }>> | undefined;
  return told?.[kind]?.[name]?.allow_everyone_group ?? false;
}

/** Directly, or through any depth of groups. */
export function isIn({ groups }: Groups, setting: GroupSetting, user_id: number): boolean {
  const seen = new Set<number>();
  const isInGroup = (id: number): boolean => {
    const group = groups.get(id);
    if (!group || seen.has(id)) return false;
    seen.add(id);
    return group.members.includes(user_id) || group.direct_subgroup_ids.some(isInGroup);
  };
  if (typeof setting === "number") return isInGroup(setting);
  return setting.direct_members.includes(user_id) || setting.direct_subgroups.some(isInGroup);
}
