// The email domains whose users may join, if the organization limits sign-up by domain.
import Type from "typebox";
import { tooMany } from "../../contract/errors/channels.ts";
import { domainInvalid, domainNotFound, domainTaken } from "../../contract/errors/realm.ts";
import { unionOf, list, nothing } from "../../contract/shapes/value-types.ts";
import { domainShape } from "../../contract/shapes/organization.ts";
import { bool, endpoint, text } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { RealmDomain } from "../../schema/records.ts";
import { foldedDomain } from "../../text/email-address.ts";
import { faultInDomain } from "../realm/addresses.ts";
import { DOMAINS_MAX } from "../realm/rules.ts";
import { changeSettings } from "./change.ts";
import {
  domainAdded,
  domainChanged,
  domainRemoved,
  realmDomainsSnapshot,
} from "./domain-events.ts";

function addDomain(tx: Writer, value: string, allow_subdomains: boolean): RealmDomain {
  const domain = foldedDomain(value.trim());
  const fault = faultInDomain(domain);
  if (fault !== undefined) throw domainInvalid(fault);
  if (tx.realm_domains.has(domain)) throw domainTaken(domain);
  if (tx.realm_domains.count() >= DOMAINS_MAX) throw tooMany("domains", DOMAINS_MAX);

  const newDomain = { domain, id: tx.next("realm_domains"), allow_subdomains };
  tx.realm_domains.put(newDomain);
  tx.emit(domainAdded(newDomain), { to: "realm" });
  return newDomain;
}

function changeDomain(tx: Writer, value: string, allow_subdomains: boolean): void {
  const domain = findDomain(tx, value);
  if (domain.allow_subdomains === allow_subdomains) return;

  const updatedDomain = { ...domain, allow_subdomains };
  tx.realm_domains.put(updatedDomain);
  tx.emit(domainChanged(updatedDomain), { to: "realm" });
}

/** Removing the last domain would prevent everyone from joining. */
function removeDomain(tx: Writer, value: string): void {
  const { domain } = findDomain(tx, value);

  tx.realm_domains.delete(domain);
  tx.emit(domainRemoved(domain), { to: "realm" });
  if (tx.realm_domains.count() === 0) changeSettings(tx, { emails_restricted_to_domains: false });
}

function findDomain(reader: Reader, value: string): RealmDomain {
  const domain = reader.realm_domains.get(foldedDomain(value.trim()));
  if (!domain) throw domainNotFound(value);
  return domain;
}

export const getDomains = endpoint({
  summary: "List the allowed email domains",
  tag: "Organization",
  params: {},
  answer: Type.Object({ domains: list(domainShape) }),
  run: ({ realm }) => ({ domains: realmDomainsSnapshot(realm.read).realm_domains }),
});

export const postDomain = endpoint({
  summary: "Add an allowed email domain",
  tag: "Organization",
  params: { domain: text, allow_subdomains: bool },
  answer: Type.Object({ new_domain: list(unionOf(Type.Integer(), Type.String())) }),
  run: async ({ realm }, { domain, allow_subdomains }) => {
    const newDomain = await realm.write((tx) => addDomain(tx, domain, allow_subdomains));
    return { new_domain: [newDomain.id, newDomain.domain] };
  },
});

export const patchDomain = endpoint({
  summary: "Change an allowed email domain",
  tag: "Organization",
  params: { domain: text, allow_subdomains: bool },
  answer: nothing,
  run: async ({ realm }, { domain, allow_subdomains }) => {
    await realm.write((tx) => changeDomain(tx, domain, allow_subdomains));
    return {};
  },
});

export const deleteDomain = endpoint({
  summary: "Remove an allowed email domain",
  tag: "Organization",
  params: { domain: text },
  answer: nothing,
  run: async ({ realm }, { domain }) => {
    await realm.write((tx) => removeDomain(tx, domain));
    return {};
  },
});
