// One request: who asks, the gate, the limit, the parameters, the endpoint, the answer.
import type { Config } from "../config.ts";
import { type Answer, LaterText, type OpenEndpoint } from "../endpoint.ts";
import { noSession } from "../errors-people.ts";
import {
  Refusal,
  hostUnknown,
  internalError,
  loginFirst,
  missingParameter,
  notLoggedIn,
  pathNotFound,
  rateLimitHit,
  storeFull,
} from "../errors.ts";
import type { Realm } from "../realm.ts";
import { CommitFailed } from "../store/store.ts";
import { options, refused, success, successLater } from "./answer.ts";
import { Authenticator, type Caller } from "./authenticate.ts";
import { addressOf, hostOf, networkOf, type Peers, RequestContext } from "./context.ts";
import { decodeInto, ignoredOf, spellingOf } from "./decode.ts";
import type { Gate, OpenGate } from "./gate.ts";
import type { Hosts } from "./hosts.ts";
import { API_BY_ADDRESS, API_BY_USER, Limiter, type Standing } from "./limit.ts";
import { fieldsOf, type Log } from "./log.ts";
import type { FormFile } from "./multipart.ts";
import { type Given, givenByForm, givenByQuery, merged } from "./parameters.ts";
import { find, type Found, methodsAt, type Mounted, partsOf, type Shape } from "./routing.ts";
import { checkCsrf, CSRF_FIELD, SessionReader } from "./session.ts";

const NOTHING: Given = new Map();
/** Nobody hears it. */
const CLIENT_GONE = 499;

interface Limits {
  readonly users: Limiter;
  readonly addresses: Limiter;
}

/** A request on its way; `standing` is told with whatever the answer is. */
interface Passage {
  readonly request: Request;
  readonly shape: Shape | undefined;
  readonly peers: Peers | null;
  standing: Standing | undefined;
  /** What its form brought, where that is wanted. */
  files?: FormFile[];
}

export class Responder {
  private readonly authenticator: Authenticator;
  private readonly sessions: SessionReader;
  private readonly limits = new WeakMap<Realm, Limits>();
  /** At hosts that no organization has. */
  private readonly strangers = new Limiter({ now: () => Date.now() }, API_BY_ADDRESS);

  constructor(
    private readonly hosts: Hosts,
    private readonly config: Pick<Config, "rate_limits">,
    private readonly log: Log,
  ) {
    this.authenticator = new Authenticator(
      () => this.hosts.realms,
      (error) => this.log.error("the use of a key could not be noted", fieldsOf(error)),
    );
    this.sessions = new SessionReader((error) =>
      this.log.error("the use of a session could not be noted", fieldsOf(error)),
    );
  }

  /** What need not wait does not: a held poll keeps alive only what its end needs. */
  respond(request: Request, shape: Shape | undefined, peers: Peers | null) {
    const passage: Passage = { request, shape, peers, standing: undefined };
    try {
      return this.answered(passage);
    } catch (error) {
      return this.failed(error, passage);
    }
  }

  private answered(passage: Passage): Response | Promise<Response> {
    const { request, shape } = passage;
    const { method } = request;
    const { host: named, path, query } = partsOf(request.url);
    const host = hostOf(passage, named);
    const realm = this.hosts.realmAt(host);
    if (realm === undefined) return this.withoutRealm(passage, host, path, query);
    if (shape === undefined) throw pathNotFound();
    if (method === "OPTIONS") return options(methodsAt(shape, path));
    if (method === "GET" || method === "HEAD") {
      const asked = { found: find(shape, "GET", path), form: NOTHING };
      return this.run(passage, realm, shape, asked, query);
    }
    return askedOf(passage, shape, path)
      .then((asked) => this.run(passage, realm, shape, asked, query))
      .catch((error: unknown) => this.failed(error, passage));
  }

  /** A few things are answered by the server itself. */
  private withoutRealm(
    passage: Passage,
    host: string,
    path: string,
    query: string,
  ): Response | Promise<Response> {
    const { request, shape } = passage;
    const mounted = shape?.mounted.filter(({ route }) => "withoutRealm" in route.endpoint) ?? [];
    const method = request.method === "HEAD" ? "GET" : request.method;
    const isOffered = mounted.some(({ route }) => route.method === method);
    if (shape === undefined || !isOffered) throw hostUnknown();
    if (shape.isApi && this.config.rate_limits) this.limit(passage, this.strangers);
    const offered = { ...shape, mounted };
    const answer = ({ found, form }: Asked) => {
      const { route, slots } = found.mounted;
      const given = merged(givenByQuery(query), form);
      decodeInto(found.values, slots, given);
      const context = { request, host, hosts: this.hosts, address: addressOf(passage) };
      const told = (route.endpoint as OpenEndpoint).withoutRealm!(context, found.values);
      return this.finished(told, ignoredOf(slots, given), passage);
    };
    if (method === "GET") return answer({ found: find(offered, method, path), form: NOTHING });
    return askedOf(passage, offered, path)
      .then(answer)
      .catch((error: unknown) => this.failed(error, passage));
  }

  private run(
    passage: Passage,
    realm: Realm,
    shape: Shape,
    { found, form }: Asked,
    query: string,
  ): Response | Promise<Response> {
    const { route, slots } = found.mounted;
    const caller = this.admitted(passage, realm, route.gate, shape, form);
    const given = merged(givenByQuery(query), form);
    const spelling = spellingOf(slots, given);
    decodeInto(found.values, slots, given);
    const named = given.get("client");
    const context = new RequestContext(realm, passage, spelling, caller, named, this.hosts);
    const answer = (route.endpoint as OpenEndpoint).run(context, found.values);
    return this.finished(answer, ignoredOf(slots, given), passage);
  }

  /** Apart, so that what waits for an endpoint holds nothing of the request but its passage. */
  private finished(
    answer: Answer | Promise<Answer>,
    ignored: string[] | undefined,
    passage: Passage,
  ): Response | Promise<Response> {
    if (answer instanceof LaterText) return successLater(answer, ignored, passage);
    if (!(answer instanceof Promise)) return success(answer, ignored, passage);
    return answer.then(
      (given) => this.succeeded(given, ignored, passage),
      (error: unknown) => this.failed(error, passage),
    );
  }

  private succeeded(
    answer: Answer,
    ignored: string[] | undefined,
    passage: Passage,
  ): Response | Promise<Response> {
    if (answer instanceof LaterText) return successLater(answer, ignored, passage);
    try {
      return success(answer, ignored, passage);
    } catch (error) {
      return this.failed(error, passage);
    }
  }

  /** Who asks, once the limit and the gate have let them pass. */
  private admitted(
    passage: Passage,
    realm: Realm,
    gate: Gate | OpenGate,
    shape: Shape,
    form: Given,
  ): Caller | undefined {
    let caller: Caller | undefined;
    try {
      caller = this.identified(passage.request, realm, gate, shape, form);
    } catch (error) {
      // Wrong credentials count as none.
      if (!(error instanceof Refusal) || !gate.open || gate.strict) throw error;
    } finally {
      if (shape.isApi) this.count(passage, realm, caller);
    }
    if (caller !== undefined) gate.check?.(caller.user);
    return caller;
  }

  private identified(
    request: Request,
    realm: Realm,
    gate: Gate | OpenGate,
    { by, isApi }: Shape,
    form: Given,
  ): Caller | undefined {
    const isByAddress = !gate.open && gate.byAddress === true;
    const alone = isByAddress ? keyInAddress(request) : undefined;
    if (alone !== undefined) return this.authenticator.identifyByKey(realm, alone);
    const header = by === "session" ? null : request.headers.get("authorization");
    if (header !== null) return this.authenticator.identify(realm, header);
    const known = by === "key" ? undefined : this.sessions.identify(realm, request);
    if (known !== undefined) {
      checkCsrf(realm, request, form.get(CSRF_FIELD));
      return known;
    }
    if (gate.open) return undefined;
    if (isByAddress) throw missingParameter(KEY_PARAMETER);
    if (!isApi && prefersHtml(request)) throw loginFirst(partsOf(request.url).path);
    throw by === "session" ? noSession() : notLoggedIn();
  }

  private count(passage: Passage, realm: Realm, caller: Caller | undefined) {
    if (!this.config.rate_limits) return;
    const limits = this.limitsOf(realm);
    if (caller === undefined) this.limit(passage, limits.addresses);
    else this.limit(passage, limits.users, caller.user.user_id);
  }

  private limit(passage: Passage, limiter: Limiter, who?: number) {
    passage.standing = limiter.take(who ?? networkOf(addressOf(passage)));
    if (!passage.standing.allowed) throw rateLimitHit(passage.standing.retry_after);
  }

  private limitsOf(realm: Realm): Limits {
    let limits = this.limits.get(realm);
    if (limits === undefined) {
      const users = new Limiter(realm.clock, API_BY_USER);
      limits = { users, addresses: new Limiter(realm.clock, API_BY_ADDRESS) };
      this.limits.set(realm, limits);
    }
    return limits;
  }

  private failed(error: unknown, { request, shape, standing }: Passage): Response {
    if (error instanceof Refusal) {
      // What is not the client's fault is the operator's business.
      if (error.cause !== undefined) this.log.error("a request was refused", fieldsOf(error));
      return refused(error, standing, request);
    }
    if (request.signal.aborted) return new Response(null, { status: CLIENT_GONE });
    const request_id = crypto.randomUUID();
    const path = loggedPath(partsOf(request.url).path, shape);
    const fields = { request_id, method: request.method, path, ...fieldsOf(error) };
    this.log.error("a request failed", fields);
    const told = (error instanceof CommitFailed ? storeFull : internalError)(request_id);
    return refused(told, standing, request);
  }
}

interface Asked {
  readonly found: Found;
  readonly form: Given;
}

const KEY_PARAMETER = "api_key";

function keyInAddress(request: Request): string | undefined {
  return givenByQuery(partsOf(request.url).query).get(KEY_PARAMETER);
}

/** The route, and the parameters in the body, one of which may name another method than POST. */
async function askedOf(passage: Passage, shape: Shape, path: string): Promise<Asked> {
  const { request } = passage;
  const { method } = request;
  if (shape.mounted.some(({ route }) => route.endpoint.body === "files")) passage.files = [];
  const isMethod = ({ route }: Mounted) => route.method === method;
  const isRaw = shape.mounted.find(isMethod)?.route.endpoint.body === "raw";
  if (method !== "POST" || isRaw) {
    const found = find(shape, method, path);
    return { found, form: isRaw ? NOTHING : await givenByForm(request, passage.files) };
  }
  const form = await givenByForm(request, passage.files);
  const meant = form.get("method")?.toUpperCase() ?? method;
  form.delete("method");
  return { found: find(shape, meant, path), form };
}

/** With nothing but numbers in the path's holes, where one-time links have their secrets. */
function loggedPath(path: string, shape: Shape | undefined): string {
  const segments = shape?.segments ?? [];
  const parts = path.split("/").slice(0, segments.length);
  return parts.map((part, at) => segments[at] ?? (/^\d+$/.test(part) ? part : "…")).join("/");
}

/** A browser that opens an address, rather than a program that calls. */
function prefersHtml(request: Request) {
  const accepted = request.headers.get("accept") ?? "";
  const html = accepted.indexOf("text/html");
  const json = accepted.indexOf("application/json");
  return html >= 0 && (json < 0 || html < json);
}
