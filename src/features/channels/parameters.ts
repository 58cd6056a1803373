// What requests say of a channel that they make: parameters and their decoding.
import Type from "typebox";
import { bool, json, optional, type Parameter, text, type ValuesOf } from "../../endpoint.ts";
import { badVariable, invalidValue, tooLong } from "../../errors-channels.ts";
import type { Channel, GroupSetting } from "../../records.ts";
import { CHANNEL_PERMISSIONS, type ChannelPermission } from "../groups/permissions.ts";
import type { ChannelFields } from "./draft.ts";
import {
  CHANNEL_DESCRIPTION_LENGTH_MAX,
  inOneLine,
  RETENTION_FOREVER,
  TOPICS_POLICIES,
} from "./rules.ts";

/** As requests write it. */
export const groupSetting = Type.Union([
  Type.Integer(),
  Type.Object({
    direct_members: Type.Array(Type.Integer()),
    direct_subgroups: Type.Array(Type.Integer()),
  }),
]);

type SettingParameters = Record<ChannelPermission, Parameter<GroupSetting | undefined>>;

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

export type NewChannelAsked = Partial<ValuesOf<typeof newChannelParams>>;

export function newChannelFields(
  name: string,
  description: string,
  given: NewChannelAsked,
): ChannelFields {
  const settingsGiven = Object.keys(CHANNEL_PERMISSIONS).map((setting) => [
    setting,
    given[setting as ChannelPermission],
  ]);
  return {
    name,
    description: checkedDescription(description),
    invite_only: given.invite_only,
    is_web_public: given.is_web_public,
    is_default: given.is_default_stream,
    history_public_to_subscribers: given.history_public_to_subscribers,
    message_retention_days: retentionOf(given.message_retention_days),
    topics_policy: topicsPolicyOf(given.topics_policy),
    folder_id: given.folder_id,
    ...(Object.fromEntries(settingsGiven) as Pick<ChannelFields, ChannelPermission>),
  };
}

export function checkedDescription(given: string, name = "description"): string {
  const description = inOneLine(given);
  if ([...description].length > CHANNEL_DESCRIPTION_LENGTH_MAX) {
    throw tooLong(name, CHANNEL_DESCRIPTION_LENGTH_MAX);
  }
  return description;
}

/** Days as JSON, or one of two words, in quotes or without. null: as the organization has it. */
export function retentionOf(given: string | undefined): number | null | undefined {
  const word = given && unquoted(given);
  if (word === undefined || word === "realm_default") return given === undefined ? undefined : null;
  if (word === "unlimited" || word === "forever") return RETENTION_FOREVER;
  const days = Number(word);
  if (!/^[0-9]+$/.test(word) || days < 1 || days > 2 ** 31) {
    throw badVariable("message_retention_days", word);
  }
  return days;
}

export function topicsPolicyOf(given: string | undefined): Channel["topics_policy"] | undefined {
  if (given === undefined) return undefined;
  const policy = TOPICS_POLICIES.find((one) => one === unquoted(given));
  if (!policy) throw invalidValue("topics_policy");
  return policy;
}

/** Of `include_subscribers`: one of three words, in quotes or without. */
export function withSubscribers(given: string): boolean | "partial" {
  const include = unquoted(given);
  if (include === "partial") return include;
  if (include !== "true" && include !== "false") throw invalidValue("include_subscribers");
  return include === "true";
}

const unquoted = (given: string) => /^"(.*)"$/.exec(given)?.[1] ?? given;
