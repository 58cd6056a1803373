// Limits failed attempts at passwords and codes, per account and per network.
import { tooManySignIns } from "../../contract/errors/people.ts";
import { perRealm, type Realm } from "../../realm.ts";
import { isThisMachine } from "../../server/caller/proxies.ts";
import { networkOf } from "../../server/context.ts";
import { Limiter, type Rule, SIGN_IN_BY_NAME } from "../../server/limit.ts";
import { AttemptThrottle } from "./throttle.ts";

/** Maximum of failures from one network for all accounts together. */
export const SIGN_IN_BY_NETWORK: Rule = { calls: 100, seconds: 1800 };

interface Counts {
  readonly names: Limiter;
  readonly pacer: AttemptThrottle;
  readonly networks: Limiter;
}

const counts = perRealm(({ clock }): Counts => ({
  names: new Limiter(clock, SIGN_IN_BY_NAME),
  pacer: new AttemptThrottle(clock),
  networks: new Limiter(clock, SIGN_IN_BY_NETWORK),
}));

export interface Attempt {
  /**
   * An attempt counts as failed until this is called, so that parallel attempts cannot exceed the
   * limit.
   */
  succeeded(): void;
}

/** `label`: the account name, or what is attempted for the account. */
export function startAttempt(realm: Realm, label: string, address: string): Attempt {
  const { names, networks } = counts(realm);
  const isHere = isThisMachine(address);
  // Attempts from other machines do not lock out users of this machine.
  const name = isHere ? `here ${label}` : label;
  const byName = names.take(name);
  if (!byName.allowed && realm.config.rate_limits) throw tooManySignIns(byName.retry_after);
  const network = networkOf(address);
  const byNetwork = isHere ? undefined : networks.take(network);
  if (byNetwork?.allowed === false && realm.config.rate_limits) {
    throw tooManySignIns(byNetwork.retry_after);
  }
  return {
    succeeded() {
      names.forget(name);
      if (!isHere) networks.giveBack(network);
    },
  };
}

/**
 * Counts a failed password for a name. A known browser or API key has its own count, so that
 * others cannot lock its user out. On the server's own machine, failures only slow down, so that
 * the operator can always sign in.
 */
export async function attemptPassword(
  realm: Realm,
  name: string,
  address: string,
  knownBrowserKey?: string,
): Promise<Attempt> {
  if (knownBrowserKey !== undefined) {
    const { names } = counts(realm);
    if (names.take(knownBrowserKey).allowed)
      return { succeeded: () => names.forget(knownBrowserKey) };
  }
  if (!isThisMachine(address)) return startAttempt(realm, name, address);
  const { names, pacer } = counts(realm);
  const userName = `here ${name}`;
  const { allowed } = names.take(userName);
  if (!allowed && realm.config.rate_limits) await pacer.waitForTurn(userName);
  return { succeeded: () => names.forget(userName) };
}
