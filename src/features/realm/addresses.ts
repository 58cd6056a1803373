// Decides whether an email address may join the organization.
import {
  emailDisposable,
  emailNotAllowed,
  emailWithPlus,
  signInRealmDeactivated,
} from "../../contract/errors/realm.ts";
import type { Reader } from "../../realm.ts";
import { domainOf } from "../../text/email-address.ts";
import { isDeactivated } from "./access.ts";
import { isDisposable } from "./disposable.ts";
import { methodsOf } from "./methods-wire.ts";

const DOMAIN_LENGTH_MAX = 253;

/** Throws if the address is not allowed, or if the organization does not allow open sign-up. */
export function checkCanJoin(reader: Reader, email: string): void {
  if (isDeactivated(reader)) throw signInRealmDeactivated();
  checkAddress(reader, email.trim());
}

/** Throws if the organization does not allow the address. */
export function checkAddress(reader: Reader, email: string): void {
  const domain = domainOf(email);
  const { emails_restricted_to_domains, disallow_disposable_email_addresses } = reader.settings;
  if (emails_restricted_to_domains) {
    // A mailbox can have any number of such addresses.
    if (email.includes("+")) throw emailWithPlus();
    if (!isRealmDomain(reader, domain)) throw emailNotAllowed(email);
  } else if (disallow_disposable_email_addresses && isPublicProvider(domain))
    throw emailDisposable();
}

/**
 * Whether a new user's unverified email address is accepted. It is not if it would give access: to
 * an organization with restricted domains, or to an account that an identity provider also signs in
 * to.
 */
export function acceptsUnverified(reader: Reader): boolean {
  return !reader.settings.emails_restricted_to_domains && !hasIdentityProvider(reader);
}

/** Whether an identity provider authenticates new users. */
export function hasIdentityProvider(reader: Reader): boolean {
  return methodsOf(reader).some((method) => method.makesAccounts);
}

/** Expects the domain in lower case. Returns what is wrong with it. */
export function faultInDomain(domain: string): string | undefined {
  if (domain === "") return "Domain can't be empty.";
  if (domain.length > DOMAIN_LENGTH_MAX) return "Domain is too long.";
  if (!domain.includes(".")) return "Domain must have at least one dot (.)";
  const labels = domain.split(".");
  if (labels[0] === "" || labels.at(-1) === "") return "Domain cannot start or end with a dot (.)";
  if (labels.includes("")) return "Consecutive '.' are not allowed.";
  if (labels.some((label) => label.startsWith("-") || label.endsWith("-"))) {
    return "Subdomains cannot start or end with a '-'.";
  }
  if (!/^[a-z0-9.-]+$/.test(domain)) return "Domain can only have letters, numbers, '.' and '-'s.";
  return undefined;
}

function isRealmDomain(reader: Reader, domain: string): boolean {
  if (reader.realm_domains.has(domain)) return true;
  return parentsOf(domain).some((parent) => reader.realm_domains.get(parent)?.allow_subdomains);
}

function isPublicProvider(domain: string): boolean {
  return [domain, ...parentsOf(domain)].some(isDisposable);
}

function parentsOf(domain: string): string[] {
  const labels = domain.split(".");
  return labels.slice(1).map((_, index) => labels.slice(index + 1).join("."));
}
