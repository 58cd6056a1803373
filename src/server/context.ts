// What an endpoint is told about the request besides its parameters; worked out when asked for.
import type { OpenContext } from "../endpoint.ts";
import type { Realm } from "../realm.ts";
import type { Caller } from "./authenticate.ts";

const CLIENT_NAME_MAX = 30;
const NAMELESS = "Unspecified";

/** What knows the address of the other end: Bun's server. */
export interface Peers {
  requestIP(request: Request): { address: string } | null;
}

export class RequestContext implements OpenContext {
  readonly user;
  readonly key;

  constructor(
    readonly realm: Realm,
    private readonly passage: { readonly request: Request; readonly peers: Peers | null },
    readonly spelling: "zulip" | "service",
    caller: Caller | undefined,
    private readonly clientGiven: string | undefined,
  ) {
    this.user = caller?.user;
    this.key = caller?.key;
  }

  get request(): Request {
    return this.passage.request;
  }

  get client(): string {
    const given = this.clientGiven ?? clientOf(this.request.headers.get("user-agent") ?? "");
    return given.trim().slice(0, CLIENT_NAME_MAX) || NAMELESS;
  }

  get address(): string {
    return addressOf(this.passage);
  }
}

/** The name in `<name>/<version> …`. */
function clientOf(userAgent: string): string {
  return /^[^/\s]*/.exec(userAgent.trimStart())?.[0] ?? "";
}

/** Who asks, also behind a proxy on this machine, which tells it. */
export function addressOf({ request, peers }: { request: Request; peers: Peers | null }): string {
  const direct = (peers?.requestIP(request)?.address ?? "").replace(/^::ffff:/, "");
  if (direct !== "::1" && !direct.startsWith("127.")) return direct;
  return request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() || direct;
}

/** What limits count by: the address; of IPv6, the network, which is one customer's. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const rest = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill("0");
  return [...groups, ...zeros, ...rest].slice(0, 4).join(":");
}
