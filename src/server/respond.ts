// One request: who asks, the gate, the limit, the parameters, the endpoint, the answer.
import type { Config } from "../contract/config.ts";
import {
  Refusal,
  hostUnknown,
  internalError,
  pathNotFound,
  storeFull,
} from "../contract/errors/general.ts";
import { type Answer, LaterText, type OpenEndpoint } from "../endpoint.ts";
import type { Realm } from "../realm.ts";
import { actAs } from "./acting.ts";
import { Admission, type Arrival, refusalOf } from "./admission.ts";
import { options, refused, refusedAsPage, success, successLater, withSlash } from "./answer.ts";
import { addressOf, Doubts, hostOf, isForwardedHttps, type Peers } from "./asker/proxies.ts";
import { noteHttps } from "./asker/scheme.ts";
import { type Bearing, type Bearings, bearingsOf, sharingOf } from "./bearing.ts";
import type { FormFile } from "./body/multipart.ts";
import { noteConnection } from "./body/short.ts";
import { prefersHtml, RequestContext } from "./context.ts";
import { Descriptors } from "./descriptors.ts";
import type { Hosts } from "./hosts.ts";
import type { RateLimit } from "./limit.ts";
import { requestId, type Seen } from "./insight/seen.ts";
import { fieldsOf, type Log, loggedPath } from "./log.ts";
import { decodeInto, ignoredOf, spellingOf } from "./parameters/decode.ts";
import type { Given } from "./parameters/given.ts";
import { givenByForm, givenByQuery, isShort, merged } from "./parameters/parameters.ts";
import { noteRefused, refusedByDisk } from "./refusing.ts";
import {
  find,
  type Found,
  isApi,
  methodsAt,
  type Mounted,
  partsOf,
  type Shape,
  shapeAt,
} from "./routing.ts";

const NOTHING: Given = new Map();
/** Nobody hears it. */
const CLIENT_GONE = 499;

/** A request on its way; `standing` is told with whatever the answer is. */
interface RequestState {
  readonly request: Request;
  readonly shape: Shape | undefined;
  readonly peers: Peers | null;
  readonly bearing: Bearing;
  /** By which the log and whoever asks call it. */
  readonly id: string;
  user_id?: number | undefined;
  rateLimit: RateLimit | undefined;
  /** What its form brought, where that is wanted. */
  files?: FormFile[];
}

const OVER_TLS = bearingsOf(true);

export class Responder {
  private readonly admission: Admission;
  private readonly doubts: Doubts;
  private bearings: Bearings;
  private isTls = false;
  private readonly descriptors = new Descriptors();

  constructor(
    private readonly hosts: Hosts,
    private readonly config: Pick<Config, "rate_limits" | "proxies" | "trusted_proxy" | "url">,
    private readonly log: Log,
    private readonly seen: Seen,
    private readonly shapes: readonly Shape[] = [],
    private readonly pageOf?: PageOf,
  ) {
    this.bearings = bearingsOf(config.url.startsWith("https:"));
    this.admission = new Admission(hosts, config, log);
    this.doubts = new Doubts(log);
  }

  /** Browsers are told to come over TLS alone, once they believe the certificate. */
  bear({ isTrusted }: { readonly isTrusted: boolean }): void {
    this.isTls = true;
    this.bearings = bearingsOf(isTrusted);
  }

  /** What need not wait does not: a held poll keeps alive only what its end needs. */
  respond(request: Request, shape: Shape | undefined, peers: Peers | null) {
    const bearings = this.noteScheme(request, peers) ? OVER_TLS : this.bearings;
    const bearing = bearings[shape?.sharing ?? sharingOf(partsOf(request.url).path)];
    const id = requestId(request);
    const state: RequestState = { request, shape, peers, bearing, id, rateLimit: undefined };
    return this.seen.watch(state, () => {
      try {
        this.descriptors.admit(request, peers);
        return this.answered(state);
      } catch (error) {
        return this.failed(error, state);
      }
    });
  }

  /** By a proxy's word; where TLS is spoken here, its certificate says what is borne. */
  private noteScheme(request: Request, peers: Peers | null): boolean {
    if (this.isTls || !isForwardedHttps({ request, peers }, this.config)) return false;
    noteHttps(request, hostOf({ request, peers }, partsOf(request.url).host, this.config));
    return true;
  }

  private answered(state: RequestState): Response | Promise<Response> {
    const { request, shape } = state;
    const { method } = request;
    const { host: named, path, query } = partsOf(request.url);
    const host = hostOf(state, named, this.config);
    const realm = this.hosts.realmAt(host);
    if (realm === undefined) return this.withoutRealm(state, host, path, query);
    if (shape === undefined) {
      if (isLook(request) && this.isPage(`${path}/`)) return withSlash(path, query, state);
      throw pathNotFound();
    }
    this.doubts.look(state, path, realm.config);
    if (method === "OPTIONS") return options(methodsAt(shape, path), state);
    if (method === "GET" || method === "HEAD") {
      const found = find(shape, "GET", path);
      const arrival = this.admission.arrive(state, realm, shape);
      return this.run(state, realm, shape, arrival, { found, form: NOTHING }, query);
    }
    const arrival = this.admission.arrive(state, realm, shape);
    return askedOf(state, shape, path, arrival)
      .then((asked) => this.run(state, realm, shape, arrival, asked, query))
      .catch((error: unknown) => this.failed(error, state));
  }

  /** A few things are answered by the server itself. */
  private withoutRealm(
    state: RequestState,
    host: string,
    path: string,
    query: string,
  ): Response | Promise<Response> {
    const { request, shape } = state;
    const mounted = shape?.mounted.filter(({ route }) => "withoutRealm" in route.endpoint) ?? [];
    const method = request.method === "HEAD" ? "GET" : request.method;
    const isOffered = mounted.some(({ route }) => route.method === method);
    if (shape === undefined || !isOffered) throw hostUnknown();
    this.admission.arriveNowhere(state, shape);
    const offered = { ...shape, mounted };
    const answer = ({ found, form }: FoundRoute) => {
      const { route, slots } = found.mounted;
      const given = merged(givenByQuery(query), form);
      decodeInto(found.values, slots, given);
      const context = {
        request,
        host,
        hosts: this.hosts,
        address: addressOf(state, this.config),
      };
      const told = (route.endpoint as OpenEndpoint).withoutRealm!(context, found.values);
      return this.finished(told, ignoredOf(slots, given), state);
    };
    if (method === "GET") return answer({ found: find(offered, method, path), form: NOTHING });
    return askedOf(state, offered, path, {})
      .then(answer)
      .catch((error: unknown) => this.failed(error, state));
  }

  private run(
    state: RequestState,
    realm: Realm,
    shape: Shape,
    arrival: Arrival,
    { found, form }: FoundRoute,
    query: string,
  ): Response | Promise<Response> {
    const { route, slots } = found.mounted;
    const { request } = state;
    const caller = this.admission.admit(arrival, { request, realm }, shape, route.gate, form);
    state.user_id = caller?.user.user_id;
    const given = merged(givenByQuery(query), form);
    const spelling = spellingOf(slots, given);
    decodeInto(found.values, slots, given);
    const named = given.get("client");
    const context = new RequestContext(realm, state, spelling, caller, named, this.hosts);
    const { endpoint } = route;
    const act = () => (endpoint as OpenEndpoint).run(context, found.values);
    // Who only reads in the API changes nothing; and what waits there is to hold little.
    const isReading = request.method === "GET" && shape.isApi;
    const answer = isReading ? act() : actAs(context.actor, act);
    return this.finished(answer, ignoredOf(slots, given), state);
  }

  /** Apart, so that what waits for an endpoint holds nothing of the request but its passage. */
  private finished(
    answer: Answer | Promise<Answer>,
    ignored: string[] | undefined,
    state: RequestState,
  ): Response | Promise<Response> {
    if (answer instanceof LaterText) return successLater(answer, ignored, state);
    if (!(answer instanceof Promise)) return success(answer, ignored, state);
    return answer.then(
      (given) => this.succeeded(given, ignored, state),
      (error: unknown) => this.failed(error, state),
    );
  }

  private succeeded(
    answer: Answer,
    ignored: string[] | undefined,
    state: RequestState,
  ): Response | Promise<Response> {
    if (answer instanceof LaterText) return successLater(answer, ignored, state);
    try {
      return success(answer, ignored, state);
    } catch (error) {
      return this.failed(error, state);
    }
  }

  /** Whether a page's own address ends with the slash; what takes any path is none. */
  private isPage(path: string): boolean {
    const shape = shapeAt(this.shapes, path);
    return shape !== undefined && !shape.isApi && shape.segments.at(-1) === "";
  }

  private failed(error: unknown, state: RequestState): Response {
    const { request, shape } = state;
    if (error instanceof Refusal) {
      // What is not the client's fault is the operator's business.
      if (error.cause !== undefined) this.log.error("a request was refused", fieldsOf(error));
      const isUnknown = error.status === 404 && isLook(request) && prefersHtml(request);
      const page = isUnknown && !isApi(partsOf(request.url).path) && this.pageOf?.(error);
      return page ? refusedAsPage(page, error, state) : refused(error, state);
    }
    if (request.signal.aborted) return new Response(null, { status: CLIENT_GONE });
    const { id: request_id } = state;
    const { host, path } = partsOf(request.url);
    const asked = { method: request.method, path: loggedPath(path, shape) };
    this.log.error("a request failed", { request_id, ...asked, ...fieldsOf(error) });
    const what = refusedByDisk(error);
    if (what) noteRefused(this.hosts.realmAt(hostOf(state, host, this.config)), what);
    return refused((what ? storeFull : internalError)(request_id), state);
  }
}

/** A refusal as people see it in a browser. */
export type PageOf = (refusal: Refusal) => Response;

const isLook = ({ method }: Request) => method === "GET" || method === "HEAD";

interface FoundRoute {
  readonly found: Found;
  readonly form: Given;
}

/** The route, and the parameters in the body, one of which may name another method than POST. */
async function askedOf(
  state: RequestState,
  shape: Shape,
  path: string,
  arrival: Arrival,
): Promise<FoundRoute> {
  const { request, peers } = state;
  const { method } = request;
  // What arrives is looked at as it comes.
  if (peers) {
    if (isShort(request)) noteConnection(request, peers);
    else peers.timeout(request, 0);
  }
  if (shape.mounted.some(({ route }) => route.endpoint.body === "files")) state.files = [];
  const isMethod = ({ route }: Mounted) => route.method === method;
  const isRaw = shape.mounted.find(isMethod)?.route.endpoint.body === "raw";
  if (method !== "POST" || isRaw) {
    const found = find(shape, method, path);
    return { found, form: isRaw ? NOTHING : await formOf(state, shape, arrival) };
  }
  const form = await formOf(state, shape, arrival);
  const meant = form.get("method")?.toUpperCase() ?? method;
  form.delete("method");
  return { found: find(shape, meant, path), form };
}

/** Nobody is refused for what they wrote before it is known that they may ask. */
async function formOf(
  { request, files }: RequestState,
  shape: Shape,
  arrival: Arrival,
): Promise<Given> {
  try {
    return await givenByForm(request, { isOfStranger: arrival.caller === undefined, files });
  } catch (error) {
    const asked = shape.mounted.find(({ route }) => route.method === request.method);
    throw (asked && refusalOf(arrival, request, shape, asked.route.gate)) ?? error;
  }
}
