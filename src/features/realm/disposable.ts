// Domains of disposable email addresses, from a public list.
import listed from "disposable-email-domains-js/dist/dict/disposable_email_blocklist.json";

let domains: ReadonlySet<string> | undefined;

/** Loaded on first use. `domain`: in the form in which addresses are compared. */
export function isDisposable(domain: string): boolean {
  domains ??= new Set(listed);
  return domains.has(domain);
}
