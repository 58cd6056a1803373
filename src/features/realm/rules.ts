// Limits of the organization's settings, and their legacy names.

/** Id of the only organization of a data directory. */
export const REALM_ID = 1;
import type { GroupSetting, RealmSettings } from "../../schema/records.ts";
import type { RealmPermission, SystemGroup } from "../rights/permission-rules.ts";

/** Maximum of email domains whose users may join. */
export const DOMAINS_MAX = 1_000;
export const REALM_NAME_LENGTH_MAX = 40;
export const REALM_DESCRIPTION_LENGTH_MAX = 1000;
export const WELCOME_TEXT_LENGTH_MAX = 8000;
export const CODE_LANGUAGE_LENGTH_MAX = 40;
export const JITSI_URL_LENGTH_MAX = 200;
export const WAITING_DAYS_MAX = 36_500;
/** Maximum of a time limit, in its own unit. */
export const LIMIT_MAX = 2 ** 31 - 1;
export const DELETION_DAYS_MIN = 14;
export const DELETION_DAYS_MAX = 36_500;

/** Types of organizations: name on the command line, the protocol's number, and the label. */
export const ORG_TYPES = {
  unspecified: { id: 0, label: "Not said" },
  business: { id: 10, label: "Business" },
  "open-source": { id: 20, label: "Open-source project" },
  "education-nonprofit": { id: 30, label: "Education, not for profit" },
  education: { id: 35, label: "Education" },
  research: { id: 40, label: "Research" },
  event: { id: 50, label: "Event or conference" },
  nonprofit: { id: 60, label: "Not for profit" },
  government: { id: 70, label: "Government" },
  political: { id: 80, label: "Political group" },
  community: { id: 90, label: "Community" },
  personal: { id: 100, label: "Personal" },
  other: { id: 1000, label: "Other" },
} as const;
export type OrgType = keyof typeof ORG_TYPES;

export function isOrgType(name: string): name is OrgType {
  return Object.hasOwn(ORG_TYPES, name);
}

/** Schools have stricter defaults. */
export const isSchool = (type: OrgType) => type.startsWith("education");

/** Channels for particular kinds of notices, as settings name them. */
export const PLACES = [
  "moderation_request_channel_id",
  "new_stream_announcements_stream_id",
  "signup_announcements_stream_id",
  "zulip_update_announcements_stream_id",
] as const satisfies (keyof RealmSettings)[];
export const NOWHERE = -1;

/** Settings that only owners can change. */
export const OWNERS_ONLY = [
  "string_id",
  "emails_restricted_to_domains",
  "disallow_disposable_email_addresses",
  "invite_required",
  "waiting_period_threshold",
  "authentication_methods",
  "message_retention_days",
  "create_multiuse_invite_group",
  "can_create_groups",
  "can_invite_users_group",
  "can_manage_all_groups",
  "can_manage_billing_group",
] as const;

export function isRealmName(name: string): boolean {
  return name.trim() !== "" && Array.from(name).length <= REALM_NAME_LENGTH_MAX;
}

type Codes = Partial<Record<SystemGroup, number>>;

const MENTION_CODES: Codes = {
  "role:everyone": 1,
  "role:members": 2,
  "role:fullmembers": 3,
  "role:moderators": 7,
  "role:administrators": 5,
  "role:owners": 6,
  "role:nobody": 6,
};

const CREATE_CODES: Codes = {
  "role:members": 1,
  "role:fullmembers": 3,
  "role:moderators": 4,
  "role:administrators": 2,
  "role:owners": 2,
  // The protocol has no code for nobody.
  "role:nobody": 2,
};

const CREATE_WEB_PUBLIC_CODES: Codes = {
  "role:moderators": 4,
  "role:administrators": 2,
  "role:owners": 7,
  "role:nobody": 6,
};

/** Groups without a code count as all members; the server makes the final decision. */
const CODE_OF_OTHERS = { mention: 2, create: 1 };

type GroupNameLookup = (group_id: number) => string | undefined;

/** Legacy numeric and boolean settings, which group settings have replaced. */
export function legacySettings(settings: RealmSettings, nameOf: GroupNameLookup) {
  const code = (name: RealmPermission, codes: Codes, others: number) =>
    codeOf(settings[name], codes, nameOf) ?? others;
  const { mention, create } = CODE_OF_OTHERS;
  return {
    realm_allow_edit_history: settings.message_edit_history_visibility_policy !== "none",
    realm_mandatory_topics: settings.topics_policy === "disable_empty_topic",
    realm_wildcard_mention_policy: code("can_mention_many_users_group", MENTION_CODES, mention),
    realm_create_public_stream_policy: code(
      "can_create_public_channel_group",
      CREATE_CODES,
      create,
    ),
    realm_create_private_stream_policy: code(
      "can_create_private_channel_group",
      CREATE_CODES,
      create,
    ),
    realm_create_web_public_stream_policy: code(
      "can_create_web_public_channel_group",
      CREATE_WEB_PUBLIC_CODES,
      create,
    ),
  };
}

function codeOf(setting: GroupSetting, codes: Codes, nameOf: GroupNameLookup): number | undefined {
  if (typeof setting !== "number") return undefined;
  return codes[nameOf(setting) as SystemGroup];
}
