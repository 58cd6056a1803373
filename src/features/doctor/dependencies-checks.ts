// Checks services that the server uses: buckets, identity providers, webhooks, the clock.
import { Bucket } from "../../outbound/bucket.ts";
import { type OutboundResponse, GuardedClient } from "../../outbound/client.ts";
import { Directory } from "../../outbound/ldap.ts";
import type { BucketConfig, OidcProvider } from "../../contract/config.ts";
import { backups } from "./backups-checks.ts";
import { bad, type Check, type Finding, ok } from "./check.ts";
import type { Facts } from "./facts.ts";

export const dependencyChecks: readonly Check<Facts>[] = [
  { id: "time.clock", run: clock },
  { id: "outbound.bucket", run: files },
  { id: "outbound.backups", run: backups },
  { id: "outbound.oidc", run: providers },
  { id: "outbound.ldap", run: directory },
  { id: "outbound.webhooks", is_own: true, run: webhooks },
];

const CLOCK_SKEW_SECONDS_MAX = 30;

/**
 * Codes of authenticator apps, and tokens of identity providers and buckets, are valid only for a
 * short time.
 */
async function clock(facts: Facts): Promise<Finding> {
  const dates = (await discovered(facts)).flatMap(({ answer: response }) =>
    Date.parse(response?.date ?? ""),
  );
  const clockSkew = dates
    .filter((ms) => !Number.isNaN(ms))
    .map((ms) => {
      return Math.abs(facts.realm.clock.now() - ms) / 1_000;
    });
  if (clockSkew.length === 0) return undefined;
  const seconds = Math.round(Math.min(...clockSkew));
  const text = `The clock of this machine differs by ${seconds} s from other clocks.`;
  if (seconds <= CLOCK_SKEW_SECONDS_MAX) return ok(text);
  return bad("fail", text, "synchronize the clock: timedatectl set-ntp true");
}

async function files({ realm: { config } }: Facts): Promise<Finding> {
  return config.bucket && checkBucket(config.bucket);
}

/** Stores, reads and deletes a test object. */
async function checkBucket(config: BucketConfig): Promise<Finding> {
  const bucket = new Bucket(config);
  const key = `doctor-${crypto.randomUUID()}`;
  const bytes = Buffer.from(key);
  try {
    await bucket.put(key, bytes);
    const read = await bucket.read(key, 0, bytes.length);
    await bucket.delete(key);
    if (Buffer.from(read).equals(bytes)) return ok(`The bucket ${config.bucket} stores files.`);
    return bad(
      "fail",
      `The bucket ${config.bucket} returned other content than was stored.`,
      "check the S3-compatible store",
    );
  } catch (error) {
    const text = `The bucket ${config.bucket} does not store files: ${reason(error)}.`;
    return bad(
      "fail",
      text,
      "check --s3-endpoint, --s3-bucket, and the access keys with their permissions",
    );
  }
}

interface DiscoveredProvider {
  readonly provider: OidcProvider;
  readonly answer?: OutboundResponse;
  readonly error?: unknown;
}

const cachedProviders = new WeakMap<Facts, Promise<DiscoveredProvider[]>>();
const DISCOVERY = "/.well-known/openid-configuration";
const DISCOVERY_BYTES_MAX = 262_144;

/** Requested once for all checks. */
function discovered(facts: Facts): Promise<DiscoveredProvider[]> {
  const { config } = facts.realm;
  let connection = cachedProviders.get(facts);
  if (connection) return connection;
  const client = new GuardedClient(config.outbound_allow);
  const request = async (provider: OidcProvider): Promise<DiscoveredProvider> => {
    const url = new URL(provider.issuer.replace(/\/$/, "") + DISCOVERY);
    const params = { url: url.href, types: null, bytes_max: DISCOVERY_BYTES_MAX };
    try {
      return { provider, answer: await client.send({ ...params, trusted_host: url.host }) };
    } catch (error) {
      return { provider, error };
    }
  };
  connection = Promise.all((config.oidc_providers ?? []).map(request));
  cachedProviders.set(facts, connection);
  return connection;
}

async function providers(facts: Facts): Promise<Finding> {
  const all = await discovered(facts);
  if (all.length === 0) return undefined;
  const silent = all.flatMap(({ provider, answer: response, error }) => {
    if (response?.status === 200 && isIssuedBy(provider, response)) return [];
    const cause =
      error === undefined ? `it responded with status ${response!.status}` : reason(error);
    return [`${provider.name} (${cause})`];
  });
  if (silent.length === 0) return ok(`All ${all.length} identity providers respond.`);
  const text = `Users cannot sign in with ${silent.join(", ")}.`;
  return bad("fail", text, "check the issuer URL, and whether this machine can connect to it");
}

function isIssuedBy({ issuer }: OidcProvider, { body }: OutboundResponse): boolean {
  try {
    const fields = JSON.parse(Buffer.from(body).toString()) as {
      issuer?: unknown;
      jwks_uri?: unknown;
    };
    return fields.issuer === issuer && typeof fields.jwks_uri === "string";
  } catch {
    return false;
  }
}

async function directory({ realm: { config } }: Facts): Promise<Finding> {
  const { ldap } = config;
  if (!ldap) return undefined;
  try {
    await new Directory(ldap, () => {}).checkConnection();
    return ok(`The LDAP directory at ${ldap.url} responds.`);
  } catch (error) {
    const text = `The LDAP directory at ${ldap.url} cannot be queried: ${reason(error)}.`;
    return bad(
      "fail",
      text,
      "check its URL, certificate, bind account and password in the file of --ldap",
    );
  }
}

const ATTEMPTS_MIN = 2;

function webhooks({ realm: { read } }: Facts): Finding {
  const failing = new Set<number>();
  for (const { user_id, attempts } of read.webhook_calls.range()) {
    if (attempts >= ATTEMPTS_MIN) failing.add(user_id);
  }
  if (failing.size === 0) return ok("No webhook of a bot fails repeatedly.");
  const names = [...failing].map((user_id) => read.users.get(user_id)?.full_name ?? user_id);
  const text = `The webhooks of these bots fail: ${names.join(", ")}.`;
  return bad("warn", text, "their owners can correct the webhook URL, or deactivate the bot");
}

function reason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
