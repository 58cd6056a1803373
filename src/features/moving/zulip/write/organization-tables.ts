// Tables of the organization in a Zulip export: settings, groups, fields, emoji.
import type { Reader } from "../../../../realm.ts";
import type { Group, GroupSetting, RealmSettings } from "../../../../schema/records.ts";
import { ADMINISTRATOR, GUEST, MEMBER, MODERATOR, OWNER } from "../../../../contract/roles.ts";
import {
  GROUP_PERMISSIONS,
  REALM_PERMISSIONS,
  type SystemGroup,
} from "../../../rights/permission-rules.ts";
import { USER_SETTINGS } from "../../../settings/rules.ts";
import type { OutRow } from "./json-file.ts";

export const REALM = 1;

/** Unnamed groups for values of settings that are not a single group. */
export class SettingGroups {
  private readonly ids = new Map<string, number>();
  readonly settings: { id: number; members: number[]; subgroups: number[] }[] = [];

  constructor(private newest: number) {}

  idOf(setting: GroupSetting): number {
    if (typeof setting === "number") return setting;
    const { direct_members: members, direct_subgroups: subgroups } = setting;
    const key = JSON.stringify([members, subgroups]);
    const existing = this.ids.get(key);
    if (existing !== undefined) return existing;
    const id = ++this.newest;
    this.ids.set(key, id);
    this.settings.push({ id, members, subgroups });
    return id;
  }
}

const CODES = { all: 1, moves: 2, none: 3 } as const;
const TOPICS = { allow_empty_topic: 2, disable_empty_topic: 3 } as const;
const NO_CHANNEL_ID = -1;

const CHANNEL_SETTINGS: Readonly<Record<string, string>> = {
  new_stream_announcements_stream_id: "new_stream_announcements_stream",
  signup_announcements_stream_id: "signup_announcements_stream",
  zulip_update_announcements_stream_id: "zulip_update_announcements_stream",
  moderation_request_channel_id: "moderation_request_channel",
};

/** Columns that have another name in Zulip or that only Skein has. */
const OWN: ReadonlySet<string> = new Set([
  "icon_file",
  "logo_file",
  "night_logo_file",
  "keep_picture_metadata",
  "allow_search_engines",
  "newcomer_hours",
  "newcomer_messages_per_hour",
  "newcomer_links_per_message",
  "newcomer_conversations",
  "authentication_methods",
]);

export function realmRow(reader: Reader, groups: SettingGroups): OutRow {
  const { settings, date_created } = reader.realm.get(REALM)!;
  const row: OutRow = { id: REALM, string_id: "skein", date_created, deactivated: false };
  for (const [name, value] of Object.entries(settings)) {
    if (OWN.has(name)) continue;
    const column = Object.hasOwn(CHANNEL_SETTINGS, name) ? CHANNEL_SETTINGS[name] : undefined;
    if (column !== undefined) row[column] = value === NO_CHANNEL_ID ? null : value;
    else if (Object.hasOwn(REALM_PERMISSIONS, name)) {
      // The value of a permission is a group.
      row[name] = groups.idOf(value as GroupSetting);
    } else row[name] = value ?? null;
  }
  row["message_edit_history_visibility_policy"] = CODES[historyOf(settings)];
  row["topics_policy"] = TOPICS[settings.topics_policy];
  return row;
}

const historyOf = (settings: RealmSettings) => settings.message_edit_history_visibility_policy;

export function* userDefaultRows(reader: Reader): Iterable<OutRow> {
  const row: OutRow = { id: 1, realm: REALM };
  for (const [name, { default: initial }] of Object.entries(USER_SETTINGS)) {
    row[name] = reader.setting_defaults.get(name)?.value ?? initial;
  }
  yield row;
}

export function groupTables(reader: Reader, settings: SettingGroups) {
  const groups = [...reader.groups.range()].sort((a, b) => a.id - b.id);
  const namedGroups = groups.map((group) => namedRow(group, settings));
  const all = [...groups.map(({ id }) => id), ...settings.settings.map(({ id }) => id)];
  let [members, subgroups] = [0, 0];
  const member = (user_group: number, user_profile: number): OutRow => {
    return { id: ++members, user_group, user_profile };
  };
  const nested = (supergroup: number, subgroup: number): OutRow => {
    return { id: ++subgroups, supergroup, subgroup };
  };
  return {
    zerver_usergroup: all.map((id): OutRow => ({ id, realm: REALM })),
    zerver_namedusergroup: namedGroups,
    zerver_usergroupmembership: [
      ...[...roleMembers(reader, groups)].map(([id, user_id]) => member(id, user_id)),
      ...[...reader.group_members.range()].map((row) => member(row.group_id, row.user_id)),
      ...settings.settings.flatMap((setting) =>
        setting.members.map((id) => member(setting.id, id)),
      ),
    ],
    zerver_groupgroupmembership: [
      ...groups.flatMap(({ id, direct_subgroup_ids }) =>
        direct_subgroup_ids.map((subgroup) => nested(id, subgroup)),
      ),
      ...settings.settings.flatMap((setting) =>
        setting.subgroups.map((id) => nested(setting.id, id)),
      ),
    ],
  };
}

function namedRow(group: Group, settings: SettingGroups): OutRow {
  const permissions = Object.keys(GROUP_PERMISSIONS).map((name) => [
    name,
    settings.idOf(group[name as keyof typeof GROUP_PERMISSIONS]),
  ]);
  return {
    usergroup_ptr: group.id,
    name: group.name,
    description: group.description,
    date_created: group.date_created,
    creator: group.creator_id,
    is_system_group: group.is_system_group,
    deactivated: group.deactivated,
    realm_for_sharding: REALM,
    ...Object.fromEntries(permissions),
  };
}

const ROLE_GROUPS: Readonly<Record<number, SystemGroup>> = {
  [OWNER]: "role:owners",
  [ADMINISTRATOR]: "role:administrators",
  [MODERATOR]: "role:moderators",
  [MEMBER]: "role:members",
  [GUEST]: "role:everyone",
};

/** Zulip stores the members of role groups explicitly. */
function* roleMembers(reader: Reader, groups: readonly Group[]): Iterable<[number, number]> {
  const ids = new Map(
    groups.filter((group) => group.is_system_group).map((group) => [group.name, group.id]),
  );
  for (const { user_id, role, is_system_bot } of reader.users.range()) {
    const id = ids.get(ROLE_GROUPS[role] ?? "");
    if (id !== undefined && !is_system_bot) yield [id, user_id];
  }
}

export function* linkedRows(reader: Reader): Iterable<[table: string, rows: Iterable<OutRow>]> {
  yield ["zerver_realmdomain", [...reader.realm_domains.range()].map(withRealm)];
  yield ["zerver_realmplayground", [...reader.playgrounds.range()].map(withRealm)];
  yield ["zerver_realmfilter", [...reader.linkifiers.range()].map(withRealm)];
  yield ["zerver_channelfolder", [...reader.channel_folders.range()].map(folderRow)];
  yield ["zerver_customprofilefield", [...reader.profile_fields.range()].map(fieldRow)];
  const emoji = [...reader.custom_emoji.range()].map((row): OutRow => {
    const { id, name, author_id: author, file: file_name, deactivated, still } = row;
    return { id, name, author, file_name, deactivated, is_animated: still !== null, realm: REALM };
  });
  yield ["zerver_realmemoji", emoji];
}

const withRealm = (row: object): OutRow => ({ ...row, realm: REALM });

function folderRow({ creator_id, ...folder }: { creator_id: number | null }): OutRow {
  return { ...folder, creator: creator_id, realm: REALM };
}

function fieldRow({ type, ...field }: { type: number }): OutRow {
  return { ...field, field_type: type, realm: REALM };
}
