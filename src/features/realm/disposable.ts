// Domains of disposable email addresses, from a public list.
import type blocklist from "disposable-email-domains-js/dist/dict/disposable_email_blocklist.json";

let domains: ReadonlySet<string> | undefined;

/** `domain`: in the form in which addresses are compared. */
export function isDisposable(domain: string): boolean {
  domains ??= new Set(listedDomains());
  return domains.has(domain);
}

/** Loaded on first use, to keep the start fast. */
function listedDomains(): typeof blocklist {
  return require("disposable-email-domains-js/dist/dict/disposable_email_blocklist.json");
}
