// Checks services that the server uses: buckets, identity providers, directories, webhooks, the
// clock.
import { Bucket } from "../../outbound/bucket.ts";
import { type Answer, GuardedClient } from "../../outbound/client.ts";
import { Directory } from "../../outbound/directory.ts";
import type { BucketConfig, OidcProvider } from "../../contract/config.ts";
import { backups } from "./backups-later.ts";
import { bad, type Check, type Finding, ok } from "./check.ts";
import type { Facts } from "./facts.ts";

export const reliedOnChecks: readonly Check<Facts>[] = [
  { id: "time.clock", run: clock },
  { id: "outbound.bucket", run: files },
  { id: "outbound.backups", run: backups },
  { id: "outbound.oidc", run: providers },
  { id: "outbound.ldap", run: directory },
  { id: "outbound.webhooks", is_own: true, run: webhooks },
];

const APART_SECONDS_MAX = 30;

/** Codes of apps, tokens of providers and buckets hold for a moment alone. */
async function clock(facts: Facts): Promise<Finding> {
  const dates = (await discovered(facts)).flatMap(({ answer }) => Date.parse(answer?.date ?? ""));
  const apart = dates
    .filter((ms) => !Number.isNaN(ms))
    .map((ms) => {
      return Math.abs(facts.realm.clock.now() - ms) / 1_000;
    });
  if (apart.length === 0) return undefined;
  const seconds = Math.round(Math.min(...apart));
  const words = `The clock of this machine and those of others are ${seconds} s apart.`;
  if (seconds <= APART_SECONDS_MAX) return ok(words);
  return bad("fail", words, "have the system keep its clock: timedatectl set-ntp true");
}

async function files({ realm: { config } }: Facts): Promise<Finding> {
  return config.bucket && tried(config.bucket);
}

/** Put, read and deleted, as files are. */
async function tried(config: BucketConfig): Promise<Finding> {
  const bucket = new Bucket(config);
  const key = `doctor-${crypto.randomUUID()}`;
  const bytes = Buffer.from(key);
  try {
    await bucket.put(key, bytes);
    const read = await bucket.read(key, 0, bytes.length);
    await bucket.delete(key);
    if (Buffer.from(read).equals(bytes)) return ok(`The bucket ${config.bucket} keeps files.`);
    return bad("fail", `The bucket ${config.bucket} gives back something else.`, "see its store");
  } catch (error) {
    const words = `The bucket ${config.bucket} does not keep files: ${reason(error)}.`;
    return bad("fail", words, "see --s3-endpoint, --s3-bucket, its keys and their rights");
  }
}

interface Discovered {
  readonly provider: OidcProvider;
  readonly answer?: Answer;
  readonly error?: unknown;
}

const known = new WeakMap<Facts, Promise<Discovered[]>>();
const DISCOVERY = "/.well-known/openid-configuration";
const DISCOVERY_BYTES_MAX = 262_144;

/** Once for all who want to know. */
function discovered(facts: Facts): Promise<Discovered[]> {
  const { config } = facts.realm;
  let told = known.get(facts);
  if (told) return told;
  const client = new GuardedClient(config.outbound_allow);
  const ask = async (provider: OidcProvider): Promise<Discovered> => {
    const url = new URL(provider.issuer.replace(/\/$/, "") + DISCOVERY);
    const asked = { url: url.href, types: null, bytes_max: DISCOVERY_BYTES_MAX };
    try {
      return { provider, answer: await client.ask({ ...asked, trusted_host: url.host }) };
    } catch (error) {
      return { provider, error };
    }
  };
  told = Promise.all((config.oidc_providers ?? []).map(ask));
  known.set(facts, told);
  return told;
}

async function providers(facts: Facts): Promise<Finding> {
  const all = await discovered(facts);
  if (all.length === 0) return undefined;
  const silent = all.flatMap(({ provider, answer, error }) => {
    if (answer?.status === 200 && isOf(provider, answer)) return [];
    const why = error === undefined ? `it answered ${answer!.status}` : reason(error);
    return [`${provider.name} (${why})`];
  });
  if (silent.length === 0) return ok(`${all.length} identity providers are there.`);
  const words = `Nobody can sign in by ${silent.join(", ")}.`;
  return bad("fail", words, "see the issuer's address, and whether this machine may call it");
}

function isOf({ issuer }: OidcProvider, { body }: Answer): boolean {
  try {
    const said = JSON.parse(Buffer.from(body).toString()) as {
      issuer?: unknown;
      jwks_uri?: unknown;
    };
    return said.issuer === issuer && typeof said.jwks_uri === "string";
  } catch {
    return false;
  }
}

async function directory({ realm: { config } }: Facts): Promise<Finding> {
  const { ldap } = config;
  if (!ldap) return undefined;
  try {
    await new Directory(ldap, () => {}).look();
    return ok(`The directory at ${ldap.url} is there.`);
  } catch (error) {
    const words = `The directory at ${ldap.url} cannot be asked: ${reason(error)}.`;
    return bad("fail", words, "see --ldap-url, its certificate, and the name and password there");
  }
}

const ATTEMPTS_MIN = 2;

function webhooks({ realm: { read } }: Facts): Finding {
  const failing = new Set<number>();
  for (const { user_id, attempts } of read.webhook_calls.range()) {
    if (attempts >= ATTEMPTS_MIN) failing.add(user_id);
  }
  if (failing.size === 0) return ok("No bot's webhook fails again and again.");
  const names = [...failing].map((user_id) => read.users.get(user_id)?.full_name ?? user_id);
  const words = `The webhooks of these bots fail: ${names.join(", ")}.`;
  return bad("warn", words, "their owners see to the address that is called, or end the bot");
}

function reason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
