// Checks the public URL: whether it reaches this server, its security, and proxies on the way.
import { DAY_MS } from "../../contract/units.ts";
import {
  addressesOf,
  fetchOwnUrl,
  certificateAt,
  portOf,
  type OwnResponse,
} from "../../outbound/own-url.ts";
import { bad, type Check, type Finding, ok } from "./check.ts";
import type { Facts } from "./facts.ts";
import { NONCE_PATH, withNonce } from "./nonce.ts";

export const networkChecks: readonly Check<Facts>[] = [
  { id: "network.url", is_own: true, run: address },
  { id: "network.reached", run: ifRunning(checkReachable) },
  { id: "network.addresses", run: ifRunning(addresses) },
  { id: "network.certificate", run: ifRunning(certificate) },
  { id: "network.redirect", run: ifRunning(redirect) },
  { id: "network.forwarded", run: ifRunning(forwarded) },
  { id: "network.uploads", run: ifRunning(largeBodies) },
  { id: "network.held", run: ifRunning(heldRequest) },
];

const PAGE = "see docs/operate/proxies.md";

/** Skips the check if no server is running, because the public URL then cannot reach it. */
function ifRunning(check: (facts: Facts, url: URL) => Promise<Finding>) {
  return async (facts: Facts) => {
    const { url } = facts.realm.config;
    if (!facts.is_serving || url === "") return undefined;
    const parsed = new URL(url);
    // If the name has no address, all other checks would fail for the same reason.
    return check === addresses || (await resolves(facts, parsed))
      ? check(facts, parsed)
      : undefined;
  };
}

const resolving = new WeakMap<Facts, Promise<boolean>>();

/** Resolved once for all checks. */
function resolves(facts: Facts, url: URL): Promise<boolean> {
  let response = resolving.get(facts);
  if (!response) {
    const resolvedAddresses = addressesOf(url).then(
      (all) => all.length > 0,
      () => false,
    );
    resolving.set(facts, (response = resolvedAddresses));
  }
  return response;
}

const isLocal = ({ hostname }: URL) => /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);

function address({ realm }: Facts): Finding {
  const { url, is_url_guessed } = realm.config;
  if (url === "") return undefined;
  if (is_url_guessed) {
    return bad("warn", `Links use the address ${url}, which was guessed.`, "set it with --url");
  }
  const parsed = new URL(url);
  if (parsed.protocol === "https:" || isLocal(parsed)) return ok(`Links use the address ${url}.`);
  const remedy = "serve over TLS (--https NAME), or behind a proxy that does, and set --url";
  return bad("warn", `Users open ${url} without encryption.`, remedy);
}

async function checkReachable(facts: Facts, url: URL): Promise<Finding> {
  try {
    const response = await send(facts, url);
    if (response.isThisServer) return ok(`${url.origin} leads to this server.`);
    const text = `Another server responds at ${url.origin} (status ${response.status}).`;
    return bad("fail", text, "check its DNS records, and where the proxy sends requests");
  } catch (error) {
    const text = `This machine cannot reach ${url.origin}: ${(error as Error).message}.`;
    return bad("fail", text, `check its DNS records, the firewall and the proxy; ${PAGE}`);
  }
}

/** Some clients try only one of the addresses. */
async function addresses(facts: Facts, url: URL): Promise<Finding> {
  const all = await addressesOf(url).catch(() => []);
  if (all.length === 0) {
    const text = `${url.hostname} has no address in the DNS, so users cannot reach the server.`;
    const remedy =
      "add an A record, and an AAAA record if the machine has IPv6; or correct --url or --https";
    return bad("fail", text, remedy);
  }
  const silent: string[] = [];
  for (const at of all) {
    const response = await withNonce(facts.realm, (nonce) =>
      fetchOwnUrl({ url: pathAt(url, nonce), address: at }),
    ).catch(() => undefined);
    if (response?.status !== 200) silent.push(at.address);
  }
  if (silent.length === 0)
    return ok(`All ${all.length} addresses of ${url.hostname} lead to this server.`);
  const message = `Some addresses of ${url.hostname} do not respond: ${silent.join(", ")}.`;
  const remedy = "listen on them too, or remove their records (A, AAAA) from the DNS";
  return bad(silent.length === all.length ? "fail" : "warn", message, remedy);
}

const DAYS_FAIL = 3;
const DAYS_WARN = 14;

async function certificate({ realm }: Facts, url: URL): Promise<Finding> {
  if (url.protocol !== "https:") return undefined;
  const { failure: trouble, until_ms } = await certificateAt(url);
  if (trouble !== undefined) {
    const remedy =
      "serve the complete certificate chain, for this name, from an authority that browsers trust";
    return bad("fail", `Browsers do not trust the certificate: ${trouble}.`, remedy);
  }
  const days = Math.floor((until_ms - realm.clock.now()) / DAY_MS);
  const text = `The certificate is valid for ${days} more days.`;
  if (days >= DAYS_WARN) return ok(text);
  const remedy = realm.config.tls
    ? "run skein cert renew; the log says why it was not renewed"
    : "renew it";
  return bad(days < DAYS_FAIL ? "fail" : "warn", text, remedy);
}

const REDIRECTS = [301, 302, 303, 307, 308];

/** Visitors who type only the host name arrive over http first. */
async function redirect(_facts: Facts, url: URL): Promise<Finding> {
  if (url.protocol !== "https:" || url.port !== "") return undefined;
  const httpUrl = new URL(url.href.replace("https:", "http:"));
  const response = await fetchOwnUrl({ url: httpUrl }).catch(() => undefined);
  const isSentOn = response?.location?.startsWith("https:") && REDIRECTS.includes(response.status);
  if (isSentOn) return ok("HTTP requests are redirected to HTTPS.");
  const text = response
    ? "HTTP requests are not redirected to HTTPS."
    : `Port ${portOf(httpUrl)} does not respond, so users must type https:// themselves.`;
  return bad("warn", text, "redirect it: with --http and --https, or in the proxy");
}

async function forwarded(facts: Facts, url: URL): Promise<Finding> {
  const { tls } = facts.realm.config;
  const response = await send(facts, url);
  if (!response.isThisServer || tls || (url.protocol === "http:" && !response.is_forwarded))
    return undefined;
  if (!response.is_forwarded) {
    const words = "The proxy does not pass client IP addresses, so all users share one rate limit.";
    return bad("fail", words, `set X-Forwarded-For in the proxy; ${PAGE}`);
  }
  if (url.protocol === "http:" || response.is_https) {
    return ok("The proxy passes client IP addresses, and is trusted.");
  }
  const words = "The proxy is not trusted, or does not say that users connect over https.";
  const remedy = "set X-Forwarded-Proto in the proxy, and its address in --proxies";
  return bad("fail", words, `${remedy}; ${PAGE}`);
}

const MIB = 1_048_576;
const TOO_LARGE = 413;

async function largeBodies({ realm }: Facts, url: URL): Promise<Finding> {
  const { max_upload_mib } = realm.config;
  const target = new URL("/api/v1/user_uploads", url);
  const announced_bytes = max_upload_mib * MIB;
  const response = await fetchOwnUrl({ url: target, method: "POST", announced_bytes }).catch(
    () => undefined,
  );
  if (response?.status !== TOO_LARGE) return ok(`Uploads of ${max_upload_mib} MiB pass the proxy.`);
  const text = `The proxy rejects uploads of ${max_upload_mib} MiB, which the server allows.`;
  return bad(
    "fail",
    text,
    `raise the limit of the proxy (client_max_body_size), or lower --max-upload-mib; ${PAGE}`,
  );
}

const SLOW_SECONDS = 15;

/** Every proxy on the way must wait as long as a poll takes. */
async function heldRequest({ realm, is_quick, hold_seconds }: Facts, url: URL): Promise<Finding> {
  if (is_quick || hold_seconds === 0) return undefined;
  const startedAt = realm.clock.awake();
  const fault = await withNonce(realm, async (nonce) => {
    const target = pathAt(url, nonce);
    target.searchParams.set("hold", String(hold_seconds));
    const most_ms = (hold_seconds + SLOW_SECONDS) * 1_000;
    try {
      const { status, text } = await fetchOwnUrl({ url: target, most_ms });
      return status === 200 && text.includes(nonce)
        ? undefined
        : `it responded with status ${status}`;
    } catch (error) {
      return (error as Error).message;
    }
  });
  const seconds = Math.round((realm.clock.awake() - startedAt) / 1_000);
  if (fault === undefined) return ok(`A long poll was open for ${seconds} s without interruption.`);
  const message = `A long poll was interrupted after ${seconds} s: ${fault}.`;
  return bad(
    "fail",
    message,
    `set the timeout of the proxy to 90 s or more (proxy_read_timeout); ${PAGE}`,
  );
}

interface OwnAnswer extends OwnResponse {
  readonly isThisServer: boolean;
  readonly is_forwarded: boolean;
  readonly is_https: boolean;
}

const ownAnswers = new WeakMap<Facts, Promise<OwnAnswer>>();

/** Requested once for all checks. */
function send(facts: Facts, url: URL): Promise<OwnAnswer> {
  let ownAnswer = ownAnswers.get(facts);
  if (!ownAnswer) ownAnswers.set(facts, (ownAnswer = request(facts, url)));
  return ownAnswer;
}

async function request({ realm }: Facts, url: URL): Promise<OwnAnswer> {
  return withNonce(realm, async (nonce) => {
    const response = await fetchOwnUrl({ url: pathAt(url, nonce) });
    const isThisServer = response.status === 200 && response.text.includes(nonce);
    const fields = isThisServer ? (JSON.parse(response.text) as Partial<OwnAnswer>) : {};
    const { is_forwarded = false, is_https = false } = fields;
    return { ...response, isThisServer, is_forwarded, is_https };
  });
}

const pathAt = (url: URL, nonce: string) => new URL(`${NONCE_PATH}${nonce}`, url);
