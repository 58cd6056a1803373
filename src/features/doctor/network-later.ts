// The address that people use: whether it leads here, how it is guarded, and what stands between.
import { DAY_MS } from "../../contract/units.ts";
import {
  addressesOf,
  askOwn,
  certificateAt,
  portOf,
  type Told,
} from "../../outbound/own-address.ts";
import { bad, type Check, type Finding, ok } from "./check.ts";
import type { Facts } from "./facts.ts";
import { NONCE_PATH, withNonce } from "./nonce.ts";

export const networkChecks: readonly Check<Facts>[] = [
  { id: "network.url", is_own: true, run: address },
  { id: "network.reached", run: onServer(reached) },
  { id: "network.addresses", run: onServer(addresses) },
  { id: "network.certificate", run: onServer(certificate) },
  { id: "network.redirect", run: onServer(redirect) },
  { id: "network.forwarded", run: onServer(forwarded) },
  { id: "network.uploads", run: onServer(largeBodies) },
  { id: "network.held", run: onServer(held) },
];

const PAGE = "see docs/operate/proxies.md";

/** Only a server that runs can be reached. */
function onServer(look: (facts: Facts, url: URL) => Promise<Finding>) {
  return async (facts: Facts) => {
    const { url } = facts.realm.config;
    if (!facts.is_serving || url === "") return undefined;
    const known = new URL(url);
    // Without an address, all other checks would fail for the same reason.
    return look === addresses || (await resolves(facts, known)) ? look(facts, known) : undefined;
  };
}

const resolving = new WeakMap<Facts, Promise<boolean>>();

/** Asked once for all checks. */
function resolves(facts: Facts, url: URL): Promise<boolean> {
  let answer = resolving.get(facts);
  if (!answer) {
    const found = addressesOf(url).then(
      (all) => all.length > 0,
      () => false,
    );
    resolving.set(facts, (answer = found));
  }
  return answer;
}

const isLocal = ({ hostname }: URL) => /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);

function address({ realm }: Facts): Finding {
  const { url, is_url_guessed } = realm.config;
  if (url === "") return undefined;
  if (is_url_guessed) {
    return bad("warn", `Links lead to ${url}, which was guessed.`, "say it with --url");
  }
  const known = new URL(url);
  if (known.protocol === "https:" || isLocal(known)) return ok(`Links lead to ${url}.`);
  const remedy = "serve over TLS (--https NAME), or behind a proxy that does, and set --url";
  return bad("warn", `People come to ${url} without encryption.`, remedy);
}

async function reached(facts: Facts, url: URL): Promise<Finding> {
  try {
    const told = await asked(facts, url);
    if (told.isUs) return ok(`${url.origin} leads to this server.`);
    const words = `At ${url.origin} something else answers (${told.status}).`;
    return bad("fail", words, "see where its name leads, and where the proxy there sends requests");
  } catch (error) {
    const words = `${url.origin} was not reached from this machine: ${(error as Error).message}.`;
    return bad("fail", words, `see its name in the DNS, the firewall, and the proxy; ${PAGE}`);
  }
}

/** Some clients try one of them alone. */
async function addresses(facts: Facts, url: URL): Promise<Finding> {
  const all = await addressesOf(url).catch(() => []);
  if (all.length === 0) {
    const words = `${url.hostname} has no address in the DNS, so people cannot reach the server.`;
    const remedy =
      "add an A record, and an AAAA record where the machine has IPv6; or correct --url or --https";
    return bad("fail", words, remedy);
  }
  const silent: string[] = [];
  for (const at of all) {
    const told = await withNonce(facts.realm, (nonce) =>
      askOwn({ url: pathAt(url, nonce), at }),
    ).catch(() => undefined);
    if (told?.status !== 200) silent.push(at.address);
  }
  if (silent.length === 0) return ok(`All ${all.length} addresses of ${url.hostname} lead here.`);
  const words = `Of ${all.length} addresses of ${url.hostname} these do not: ${silent.join(", ")}.`;
  const remedy = "listen there too, or take their records (A, AAAA) out of the DNS";
  return bad(silent.length === all.length ? "fail" : "warn", words, remedy);
}

const DAYS_FAIL = 3;
const DAYS_WARN = 14;

async function certificate({ realm }: Facts, url: URL): Promise<Finding> {
  if (url.protocol !== "https:") return undefined;
  const { trouble, until_ms } = await certificateAt(url);
  if (trouble !== undefined) {
    const remedy = "serve the whole chain, for this name, from an authority that browsers know";
    return bad("fail", `Browsers do not believe the certificate: ${trouble}.`, remedy);
  }
  const days = Math.floor((until_ms - realm.clock.now()) / DAY_MS);
  const words = `The certificate holds for ${days} more days.`;
  if (days >= DAYS_WARN) return ok(words);
  const remedy = realm.config.tls ? "skein cert renew; the log says why it was not" : "renew it";
  return bad(days < DAYS_FAIL ? "fail" : "warn", words, remedy);
}

const REDIRECTS = [301, 302, 303, 307, 308];

/** Visitors who type the bare name come over http first. */
async function redirect(_facts: Facts, url: URL): Promise<Finding> {
  if (url.protocol !== "https:" || url.port !== "") return undefined;
  const plain = new URL(url.href.replace("https:", "http:"));
  const told = await askOwn({ url: plain }).catch(() => undefined);
  const isSentOn = told?.location?.startsWith("https:") && REDIRECTS.includes(told.status);
  if (isSentOn) return ok("Who comes without TLS is sent on to TLS.");
  const words = told
    ? "Who comes without TLS is not sent on to TLS."
    : `Nobody answers at port ${portOf(plain)}, where people come who type the bare name.`;
  return bad("warn", words, "send it on: --http with --https, or a line in the proxy");
}

async function forwarded(facts: Facts, url: URL): Promise<Finding> {
  const { tls } = facts.realm.config;
  const told = await asked(facts, url);
  if (!told.isUs || tls || (url.protocol === "http:" && !told.is_forwarded)) return undefined;
  if (!told.is_forwarded) {
    const words = "The proxy does not say whom requests come from, so all people count as one.";
    return bad("fail", words, `have it set X-Forwarded-For; ${PAGE}`);
  }
  if (url.protocol === "http:" || told.is_https) {
    return ok("The proxy says whom requests come from, and is believed.");
  }
  const words = "The proxy is not believed, or does not say that people come over https.";
  const remedy = "have it set X-Forwarded-Proto, and name its address in --proxies";
  return bad("fail", words, `${remedy}; ${PAGE}`);
}

const MIB = 1_048_576;
const TOO_LARGE = 413;

async function largeBodies({ realm }: Facts, url: URL): Promise<Finding> {
  const { max_upload_mib } = realm.config;
  const target = new URL("/api/v1/user_uploads", url);
  const announced_bytes = max_upload_mib * MIB;
  const told = await askOwn({ url: target, method: "POST", announced_bytes }).catch(
    () => undefined,
  );
  if (told?.status !== TOO_LARGE) return ok(`Files of ${max_upload_mib} MiB are let through.`);
  const words = `The proxy refuses files of ${max_upload_mib} MiB, which the server would take.`;
  return bad("fail", words, `raise its limit (client_max_body_size), or --max-upload-mib; ${PAGE}`);
}

const LATE_SECONDS = 15;

/** Everything on the way has to wait as long as a poll does. */
async function held({ realm, is_quick, hold_seconds }: Facts, url: URL): Promise<Finding> {
  if (is_quick || hold_seconds === 0) return undefined;
  const begun = realm.clock.awake();
  const fault = await withNonce(realm, async (nonce) => {
    const target = pathAt(url, nonce);
    target.searchParams.set("hold", String(hold_seconds));
    const most_ms = (hold_seconds + LATE_SECONDS) * 1_000;
    try {
      const { status, text } = await askOwn({ url: target, most_ms });
      return status === 200 && text.includes(nonce) ? undefined : `it answered ${status}`;
    } catch (error) {
      return (error as Error).message;
    }
  });
  const seconds = Math.round((realm.clock.awake() - begun) / 1_000);
  if (fault === undefined) return ok(`A poll was held for ${seconds} s, and nobody cut it off.`);
  const words = `A poll that is held was cut off after ${seconds} s: ${fault}.`;
  return bad("fail", words, `have the proxy wait 90 s or more (proxy_read_timeout); ${PAGE}`);
}

interface Own extends Told {
  readonly isUs: boolean;
  readonly is_forwarded: boolean;
  readonly is_https: boolean;
}

const known = new WeakMap<Facts, Promise<Own>>();

/** Once for all who want to know. */
function asked(facts: Facts, url: URL): Promise<Own> {
  let own = known.get(facts);
  if (!own) known.set(facts, (own = ask(facts, url)));
  return own;
}

async function ask({ realm }: Facts, url: URL): Promise<Own> {
  return withNonce(realm, async (nonce) => {
    const told = await askOwn({ url: pathAt(url, nonce) });
    const isUs = told.status === 200 && told.text.includes(nonce);
    const said = isUs ? (JSON.parse(told.text) as Partial<Own>) : {};
    const { is_forwarded = false, is_https = false } = said;
    return { ...told, isUs, is_forwarded, is_https };
  });
}

const pathAt = (url: URL, nonce: string) => new URL(`${NONCE_PATH}${nonce}`, url);
