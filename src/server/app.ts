// Composes the Elysia app: the plugins that every request passes, in this order.
import { Elysia } from "elysia";
import type { Config } from "../contract/config.ts";
import type { OpenEndpoint } from "../endpoint.ts";
import { actAs } from "./actor.ts";
import { success } from "./response.ts";
import { RequestState } from "./request-state.ts";
import { Authenticator, type ByKey, refusalOfFault } from "./caller/authenticate.ts";
import { addressOf, hostOf, isForwardedHttps, type Peers } from "./caller/proxies.ts";
import { noteHttps } from "./caller/scheme.ts";
import { SessionReader } from "./caller/session.ts";
import { type HeadersBySharing, securityHeadersBySharing, sharingOf } from "./security-headers.ts";
import { RequestContext } from "./context.ts";
import type { Hosts } from "./hosts.ts";
import type { RequestObserver } from "./insight/observe.ts";
import { fieldsOf, type Log } from "./log.ts";
import { mount, type Mounting } from "./mount.ts";
import { basicAuth, type BasicAuthOptions, basicAuthOf } from "./plugins/basic-auth.ts";
import { form, readForm } from "./plugins/form.ts";
import { admit, gate } from "./plugins/gate.ts";
import { organization, Organizations } from "./plugins/organization.ts";
import { decode, parameters } from "./plugins/parameters.ts";
import { matchPath, paths } from "./plugins/paths.ts";
import { rateLimit, RateLimits } from "./plugins/rate-limit.ts";
import { type PageOf, refusals, Refusals } from "./plugins/refusals.ts";
import { Callers, isByHeader, session } from "./plugins/session.ts";
import { staticFiles } from "./plugins/static.ts";
import { partsOf, type RoutePattern, type RouteTable } from "./routing.ts";

type AppConfig = Pick<Config, "rate_limits" | "proxies" | "trusted_proxy" | "url">;

type ResponseOrPromise = Response | Promise<Response>;
type Handle = (request: Request) => ResponseOrPromise;
/** Called with every response. */
export type Watch = (
  response: ResponseOrPromise,
  request: Request,
  peers: Peers | null,
) => ResponseOrPromise;

const HTTPS_HEADERS = securityHeadersBySharing(true);

/** State of the plugins between requests. Survives changes of listeners. */
export class App {
  private securityHeaders: HeadersBySharing;
  private isTls = false;
  private readonly refusals: Refusals;
  private readonly organizations: Organizations;
  private readonly callers: Callers;
  private readonly basic: BasicAuthOptions<ByKey, RequestState>;
  private readonly identify;
  private readonly limits: RateLimits;

  constructor(
    private readonly hosts: Hosts,
    private readonly config: AppConfig,
    log: Log,
    private readonly requestObserver: RequestObserver,
    private readonly table: RouteTable,
    pageOf?: PageOf,
  ) {
    this.securityHeaders = securityHeadersBySharing(config.url.startsWith("https:"));
    this.refusals = new Refusals(hosts, config, log, pageOf);
    this.organizations = new Organizations(hosts, config, log);
    const keys = new Authenticator(
      () => hosts.realms,
      (error) => log.error("the use of an API key could not be recorded", fieldsOf(error)),
    );
    const sessions = new SessionReader((error) =>
      log.error("the use of a session could not be recorded", fieldsOf(error)),
    );
    this.callers = new Callers(keys, sessions);
    this.basic = {
      realm: "zulip",
      scope: isByHeader,
      check: (credentials, _, { realm }) => keys.identify(realm!, credentials),
      refuse: refusalOfFault,
      isOptional: true,
    };
    this.identify = basicAuthOf(this.basic);
    this.limits = new RateLimits(config);
  }

  /** Sends Strict-Transport-Security once the certificate is trusted. */
  setTls({ isTrusted }: { readonly isTrusted: boolean }): void {
    this.isTls = true;
    this.securityHeaders = securityHeadersBySharing(isTrusted);
  }

  /** A plugin's hooks apply to the routes that are registered after it. */
  elysia(watch: Watch, serve: object) {
    const peers = (): Peers | null => app.server;
    const mounting: Mounting = {
      begin: (request) => this.begin(request, undefined, peers()),
      answer: (requestState) => {
        requestState.earlyResponse = this.answered(requestState);
      },
    };
    const macros = { gate: true, parameters: true };
    // Elysia would read the body to count its bytes, and replace a length that is known.
    const respondToHead: Handle = (request) => this.respond(request, undefined, peers());
    const app = new Elysia({ strictPath: true, serve })
      .wrap((send) => (request: Request) => {
        const handle = request.method === "HEAD" ? respondToHead : (send as unknown as Handle);
        return watch(handle(request), request, peers());
      })
      .use(refusals(this.refusals))
      .use(organization(this.organizations))
      .use(paths(this.table))
      .use(staticFiles(mounting.answer))
      .use(basicAuth(this.basic))
      .use(session(this.callers))
      .use(rateLimit(this.limits))
      .use(gate())
      .use(parameters())
      .use((all) => mount(all, "GET", mounting, macros))
      .use(form((requestState) => this.authenticateAgain(requestState)))
      .use((all) => mount(all, "ALL", mounting, macros));
    return app;
  }

  /** The same steps without Elysia, for routes of `contract/direct.ts` and for HEAD. */
  respond(
    request: Request,
    pattern: RoutePattern | undefined,
    peers: Peers | null,
  ): ResponseOrPromise {
    const requestState = this.begin(request, pattern, peers);
    try {
      this.organizations.resolveHost(requestState);
      matchPath(requestState, this.table);
      if (requestState.earlyResponse) return requestState.earlyResponse;
      this.callers.authenticate(requestState, this.identify(request, requestState).basicAuth);
      this.limits.count(requestState);
      if (requestState.isGetOrHead) return this.withinLimits(requestState);
    } catch (error) {
      return this.refusals.answer(error, requestState);
    }
    return readForm(requestState, requestState.pattern!)
      .then(() => {
        this.authenticateAgain(requestState);
        return this.withinLimits(requestState);
      })
      .catch((error: unknown) => this.refusals.answer(error, requestState));
  }

  /** The caller may lose a role, the key, the session or the account while the body arrives. */
  private authenticateAgain(requestState: RequestState): void {
    if (this.callers.isCurrent(requestState)) return;
    const { basicAuth } = this.identify(requestState.request, requestState);
    this.callers.authenticate(requestState, basicAuth);
  }

  private withinLimits(requestState: RequestState): ResponseOrPromise {
    admit(requestState, requestState.pattern!, requestState.routeMatch!.mounted.route.gate);
    decode(requestState);
    return this.answered(requestState);
  }

  /** `known`: the pattern of the request's path, if the router has found it. */
  private begin(
    request: Request,
    routePattern: RoutePattern | undefined,
    peers: Peers | null,
  ): RequestState {
    const parts = partsOf(request.url);
    const pattern = routePattern ?? this.table.at(parts.path);
    const sharing = pattern?.sharing ?? sharingOf(parts.path);
    const securityHeaders = this.recordScheme(request, peers)
      ? HTTPS_HEADERS
      : this.securityHeaders;
    const requestState = new RequestState(request, parts, peers, pattern, securityHeaders[sharing]);
    this.requestObserver.begin(requestState);
    return requestState;
  }

  /**
   * A trusted proxy reports the scheme. If Skein terminates TLS, its certificate decides about the
   * headers.
   */
  private recordScheme(request: Request, peers: Peers | null): boolean {
    if (this.isTls || !isForwardedHttps({ request, peers }, this.config)) return false;
    noteHttps(request, hostOf({ request, peers }, partsOf(request.url).host, this.config));
    return true;
  }

  /** Runs the endpoint. A response that waits for a text must not reference the request. */
  private answered(requestState: RequestState): ResponseOrPromise {
    const { mounted, values } = requestState.routeMatch!;
    const endpoint = mounted.route.endpoint as OpenEndpoint;
    const response = requestState.realm
      ? setActor(requestState, new RequestContext(requestState, requestState.realm, this.hosts))
      : endpoint.withoutRealm!(this.unknownOrganization(requestState), values);
    if (!(response instanceof Promise)) return success(response, requestState);
    return response
      .then((input) => success(input, requestState))
      .catch((error: unknown) => this.refusals.answer(error, requestState));
  }

  private unknownOrganization(requestState: RequestState) {
    const { request, host } = requestState;
    return { request, host, hosts: this.hosts, address: addressOf(requestState, this.config) };
  }
}

/** Reads through the API change nothing and need no actor, and waiting polls must stay small. */
function setActor({ routeMatch, method, pattern }: RequestState, context: RequestContext) {
  const { mounted, values } = routeMatch!;
  const run = () => (mounted.route.endpoint as OpenEndpoint).run(context, values);
  return method === "GET" && pattern!.isApi ? run() : actAs(context.actor, run);
}
