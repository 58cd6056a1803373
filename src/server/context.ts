// The context of an endpoint: properties of the request, computed on first use.
import type { OpenContext } from "../endpoint.ts";
import type { Realm } from "../realm.ts";
import type { Actor } from "./actor.ts";
import type { RequestState } from "./request-state.ts";
import { addressOf, directAddressOf } from "./caller/proxies.ts";
import type { FormFile } from "./body/multipart.ts";
import type { Hosts } from "./hosts.ts";

const CLIENT_NAME_MAX = 30;
const NAMELESS = "Unspecified";

export class RequestContext implements OpenContext {
  readonly user;
  readonly key;
  readonly session;

  constructor(
    private readonly requestState: RequestState,
    readonly realm: Realm,
    readonly hosts: Hosts,
  ) {
    const { caller } = requestState;
    this.user = caller?.user;
    this.key = caller?.key;
    this.session = caller?.session;
  }

  get request(): Request {
    return this.requestState.request;
  }

  get spelling(): "zulip" | "service" {
    return this.requestState.spelling;
  }

  get files(): readonly FormFile[] {
    return this.requestState.files ?? [];
  }

  get client(): string {
    const value =
      this.requestState.clientGiven ?? clientOf(this.request.headers.get("user-agent") ?? "");
    const line = value
      .trim()
      .slice(0, CLIENT_NAME_MAX)
      .replace(/[\r\n]/g, " ");
    return line.trim() || NAMELESS;
  }

  get address(): string {
    return addressOf(this.requestState, this.realm.config);
  }

  /** The origin is needed only where an action is audited. */
  get actor(): Actor {
    const { user, session } = this;
    const isPage = session !== undefined || !user;
    const where = () => ({ address: this.address, client: this.client });
    return {
      via: isPage ? "browser" : "api",
      user_id: user?.user_id,
      get where() {
        return where();
      },
    };
  }

  get peer(): string {
    return directAddressOf(this.requestState);
  }
}

/** Returns the name in `<name>/<version> …`. */
function clientOf(userAgent: string): string {
  return /^[^/\s]*/.exec(userAgent.trimStart())?.[0] ?? "";
}

/**
 * Returns the key for rate limits: the IPv4 address, or the IPv6 network, which belongs to one
 * customer.
 */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const rest = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill("0");
  return [...groups, ...zeros, ...rest].slice(0, 4).join(":");
}

/** Whether a browser opens the address, as opposed to a program. */
export function prefersHtml(request: Request) {
  const accepted = request.headers.get("accept") ?? "";
  const html = accepted.indexOf("text/html");
  const json = accepted.indexOf("application/json");
  return html >= 0 && (json < 0 || html < json);
}
