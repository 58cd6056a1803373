// `rate-limit`: counts each request for its user, or else for its IP address, before its body is
// read.
import type { Config } from "../../contract/config.ts";
import { rateLimitHit } from "../../contract/errors/general.ts";
import type { Realm } from "../../realm.ts";
import { type RequestState, plugin } from "../request-state.ts";
import { addressOf } from "../caller/proxies.ts";
import { networkOf } from "../context.ts";
import { API_BY_ADDRESS, API_BY_USER, Limiter, PAGES } from "../limit.ts";

interface Limits {
  readonly users: Limiter;
  readonly addresses: Limiter;
  /** Limits page views, for users and addresses alike. */
  readonly pages: Limiter;
}

export class RateLimits {
  private readonly limits = new WeakMap<Realm, Limits>();
  /** Limits at hosts without an organization. */
  private readonly limitsWithoutRealm = limitsBy({ now: () => Date.now() });

  constructor(private readonly config: Pick<Config, "rate_limits" | "proxies" | "trusted_proxy">) {}

  count(requestState: RequestState): void {
    const { pattern, realm } = requestState;
    if (!this.config.rate_limits || pattern === undefined || pattern.isFree) return;
    const { users, addresses, pages } = realm ? this.limitsOf(realm) : this.limitsWithoutRealm;
    const caller = pattern.isPerAddress ? undefined : requestState.caller;
    const clientKey = caller
      ? caller.user.user_id
      : networkOf(addressOf(requestState, this.config));
    const limiter = caller ? users : addresses;
    requestState.rateLimit = (pattern.isApi ? limiter : pages).take(clientKey);
    if (!requestState.rateLimit.allowed) throw rateLimitHit(requestState.rateLimit.retry_after);
  }

  private limitsOf(realm: Realm): Limits {
    let limits = this.limits.get(realm);
    if (limits === undefined) this.limits.set(realm, (limits = limitsBy(realm.clock)));
    return limits;
  }
}

const limitsBy = (clock: Pick<Realm["clock"], "now">): Limits => ({
  users: new Limiter(clock, API_BY_USER),
  addresses: new Limiter(clock, API_BY_ADDRESS),
  pages: new Limiter(clock, PAGES),
});

export const rateLimit = (limits: RateLimits) =>
  plugin("rate-limit").onBeforeHandle({ as: "global" }, function ({ requestState }) {
    limits.count(requestState);
  });
