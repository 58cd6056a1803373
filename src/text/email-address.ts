// When two ways of writing an e-mail address mean the same mailbox.
import { parseUrl } from "./input/parse-url.ts";
import { normalized } from "./normalized.ts";

const ASCII = /^[\0-\x7f]*$/;
const HOST = /^[\p{L}\p{N}.-]+$/u;
/** Longer texts are never addresses. */
const LENGTH_MAX = 1_000;

/**
 * What addresses are compared and found by, and nothing else: small letters for A to Z before the
 * `@`, where Unicode's own would make the Kelvin sign a `k`, and of the domain what DNS is asked
 * for. A text that is no address, such as a name in a directory, is folded as what stands before.
 */
export function foldedAddress(address: string): string {
  if (ASCII.test(address)) return address.toLowerCase();
  const at = address.lastIndexOf("@") + 1;
  if (at === 0 || !isUnmistakable(address)) return inSmallLetters(address);
  return inSmallLetters(address.slice(0, at)) + foldedDomain(address.slice(at));
}

/** As DNS is asked for it; what is no domain only in small letters. */
export function foldedDomain(domain: string): string {
  return asked(domain) ?? inSmallLetters(domain);
}

export function domainOf(address: string): string {
  return foldedAddress(address).split("@").at(-1)!;
}

/** Holds no sign that only looks like others, or stands for them; a domain is one that can be. */
export function isUnmistakable(address: string): boolean {
  if (ASCII.test(address)) return true;
  if (address.length > LENGTH_MAX || normalized(address, "NFKC") !== address) return false;
  const at = address.lastIndexOf("@");
  return at < 0 || asked(address.slice(at + 1)) !== undefined;
}

/** Small letters come first: IDNA would take a capital sharp s apart. */
function asked(domain: string): string | undefined {
  const small = domain.toLowerCase();
  if (ASCII.test(domain)) return small;
  if (domain.length > LENGTH_MAX || !HOST.test(domain)) return undefined;
  if (normalized(domain, "NFKC") !== domain) return undefined;
  return parseUrl(`http://${small}/`)?.hostname;
}

function inSmallLetters(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
