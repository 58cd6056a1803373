// The client address of a request, as trusted proxies report it.
import { isIP } from "node:net";
import type { Config } from "../../contract/config.ts";
import type { Log } from "../log.ts";

/** Knows the address of the connection: Bun's server. */
export interface Peers {
  requestIP(request: Request): { address: string; port?: number } | null;
  /** Closes those that nobody asks anything on. */
  closeIdleConnections?(): number;
  /** How long it is waited for, from the beginning of request or answer on; 0: no end. */
  timeout(request: Request, seconds: number): void;
}

export interface Arrived {
  readonly request: Request;
  readonly peers: Peers | null;
}

type Believing = Pick<Config, "proxies" | "trusted_proxy">;

const FOR = "x-forwarded-for";
const PROTO = "x-forwarded-proto";

/**
 * The last address on the way here that is no proxy's: each proxy adds from where it was asked, and
 * what stands before that anybody can write.
 */
export function addressOf(arrived: Arrived, config: Believing): string {
  let address = directAddressOf(arrived);
  const told = arrived.request.headers.get(FOR)?.split(",") ?? [];
  while (isProxy(config, address)) {
    const before = bare(told.pop() ?? "");
    if (before === undefined) break;
    address = before;
  }
  return address;
}

/** The runtime joins headers of one name by commas, of which no host has any. */
export function hasManyHosts({ headers }: Request): boolean {
  return headers.get("host")?.includes(",") ?? false;
}

/** The host that is asked, where a proxy may call it otherwise than the client. */
export function hostOf(arrived: Arrived, host: string, config: Believing): string {
  const told = arrived.request.headers.get("x-forwarded-host")?.split(",").at(-1)?.trim();
  return told && isProxied(arrived, config) ? told : host;
}

/** Does a proxy that is believed say that its client came over https? */
export function isForwardedHttps(arrived: Arrived, config: Believing): boolean {
  const told = arrived.request.headers.get(PROTO);
  if (told === null || told.split(",").at(-1)!.trim().toLowerCase() !== "https") return false;
  return isProxied(arrived, config);
}

/** Whatever watches the server asks there itself. */
const PROBES: ReadonlySet<string> = new Set(["/livez", "/readyz", "/health"]);

/** Configuration errors show within the first requests. */
const LOOKS_MAX = 1_000;

/** Sees by what arrives that the operator has forgotten something, and says so once. */
export class Doubts {
  private looks = 0;

  constructor(private readonly log: Pick<Log, "warn">) {}

  look(arrived: Arrived, path: string, config: Config): void {
    if (this.looks >= LOOKS_MAX || PROBES.has(path)) return;
    this.looks += 1;
    const doubt = doubtAbout(arrived, config);
    if (doubt === undefined) return;
    this.looks = LOOKS_MAX;
    this.log.warn(doubt, { from: directAddressOf(arrived) });
  }
}

function doubtAbout(arrived: Arrived, config: Config): string | undefined {
  if (config.tls) return undefined;
  const { headers } = arrived.request;
  const isTold = isProxied(arrived, config);
  const isHttps = config.url.startsWith("https:");
  if (isHttps && !(isTold && headers.has(FOR))) {
    return (
      "nothing says whom requests come from, so all people count as one: the proxy must name " +
      "them in X-Forwarded-For, and unless it is on this machine, --proxies must name the proxy"
    );
  }
  if (!isHttps && isForwardedHttps(arrived, config)) {
    return "people come over https, and --url says http, so that links in mails lead there";
  }
  return undefined;
}

export function directAddressOf({ request, peers }: Arrived): string {
  return unmapped(peers?.requestIP(request)?.address ?? "");
}

export function isThisMachine(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}

const isProxied = (arrived: Arrived, config: Believing) =>
  isProxy(config, directAddressOf(arrived));

function isProxy({ proxies, trusted_proxy }: Believing, address: string): boolean {
  if (isThisMachine(address)) return true;
  const family = isIP(address);
  if (family === 0) return false;
  const type = family === 6 ? "ipv6" : "ipv4";
  return [proxies, trusted_proxy?.ranges].some((ranges) => ranges?.check(address, type));
}

/** Without the port that some proxies give along; undefined: it is no address. */
function bare(told: string): string | undefined {
  const [, six, four] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(told.trim()) ?? [];
  const address = unmapped(six ?? four ?? told.trim());
  return isIP(address) === 0 ? undefined : address;
}

const unmapped = (address: string) => address.replace(/^::ffff:(?=[\d.]+$)/i, "");
