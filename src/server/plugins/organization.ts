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
  private readonly proxyWarnings: ProxyWarnings;

  constructor(
    private readonly hosts: Hosts,
    private readonly config: Pick<Config, "proxies" | "trusted_proxy">,
    log: Log,
  ) {
    this.proxyWarnings = new ProxyWarnings(log);
  }

  /** At hosts without an organization, the server itself responds to a few requests. */
  resolveHost(requestState: RequestState): void {
    this.descriptors.admit(requestState.request, requestState.peers);
    if (hasManyHosts(requestState.request)) throw hostRepeated();
    requestState.host = hostOf(requestState, requestState.host, this.config);
    requestState.realm = this.hosts.realmAt(requestState.host);
    if (requestState.realm === undefined) requestState.pattern = offeredPattern(requestState);
    else if (requestState.pattern)
      this.proxyWarnings.check(requestState, requestState.path, requestState.realm.config);
  }
}

function offeredPattern({ pattern, method, isGetOrHead }: RequestState): RoutePattern {
  const mounted = pattern?.mounted.filter(({ route }) => "withoutRealm" in route.endpoint) ?? [];
  const lookupMethod = isGetOrHead ? "GET" : method;
  if (!pattern || !mounted.some(({ route }) => route.method === lookupMethod)) throw hostUnknown();
  return { ...pattern, mounted };
}

export const organization = (organizations: Organizations) =>
  plugin("organization").onBeforeHandle({ as: "global" }, function ({ requestState }) {
    organizations.resolveHost(requestState);
  });
