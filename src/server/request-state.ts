// The state of a request: the results of each plugin for those that follow.
import { Elysia } from "elysia";
import type { Refusal } from "../contract/errors/general.ts";
import type { Realm } from "../realm.ts";
import type { Caller } from "./caller/authenticate.ts";
import type { Peers } from "./caller/proxies.ts";
import type { SecurityHeaders } from "./security-headers.ts";
import type { FormFile } from "./body/multipart.ts";
import { requestId } from "./insight/observe.ts";
import type { RateLimit } from "./limit.ts";
import { type RawParams, NONE } from "./parameters/raw.ts";
import type { RouteMatch, RoutePattern, UrlParts } from "./routing.ts";

export class RequestState {
  /** The host from the URL, until a trusted proxy's header replaces it. */
  host: string;
  readonly path: string;
  readonly query: string;
  readonly method: string;
  /** Created on first use. */
  private name: string | undefined;
  /** The request changes nothing and its body is not read. */
  readonly isGetOrHead: boolean;
  /** The organization; undefined at a host without one. */
  realm: Realm | undefined;
  caller: Caller | undefined;
  /** The revision of the accounts, keys and sessions with which the caller was found. */
  accountsRevision = 0;
  /** The authentication error, if the credentials are invalid. */
  refusal: Refusal | undefined;
  /** The response, once there is one. */
  earlyResponse: Response | Promise<Response> | undefined;
  /** Sent in the headers of every response. */
  rateLimit: RateLimit | undefined;
  routeMatch: RouteMatch | undefined;
  form: RawParams = NONE;
  /** Files of the form, if the endpoint accepts them. */
  files: FormFile[] | undefined;
  /** Names of unknown parameters. */
  ignored: string[] | undefined;
  /** The spelling of doubled names in the parameters. */
  spelling: "zulip" | "service" = "zulip";
  /** The client name in the parameters. */
  clientGiven: string | undefined;

  constructor(
    readonly request: Request,
    { host, path, query }: UrlParts,
    readonly peers: Peers | null,
    public pattern: RoutePattern | undefined,
    readonly securityHeaders: SecurityHeaders,
  ) {
    this.host = host;
    this.path = path;
    this.query = query;
    this.method = request.method;
    this.isGetOrHead = this.method === "GET" || this.method === "HEAD";
  }

  /** The request id in the log and in the response. */
  get id(): string {
    return (this.name ??= requestId(this.request));
  }
}

/**
 * Creates a plugin whose hooks receive `requestState`, which the routes set before any other hook
 * runs. Elysia analyses the source text of hooks, also when minified, and awaits what looks like a
 * call after an arrow or `return`. Synchronous hooks are therefore functions that return no call.
 */
export const plugin = <const N extends string>(name: N) =>
  new Elysia({ name }).decorate("requestState", undefined as unknown as RequestState);
