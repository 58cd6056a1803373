// The domains whose addresses may join, where the organization limits who may.
import { bool, endpoint, text } from "../../endpoint.ts";
import { domainInvalid, domainNotFound, domainTaken } from "../../errors-realm.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { RealmDomain } from "../../records.ts";
import { faultInDomain } from "./addresses.ts";
import { changeSettings } from "./change.ts";
import {
  domainAdded,
  domainChanged,
  domainRemoved,
  realmDomainsSnapshot,
} from "./domain-events.ts";

export function addDomain(tx: Writer, given: string, allow_subdomains: boolean): RealmDomain {
  const domain = foldedDomain(given);
  const fault = faultInDomain(domain);
  if (fault !== undefined) throw domainInvalid(fault);
  if (tx.realm_domains.has(domain)) throw domainTaken(domain);

  const added = { domain, id: tx.next("realm_domains"), allow_subdomains };
  tx.realm_domains.put(added);
  tx.emit(domainAdded(added), { to: "realm" });
  return added;
}

export function changeDomain(tx: Writer, given: string, allow_subdomains: boolean): void {
  const domain = findDomain(tx, given);
  if (domain.allow_subdomains === allow_subdomains) return;

  const changed = { ...domain, allow_subdomains };
  tx.realm_domains.put(changed);
  tx.emit(domainChanged(changed), { to: "realm" });
}

/** Without the last one, nobody at all could join. */
export function removeDomain(tx: Writer, given: string): void {
  const { domain } = findDomain(tx, given);

  tx.realm_domains.delete(domain);
  tx.emit(domainRemoved(domain), { to: "realm" });
  if (tx.realm_domains.count() === 0) changeSettings(tx, { emails_restricted_to_domains: false });
}

function findDomain(reader: Reader, given: string): RealmDomain {
  const domain = reader.realm_domains.get(foldedDomain(given));
  if (!domain) throw domainNotFound(given);
  return domain;
}

const foldedDomain = (given: string) => given.trim().toLowerCase();

export const getDomains = endpoint({
  params: {},
  run: ({ realm }) => ({ domains: realmDomainsSnapshot(realm.read).realm_domains }),
});

export const postDomain = endpoint({
  params: { domain: text, allow_subdomains: bool },
  run: async ({ realm }, { domain, allow_subdomains }) => {
    const added = await realm.write((tx) => addDomain(tx, domain, allow_subdomains));
    return { new_domain: [added.id, added.domain] };
  },
});

export const patchDomain = endpoint({
  params: { domain: text, allow_subdomains: bool },
  run: async ({ realm }, { domain, allow_subdomains }) => {
    await realm.write((tx) => changeDomain(tx, domain, allow_subdomains));
    return {};
  },
});

export const deleteDomain = endpoint({
  params: { domain: text },
  run: async ({ realm }, { domain }) => {
    await realm.write((tx) => removeDomain(tx, domain));
    return {};
  },
});
