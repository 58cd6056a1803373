// Events about the email domains whose users may join.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { RealmDomain } from "../../schema/records.ts";

/** The `realm_domains` part of the snapshot, in order of creation. */
export function realmDomainsSnapshot(reader: Reader) {
  const domains = [...reader.realm_domains.range()].sort((a, b) => a.id - b.id);
  return { realm_domains: domains.map(domainObject) };
}

function domainObject({ domain, allow_subdomains }: RealmDomain) {
  return { domain, allow_subdomains };
}

export const domainAdded = (domain: RealmDomain): PlainEvent => ({
  type: "realm_domains",
  op: "add",
  realm_domain: domainObject(domain),
});

export const domainChanged = (domain: RealmDomain): PlainEvent => ({
  type: "realm_domains",
  op: "change",
  realm_domain: domainObject(domain),
});

export const domainRemoved = (domain: string): PlainEvent => ({
  type: "realm_domains",
  op: "remove",
  domain,
});
