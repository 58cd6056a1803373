// The data of the organization for clients: its part of the snapshot, and the public settings.
import { FEATURE_LEVEL, inBothSpellings, PROTOCOL_VERSION } from "../../contract/names.ts";
import type { Reader, Realm } from "../../realm.ts";
import type { GroupSetting, RealmSettings } from "../../schema/records.ts";
import { EMPTY_CONTEXT } from "../../text/markdown/context.ts";
import { render } from "../../text/markdown/render.ts";
import { channelsOnTheWeb } from "../channels/spectator-wire.ts";
import { emojiDataUrl } from "../emoji/data-wire.ts";
import { THUMBNAIL_FORMATS } from "../files/wire.ts";
import { realmIconPath, realmLogoPath } from "../realm/picture-wire.ts";
import { hostOf } from "../people/wire.ts";
import { methodsInSnapshot, methodSwitches, methodsForClients } from "../realm/methods-wire.ts";
import { legacySettings, NOWHERE, PLACES } from "../realm/rules.ts";
import {
  NEW_MEMBER_SETTING_NAMES,
  NEW_MEMBER_SETTINGS,
  type NewMemberSetting,
  newMemberSetting,
} from "../rights/new-member-rules.ts";
import {
  CHANNEL_PERMISSIONS,
  GROUP_PERMISSIONS,
  type Permission,
  REALM_PERMISSIONS,
} from "../rights/permission-rules.ts";
import { shownSetting } from "../rights/setting-wire.ts";
import { CONSTANTS, LIMITS, SERVER } from "./setting-rules.ts";

/** The `realm` part of the snapshot. */
export function realmSnapshot({ read: reader }: Pick<Realm, "read">) {
  const { url } = reader.config;
  const { settings, realm_uuid, date_created } = reader.realm.get(1)!;
  const icon = realmIconPath(settings);
  const nameOf = (group_id: number) => reader.groups.get(group_id)?.name;
  return inBothSpellings({
    ...settingsForClients(reader, settings),
    ...legacySettings(settings, nameOf),
    ...CONSTANTS,
    ...methodsInSnapshot(reader),
    realm_uuid,
    realm_date_created: date_created,
    realm_url: url,
    realm_uri: url,
    realm_bot_domain: hostOf(url),
    realm_icon_url: icon,
    realm_logo_url: realmLogoPath(settings, false),
    realm_night_logo_url: realmLogoPath(settings, true),
    ...LIMITS,
    ...SERVER,
    ...uploadLimits(reader),
    server_sends_mail: reader.config.mail !== undefined,
    server_web_public_streams_enabled: reader.config.web_public_streams,
    jitsi_server_url: settings.jitsi_server_url ?? SERVER.server_jitsi_server_url,
    server_emoji_data_url: emojiDataUrl(url),
    server_supported_permission_settings: SUPPORTED_PERMISSIONS,
  });
}

/** The organization for spectators, who see no presence, and only web-public channels. */
export function webRealmSnapshot({ read: reader }: Pick<Realm, "read">) {
  const onTheWeb = new Set(channelsOnTheWeb(reader).map(({ stream_id }) => stream_id));
  const places = PLACES.map((name) => {
    const stream_id = reader.settings[name];
    return [`realm_${name}`, onTheWeb.has(stream_id) ? stream_id : NOWHERE];
  });
  return inBothSpellings({
    ...realmSnapshot({ read: reader }),
    realm_presence_disabled: true,
    ...(Object.fromEntries(places) as Record<string, number>),
  });
}

/** The response of `GET /server_settings`. Without an organization, only the data of the server. */
export function serverSettings(reader: Reader | undefined, isIncompatible: boolean) {
  return inBothSpellings({
    ...methodsForClients(reader),
    zulip_version: PROTOCOL_VERSION,
    zulip_merge_base: PROTOCOL_VERSION,
    zulip_feature_level: FEATURE_LEVEL,
    push_notifications_enabled: CONSTANTS.realm_push_notifications_enabled,
    is_incompatible: isIncompatible,
    ...(reader?.realm.has(1) ? spectatorSettings(reader) : {}),
  });
}

function uploadLimits({ config }: Reader) {
  return {
    max_file_upload_size_mib: config.max_upload_mib,
    realm_upload_quota_mib: config.upload_quota_mib || null,
    server_thumbnail_formats: THUMBNAIL_FORMATS,
  };
}

/** `realm_<setting>` for each setting. */
function settingsForClients(reader: Reader, settings: RealmSettings) {
  const payload: Record<string, unknown> = {};
  const names = new Set([
    ...FALSE_IF_MISSING,
    ...NEW_MEMBER_SETTING_NAMES,
    ...Object.keys(settings),
  ]);
  for (const name of names as Set<keyof RealmSettings>) {
    if (!UNSENT_SETTINGS.has(name)) payload[`realm_${name}`] = settingForClients(reader, name);
  }
  return payload;
}

/** A setting as clients see it: groups are shown as groups. */
export function settingForClients(reader: Reader, name: keyof RealmSettings): unknown {
  if (name === "authentication_methods") return methodSwitches(reader);
  const value = reader.settings[name];
  // A server without a mail server sends no welcome emails, so the setting is reported as off.
  if (name === "send_welcome_emails") return value === true && reader.config.mail !== undefined;
  // Organizations created by earlier versions may have no value.
  if (FALSE_IF_MISSING.has(name)) return value === true;
  if (name in NEW_MEMBER_SETTINGS) {
    return newMemberSetting(reader.settings, name as NewMemberSetting);
  }
  return name in REALM_PERMISSIONS ? shownSetting(reader, value as GroupSetting) : value;
}

function spectatorSettings(reader: Reader) {
  const { url } = reader.config;
  const { settings } = reader;
  return {
    realm_url: url,
    realm_uri: url,
    realm_name: settings.name,
    realm_icon: realmIconPath(settings),
    realm_description: renderedDescription(url, settings),
    realm_web_public_access_enabled: channelsOnTheWeb(reader).length > 0,
  };
}

export function renderedDescription(realm_url: string, settings: RealmSettings): string {
  if (settings.description === "") return "";
  const { default_code_block_language } = settings;
  return render(settings.description, {
    ...EMPTY_CONTEXT,
    realm_url,
    default_code_block_language,
  }).html;
}

/** Lists every permission setting, and never allows the group of everyone on the Internet. */
function supported(permissions: Readonly<Record<string, Permission>>) {
  const rows = Object.entries(permissions).map(([name, permission]) => [
    name,
    { default_for_system_groups: null, ...permission, allow_internet_group: false },
  ]);
  return Object.fromEntries(rows) as Record<string, unknown>;
}

const SUPPORTED_PERMISSIONS = {
  realm: supported(REALM_PERMISSIONS),
  stream: supported(CHANNEL_PERMISSIONS),
  group: supported(GROUP_PERMISSIONS),
};

/** Settings that default to false if an organization of an earlier version has no value. */
const FALSE_IF_MISSING: ReadonlySet<string> = new Set<keyof RealmSettings>([
  "allow_search_engines",
  "keep_picture_metadata",
]);

const UNSENT_SETTINGS: ReadonlySet<string> = new Set<keyof RealmSettings>([
  "icon_version",
  "icon_file",
  "logo_file",
  "night_logo_file",
]);
