/** The organization's settings, and every field of the snapshot that no other slice owns. */
import { DOUBLED_KEYS } from "../../../contract/names.ts";
import type { Changed, Event, Snapshot } from "../../snapshot.ts";

export interface CustomEmoji {
  id: string;
  name: string;
  source_url: string;
  still_url?: string | null;
  deactivated: boolean;
  author_id: number | null;
}

export interface Organization {
  /** By their names in the API: `realm_name`, `max_topic_length`, … */
  fields: Record<string, unknown>;
  emoji: Record<string, CustomEmoji>;
  linkifiers: readonly unknown[];
  playgrounds: readonly unknown[];
  domains: { domain: string; allow_subdomains: boolean }[];
  /** Default settings of new users. */
  defaults: Record<string, unknown>;
}

export const ORGANIZATION_FIELDS = [
  "realm_emoji",
  "realm_linkifiers",
  "realm_playgrounds",
  "realm_domains",
  "realm_user_settings_defaults",
];

/** `rest`: what no other slice owns. */
export function hydrateOrganization(
  snapshot: Snapshot,
  rest: Record<string, unknown>,
): Organization {
  return {
    fields: rest,
    emoji: snapshot["realm_emoji"] ?? {},
    linkifiers: snapshot["realm_linkifiers"] ?? [],
    playgrounds: snapshot["realm_playgrounds"] ?? [],
    domains: snapshot["realm_domains"] ?? [],
    defaults: snapshot["realm_user_settings_defaults"] ?? {},
  };
}

export function dehydrateOrganization(organization: Organization): Record<string, unknown> {
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
      slice.defaults[event.property] = event.value;
      break;
    case "invites_changed":
      // A page that shows them asks anew.
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
  const data: Readonly<Record<string, unknown>> =
    event.op === "update" ? { [event.property]: event.value } : event.data;
  for (const [name, setting] of Object.entries(data)) {
    if (name === "rendered_description") continue;
    const field = `realm_${name}`;
    fields[field] = setting;
    // A client reads one of the two spellings, and is told in that one.
    const other = (DOUBLED_KEYS as Record<string, string | undefined>)[field];
    if (other !== undefined) fields[other] = setting;
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
