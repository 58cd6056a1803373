// What an endpoint is told about the request besides its parameters; worked out when asked for.
import type { OpenContext } from "../endpoint.ts";
import type { Realm } from "../realm.ts";
import type { Caller } from "./authenticate.ts";
import type { Hosts } from "./hosts.ts";
import type { FormFile } from "./multipart.ts";

const CLIENT_NAME_MAX = 30;
const NAMELESS = "Unspecified";

/** What knows the address of the other end: Bun's server. */
export interface Peers {
  requestIP(request: Request): { address: string } | null;
}

export class RequestContext implements OpenContext {
  readonly user;
  readonly key;
  readonly session;

  constructor(
    readonly realm: Realm,
    private readonly passage: Arrived & { readonly files?: readonly FormFile[] },
    readonly spelling: "zulip" | "service",
    caller: Caller | undefined,
    private readonly clientGiven: string | undefined,
    readonly hosts: Hosts,
  ) {
    this.user = caller?.user;
    this.key = caller?.key;
    this.session = caller?.session;
  }

  get request(): Request {
    return this.passage.request;
  }

  get files(): readonly FormFile[] {
    return this.passage.files ?? [];
  }

  get client(): string {
    const given = this.clientGiven ?? clientOf(this.request.headers.get("user-agent") ?? "");
    return given.trim().slice(0, CLIENT_NAME_MAX) || NAMELESS;
  }

  get address(): string {
    return addressOf(this.passage);
  }

  get peer(): string {
    return directAddressOf(this.passage);
  }
}

/** The name in `<name>/<version> …`. */
function clientOf(userAgent: string): string {
  return /^[^/\s]*/.exec(userAgent.trimStart())?.[0] ?? "";
}

interface Arrived {
  readonly request: Request;
  readonly peers: Peers | null;
}

/** Who asks, also behind a proxy on this machine, which tells it. */
export function addressOf(arrived: Arrived): string {
  const direct = directAddressOf(arrived);
  return (isHere(direct) && forwarded(arrived.request, "x-forwarded-for")) || direct;
}

/** The host that is asked, where a proxy on this machine may call it otherwise than the client. */
export function hostOf(arrived: Arrived, host: string): string {
  const told = forwarded(arrived.request, "x-forwarded-host");
  return told && isHere(directAddressOf(arrived)) ? told : host;
}

function directAddressOf({ request, peers }: Arrived): string {
  return (peers?.requestIP(request)?.address ?? "").replace(/^::ffff:/, "");
}

function isHere(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}

/** What the nearest proxy has added. */
function forwarded({ headers }: Request, name: string): string | undefined {
  return headers.get(name)?.split(",").at(-1)?.trim();
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
