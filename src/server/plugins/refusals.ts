// `refusals`: turns every error into the protocol's format, and logs errors for the operator.
import type { Config } from "../../contract/config.ts";
import { internalError, Refusal, storeFull } from "../../contract/errors/general.ts";
import { noSession } from "../../contract/errors/people.ts";
import { refused, errorAsPage } from "../response.ts";
import { type RequestState, plugin } from "../request-state.ts";
import { hostOf } from "../caller/proxies.ts";
import { prefersHtml } from "../context.ts";
import type { Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import type { Hosts } from "../hosts.ts";
import { fieldsOf, type Log, loggedPath } from "../log.ts";
import { recordDiskRefusal, diskRefusalOf } from "../disk-errors.ts";
import { isApi, isByKey, partsOf } from "../routing.ts";

/** The logged status if the client has disconnected before the response. */
const CLIENT_GONE = 499;
const CHALLENGE = "WWW-Authenticate";

/** Renders an error as a page for browsers. */
export type PageOf = (refusal: Refusal, looking: RefusedRequest) => Response;

/** Returns "not found" if there is no organization. */
interface RefusedRequest {
  readonly request: Request;
  readonly realm: Realm | undefined;
  readonly user: User | undefined;
  /** Whether the request is to the host of the server itself. */
  readonly isRoot: boolean;
}

const NOT_FOUND = 404;

export class Refusals {
  constructor(
    private readonly hosts: Hosts,
    private readonly config: Pick<Config, "proxies" | "trusted_proxy">,
    private readonly log: Log,
    private readonly pageOf?: PageOf,
  ) {}

  answer(error: unknown, requestState: RequestState): Response {
    return error instanceof Refusal
      ? this.refused(error, requestState)
      : this.unexpectedError(error, requestState);
  }

  private refused(refusal: Refusal, requestState: RequestState): Response {
    // Errors that the client did not cause are logged for the operator.
    if (refusal.cause !== undefined) this.log.error("a request was rejected", fieldsOf(refusal));
    return this.responseTo(refusal, requestState);
  }

  /** Responds with a page to browsers, and otherwise in the protocol's format. */
  private responseTo(refusal: Refusal, requestState: RequestState): Response {
    const page = isSeen(refusal, requestState) && this.page(refusal, requestState);
    const response = page
      ? errorAsPage(page, refusal, requestState)
      : refused(refusal, requestState);
    // Browsers show a password prompt for "Basic" that blocks the page.
    if (!isByKey(requestState.path) && response.headers.has(CHALLENGE)) {
      response.headers.set(CHALLENGE, noSession().headers[CHALLENGE]!);
    }
    return response;
  }

  /** undefined if the error also prevents rendering a page. */
  private page(refusal: Refusal, requestState: RequestState): Response | undefined {
    try {
      const { request, caller } = requestState;
      const { host } = partsOf(request.url);
      const origin = hostOf(requestState, host, this.config);
      const [realm, isRoot] = [this.hosts.realmAt(origin), this.hosts.isRoot(origin)];
      return this.pageOf?.(refusal, { request, realm, user: caller?.user, isRoot });
    } catch (error) {
      this.log.error("a page could not be rendered", fieldsOf(error));
      return undefined;
    }
  }

  private unexpectedError(error: unknown, requestState: RequestState): Response {
    const { request, method, pattern, path, id: request_id } = requestState;
    if (request.signal.aborted) return new Response(null, { status: CLIENT_GONE });
    const fields = { request_id, method, path: loggedPath(path, pattern), ...fieldsOf(error) };
    this.log.error("a request failed", fields);
    const diskRefusal = diskRefusalOf(error);
    const { host } = partsOf(request.url);
    if (diskRefusal)
      recordDiskRefusal(
        this.hosts.realmAt(hostOf(requestState, host, this.config)),
        diskRefusal,
        error,
      );
    return this.responseTo((diskRefusal ? storeFull : internalError)(request_id), requestState);
  }
}

/** Redirects display nothing, and there are no forms at absent pages. */
function isSeen({ status }: Refusal, { request, path, isGetOrHead }: RequestState): boolean {
  if (status < 400 || (status === NOT_FOUND && !isGetOrHead)) return false;
  return !isApi(path) && prefersHtml(request);
}

export const refusals = (refusals: Refusals) =>
  plugin("refusals").onError({ as: "global" }, ({ error, requestState, set }) => {
    // Elysia has set the error's status here, and would otherwise replace the response.
    set.status = 200;
    return refusals.answer(error, requestState);
  });
