// Parameters for the organization's settings, and their decoding.
import Type from "typebox";
import { badVariable, invalidValue, tooLong } from "../../contract/errors/channels.ts";
import { malformed } from "../../contract/errors/general.ts";
import { choiceInvalid, languageInvalid, notAllowedType } from "../../contract/errors/realm.ts";
import {
  bool,
  int,
  json,
  nonNegativeInt,
  oneOf,
  optional,
  type OptionalParameter,
  text,
  textOf,
  type ValuesOf,
} from "../../endpoint.ts";
import type { RealmSettings } from "../../schema/records.ts";
import {
  CODE_LANGUAGE_LENGTH_MAX,
  JITSI_URL_LENGTH_MAX,
  LIMIT_MAX,
  ORG_TYPES,
  PLACES,
  REALM_DESCRIPTION_LENGTH_MAX,
  REALM_NAME_LENGTH_MAX,
  WAITING_DAYS_MAX,
  WELCOME_TEXT_LENGTH_MAX,
} from "../realm/rules.ts";
import { NEW_MEMBER_SETTING_MAX, NEW_MEMBER_SETTING_NAMES } from "../rights/new-member-rules.ts";
import { LANGUAGES } from "../settings/language-rules.ts";
import { CONSTANTS, SERVER } from "./setting-rules.ts";

type Names = readonly (keyof RealmSettings)[];

const SWITCHES = [
  "emails_restricted_to_domains",
  "disallow_disposable_email_addresses",
  "invite_required",
  "require_unique_names",
  "name_changes_disabled",
  "email_changes_disabled",
  "avatar_changes_disabled",
  "inline_image_preview",
  "keep_picture_metadata",
  "inline_url_embed_preview",
  "allow_message_editing",
  "send_welcome_emails",
  "send_channel_events_messages",
  "digest_emails_enabled",
  "message_content_allowed_in_email_notifications",
  "enable_read_receipts",
  "enable_spectator_access",
  "allow_search_engines",
  "want_advertise_in_communities_directory",
  "enable_guest_user_indicator",
  "enable_guest_user_dm_warning",
  "require_e2ee_push_notifications",
] as const satisfies Names;

/** Settings in seconds, or unlimited. */
const LIMITS = [
  "message_content_edit_limit_seconds",
  "message_content_delete_limit_seconds",
  "move_messages_within_stream_limit_seconds",
  "move_messages_between_streams_limit_seconds",
] as const satisfies Names;

const CHOICES = {
  org_type: Object.values(ORG_TYPES).map(({ id }) => id as number),
  media_preview_size: [100, 150, 200],
  digest_weekday: [0, 1, 2, 3, 4, 5, 6],
} as const;

const idsOf = (options: Readonly<Record<string, { id: number }>>) =>
  Object.values(options).map(({ id }) => id);
/** Settings that accept only these values. */
const ALLOWED_VALUES = {
  video_chat_provider: idsOf(CONSTANTS.realm_available_video_chat_providers),
  gif_rating_policy: idsOf(SERVER.gif_rating_policy_options),
} as const;

type Optional<T> = OptionalParameter<T | undefined>;

const parameterForEach = <N extends string, T>(names: readonly N[], parameter: Optional<T>) =>
  Object.fromEntries(names.map((name) => [name, parameter])) as Record<N, Optional<T>>;

export const realmParams = {
  name: optional(textOf({ max: REALM_NAME_LENGTH_MAX, trimmed: true, filled: true, line: true })),
  description: optional(textOf({ max: REALM_DESCRIPTION_LENGTH_MAX })),
  string_id: optional(text),
  default_avatar_source: optional(oneOf("G", "J")),
  default_language: optional(text),
  default_code_block_language: optional(textOf({ max: CODE_LANGUAGE_LENGTH_MAX })),
  message_edit_history_visibility_policy: optional(oneOf("all", "moves", "none")),
  topics_policy: optional(oneOf("allow_empty_topic", "disable_empty_topic")),
  welcome_message_custom_text: optional(textOf({ max: WELCOME_TEXT_LENGTH_MAX })),
  waiting_period_threshold: optional(nonNegativeInt),
  message_retention_days: optional(text),
  jitsi_server_url: optional(json(Type.String())),
  authentication_methods: optional(json(Type.Record(Type.String(), Type.Boolean()))),
  ...parameterForEach(SWITCHES, optional(bool)),
  ...parameterForEach(LIMITS, optional(text)),
  ...parameterForEach(PLACES, optional(int)),
  ...parameterForEach(["org_type", "media_preview_size", "digest_weekday"], optional(int)),
  ...parameterForEach(NEW_MEMBER_SETTING_NAMES, optional(nonNegativeInt)),
  ...parameterForEach(["video_chat_provider", "gif_rating_policy"], optional(int)),
};

type RealmParams = ValuesOf<typeof realmParams>;

/** The given settings in their stored form. */
export function decodedSettings(input: RealmParams): Partial<RealmSettings> {
  const { string_id: _, ...rest } = input;
  const { message_retention_days, default_language, waiting_period_threshold } = input;
  const { jitsi_server_url } = input;
  const decoded: Record<string, unknown> = { ...rest };
  if (jitsi_server_url !== undefined) decoded["jitsi_server_url"] = jitsiUrl(jitsi_server_url);
  if (message_retention_days !== undefined) {
    decoded["message_retention_days"] =
      limitOf("message_retention_days", message_retention_days) ?? FOREVER;
  }
  for (const name of LIMITS) {
    const limit = input[name];
    if (limit !== undefined) decoded[name] = limitOf(name, limit);
  }
  if (default_language !== undefined && !Object.hasOwn(LANGUAGES, default_language)) {
    throw languageInvalid(default_language);
  }
  if (waiting_period_threshold !== undefined && waiting_period_threshold > WAITING_DAYS_MAX) {
    throw malformed("waiting_period_threshold is too large");
  }
  for (const name of NEW_MEMBER_SETTING_NAMES) {
    if ((input[name] ?? 0) > NEW_MEMBER_SETTING_MAX) throw malformed(`${name} is too large`);
  }
  checkChoices(input);
  const entries = Object.entries(decoded).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<RealmSettings>;
}

const FOREVER = -1;

function checkChoices(input: RealmParams): void {
  for (const name of ["org_type", "media_preview_size", "digest_weekday"] as const) {
    const value = input[name];
    const values: readonly number[] = CHOICES[name];
    if (value !== undefined && !values.includes(value)) throw invalidValue(name);
  }
  for (const name of ["video_chat_provider", "gif_rating_policy"] as const) {
    const value = input[name];
    if (value !== undefined && !ALLOWED_VALUES[name].includes(value))
      throw choiceInvalid(name, value);
  }
}

/** Returns null for "unlimited". */
function limitOf(name: string, value: string): number | null {
  const word = /^"(.*)"$/.exec(value)?.[1] ?? value;
  if (word === "unlimited") return null;
  const limit = Number(word);
  if (!/^\d+$/.test(word) || limit < 1 || limit > LIMIT_MAX) throw badVariable(name, word);
  return limit;
}

/** Returns null for "default", which selects the server's URL. */
function jitsiUrl(value: string): string | null {
  if (value === "default") return null;
  if (Array.from(value).length > JITSI_URL_LENGTH_MAX) {
    throw tooLong("jitsi_server_url", JITSI_URL_LENGTH_MAX);
  }
  const url = URL.parse(value);
  const isWebUrl = url?.protocol === "https:" || url?.protocol === "http:";
  if (!isWebUrl) throw notAllowedType("jitsi_server_url");
  return value;
}
