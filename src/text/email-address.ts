// Normalizes email addresses, so that different spellings of a mailbox compare as equal.
import { parseUrl } from "./input/parse-url.ts";
import { normalized } from "./normalize.ts";

const ASCII = /^[\0-\x7f]*$/;
const HOST = /^[\p{L}\p{N}.-]+$/u;
/** Longer texts are never addresses. */
const LENGTH_MAX = 1_000;

/**
 * The form of an address for comparing and finding accounts: A to Z before the `@` in lower case
 * (Unicode's lower case would turn the Kelvin sign into a `k`), and the domain as in a DNS query.
 * Text that is not an address, such as a user name of a directory, is folded like the part before
 * the `@`.
 */
export function foldedAddress(address: string): string {
  if (ASCII.test(address)) return address.toLowerCase();
  const index = address.lastIndexOf("@") + 1;
  if (index === 0 || !isUnmistakable(address)) return lowerCased(address);
  return lowerCased(address.slice(0, index)) + foldedDomain(address.slice(index));
}

/** Converted as for a DNS query; anything else only to lower case. */
export function foldedDomain(domain: string): string {
  return send(domain) ?? lowerCased(domain);
}

export function domainOf(address: string): string {
  return foldedAddress(address).split("@").at(-1)!;
}

/** Whether the address has a valid domain and no characters that look like other characters. */
export function isUnmistakable(address: string): boolean {
  if (ASCII.test(address)) return true;
  if (address.length > LENGTH_MAX || normalized(address, "NFKC") !== address) return false;
  const index = address.lastIndexOf("@");
  return index < 0 || send(address.slice(index + 1)) !== undefined;
}

/** Lower case first, because IDNA would map a capital sharp s to "ss". */
function send(domain: string): string | undefined {
  const lowered = domain.toLowerCase();
  if (ASCII.test(domain)) return lowered;
  if (domain.length > LENGTH_MAX || !HOST.test(domain)) return undefined;
  if (normalized(domain, "NFKC") !== domain) return undefined;
  return parseUrl(`http://${lowered}/`)?.hostname;
}

function lowerCased(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
