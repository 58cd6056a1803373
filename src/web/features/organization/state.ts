/** The organization's settings, and every field of the snapshot that no other slice owns. */
import type { RealmSettings } from "../../../schema/records.ts";
import type { Static } from "typebox";
import { ownValue } from "../../../text/input/own-value.ts";
import { DOUBLED_KEYS } from "../../../contract/names.ts";
import type {
  customEmojiShape,
  domainShape,
  linkifierShape,
  playgroundShape,
} from "../../../contract/shapes/organization.ts";
import type { defaultSettingsShape } from "../../../contract/shapes/user-settings.ts";
import type { Changed, Event, Snapshot } from "../../contract/snapshot.ts";

export type CustomEmoji = Static<typeof customEmojiShape>;
export type Linkifier = Static<typeof linkifierShape>;
type Playground = Static<typeof playgroundShape>;
type Domain = Static<typeof domainShape>;

/** Fields that another slice owns are absent. */
export type OrganizationFields = Snapshot;

type WithoutRealmPrefix<K> = K extends `realm_${infer N}` ? N : never;
/** Settings that the register snapshot contains. */
export type OrganizationSetting = keyof RealmSettings &
  WithoutRealmPrefix<keyof OrganizationFields>;

export interface Organization {
  /** Fields by their names in the API: `realm_name`, `max_topic_length`. */
  fields: OrganizationFields;
  emoji: Record<string, CustomEmoji>;
  linkifiers: readonly Linkifier[];
  playgrounds: readonly Playground[];
  domains: readonly Domain[];
  /** Default settings of new users. */
  defaults: Partial<Static<typeof defaultSettingsShape>>;
}

export const ORGANIZATION_FIELDS = [
  "realm_emoji",
  "realm_linkifiers",
  "realm_playgrounds",
  "realm_domains",
  "realm_user_settings_defaults",
] as const;

/** `rest`: the fields that no other slice owns. */
export function hydrateOrganization(snapshot: Snapshot, rest: OrganizationFields): Organization {
  return {
    fields: rest,
    emoji: { ...snapshot.realm_emoji },
    linkifiers: snapshot.realm_linkifiers ?? [],
    playgrounds: snapshot.realm_playgrounds ?? [],
    domains: snapshot.realm_domains ?? [],
    defaults: snapshot.realm_user_settings_defaults ?? {},
  };
}

export function dehydrateOrganization(organization: Organization): Partial<Snapshot> {
  return {
    ...organization.fields,
    realm_emoji: organization.emoji,
    realm_linkifiers: organization.linkifiers,
    realm_playgrounds: organization.playgrounds,
    realm_domains: organization.domains,
    realm_user_settings_defaults: organization.defaults,
  };
}

export function reduceOrganization(slice: Organization, event: Event, changed: Changed): void {
  switch (event.type) {
    case "realm":
      reduceRealm(slice, event, changed);
      return;
    case "realm_domains":
      reduceDomains(slice, event);
      break;
    case "realm_emoji":
      reduceEmoji(slice, event);
      break;
    case "realm_linkifiers":
      slice.linkifiers = event.realm_linkifiers;
      break;
    case "realm_playgrounds":
      slice.playgrounds = event.realm_playgrounds;
      break;
    case "realm_user_settings_defaults":
      Object.assign(slice.defaults, { [event.property]: event.value });
      break;
    case "invites_changed":
      // The pages that show them request the data again.
      break;
    default:
      return;
  }
  changed.add(event.type);
}

function reduceRealm({ fields }: Organization, event: Event<"realm">, changed: Changed): void {
  if (event.op === "deactivated") {
    changed.add("deactivated");
    return;
  }
  const data = event.op === "update" ? { [event.property]: event.value } : event.data;
  for (const [name, setting] of Object.entries(data)) {
    if (name === "rendered_description") continue;
    const field = `realm_${name}`;
    Object.assign(fields, { [field]: setting });
    // Clients that use one of two spellings receive only that one.
    const other = ownValue(DOUBLED_KEYS, field);
    if (other !== undefined) Object.assign(fields, { [other]: setting });
    changed.add("realm").add(`realm:${name}`);
  }
}

function reduceDomains(
  slice: Organization,
  { op, realm_domain, domain }: Event<"realm_domains">,
): void {
  const name = op === "remove" ? domain : realm_domain.domain;
  const others = slice.domains.filter((row) => row.domain !== name);
  slice.domains = op === "remove" ? others : [...others, realm_domain];
}

function reduceEmoji(slice: Organization, event: Event<"realm_emoji">): void {
  const { op, emoji, emoji_id, data, realm_emoji } = event;
  if (op === "update") slice.emoji = realm_emoji;
  else if (op === "add") slice.emoji[emoji.id] = emoji;
  else Object.assign(slice.emoji[emoji_id] ?? {}, data);
}
