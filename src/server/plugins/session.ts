// `session`: authenticates by session cookie or by a key in the URL, where HTTP Basic is not used.
import { Refusal } from "../../contract/errors/general.ts";
import { type RequestState, plugin } from "../request-state.ts";
import type { Authenticator, ByKey } from "../caller/authenticate.ts";
import { checkPerson, type SessionReader } from "../caller/session.ts";
import { parametersInQuery } from "../parameters/parameters.ts";
import { isInSession } from "../routing.ts";
import type { BasicAuth } from "./basic-auth.ts";

export const KEY_PARAMETER = "api_key";

export class Callers {
  constructor(
    readonly keys: Authenticator,
    private readonly sessions: SessionReader,
  ) {}

  /**
   * Finds the caller, or the reason why there is none. The gate decides whether one is required.
   */
  authenticate(requestState: RequestState, byBasic: BasicAuth<ByKey>): void {
    requestState.caller = requestState.refusal = undefined;
    requestState.accountsRevision = revisionOf(requestState);
    try {
      requestState.caller = this.identified(requestState, byBasic);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      requestState.refusal = error;
    }
  }

  /** Whether no account, key or session has changed since the request was authenticated. */
  isCurrent(requestState: RequestState): boolean {
    return requestState.accountsRevision === revisionOf(requestState);
  }

  private identified(
    { request, realm, pattern, query }: RequestState,
    { user, error }: BasicAuth<ByKey>,
  ) {
    if (realm === undefined || pattern === undefined) return undefined;
    const single = pattern.isByAddress ? parametersInQuery(query).get(KEY_PARAMETER) : undefined;
    if (single !== undefined) return this.keys.identifyByKey(realm, single);
    if (error !== undefined) throw error;
    if (user !== undefined || pattern.authentication === "key") return user;
    const identified = this.sessions.identify(realm, request);
    checkPerson(request, identified);
    return identified;
  }
}

/** A number that grows with each change of a table that authentication reads. */
function revisionOf({ realm }: RequestState): number {
  if (realm === undefined) return 0;
  const { users, api_keys, sessions, deactivations } = realm.read;
  return users.revision + api_keys.revision + sessions.revision + deactivations.revision;
}

/** Whether the Authorization header is used. Paths for sessions consider only the cookie. */
export function isByHeader(_: Request, { realm, pattern, query }: RequestState): boolean {
  if (realm === undefined || pattern === undefined || isInSession(pattern)) return false;
  return !pattern.isByAddress || !parametersInQuery(query).has(KEY_PARAMETER);
}

export const session = (callers: Callers) =>
  plugin("session")
    .decorate("basicAuth", undefined as unknown as BasicAuth<ByKey>)
    .onBeforeHandle({ as: "global" }, function ({ requestState, basicAuth }) {
      callers.authenticate(requestState, basicAuth);
    });
