// Creates an organization: its groups, settings, channels, bots and first owner.
import { invalidValue } from "../../contract/errors/channels.ts";
import { emailNotAnAddress } from "../../contract/errors/people.ts";
import { alreadySetUp, realmNameInvalid } from "../../contract/errors/realm.ts";
import { MEMBER, OWNER } from "../../contract/roles.ts";
import type { Writer } from "../../realm.ts";
import type { Channel, GroupSetting, User } from "../../schema/records.ts";
import { createUser } from "../accounts/actions.ts";
import { createChannel } from "../channels/manage/create.ts";
import { hostOf } from "../people/wire.ts";
import { isOrgType, isRealmName, isSchool, ORG_TYPES, REALM_ID } from "../realm/rules.ts";
import {
  GROUP_PERMISSIONS,
  type GroupPermission,
  SYSTEM_GROUPS,
  type SystemGroup,
} from "../rights/permission-rules.ts";
import { isEmail } from "../rights/rules.ts";
import { hasWholeDays } from "../settings/time-format-rules.ts";
import { visitorTranslator } from "../i18n/negotiate-language.ts";
import type { Language, Word } from "../i18n/translations.ts";
import { newSettings, SCHOOL_ADDRESS_VISIBILITY, schoolSettings } from "./setting-rules.ts";

export interface NewOrganization {
  name: string;
  /** A key of `ORG_TYPES`. */
  type?: string;
  owner: { email: string; full_name: string; password_hash?: string };
  /** Language of users who have not chosen one. */
  language?: Language | undefined;
}

/** Creates the only organization of a data directory. Returns its first owner. */
export function createOrganization(tx: Writer, newOrganization: NewOrganization): User {
  const { name, type = "unspecified", owner, language } = newOrganization;
  const trimmed = name.trim();
  if (tx.realm.has(REALM_ID)) throw alreadySetUp();
  if (!isRealmName(trimmed)) throw realmNameInvalid();
  if (!isOrgType(type)) throw invalidValue("org_type");
  if (!isEmail(owner.email.trim())) throw emailNotAnAddress();

  createSystemGroups(tx);
  const groupId = (group: SystemGroup) => tx.groups.findBy("name", group)!.id;
  tx.realm.put({
    realm_id: REALM_ID,
    realm_uuid: crypto.randomUUID(),
    date_created: tx.now,
    settings: {
      ...newSettings(trimmed, groupId),
      org_type: ORG_TYPES[type].id,
      ...(language && { default_language: language }),
      ...(isSchool(type) && schoolSettings(groupId)),
    },
  });
  createSystemBots(tx);
  if (isSchool(type)) {
    tx.setting_defaults.put({
      name: "email_address_visibility",
      value: SCHOOL_ADDRESS_VISIBILITY,
    });
  }
  if (language && hasWholeDays(language)) {
    tx.setting_defaults.put({ name: "twenty_four_hour_time", value: true });
  }
  createFirstChannels(tx);
  return createFirstOwner(tx, owner);
}

/** Each group except the first two has the previous group as its subgroup. */
function createSystemGroups(tx: Writer): void {
  const ids = SYSTEM_GROUPS.map(() => tx.next("groups"));
  const nobody_id = ids[0]!;
  const settings = Object.fromEntries(
    Object.keys(GROUP_PERMISSIONS).map((name) => [name, nobody_id]),
  ) as Record<GroupPermission, GroupSetting>;
  for (const [index, name] of SYSTEM_GROUPS.entries()) {
    tx.groups.put({
      id: ids[index]!,
      name,
      description: SYSTEM_GROUP_DESCRIPTIONS[name],
      date_created: null,
      creator_id: null,
      is_system_group: true,
      deactivated: false,
      direct_subgroup_ids: index < 2 ? [] : [ids[index - 1]!],
      ...settings,
    });
  }
}

/** Clients recognize these texts and translate them. */
export const SYSTEM_GROUP_DESCRIPTIONS: Readonly<Record<SystemGroup, string>> = {
  "role:nobody": "Nobody",
  "role:owners": "Owners of this organization",
  "role:administrators": "Administrators of this organization, including owners",
  "role:moderators": "Moderators of this organization, including administrators",
  "role:fullmembers": "Members of this organization, not including new accounts and guests",
  "role:members": "Members of this organization, not including guests",
  "role:everyone": "Everyone in this organization, including guests",
  "role:internet": "Everyone on the Internet",
};

export const SYSTEM_BOTS = [
  { full_name: "Notification Bot", local_part: "notification-bot" },
  { full_name: "Welcome Bot", local_part: "welcome-bot" },
  { full_name: "Email Gateway", local_part: "emailgateway" },
] as const;

/** Runs before channels exist, so that the bots are not subscribed to any. */
function createSystemBots(tx: Writer): void {
  const domain = hostOf(tx.config.url);
  for (const { full_name, local_part } of SYSTEM_BOTS) {
    createUser(tx, {
      email: `${local_part}@${domain}`,
      full_name,
      role: MEMBER,
      bot_type: 1,
      is_system_bot: true,
    });
  }
}

export const WELCOME_CHANNEL = "Skein";
const FIRST_CHANNELS = {
  general: "channel-general",
  [WELCOME_CHANNEL]: "channel-help",
  sandbox: "channel-sandbox",
} as const satisfies Record<string, Word>;

function createFirstChannels(tx: Writer): void {
  const { translate } = visitorTranslator(tx);
  const first = (name: keyof typeof FIRST_CHANNELS): Channel =>
    createChannel(tx, null, {
      name,
      description: translate(FIRST_CHANNELS[name]),
      is_default: true,
    });
  const { stream_id } = first("general");
  first(WELCOME_CHANNEL);
  first("sandbox");
  const realm = tx.realm.get(REALM_ID)!;
  tx.realm.put({
    ...realm,
    settings: {
      ...realm.settings,
      new_stream_announcements_stream_id: stream_id,
      zulip_update_announcements_stream_id: stream_id,
    },
  });
}

/** Allows the first owner to create accounts: no other user could grant this right. */
function createFirstOwner(tx: Writer, params: NewOrganization["owner"]): User {
  const { user_id } = createUser(tx, { ...params, role: OWNER });
  const owner = { ...tx.users.get(user_id)!, can_create_users: true };
  tx.users.put(owner);
  return owner;
}
