// The client address of a request, as trusted proxies report it.
import { isIP } from "node:net";
import type { Config } from "../../contract/config.ts";
import type { Log } from "../log.ts";

/** Knows the address of the connection: Bun's server. */
export interface Peers {
  requestIP(request: Request): { address: string; port?: number } | null;
  /** Closes connections without a request in progress. */
  closeIdleConnections?(): number;
  /** Sets the timeout of a request or response, in seconds; 0 disables it. */
  timeout(request: Request, seconds: number): void;
}

export interface ArrivedRequest {
  readonly request: Request;
  readonly peers: Peers | null;
}

type TrustedProxies = Pick<Config, "proxies" | "trusted_proxy">;

const FORWARDED_FOR = "x-forwarded-for";
const PROTO = "x-forwarded-proto";

/**
 * The last address of the chain that is not a trusted proxy: each proxy appends the address of its
 * client, and everything before that can be forged.
 */
export function addressOf(arrivedRequest: ArrivedRequest, config: TrustedProxies): string {
  let address = directAddressOf(arrivedRequest);
  const forwarded = arrivedRequest.request.headers.get(FORWARDED_FOR)?.split(",") ?? [];
  while (isProxy(config, address)) {
    const before = withoutPort(forwarded.pop() ?? "");
    if (before === undefined) break;
    address = before;
  }
  return address;
}

/** The runtime joins repeated headers with commas, which a host never contains. */
export function hasManyHosts({ headers }: Request): boolean {
  return headers.get("host")?.includes(",") ?? false;
}

/** The host that the client requested, which a proxy may have replaced. */
export function hostOf(
  arrivedRequest: ArrivedRequest,
  host: string,
  config: TrustedProxies,
): string {
  const text = arrivedRequest.request.headers.get("x-forwarded-host")?.split(",").at(-1)?.trim();
  return text && isProxied(arrivedRequest, config) ? text : host;
}

/** Whether a trusted proxy reports that its client uses https. */
export function isForwardedHttps(arrivedRequest: ArrivedRequest, config: TrustedProxies): boolean {
  const forwardedProtocol = arrivedRequest.request.headers.get(PROTO);
  if (
    forwardedProtocol === null ||
    forwardedProtocol.split(",").at(-1)!.trim().toLowerCase() !== "https"
  )
    return false;
  return isProxied(arrivedRequest, config);
}

/** Monitoring requests these directly, so they say nothing about the proxy. */
const PROBES: ReadonlySet<string> = new Set(["/livez", "/readyz", "/health"]);

/** Configuration errors show within the first requests. */
const REQUESTS_CHECKED_MAX = 1_000;

/** Detects a misconfigured proxy from incoming requests, and warns the operator once. */
export class ProxyWarnings {
  private looks = 0;

  constructor(private readonly log: Pick<Log, "warn">) {}

  check(arrivedRequest: ArrivedRequest, path: string, config: Config): void {
    if (this.looks >= REQUESTS_CHECKED_MAX || PROBES.has(path)) return;
    this.looks += 1;
    const reason = whyUntrusted(arrivedRequest, config);
    if (reason === undefined) return;
    this.looks = REQUESTS_CHECKED_MAX;
    this.log.warn(reason, { from: directAddressOf(arrivedRequest) });
  }
}

function whyUntrusted(arrivedRequest: ArrivedRequest, config: Config): string | undefined {
  if (config.tls) return undefined;
  const { headers } = arrivedRequest.request;
  const isNotified = isProxied(arrivedRequest, config);
  const isHttps = config.url.startsWith("https:");
  if (isHttps && !(isNotified && headers.has(FORWARDED_FOR))) {
    return (
      "requests have no client IP addresses, so all users share a rate limit: the proxy must set " +
      "X-Forwarded-For, and unless it is on this machine, its address must be in --proxies"
    );
  }
  if (!isHttps && isForwardedHttps(arrivedRequest, config)) {
    return "users connect over https, but --url says http, so links in emails use http";
  }
  return undefined;
}

export function directAddressOf({ request, peers }: ArrivedRequest): string {
  return unmapped(peers?.requestIP(request)?.address ?? "");
}

export function isThisMachine(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}

const isProxied = (arrivedRequest: ArrivedRequest, config: TrustedProxies) =>
  isProxy(config, directAddressOf(arrivedRequest));

function isProxy({ proxies, trusted_proxy }: TrustedProxies, address: string): boolean {
  if (isThisMachine(address)) return true;
  const family = isIP(address);
  if (family === 0) return false;
  const type = family === 6 ? "ipv6" : "ipv4";
  return [proxies, trusted_proxy?.ranges].some((ranges) => ranges?.check(address, type));
}

/** Removes the port that some proxies add; undefined if it is not an address. */
function withoutPort(text: string): string | undefined {
  const [, six, four] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text.trim()) ?? [];
  const address = unmapped(six ?? four ?? text.trim());
  return isIP(address) === 0 ? undefined : address;
}

const unmapped = (address: string) => address.replace(/^::ffff:(?=[\d.]+$)/i, "");
