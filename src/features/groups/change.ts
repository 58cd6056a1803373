// Changes a user group's name, description and permissions, and reactivates it.
import Type from "typebox";
import { noNewGroupData } from "../../contract/errors/channels.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import {
  bool,
  endpoint,
  int,
  json,
  line,
  optional,
  type OptionalParameter,
  text,
} from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import type { Group, User } from "../../schema/records.ts";
import { accessGroupToChange } from "../rights/access.ts";
import { GROUP_PERMISSIONS, type GroupPermission } from "../rights/permission-rules.ts";
import { shownSetting } from "../rights/setting-wire.ts";
import { type RequestedSetting, decodeSettingChange, groupSetting } from "../rights/setting.ts";
import { checkedGroupDescription, checkedGroupName } from "./names.ts";
import { groupEvent, directMembers, groupAdded, groupChanged, userGroupObject } from "./wire.ts";

function renameGroup(tx: Writer, user: User, group_id: number, value: string): void {
  const group = accessGroupToChange(tx, user, group_id);
  const name = checkedGroupName(tx, value, group_id);
  if (name === group.name) return;

  tx.groups.put({ ...group, name });
  tx.emit(groupEvent(group, groupChanged(group_id, { name })), { to: "realm" });
}

function describeGroup(tx: Writer, user: User, group_id: number, value: string): void {
  const group = accessGroupToChange(tx, user, group_id);
  const description = checkedGroupDescription(value);
  if (description === group.description) return;

  tx.groups.put({ ...group, description });
  tx.emit(groupEvent(group, groupChanged(group_id, { description })), { to: "realm" });
}

function setGroupPermission(
  tx: Writer,
  user: User,
  group_id: number,
  name: GroupPermission,
  setting: RequestedSetting,
): void {
  const group = accessGroupToChange(tx, user, group_id);
  const value = decodeSettingChange(tx, name, GROUP_PERMISSIONS[name], group[name], setting);
  if (value === undefined) return;

  tx.groups.put({ ...group, [name]: value });
  const event = groupChanged(group_id, { [name]: shownSetting(tx, value) });
  tx.emit(groupEvent(group, event), { to: "realm" });
}

function reactivateGroup(tx: Writer, user: User, group_id: number): void {
  const group = accessGroupToChange(tx, user, group_id);
  if (!group.deactivated) return;

  const active: Group = { ...group, deactivated: false };
  tx.groups.put(active);
  const changedEvent = groupChanged(group_id, { deactivated: false });
  tx.emit({ ...changedEvent, needs: "include_deactivated_groups" }, { to: "realm" });
  const addedEvent = groupAdded(userGroupObject(tx, active, directMembers(tx, active)));
  tx.emit({ ...addedEvent, lacks: "include_deactivated_groups" }, { to: "realm" });
}

const NAMES = Object.keys(GROUP_PERMISSIONS) as GroupPermission[];
const settingChange = Type.Object({ new: groupSetting, old: Type.Optional(groupSetting) });

const settings = Object.fromEntries(
  NAMES.map((name) => [name, optional(json(settingChange))]),
) as unknown as Record<GroupPermission, OptionalParameter<RequestedSetting | undefined>>;

export const patchGroup = endpoint({
  summary: "Change a group",
  tag: "Groups",
  params: {
    user_group_id: int,
    name: optional(line),
    description: optional(text),
    deactivated: optional(bool),
    ...settings,
  },
  answer: nothing,
  refuses: ["CANNOT_DEACTIVATE_GROUP_IN_USE", "EXPECTATION_MISMATCH", "SYSTEM_GROUP_REQUIRED"],
  run: async ({ realm, user }, { user_group_id: id, name, description, ...input }) => {
    const { deactivated } = input;
    const requested = [name, description, deactivated, ...NAMES.map((setting) => input[setting])];
    if (requested.every((value) => value === undefined)) throw noNewGroupData();
    await realm.write((tx) => {
      accessGroupToChange(tx, user, id);
      if (deactivated === false) reactivateGroup(tx, user, id);
      if (name !== undefined) renameGroup(tx, user, id, name);
      if (description !== undefined) describeGroup(tx, user, id, description);
      // Permissions were checked at the start, so a change of the managers does not stop the rest.
      for (const setting of NAMES.toSorted(managingLast)) {
        const change = input[setting];
        if (change !== undefined) setGroupPermission(tx, user, id, setting, change);
      }
    });
    return {};
  },
});

const managingLast = (first: GroupPermission, other: GroupPermission) =>
  Number(first === "can_manage_group") - Number(other === "can_manage_group");
