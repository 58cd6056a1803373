// Who asks, counted before anything is done for them; and whether the gate lets them pass.
import type { Config } from "../contract/config.ts";
import {
  loginFirst,
  missingParameter,
  notLoggedIn,
  rateLimitHit,
  Refusal,
} from "../contract/errors/general.ts";
import { noSession } from "../contract/errors/people.ts";
import type { Realm } from "../realm.ts";
import { Authenticator, type Caller } from "./asker/authenticate.ts";
import { addressOf, type Arrived } from "./asker/proxies.ts";
import { checkCsrf, checkPerson, CSRF_FIELD, SessionReader } from "./asker/session.ts";
import { networkOf, prefersHtml } from "./context.ts";
import type { Gate, OpenGate } from "./gate.ts";
import type { Hosts } from "./hosts.ts";
import { API_BY_ADDRESS, API_BY_USER, Limiter, PAGES, type RateLimit } from "./limit.ts";
import { fieldsOf, type Log } from "./log.ts";
import type { Given } from "./parameters/given.ts";
import { givenByQuery } from "./parameters/parameters.ts";
import { partsOf, type Shape } from "./routing.ts";

/** What is known of somebody by the headers alone. Of a stranger it is neither. */
export interface Arrival {
  readonly caller?: Caller | undefined;
  /** The credentials are wrong. */
  readonly refusal?: Refusal | undefined;
}

interface Counted extends Arrived {
  rateLimit: RateLimit | undefined;
}

interface Limits {
  readonly users: Limiter;
  readonly addresses: Limiter;
  /** Of both. */
  readonly pages: Limiter;
}

export class Admission {
  private readonly authenticator: Authenticator;
  private readonly sessions: SessionReader;
  private readonly limits = new WeakMap<Realm, Limits>();
  /** At hosts that no organization has. */
  private readonly strangers = limitsBy({ now: () => Date.now() });

  constructor(
    hosts: Hosts,
    private readonly config: Pick<Config, "rate_limits" | "proxies" | "trusted_proxy">,
    log: Log,
  ) {
    this.authenticator = new Authenticator(
      () => hosts.realms,
      (error) => log.error("the use of a key could not be noted", fieldsOf(error)),
    );
    this.sessions = new SessionReader((error) =>
      log.error("the use of a session could not be noted", fieldsOf(error)),
    );
  }

  /** Told and counted before the body is read: a stranger's is read only so far. */
  arrive(counted: Counted, realm: Realm, shape: Shape): Arrival {
    const arrival = this.recognized(counted.request, realm, shape);
    const caller = shape.isNobodys ? undefined : arrival.caller;
    this.count(counted, shape, () => this.limitsOf(realm), caller);
    return arrival;
  }

  /** At a host that no organization has. */
  arriveNowhere(counted: Counted, shape: Shape): void {
    this.count(counted, shape, () => this.strangers, undefined);
  }

  /** Who asks, once the gate has let them pass. */
  admit(
    arrival: Arrival,
    { request, realm }: { readonly request: Request; readonly realm: Realm },
    shape: Shape,
    gate: Gate | OpenGate,
    form: Given,
  ): Caller | undefined {
    const refusal = refusalOf(arrival, request, shape, gate);
    if (refusal !== undefined) throw refusal;
    const { caller } = arrival;
    const fault = caller?.session && csrfFaultOf(realm, request, form);
    if (fault !== undefined && isLenient(gate)) return undefined;
    if (fault !== undefined) throw fault;
    if (caller !== undefined) gate.check?.(caller.user);
    return caller;
  }

  private recognized(request: Request, realm: Realm, shape: Shape): Arrival {
    try {
      return { caller: this.identified(request, realm, shape) };
    } catch (error) {
      if (error instanceof Refusal) return { refusal: error };
      throw error;
    }
  }

  private identified(request: Request, realm: Realm, shape: Shape): Caller | undefined {
    const alone = shape.isByAddress ? keyInAddress(request) : undefined;
    if (alone !== undefined) return this.authenticator.identifyByKey(realm, alone);
    const header = isInSession(shape) ? null : request.headers.get("authorization");
    if (header !== null) return this.authenticator.identify(realm, header);
    if (shape.by === "key") return undefined;
    const known = this.sessions.identify(realm, request);
    checkPerson(request, known);
    return known;
  }

  private count(counted: Counted, shape: Shape, limitsOf: () => Limits, caller?: Caller) {
    if (!this.config.rate_limits || shape.isFree) return;
    const { users, addresses, pages } = limitsOf();
    const who =
      caller === undefined ? networkOf(addressOf(counted, this.config)) : caller.user.user_id;
    const limiter = caller === undefined ? addresses : users;
    counted.rateLimit = (shape.isApi ? limiter : pages).take(who);
    if (!counted.rateLimit.allowed) throw rateLimitHit(counted.rateLimit.retry_after);
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

const KEY_PARAMETER = "api_key";

function keyInAddress(request: Request): string | undefined {
  return givenByQuery(partsOf(request.url).query).get(KEY_PARAMETER);
}

/** Of who is not known, at a gate that asks for it. */
export function refusalOf(
  { caller, refusal }: Arrival,
  request: Request,
  shape: Shape,
  gate: Gate | OpenGate,
): Refusal | undefined {
  if (caller !== undefined || isLenient(gate)) return undefined;
  if (refusal !== undefined || gate.open) return refusal;
  if (gate.byAddress) return missingParameter(KEY_PARAMETER);
  if (!shape.isApi && prefersHtml(request)) return loginFirst(partsOf(request.url).path);
  return isInSession(shape) ? noSession() : notLoggedIn();
}

const isInSession = ({ by, isBySession }: Shape) => by === "session" || isBySession;

/** Wrong credentials count as none. */
const isLenient = (gate: Gate | OpenGate) => gate.open && !gate.strict;

function csrfFaultOf(realm: Realm, request: Request, form: Given): Refusal | undefined {
  try {
    checkCsrf(realm, request, form.get(CSRF_FIELD));
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
