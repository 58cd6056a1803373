// Deactivates a user group, unless something still uses it.
import { groupDeactivated, groupInUse } from "../../contract/errors/channels.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { endpoint, int } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { GroupSetting, User } from "../../schema/records.ts";
import { accessGroupToChange } from "../rights/access.ts";
import {
  CHANNEL_PERMISSIONS,
  GROUP_PERMISSIONS,
  REALM_PERMISSIONS,
} from "../rights/permission-rules.ts";
import { groupChanged, groupRemoved } from "./wire.ts";

function deactivateGroup(tx: Writer, user: User, group_id: number): void {
  const group = accessGroupToChange(tx, user, group_id);
  if (group.deactivated) throw groupDeactivated();
  const uses = usesOf(tx, group_id);
  if (uses.length > 0) throw groupInUse(uses);

  tx.groups.put({ ...group, deactivated: true });
  const changedEvent = groupChanged(group_id, { deactivated: true });
  tx.emit({ ...changedEvent, needs: "include_deactivated_groups" }, { to: "realm" });
  tx.emit({ ...groupRemoved(group_id), lacks: "include_deactivated_groups" }, { to: "realm" });
}

/** Uses by deactivated groups and archived channels do not count. */
function usesOf(reader: Reader, group_id: number): object[] {
  const uses: object[] = [];
  const others = [...reader.groups.range()].filter(({ deactivated }) => !deactivated);
  others.sort((a, b) => a.id - b.id);
  const supergroups = others.filter((group) => group.direct_subgroup_ids.includes(group_id));
  if (supergroups.length > 0) {
    const supergroup_ids = supergroups.map((group) => group.id);
    uses.push({ type: "subgroup", supergroup_ids });
  }
  const channels = [...reader.channels.range()].filter(({ is_archived }) => !is_archived);
  for (const channel of channels.sort((a, b) => a.stream_id - b.stream_id)) {
    const settings = settingsWithGroup(channel, Object.keys(CHANNEL_PERMISSIONS), group_id);
    const { stream_id: channel_id } = channel;
    if (settings.length > 0) uses.push({ type: "channel", channel_id, settings });
  }
  for (const group of others) {
    const settings = settingsWithGroup(group, Object.keys(GROUP_PERMISSIONS), group_id);
    if (group.id === group_id || settings.length === 0) continue;
    uses.push({ type: "user_group", group_id: group.id, settings });
  }
  const settings = settingsWithGroup(reader.settings, Object.keys(REALM_PERMISSIONS), group_id);
  if (settings.length > 0) uses.push({ type: "realm", settings });
  return uses;
}

function settingsWithGroup(record: object, names: readonly string[], group_id: number): string[] {
  const settings = record as Readonly<Record<string, GroupSetting>>;
  return names.filter((name) => {
    const value = settings[name]!;
    if (typeof value === "number") return value === group_id;
    return value.direct_subgroups.includes(group_id);
  });
}

export const postDeactivation = endpoint({
  summary: "Deactivate a group",
  tag: "Groups",
  params: { user_group_id: int },
  answer: nothing,
  refuses: ["CANNOT_DEACTIVATE_GROUP_IN_USE"],
  run: async ({ realm, user }, { user_group_id }) => {
    await realm.write((tx) => deactivateGroup(tx, user, user_group_id));
    return {};
  },
});
