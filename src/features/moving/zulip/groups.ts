// User groups of a Zulip export: system groups, named groups, and groups of a setting.
import type { Group, GroupSetting } from "../../../schema/records.ts";
import {
  GROUP_PERMISSIONS,
  type GroupPermission,
  type Permission,
  SYSTEM_GROUPS,
  type SystemGroup,
} from "../../rights/permission-rules.ts";
import { GROUP_DESCRIPTION_LENGTH_MAX, GROUP_NAME_LENGTH_MAX } from "../../groups/rules.ts";
import { SYSTEM_GROUP_DESCRIPTIONS } from "../../organization/actions.ts";
import type { Reporting } from "../report.ts";
import { bool, truncated, idIn, int, nameIn, seconds, text, type ZulipRow } from "./read/rows.ts";
import type { ZulipExport } from "./read/source.ts";

interface Anonymous {
  direct_members: number[];
  direct_subgroups: number[];
}

interface KnownIds {
  has(id: number): boolean;
}

type Codes = readonly (readonly [column: string, codes: Readonly<Record<number, SystemGroup>>])[];

export class ZulipGroups {
  /** Ids of the system groups on this server. */
  private readonly system = new Map<SystemGroup, number>();
  private readonly namedGroups = new Map<number, { row: ZulipRow; location: string }>();
  private readonly anonymous = new Map<number, Anonymous>();
  private subgroups = new Map<number, Set<number>>();
  readonly members: { group_id: number; user_id: number }[] = [];
  newest = 0;
  private users: KnownIds = new Set();

  static async read(source: ZulipExport, reporting: Reporting): Promise<ZulipGroups> {
    const groups = new ZulipGroups();
    await groups.readGroups(source);
    await groups.readMembers(source);
    for (const name of SYSTEM_GROUPS) {
      if (!groups.system.has(name)) groups.system.set(name, ++groups.newest);
    }
    groups.checkNames(reporting);
    groups.checkSubgroups(reporting);
    return groups;
  }

  /** Must be called before `records`, in which other users are left out. */
  knowUsers(users: KnownIds): void {
    this.users = users;
  }

  creatorOf(row: ZulipRow): number | null {
    const id = int(row, "creator");
    return id !== undefined && this.users.has(id) ? id : null;
  }

  systemId(name: SystemGroup): number {
    return this.system.get(name)!;
  }

  /** The system groups, followed by the others in the order of their ids. */
  records(): Group[] {
    const systems = [...SYSTEM_GROUPS.entries()].map(([index, name]) =>
      this.systemRecord(index, name),
    );
    const sortedGroups = [...this.namedGroups].sort(([a], [b]) => a - b);
    return [...systems, ...sortedGroups.map(([id, { row }]) => this.record(id, row))];
  }

  /** The value of a permission, from its column or its columns in earlier versions. */
  setting(
    row: ZulipRow,
    name: string,
    permission: Permission,
    creator_id: number | null,
    earlier: Codes = [],
  ): GroupSetting {
    const setting = this.settingOf(int(row, name));
    if (setting !== undefined && this.isAllowed(setting, permission)) return setting;
    for (const [column, codes] of earlier) {
      const code = int(row, column) ?? asNumber(bool(row, column));
      const group = code === undefined ? undefined : codes[code];
      if (group === undefined) continue;
      const id = this.systemId(group);
      if (this.isAllowed(id, permission)) return id;
    }
    const initial = permission.default_group_name;
    if (initial !== "channel_creator" && initial !== "group_creator") return this.systemId(initial);
    if (creator_id === null) return this.systemId("role:nobody");
    return { direct_members: [creator_id], direct_subgroups: [] };
  }

  private settingOf(id: number | undefined): GroupSetting | undefined {
    if (id === undefined) return undefined;
    if (this.has(id)) return id;
    const group = this.anonymous.get(id);
    if (!group) return undefined;
    const direct_members = group.direct_members.filter((user_id) => this.users.has(user_id));
    const direct_subgroups = group.direct_subgroups.filter((group_id) => this.has(group_id));
    const [only] = direct_subgroups;
    const isOne = direct_members.length === 0 && direct_subgroups.length === 1;
    return isOne ? only! : { direct_members, direct_subgroups };
  }

  private has(id: number): boolean {
    return this.namedGroups.has(id) || [...this.system.values()].includes(id);
  }

  private isAllowed(setting: GroupSetting, permission: Permission): boolean {
    const { require_system_group, allowed_system_groups, allow_nobody_group } = permission;
    const [name] = [...this.system].find(([, id]) => id === setting) ?? [];
    if (require_system_group) return name !== undefined && allowed_system_groups.includes(name);
    if (name === "role:nobody") return allow_nobody_group;
    if (name === "role:internet") return false;
    if (name === "role:everyone") return permission.allow_everyone_group;
    return true;
  }

  private systemRecord(index: number, name: SystemGroup): Group {
    const nobodyGroupId = this.systemId("role:nobody");
    const before = SYSTEM_GROUPS[index - 1];
    const settings = Object.keys(GROUP_PERMISSIONS).map((setting) => [setting, nobodyGroupId]);
    return {
      id: this.systemId(name),
      name,
      description: SYSTEM_GROUP_DESCRIPTIONS[name],
      date_created: null,
      creator_id: null,
      is_system_group: true,
      deactivated: false,
      direct_subgroup_ids: index < 2 ? [] : [this.systemId(before!)],
      // The entries contain every permission.
      ...(Object.fromEntries(settings) as Record<GroupPermission, GroupSetting>),
    };
  }

  private record(id: number, row: ZulipRow): Group {
    const creator_id = this.creatorOf(row);
    const settings = Object.entries(GROUP_PERMISSIONS).map(([name, permission]) => [
      name,
      this.setting(row, name, permission, creator_id),
    ]);
    return {
      id,
      name: nameIn(row, `group ${id}`, GROUP_NAME_LENGTH_MAX),
      description: truncated(text(row, "description") ?? "", GROUP_DESCRIPTION_LENGTH_MAX),
      date_created: seconds(row, "date_created") ?? null,
      creator_id,
      is_system_group: false,
      deactivated: bool(row, "deactivated") ?? false,
      direct_subgroup_ids: [...(this.subgroups.get(id) ?? [])],
      // The entries contain every permission.
      ...(Object.fromEntries(settings) as Record<GroupPermission, GroupSetting>),
    };
  }

  private async readGroups(source: ZulipExport): Promise<void> {
    for await (const { row, location } of source.rows("zerver_usergroup")) {
      const id = idIn(row);
      if (id === undefined) continue;
      this.newest = Math.max(this.newest, id);
      // Up to version 7, this column had the names of all groups.
      if (text(row, "name") !== undefined) this.addGroup(id, row, location);
      else this.anonymous.set(id, { direct_members: [], direct_subgroups: [] });
    }
    for await (const { row, location } of source.rows("zerver_namedusergroup")) {
      const id = idIn(row, "usergroup_ptr") ?? idIn(row);
      if (id === undefined) continue;
      this.newest = Math.max(this.newest, id);
      this.anonymous.delete(id);
      this.addGroup(id, row, location);
    }
  }

  private addGroup(id: number, row: ZulipRow, location: string): void {
    const name = (text(row, "name") ?? "").replace(/^@/, "");
    const system = SYSTEM_GROUPS.find((systemGroup) => systemGroup === name);
    if (system && bool(row, "is_system_group")) this.system.set(system, id);
    else this.namedGroups.set(id, { row, location });
  }

  private async readMembers(source: ZulipExport): Promise<void> {
    for await (const { row } of source.rows("zerver_usergroupmembership")) {
      const [group_id, user_id] = [int(row, "user_group"), int(row, "user_profile")];
      if (group_id === undefined || user_id === undefined) continue;
      const anonymous = this.anonymous.get(group_id);
      if (anonymous) anonymous.direct_members.push(user_id);
      else if (this.namedGroups.has(group_id)) this.members.push({ group_id, user_id });
    }
    for await (const { row } of source.rows("zerver_groupgroupmembership")) {
      const [group_id, id] = [int(row, "supergroup"), int(row, "subgroup")];
      if (group_id === undefined || id === undefined) continue;
      const anonymous = this.anonymous.get(group_id);
      if (anonymous) anonymous.direct_subgroups.push(id);
      else if (this.namedGroups.has(group_id)) {
        this.subgroups.getOrInsertComputed(group_id, () => new Set()).add(id);
      }
    }
  }

  /** Removes subgroups that do not exist or complete a cycle, in a depth-first walk. */
  private checkSubgroups(reporting: Reporting): void {
    const checked = new Map<number, Set<number>>();
    const path: { group_id: number; rest: number[] }[] = [];
    const idsOnPath = new Set<number>();
    const enter = (group_id: number) => {
      if (checked.has(group_id)) return;
      checked.set(group_id, new Set());
      idsOnPath.add(group_id);
      path.push({ group_id, rest: [...(this.subgroups.get(group_id) ?? [])].reverse() });
    };
    for (const start of this.subgroups.keys()) {
      enter(start);
      for (let last = path.at(-1); last; last = path.at(-1)) {
        const id = last.rest.pop();
        if (id === undefined) {
          path.pop();
          idsOnPath.delete(last.group_id);
        } else if (this.has(id) && !idsOnPath.has(id)) {
          checked.get(last.group_id)!.add(id);
          enter(id);
        } else {
          const kind = "A subgroup is not in the export, or contains its own group.";
          reporting.lost(kind, `group ${last.group_id}`);
        }
      }
    }
    this.subgroups = checked;
  }

  private checkNames(reporting: Reporting): void {
    for (const { row, location } of this.namedGroups.values()) {
      if (truncated(text(row, "name") ?? "", GROUP_NAME_LENGTH_MAX) === text(row, "name")) continue;
      reporting.lost("The name of a user group is cut.", location);
    }
  }
}

const asNumber = (value: boolean | undefined) => (value === undefined ? undefined : Number(value));
