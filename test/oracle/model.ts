// The oracle's plain model of an organization: users, groups, channels and messages.
import type { Name } from "../users.ts";

/** Users and groups of a permission, by name. */
export interface Setting {
  people: Name[];
  groups: string[];
}

export const KINDS = ["web", "public", "shared", "protected"] as const;
export type Kind = (typeof KINDS)[number];

/** `group`: the initial value of the setting. `everyone`: whether it can ever include guests. */
export const CHANNEL_SETTINGS = {
  can_add_subscribers_group: { group: "role:nobody", everyone: false },
  can_administer_channel_group: { group: "creator", everyone: false },
  can_create_topic_group: { group: "role:everyone", everyone: true },
  can_delete_any_message_group: { group: "role:nobody", everyone: true },
  can_delete_own_message_group: { group: "role:nobody", everyone: true },
  can_move_messages_out_of_channel_group: { group: "role:nobody", everyone: true },
  can_move_messages_within_channel_group: { group: "role:nobody", everyone: true },
  can_remove_subscribers_group: { group: "role:administrators", everyone: true },
  can_resolve_topics_group: { group: "role:nobody", everyone: true },
  can_send_message_group: { group: "role:everyone", everyone: true },
  can_subscribe_group: { group: "role:nobody", everyone: false },
} as const;
export type ChannelSetting = keyof typeof CHANNEL_SETTINGS;

export const REALM_SETTINGS = {
  can_add_subscribers_group: { group: "role:members", everyone: false },
  can_create_private_channel_group: { group: "role:members", everyone: false },
  can_create_public_channel_group: { group: "role:members", everyone: false },
  can_create_web_public_channel_group: { group: "role:owners", everyone: false },
  can_delete_any_message_group: { group: "role:administrators", everyone: false },
  can_delete_own_message_group: { group: "role:everyone", everyone: true },
  can_move_messages_between_channels_group: { group: "role:members", everyone: false },
  can_move_messages_between_topics_group: { group: "role:everyone", everyone: true },
  can_resolve_topics_group: { group: "role:everyone", everyone: true },
  can_set_delete_message_policy_group: { group: "role:moderators", everyone: false },
  direct_message_initiator_group: { group: "role:everyone", everyone: true },
  direct_message_permission_group: { group: "role:everyone", everyone: true },
} as const;
export type RealmSetting = keyof typeof REALM_SETTINGS;

export interface Channel {
  id: number;
  name: string;
  kind: Kind;
  is_archived: boolean;
  settings: Record<ChannelSetting, Setting>;
  subscribers: Set<Name>;
}

export type Mark = "mentioned" | "stream_wildcard_mentioned";

/** A user's state of a message. */
export interface Row {
  read: boolean;
  /** The user got the message after it was sent, for example by a move or a star. */
  historical: boolean;
  starred: boolean;
  marks: Mark[];
}

export const lateRow = (starred = false): Row => ({
  read: true,
  historical: true,
  starred,
  marks: [],
});

/** A mention: the users whom a message notifies. */
export interface Call {
  name: Name | undefined;
  group: string | undefined;
  all: boolean;
}

export interface ModelMessage {
  id: number;
  sender: Name;
  /** Channel id; undefined for a direct message. */
  channel: number | undefined;
  topic: string;
  word: string;
  call: Call;
  /** Address of the file that the message shares. */
  file: string | undefined;
  /** Number of time leaps before the message, each longer than any limit. */
  era: number;
  rows: Map<Name, Row>;
  reactions: Set<Name>;
}

export interface Model {
  roles: Map<Name, number>;
  absent: Set<Name>;
  groups: Map<string, { members: Set<Name>; subgroups: string[] }>;
  /** Whether spectators may read web-public channels. */
  allowsSpectators: boolean;
  /** If false, guests see only users with whom they share a channel or conversation. */
  guestsSeeAll: boolean;
  /** Pairs of users who have written to each other, by `pairOf`. */
  dms: Set<string>;
  realm: Record<RealmSetting, Setting>;
  channels: Map<number, Channel>;
  messages: Map<number, ModelMessage>;
  /** Owners of files, by path. */
  files: Map<string, Name>;
  era: number;
}

export const BOT_OWNER: Name = "bo";

export const pairOf = (name: Name, other: Name) => [name, other].sort().join(" ");

export const group = (name: string): Setting => ({ people: [], groups: [name] });

export function newWorld(roles: Map<Name, number>): Model {
  const realm = Object.entries(REALM_SETTINGS).map(([name, first]) => [name, group(first.group)]);
  return {
    roles,
    absent: new Set(),
    groups: new Map(),
    allowsSpectators: true,
    guestsSeeAll: true,
    dms: new Set(),
    realm: Object.fromEntries(realm) as Model["realm"],
    channels: new Map(),
    messages: new Map(),
    files: new Map(),
    era: 0,
  };
}

export function newChannel(id: number, name: string, kind: Kind, creator: Name): Channel {
  const settings = Object.entries(CHANNEL_SETTINGS).map(([setting, first]) => {
    const isCreators = first.group === "creator";
    return [setting, isCreators ? { people: [creator], groups: [] } : group(first.group)];
  });
  return {
    id,
    name,
    kind,
    is_archived: false,
    settings: Object.fromEntries(settings) as Channel["settings"],
    subscribers: new Set(),
  };
}
