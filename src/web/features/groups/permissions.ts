// The user's permissions by groups, evaluated like on the server.
import type {
  ChannelPermission,
  GroupPermission,
  RealmPermission,
} from "../../../features/rights/permission-rules.ts";
import type { State } from "../../store/state.ts";
import type { Channel } from "../channels/state.ts";
import { personOf } from "../people/state.ts";
import { isMemberOf } from "./selectors.ts";
import type { Group, GroupSetting } from "./state.ts";

const GUEST = 600;
const ADMINISTRATOR = 200;

type PermissionOwner = "realm" | "stream" | "group";

export function can(state: State, name: RealmPermission): boolean {
  return passesSetting(state, "realm", name, state.organization.fields[`realm_${name}`]);
}

export function passesChannelSetting(
  state: State,
  channel: Channel,
  name: ChannelPermission,
): boolean {
  return passesSetting(state, "stream", name, channel[name]);
}

export function passesGroupSetting(state: State, group: Group, name: GroupPermission): boolean {
  return passesSetting(state, "group", name, group[name]);
}

export function canAdminister(state: State, channel: Channel): boolean {
  return (
    roleOf(state) <= ADMINISTRATOR ||
    passesChannelSetting(state, channel, "can_administer_channel_group")
  );
}

export function roleOf({ people }: State): number {
  return personOf(people, people.me)?.role ?? GUEST;
}

function passesSetting(
  state: State,
  kind: PermissionOwner,
  name: string,
  setting?: GroupSetting,
): boolean {
  if (setting === undefined) return false;
  const isGuest = roleOf(state) === GUEST;
  if (isGuest && !canBeEveryone(state, kind, name)) return false;
  return isMemberOf(state.groups, setting, state.people.me);
}

/** If everyone is not allowed, guests never have the permission, whatever the group contains. */
function canBeEveryone(
  { organization }: Pick<State, "organization">,
  kind: PermissionOwner,
  name: string,
): boolean {
  const supported = organization.fields.server_supported_permission_settings;
  return supported?.[kind][name]?.allow_everyone_group ?? false;
}
