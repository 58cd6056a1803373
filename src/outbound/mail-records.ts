// Reads the DNS records of a mail domain: SPF, DMARC and DKIM keys.
import { createPublicKey } from "node:crypto";
import { Resolver } from "node:dns/promises";

interface MailRecords {
  /** "" if there is none; undefined if DNS does not respond. */
  readonly spf: string | undefined;
  readonly dmarc: string | undefined;
}

/** DNS servers; undefined for those of the system. */
type Servers = readonly string[] | undefined;

const ANSWER_MS = 3_000;
const NONE = new Set(["ENODATA", "ENOTFOUND"]);

export async function mailRecords(domain: string, servers?: Servers): Promise<MailRecords> {
  const resolver = resolverOf(servers);
  const recordStartingWith = async (name: string, start: string) => {
    const texts = await textsAt(resolver, name);
    return texts && (texts.find((text) => text.startsWith(start)) ?? "");
  };
  const [spf, dmarc] = await Promise.all([
    recordStartingWith(domain, "v=spf1"),
    recordStartingWith(`_dmarc.${domain}`, "v=DMARC1"),
  ]);
  return { spf, dmarc };
}

interface DkimKey {
  readonly selector: string;
  /** "" if the key is valid; undefined if DNS does not respond. */
  readonly fault: string | undefined;
}

/** Reads the published DKIM keys of a domain (RFC 6376). */
export function dkimKeys(
  domain: string,
  selectors: readonly string[],
  servers?: Servers,
): Promise<DkimKey[]> {
  const resolver = resolverOf(servers);
  const all = selectors.map(async (selector) => {
    const texts = await textsAt(resolver, `${selector}._domainkey.${domain}`);
    // A long record consists of several strings, which arrive separately.
    return { selector, fault: texts && faultIn(texts.join("")) };
  });
  return Promise.all(all);
}

function resolverOf(servers: Servers): Resolver {
  const resolver = new Resolver({ timeout: ANSWER_MS, tries: 1 });
  if (servers?.length) resolver.setServers(servers);
  return resolver;
}

/** Empty if there are no records; undefined if DNS does not respond. */
async function textsAt(resolver: Resolver, name: string): Promise<string[] | undefined> {
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
  } catch (error) {
    return NONE.has((error as { code?: string }).code ?? "") ? [] : undefined;
  }
}

const RSA_BITS_MIN = 1_024;
const ED25519_BYTES = 32;

function faultIn(record: string): string {
  if (record === "") return "does not exist";
  const tags = new Map(
    record.split(";").map((tag) => {
      const index = tag.indexOf("=");
      return [
        tag.slice(0, Math.max(0, index)).trim(),
        tag.slice(index + 1).replace(/\s/g, ""),
      ] as const;
    }),
  );
  const key = tags.get("p");
  if (key === undefined) return "contains no key";
  if (key === "") return "was revoked";
  if (tags.get("t")?.split(":").includes("y")) return "is marked as a test, so receivers ignore it";
  const bytes = Buffer.from(key, "base64");
  if (tags.get("k") === "ed25519") {
    return bytes.length === ED25519_BYTES ? "" : "contains an invalid key";
  }
  try {
    const { modulusLength = 0 } =
      createPublicKey({ key: bytes, format: "der", type: "spki" }).asymmetricKeyDetails ?? {};
    return modulusLength < RSA_BITS_MIN ? `has only ${modulusLength} bits` : "";
  } catch {
    return "contains an invalid key";
  }
}
