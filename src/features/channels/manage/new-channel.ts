// Validates the fields of a new channel and fills in defaults.
import { Type } from "typebox";
import {
  badVariable,
  channelKindInvalid,
  channelTopicsMustBeOpen,
  defaultChannelPrivate,
  insufficientPermission,
  invalidValue,
  tooLong,
  webPublicChannelsOff,
} from "../../../contract/errors/channels.ts";
import { ownerRequired } from "../../../contract/errors/people.ts";
import {
  bool,
  json,
  optional,
  type OptionalParameter,
  text,
  type ValuesOf,
} from "../../../endpoint.ts";
import type { Reader } from "../../../realm.ts";
import type { Channel, GroupSetting, User } from "../../../schema/records.ts";
import { accessUnarchivedFolder } from "../../folders/access.ts";
import { renderedDescription } from "../../messages/content/description.ts";
import { systemGroupId } from "../../rights/access.ts";
import {
  ABOUT_DELETING,
  CHANNEL_PERMISSIONS,
  type ChannelPermission,
} from "../../rights/permission-rules.ts";
import { isAdministrator, isOwner } from "../../rights/rules.ts";
import { decodeGroupSetting, groupSetting, defaultSetting } from "../../rights/setting.ts";
import { canCreateChannel, canSetDeletePolicy, canSetTopicsPolicy } from "../access.ts";
import { checkedNewName } from "../names.ts";
import {
  CHANNEL_DESCRIPTION_LENGTH_MAX,
  joinLines,
  isProtected,
  type Privacy,
  privacyOf,
  RETENTION_FOREVER,
  TOPICS_POLICIES,
} from "../rules.ts";
import { hasWebChannels } from "../spectator-wire.ts";

type ChosenSettings = Pick<
  Channel,
  | "description"
  | "invite_only"
  | "is_web_public"
  | "history_public_to_subscribers"
  | "is_default"
  | "folder_id"
  | "topics_policy"
  | "message_retention_days"
  | ChannelPermission
>;

/** Fields that can be set when a channel is created. */
export type ChannelFields = { name: string } & {
  [F in keyof ChosenSettings]?: ChosenSettings[F] | undefined;
};

type Settings = Record<ChannelPermission, GroupSetting>;

/**
 * Returns the channel without its ids; `actingUser` is null for the operator, who may create any
 * channel.
 */
export function draftChannel(
  reader: Reader,
  actingUser: User | null,
  fields: ChannelFields,
): Channel {
  const name = checkedNewName(fields.name);
  const { invite_only = false, is_web_public = false } = fields;
  const kind = privacyOf(invite_only, is_web_public, fields.history_public_to_subscribers);
  if (!kind) throw channelKindInvalid();
  if (kind.invite_only && fields.is_default) throw defaultChannelPrivate();
  if (kind.is_web_public && !hasWebChannels(reader)) throw webPublicChannelsOff();
  const folder_id = fields.folder_id ?? null;
  if (folder_id !== null) accessUnarchivedFolder(reader, folder_id);
  const settings = settingsOf(reader, actingUser, fields, kind);
  if (actingUser) checkCanCreate(reader, actingUser, fields, kind, settings);

  const description = joinLines(fields.description ?? "");
  return {
    stream_id: 0,
    recipient_id: 0,
    name,
    description,
    rendered_description: renderedDescription(reader, actingUser, description),
    date_created: reader.now,
    creator_id: actingUser?.user_id ?? null,
    ...kind,
    is_archived: false,
    is_default: fields.is_default ?? false,
    is_recently_active: true,
    folder_id,
    topics_policy: fields.topics_policy ?? "inherit",
    message_retention_days: fields.message_retention_days ?? null,
    first_message_id: null,
    ...settings,
  };
}

/** Clients send every setting, and most with its default value. */
function checkCanCreate(
  reader: Reader,
  actingUser: User,
  fields: ChannelFields,
  kind: Privacy,
  settings: Settings,
): void {
  if (!canCreateChannel(reader, actingUser, kind)) throw insufficientPermission();
  if (fields.is_default && !isAdministrator(actingUser)) throw insufficientPermission();
  if ((fields.message_retention_days ?? null) !== null && !isOwner(actingUser))
    throw ownerRequired();
  if ((fields.topics_policy ?? "inherit") !== "inherit") {
    if (!canSetTopicsPolicy(reader, actingUser)) throw insufficientPermission();
  }
  const nobodyGroupId = systemGroupId(reader, "role:nobody");
  if (ABOUT_DELETING.some((name) => settings[name] !== nobodyGroupId)) {
    if (!canSetDeletePolicy(reader, actingUser)) throw insufficientPermission();
  }
}

function settingsOf(
  reader: Reader,
  actingUser: User | null,
  fields: ChannelFields,
  kind: Privacy,
): Settings {
  const names = Object.keys(CHANNEL_PERMISSIONS) as ChannelPermission[];
  const entries = names.map((name) => {
    const permission = CHANNEL_PERMISSIONS[name];
    const input = fields[name];
    if (input === undefined)
      return [name, defaultSetting(reader, permission, actingUser?.user_id ?? null)];
    return [name, decodeGroupSetting(reader, name, permission, input)];
  });
  const settings = Object.fromEntries(entries) as Settings;
  const everyone = systemGroupId(reader, "role:everyone");
  if (isProtected(kind) && settings.can_create_topic_group !== everyone) {
    throw channelTopicsMustBeOpen();
  }
  return settings;
}

type SettingParameters = Record<ChannelPermission, OptionalParameter<GroupSetting | undefined>>;

const settings = Object.fromEntries(
  Object.keys(CHANNEL_PERMISSIONS).map((name) => [name, optional(json(groupSetting))]),
) as unknown as SettingParameters;

export const newChannelParams = {
  announce: optional(bool),
  invite_only: optional(bool),
  is_web_public: optional(bool),
  is_default_stream: optional(bool),
  history_public_to_subscribers: optional(bool),
  message_retention_days: optional(text),
  topics_policy: optional(text),
  folder_id: optional(json(Type.Union([Type.Integer(), Type.Null()]))),
  ...settings,
};

export type NewChannelRequest = Partial<ValuesOf<typeof newChannelParams>>;

export function newChannelFields(
  name: string,
  description: string,
  input: NewChannelRequest,
): ChannelFields {
  const requestedSettings = Object.keys(CHANNEL_PERMISSIONS).map((setting) => [
    setting,
    input[setting as ChannelPermission],
  ]);
  return {
    name,
    description: checkedDescription(description),
    invite_only: input.invite_only,
    is_web_public: input.is_web_public,
    is_default: input.is_default_stream,
    history_public_to_subscribers: input.history_public_to_subscribers,
    message_retention_days: retentionOf(input.message_retention_days),
    topics_policy: topicsPolicyOf(input.topics_policy),
    folder_id: input.folder_id,
    ...(Object.fromEntries(requestedSettings) as Pick<ChannelFields, ChannelPermission>),
  };
}

export function checkedDescription(value: string): string {
  const description = joinLines(value);
  if ([...description].length > CHANNEL_DESCRIPTION_LENGTH_MAX) {
    throw tooLong("description", CHANNEL_DESCRIPTION_LENGTH_MAX);
  }
  return description;
}

/**
 * Parses days as JSON, or one of two words with or without quotes. null: the organization's
 * default.
 */
export function retentionOf(value: string | undefined): number | null | undefined {
  const word = value && unquoted(value);
  if (word === undefined || word === "realm_default") return value === undefined ? undefined : null;
  if (word === "unlimited" || word === "forever") return RETENTION_FOREVER;
  const days = Number(word);
  if (!/^[0-9]+$/.test(word) || days < 1 || days > 2 ** 31) {
    throw badVariable("message_retention_days", word);
  }
  return days;
}

export function topicsPolicyOf(value: string | undefined): Channel["topics_policy"] | undefined {
  if (value === undefined) return undefined;
  const policy = TOPICS_POLICIES.find((item) => item === unquoted(value));
  if (!policy) throw invalidValue("topics_policy");
  return policy;
}

/** Parses `include_subscribers`: one of three words, with or without quotes. */
export function withSubscribers(value: string): boolean | "partial" {
  const include = unquoted(value);
  if (include === "partial") return include;
  if (include !== "true" && include !== "false") throw invalidValue("include_subscribers");
  return include === "true";
}

const unquoted = (value: string) => /^"(.*)"$/.exec(value)?.[1] ?? value;
