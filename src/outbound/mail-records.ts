// What the DNS says about mail of a domain: who may send it, and by which keys it is signed.
import { createPublicKey } from "node:crypto";
import { Resolver } from "node:dns/promises";

export interface MailRecords {
  /** "" where there is none; undefined: nobody answers. */
  readonly spf: string | undefined;
  readonly dmarc: string | undefined;
}

/** Whom to ask; none is whom the system asks. */
export type Servers = readonly string[] | undefined;

const ANSWER_MS = 3_000;
const NONE = new Set(["ENODATA", "ENOTFOUND"]);

export async function mailRecords(domain: string, servers?: Servers): Promise<MailRecords> {
  const resolver = resolverOf(servers);
  const beginning = async (name: string, start: string) => {
    const texts = await textsAt(resolver, name);
    return texts && (texts.find((text) => text.startsWith(start)) ?? "");
  };
  const [spf, dmarc] = await Promise.all([
    beginning(domain, "v=spf1"),
    beginning(`_dmarc.${domain}`, "v=DMARC1"),
  ]);
  return { spf, dmarc };
}

export interface DkimKey {
  readonly selector: string;
  /** "" where it is good; undefined: nobody answers. */
  readonly fault: string | undefined;
}

/** The keys by which mail of a domain may be signed (RFC 6376), as they are published. */
export function dkimKeys(
  domain: string,
  selectors: readonly string[],
  servers?: Servers,
): Promise<DkimKey[]> {
  const resolver = resolverOf(servers);
  const all = selectors.map(async (selector) => {
    const texts = await textsAt(resolver, `${selector}._domainkey.${domain}`);
    // A long record is of several strings, which come as if each were a record.
    return { selector, fault: texts && faultIn(texts.join("")) };
  });
  return Promise.all(all);
}

function resolverOf(servers: Servers): Resolver {
  const resolver = new Resolver({ timeout: ANSWER_MS, tries: 1 });
  if (servers?.length) resolver.setServers(servers);
  return resolver;
}

/** None where there are none; undefined: nobody answers. */
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
  if (record === "") return "is not there";
  const tags = new Map(
    record.split(";").map((tag) => {
      const at = tag.indexOf("=");
      return [tag.slice(0, Math.max(0, at)).trim(), tag.slice(at + 1).replace(/\s/g, "")] as const;
    }),
  );
  const key = tags.get("p");
  if (key === undefined) return "holds no key";
  if (key === "") return "was revoked";
  if (tags.get("t")?.split(":").includes("y")) return "is marked as a trial, which nobody heeds";
  const bytes = Buffer.from(key, "base64");
  if (tags.get("k") === "ed25519") {
    return bytes.length === ED25519_BYTES ? "" : "holds what is no key";
  }
  try {
    const { modulusLength = 0 } =
      createPublicKey({ key: bytes, format: "der", type: "spki" }).asymmetricKeyDetails ?? {};
    return modulusLength < RSA_BITS_MIN ? `has only ${modulusLength} bits` : "";
  } catch {
    return "holds what is no key";
  }
}
