// Emits settings that list a user after the account is deactivated or reactivated.
import type { Audience } from "../../contract/events.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Channel, GroupSetting } from "../../schema/records.ts";
import { canSeeChannel } from "../channels/access.ts";
import { channelChanged } from "../channels/wire.ts";
import {
  CHANNEL_PERMISSIONS,
  type ChannelPermission,
  GROUP_PERMISSIONS,
  type GroupPermission,
  REALM_PERMISSIONS,
  type RealmPermission,
} from "../rights/permission-rules.ts";
import { permissionChanged } from "../rights/permission-wire.ts";
import { shownSetting } from "../rights/setting-wire.ts";
import { groupEvent, groupChanged } from "./wire.ts";

/**
 * Call after the account was deactivated or reactivated. `recipients`: the only users who
 * receive the events.
 */
export function emitSettingsNaming(
  tx: Writer,
  user_id: number,
  recipients?: readonly number[],
): void {
  const all: Audience = recipients ? { to: "people", user_ids: recipients } : { to: "realm" };
  for (const group of tx.groups.range()) {
    for (const name of GROUP_NAMES) {
      if (!names(group[name], user_id)) continue;
      const event = groupChanged(group.id, { [name]: shownSetting(tx, group[name]) });
      tx.emit(groupEvent(group, event), all);
    }
  }
  for (const channel of tx.channels.range()) {
    for (const name of CHANNEL_NAMES) {
      if (!names(channel[name], user_id)) continue;
      const event = channelChanged(channel, name, shownSetting(tx, channel[name]));
      tx.emit(event, viewersAmong(tx, channel, recipients));
    }
  }
  for (const name of REALM_NAMES) {
    if (!names(tx.settings[name], user_id)) continue;
    tx.emit(permissionChanged(name, shownSetting(tx, tx.settings[name])), all);
  }
}

/** Whether a permission of the organization, a group or a channel lists the user directly. */
export function isNamedBySettings(reader: Reader, user_id: number): boolean {
  const isListed = <N extends string>(row: Readonly<Record<N, GroupSetting>>, all: readonly N[]) =>
    all.some((name) => names(row[name], user_id));
  return (
    isListed(reader.settings, REALM_NAMES) ||
    [...reader.groups.range()].some((group) => isListed(group, GROUP_NAMES)) ||
    [...reader.channels.range()].some((channel) => isListed(channel, CHANNEL_NAMES))
  );
}

function viewersAmong(reader: Reader, channel: Channel, recipients?: readonly number[]): Audience {
  if (!recipients) return { to: "viewers", stream_id: channel.stream_id };
  const canSee = (id: number) => canSeeChannel(reader, reader.users.get(id)!, channel);
  return { to: "people", user_ids: recipients.filter(canSee) };
}

const GROUP_NAMES = Object.keys(GROUP_PERMISSIONS) as GroupPermission[];
const CHANNEL_NAMES = Object.keys(CHANNEL_PERMISSIONS) as ChannelPermission[];
const REALM_NAMES = Object.keys(REALM_PERMISSIONS) as RealmPermission[];

function names(setting: GroupSetting, user_id: number): boolean {
  return typeof setting !== "number" && setting.direct_members.includes(user_id);
}
