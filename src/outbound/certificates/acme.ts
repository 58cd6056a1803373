// Obtains certificates from an ACME authority, and asks it when to renew them.
import { X509Certificate } from "node:crypto";
import type { AcmeConfig } from "../../contract/config.ts";
import { type ValidatedPair, checkedPair } from "./pair.ts";
import type { ValidityPeriod } from "./renewal.ts";

/** Polling of the authority's validation. */
const POLLS = { backoffAttempts: 20, backoffMin: 1_000, backoffMax: 10_000 };
const ANSWER_MS = 20_000;
const HOOK_MS = 600_000;
const WILDCARD = "*.";

/** Challenge responses. Each is removed afterwards. */
export interface Proofs {
  /** Served at `/.well-known/acme-challenge/`. */
  readonly tokens: Map<string, string>;
}

/** The account key, and the account's URL once it is registered. */
export interface Account {
  readonly key: string;
  readonly url?: string;
}

/** Returns a registered account, creating one if necessary. */
export async function knownAccount(config: AcmeConfig, account?: Account): Promise<Account> {
  if (account?.url !== undefined) return account;
  const { crypto } = await import("acme-client");
  const key = account?.key ?? (await crypto.createPrivateEcdsaKey()).toString();
  const client = await clientOf(config, { key });
  await client.createAccount({
    termsOfServiceAgreed: true,
    ...(config.email !== undefined && { contact: [`mailto:${config.email}`] }),
  });
  return { key, url: client.getAccountUrl() };
}

async function clientOf(config: AcmeConfig, { key: accountKey, url: accountUrl }: Account) {
  const { Client } = await import("acme-client");
  const { directory_url: directoryUrl, eab } = config;
  return new Client({
    ...POLLS,
    directoryUrl,
    accountKey,
    ...(accountUrl !== undefined && { accountUrl }),
    ...(eab && { externalAccountBinding: { kid: eab.kid, hmacKey: eab.key } }),
  });
}

/** Obtains a certificate. @throws the authority's error */
export async function issue(
  config: AcmeConfig,
  account: Account,
  proofs: Proofs,
): Promise<ValidatedPair> {
  const acme = await import("acme-client");
  const client = await clientOf(config, account);
  const { names, dns_hook } = config;
  const altNames = [...names];
  const [key, csr] = await acme.crypto.createCsr(
    { altNames },
    await acme.crypto.createPrivateEcdsaKey(),
  );
  const cert = await client.auto({
    csr,
    // The authority validates from outside, where this server cannot check.
    skipChallengeVerification: true,
    challengePriority: [dns_hook === undefined ? "http-01" : "dns-01"],
    async challengeCreateFn({ identifier }, { token }, proof) {
      if (dns_hook === undefined) proofs.tokens.set(token, proof);
      else await runHook(dns_hook, "add", identifier.value, proof);
    },
    async challengeRemoveFn({ identifier }, { token }, proof) {
      if (dns_hook === undefined) proofs.tokens.delete(token);
      else await runHook(dns_hook, "remove", identifier.value, proof);
    },
  });
  return checkedPair(cert, key.toString());
}

/**
 * Runs `add|remove NAME VALUE`. The program must return only when the name servers have the change.
 */
async function runHook(path: string, verb: string, name: string, value: string): Promise<void> {
  const record = `_acme-challenge.${name.replace(WILDCARD, "")}`;
  const child = Bun.spawn([path, verb, record, value], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: HOOK_MS,
  });
  const [text, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code !== 0) throw new Error(`${path} ${verb} ${record} ended with ${code}: ${text.trim()}`);
}

/**
 * Returns when the authority wants this certificate to be renewed; undefined if it does not say.
 */
export async function suggestedRenewal(
  { directory_url }: AcmeConfig,
  cert: string,
): Promise<ValidityPeriod | undefined> {
  const id = await idOf(cert);
  const { renewalInfo } = await jsonAt<{ renewalInfo?: string }>(directory_url);
  if (id === undefined || renewalInfo === undefined) return undefined;
  const payload = await jsonAt<{ suggestedWindow?: { start: string; end: string } }>(
    `${renewalInfo.replace(/\/$/, "")}/${id}`,
  );
  const { start = "", end = "" } = payload.suggestedWindow ?? {};
  const window = { from_ms: Date.parse(start), until_ms: Date.parse(end) };
  return Number.isFinite(window.from_ms + window.until_ms) ? window : undefined;
}

async function jsonAt<T>(url: string): Promise<T> {
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
  if (!response.ok) throw new Error(`${url} responded with status ${response.status}`);
  return (await response.json()) as T;
}

/** Returns the certificate's ACME identifier: its issuer's key id and its serial number. */
async function idOf(cert: string): Promise<string | undefined> {
  await import("reflect-metadata");
  const { AuthorityKeyIdentifierExtension, X509Certificate: Parsed } =
    await import("@peculiar/x509");
  const signer = new Parsed(cert).getExtension(AuthorityKeyIdentifierExtension)?.keyId;
  if (signer === undefined) return undefined;
  const { serialNumber } = new X509Certificate(cert);
  // A number whose first bit is set is preceded by a zero byte.
  const number = /^[89a-f]/i.test(serialNumber) ? `00${serialNumber}` : serialNumber;
  return [signer, number].map((hex) => Buffer.from(hex, "hex").toString("base64url")).join(".");
}
