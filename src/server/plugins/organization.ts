// `organization`: checks whether a request can be accepted, and finds its organization.
import { hostRepeated, hostUnknown } from "../../contract/errors/general.ts";
import type { Config } from "../../contract/config.ts";
import { type RequestState, plugin } from "../request-state.ts";
import { ProxyWarnings, hasManyHosts, hostOf } from "../caller/proxies.ts";
import { Descriptors } from "../descriptors.ts";
import type { Hosts } from "../hosts.ts";
import type { Log } from "../log.ts";
import type { RoutePattern } from "../routing.ts";

export class Organizations {
  private readonly descriptors = new Descriptors();
  private readonly doubts: ProxyWarnings;

  constructor(
    private readonly hosts: Hosts,
    private readonly config: Pick<Config, "proxies" | "trusted_proxy">,
    log: Log,
  ) {
    this.doubts = new ProxyWarnings(log);
  }

  /** At hosts without an organization, the server itself responds to a few requests. */
  meet(asked: RequestState): void {
    this.descriptors.admit(asked.request, asked.peers);
    if (hasManyHosts(asked.request)) throw hostRepeated();
    asked.host = hostOf(asked, asked.host, this.config);
    asked.realm = this.hosts.realmAt(asked.host);
    if (asked.realm === undefined) asked.shape = offeredBy(asked);
    else if (asked.shape) this.doubts.look(asked, asked.path, asked.realm.config);
  }
}

function offeredBy({ shape, method, isLook }: RequestState): RoutePattern {
  const mounted = shape?.mounted.filter(({ route }) => "withoutRealm" in route.endpoint) ?? [];
  const wanted = isLook ? "GET" : method;
  if (!shape || !mounted.some(({ route }) => route.method === wanted)) throw hostUnknown();
  return { ...shape, mounted };
}

export const organization = (organizations: Organizations) =>
  plugin("organization").onBeforeHandle({ as: "global" }, function ({ asked }) {
    organizations.meet(asked);
  });
