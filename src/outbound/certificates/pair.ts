// A certificate with its key: checks that they match, their names and their validity.
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { Pair } from "../../server/certificates.ts";

export interface ValidatedPair extends Pair {
  readonly names: readonly string[];
  /** Start and end of the validity, in milliseconds since 1970. */
  readonly from_ms: number;
  readonly until_ms: number;
}

/** The certificate cannot be served. The message gives the reason. */
export class PairInvalid extends Error {}

/** Throws `PairInvalid`, which names the file. */
export function pairIn({
  cert,
  key,
}: {
  readonly cert: string;
  readonly key: string;
}): ValidatedPair {
  const [chain, secret] = [cert, key].map(textOf) as [string, string];
  try {
    return checkedPair(chain, secret);
  } catch (error) {
    if (!(error instanceof PairInvalid)) throw error;
    throw new PairInvalid(`${cert} and ${key}: ${error.message}`);
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const text = code === "ENOENT" ? `there is no file ${path}` : message;
    throw new PairInvalid(`cannot read the certificate: ${text}`);
  }
}

/** Throws `PairInvalid`. */
export function checkedPair(cert: string, key: string): ValidatedPair {
  const leaf = read("the certificate", () => new X509Certificate(cert));
  const secret = read("the key", () => createPrivateKey(key));
  if (!leaf.checkPrivateKey(secret))
    throw new PairInvalid("the key does not belong to the certificate");
  return {
    cert,
    key,
    names: namesIn(leaf),
    from_ms: Date.parse(leaf.validFrom),
    until_ms: Date.parse(leaf.validTo),
  };
}

function read<T>(label: string, reading: () => T): T {
  try {
    return reading();
  } catch {
    throw new PairInvalid(`${label} is not valid PEM`);
  }
}

function namesIn({ subjectAltName = "" }: X509Certificate): string[] {
  return subjectAltName.split(", ").flatMap((part) => {
    const [, kind, name = ""] = /^(DNS|IP Address):(.+)$/.exec(part) ?? [];
    if (kind === undefined) return [];
    return isIP(name) === 6 ? shortest(name) : name;
  });
}

/** Converts an IPv6 address to its shortest form. */
const shortest = (address: string) => new URL(`http://[${address}]`).hostname.slice(1, -1);
