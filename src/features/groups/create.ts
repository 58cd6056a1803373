// Creates a user group.
import Type from "typebox";
import { insufficientPermission, tooMany } from "../../contract/errors/channels.ts";
import {
  defaulted,
  endpoint,
  json,
  line,
  optional,
  type OptionalParameter,
  text,
} from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import type { Group, GroupSetting, User } from "../../schema/records.ts";
import { hasPermission } from "../rights/access.ts";
import { GROUP_PERMISSIONS, type GroupPermission } from "../rights/permission-rules.ts";
import { subgroupsChanged } from "../rights/subgroups-access.ts";
import { decodeGroupSetting, defaultSetting, groupSetting } from "../rights/setting.ts";
import { activePeople, usableGroups } from "./members.ts";
import { checkedGroupDescription, checkedGroupName } from "./names.ts";
import { GROUPS_PER_CREATOR_MAX } from "./rules.ts";
import { groupAdded, userGroupObject } from "./wire.ts";

interface NewGroup {
  name: string;
  description: string;
  members: readonly number[];
  subgroups: readonly number[];
  settings: Partial<Record<GroupPermission, GroupSetting | undefined>>;
}

export function createGroup(tx: Writer, actingUser: User, newGroup: NewGroup): Group {
  if (!hasPermission(tx, actingUser, "can_create_groups")) throw insufficientPermission();
  const groups = [...tx.groups.range()].filter(
    ({ creator_id }) => creator_id === actingUser.user_id,
  );
  if (groups.length >= GROUPS_PER_CREATOR_MAX) {
    throw tooMany("groups created by one user", GROUPS_PER_CREATOR_MAX);
  }
  const name = checkedGroupName(tx, newGroup.name);
  const description = checkedGroupDescription(newGroup.description);
  const people = activePeople(tx, newGroup.members);
  const subgroups = usableGroups(tx, newGroup.subgroups);
  const settings = Object.fromEntries(
    NAMES.map((setting) => {
      const [permission, input] = [GROUP_PERMISSIONS[setting], newGroup.settings[setting]];
      if (input === undefined) return [setting, defaultSetting(tx, permission, actingUser.user_id)];
      return [setting, decodeGroupSetting(tx, setting, permission, input)];
    }),
  ) as Record<GroupPermission, GroupSetting>;

  const group: Group = {
    id: tx.next("groups"),
    name,
    description,
    date_created: tx.now,
    creator_id: actingUser.user_id,
    is_system_group: false,
    deactivated: false,
    direct_subgroup_ids: subgroups.map(({ id }) => id),
    ...settings,
  };
  tx.groups.put(group);
  if (subgroups.length > 0) subgroupsChanged(tx);
  const ids = people.map(({ user_id }) => user_id);
  for (const user_id of ids) tx.group_members.put({ group_id: group.id, user_id });
  tx.emit(groupAdded(userGroupObject(tx, group, ids)), { to: "realm" });
  return group;
}

const NAMES = Object.keys(GROUP_PERMISSIONS) as GroupPermission[];

const settings = Object.fromEntries(
  NAMES.map((name) => [name, optional(json(groupSetting))]),
) as unknown as Record<GroupPermission, OptionalParameter<GroupSetting | undefined>>;

const ids = json(Type.Array(Type.Integer()));

export const postGroup = endpoint({
  summary: "Create a group",
  tag: "Groups",
  params: {
    name: line,
    description: text,
    members: ids,
    subgroups: defaulted(ids, []),
    ...settings,
  },
  answer: Type.Object({ group_id: Type.Integer() }),
  refuses: ["SYSTEM_GROUP_REQUIRED"],
  run: ({ realm, user }, { name, description, members, subgroups, ...input }) =>
    realm.write((tx) => {
      const group = createGroup(tx, user, {
        name,
        description,
        members,
        subgroups,
        settings: input,
      });
      return { group_id: group.id };
    }),
});
