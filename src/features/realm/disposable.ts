// Domains that give mailboxes to throw away, by a list that others keep.
import listed from "disposable-email-domains-js/dist/dict/disposable_email_blocklist.json";

let domains: ReadonlySet<string> | undefined;

/** Made at the first look. `domain`: as addresses are compared. */
export function isDisposable(domain: string): boolean {
  domains ??= new Set(listed);
  return domains.has(domain);
}
