// Decides which IP addresses may be contacted: public ones, and those that the operator allows.
import { BlockList, isIP } from "node:net";

/** Parses addresses and `address/bits` ranges of both families. */
export function rangesOf(texts: readonly string[]): BlockList {
  const ranges = new BlockList();
  for (const text of texts) {
    const [, address = "", bits] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
    const family = isIP(address);
    const all = family === 4 ? 32 : 128;
    if (family === 0 || Number(bits ?? all) > all) throw new RangeInvalid(text);
    ranges.addSubnet(address, Number(bits ?? all), family === 4 ? "ipv4" : "ipv6");
  }
  return ranges;
}

export class RangeInvalid extends Error {
  constructor(text: string) {
    super(`${text} is not an address range such as 10.0.0.0/8 or fd00::/8`);
  }
}

export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !NOT_PUBLIC_4.check(address, "ipv4");
  if (isIP(address) !== 6 || address.includes("%")) return false;
  return GLOBAL_6.check(address, "ipv6") && !NOT_PUBLIC_6.check(address, "ipv6");
}

export function isWithin(ranges: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && ranges.check(address, family === 4 ? "ipv4" : "ipv6");
}

/** IANA's special-purpose ranges, and everything from multicast on. */
const NOT_PUBLIC_4 = rangesOf([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  // Not reserved, but the host of every virtual machine in one large cloud, with its secrets.
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
]);

/**
 * All other ranges are not routed, including mapped IPv4 addresses (::ffff:…, 64:ff9b::…) and
 * fc00::/7.
 */
const GLOBAL_6 = rangesOf(["2000::/3"]);
const NOT_PUBLIC_6 = rangesOf(["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);
