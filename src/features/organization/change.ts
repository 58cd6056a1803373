// Changes the organization's settings and applies the side effects of some of them.
import Type from "typebox";
import { channelNotFound, moderationChannelPublic } from "../../contract/errors/channels.ts";
import { mustBeOwner } from "../../contract/errors/general.ts";
import {
  authenticationMethodInvalid,
  demoOrganizationRequired,
  noAuthenticationLeft,
} from "../../contract/errors/realm.ts";
import { inBothSpellings } from "../../contract/names.ts";
import { sameSchema, partial } from "../../contract/shapes/value-types.ts";
import { realmSettingsShape } from "../../contract/shapes/realm-settings.ts";
import { endpoint, json, optional, type OptionalParameter } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { GroupSetting, RealmSettings, User } from "../../schema/records.ts";
import { accessChannel } from "../channels/access.ts";
import { watchFullMembership } from "../groups/full-members.ts";
import { watchVisibilityOfAll } from "../people/visibility.ts";
import { methodSwitches, offeredMethods } from "../realm/methods-wire.ts";
import { NOWHERE, OWNERS_ONLY, PLACES } from "../realm/rules.ts";
import { REALM_PERMISSIONS, type RealmPermission } from "../rights/permission-rules.ts";
import { isOwner } from "../rights/rules.ts";
import { isSameSetting } from "../rights/setting-wire.ts";
import { type RequestedSetting, decodeSettingChange, groupSetting } from "../rights/setting.ts";
import { defaultChanged } from "../settings/wire.ts";
import { decodedSettings, realmParams } from "./parameters.ts";
import { settingEvents } from "./setting-events.ts";
import { settingForClients } from "./wire.ts";

type Permissions = Partial<Record<RealmPermission, RequestedSetting | undefined>>;

/** Returns the settings whose value changed. */
function changeRealm(
  tx: Writer,
  user: User,
  newSettings: Partial<RealmSettings>,
  permissions: Permissions,
): Partial<RealmSettings> {
  checkChannels(tx, user, newSettings);
  const methods = requestedMethods(tx, newSettings.authentication_methods);
  const groups = NAMES.map((name) => {
    const setting = permissions[name];
    const permission = REALM_PERMISSIONS[name];
    return [name, setting && decodeSettingChange(tx, name, permission, tx.settings[name], setting)];
  });

  const details = groups.filter(([, value]) => value !== undefined);
  return changeSettings(tx, { ...newSettings, ...methods, ...Object.fromEntries(details) });
}

/** Changes settings without checking who asked for it. */
export function changeSettings(
  tx: Writer,
  newSettings: Partial<RealmSettings>,
): Partial<RealmSettings> {
  const before = tx.settings;
  const names = (Object.keys(newSettings) as (keyof RealmSettings)[]).filter(
    (name) => !isSame(newSettings[name], before[name]),
  );
  if (names.length === 0) return {};
  const changedSettings: Partial<RealmSettings> = Object.fromEntries(
    names.map((name) => [name, newSettings[name]]),
  );
  const emitMembers = "waiting_period_threshold" in changedSettings && watchFullMembership(tx);
  const emitVisibility =
    "can_access_all_users_group" in changedSettings && watchVisibilityOfAll(tx);
  tx.realm.put({ ...tx.realm.get(1)!, settings: { ...before, ...changedSettings } });
  for (const event of settingEvents(tx, before, names)) tx.emit(event, { to: "realm" });
  if (changedSettings.default_language !== undefined) {
    tx.emit(defaultChanged("default_language", changedSettings.default_language), { to: "realm" });
  }
  if (emitMembers) emitMembers();
  if (emitVisibility) emitVisibility();
  return changedSettings;
}

function isSame<N extends keyof RealmSettings>(first: RealmSettings[N], other: RealmSettings[N]) {
  if (typeof first !== "object" || first === null || typeof other !== "object" || other === null) {
    return first === other;
  }
  const areGroups = "direct_members" in first && "direct_members" in other;
  if (!areGroups) return Bun.deepEquals(first, other);
  return isSameSetting(first as GroupSetting, other as GroupSetting);
}

/** The sign-in methods that are to be enabled. At least one must remain. */
function requestedMethods(reader: Reader, input: Readonly<Record<string, boolean>> | undefined) {
  if (input === undefined) return {};
  const names = offeredMethods(reader.config).map(({ name }) => name);
  for (const name of Object.keys(input)) {
    if (!names.includes(name)) throw authenticationMethodInvalid(name, names);
  }
  const before = methodSwitches(reader);
  const rows = names.map((name) => [name, input[name] ?? before[name]!.enabled] as const);
  if (!rows.some(([, isOn]) => isOn)) throw noAuthenticationLeft();
  const isNews = rows.some(([name, isOn]) => isOn !== before[name]!.enabled);
  if (!isNews) return { authentication_methods: reader.settings.authentication_methods };
  return { authentication_methods: Object.fromEntries(rows) };
}

function checkChannels(reader: Reader, user: User, newSettings: Partial<RealmSettings>): void {
  for (const name of PLACES) {
    const stream_id = newSettings[name];
    if (stream_id === undefined || stream_id === NOWHERE) continue;
    const channel = accessChannel(reader, user, stream_id);
    if (channel.is_archived) throw channelNotFound();
    if (name === "moderation_request_channel_id" && !channel.invite_only) {
      throw moderationChannelPublic();
    }
  }
}

const NAMES = Object.keys(REALM_PERMISSIONS) as RealmPermission[];

const settingChange = Type.Object({ new: groupSetting, old: Type.Optional(groupSetting) });

const permissionParams = Object.fromEntries(
  NAMES.map((name) => [name, optional(json(settingChange))]),
) as unknown as Record<RealmPermission, OptionalParameter<RequestedSetting | undefined>>;

/** The new values of the changed settings. */
const changedShape = Type.Object(
  partial(sameSchema(Object.keys(realmSettingsShape.properties), Type.Unknown())),
);

export const patchRealm = endpoint({
  summary: "Change the organization's settings",
  tag: "Organization",
  params: { ...realmParams, ...permissionParams },
  answer: changedShape,
  refuses: ["EXPECTATION_MISMATCH", "SYSTEM_GROUP_REQUIRED"],
  run: async ({ realm, user }, input) => {
    const isOwners = OWNERS_ONLY.some((name) => input[name] !== undefined);
    if (isOwners && !isOwner(user)) throw mustBeOwner();
    if (input.string_id !== undefined) throw demoOrganizationRequired();
    const requested = Object.fromEntries(NAMES.map((name) => [name, input[name]])) as Permissions;
    const others = Object.entries(input).filter(([name]) => !(name in REALM_PERMISSIONS));
    const newSettings = decodedSettings(Object.fromEntries(others) as typeof input);
    const changedSettings = await realm.write((tx) =>
      changeRealm(tx, user, newSettings, requested),
    );
    const { authentication_methods } = input;
    return inBothSpellings({
      ...responseOf(realm.read, changedSettings),
      ...(authentication_methods && { authentication_methods }),
    });
  },
});

/** Returns "updated" instead of a text: texts are long, and the sender has them. */
function responseOf(
  reader: Reader,
  changedSettings: Partial<RealmSettings>,
): Record<string, unknown> {
  const echoed = Object.entries(changedSettings).map(([name, value]) => {
    if (typeof value === "string") return [name, "updated"];
    return [name, settingForClients(reader, name as keyof RealmSettings)];
  });
  return Object.fromEntries(echoed) as Record<string, unknown>;
}
