// One request: who asks, the gate, the limit, the parameters, the endpoint, the answer.
import type { Config } from "../config.ts";
import type { Answer, OpenEndpoint } from "../endpoint.ts";
import {
  hostUnknown,
  internalError,
  loginFirst,
  notLoggedIn,
  pathNotFound,
  rateLimitHit,
  Refusal,
  storeFull,
} from "../errors.ts";
import type { Realm } from "../realm.ts";
import { CommitFailed } from "../store/store.ts";
import { options, refused, success } from "./answer.ts";
import { Authenticator, type Caller } from "./authenticate.ts";
import { addressOf, networkOf, type Peers, RequestContext } from "./context.ts";
import { decodeInto, ignoredOf, spellingOf } from "./decode.ts";
import type { Gate, OpenGate } from "./gate.ts";
import { API_BY_ADDRESS, API_BY_USER, Limiter, type Standing } from "./limit.ts";
import { fieldsOf, type Log } from "./log.ts";
import { type Given, givenByForm, givenByQuery, merged } from "./parameters.ts";
import { find, type Found, methodsAt, type Mounted, partsOf, type Shape } from "./routing.ts";

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
}

export class Responder {
  private readonly authenticator: Authenticator;
  private readonly limits = new WeakMap<Realm, Limits>();

  constructor(
    private readonly realmOf: (host: string) => Realm | undefined,
    private readonly config: Pick<Config, "rate_limits">,
    private readonly log: Log,
    realms: () => Iterable<Realm> = () => [],
  ) {
    const isKnown = (hash: string) => (realm: Realm) =>
      realm.read.api_keys.one("hash", hash) !== undefined;
    this.authenticator = new Authenticator(
      (hash) => [...realms()].some(isKnown(hash)),
      (error) => this.log.error("the use of a key could not be noted", fieldsOf(error)),
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
    const { host, path, query } = partsOf(request.url);
    const realm = this.realmOf(host);
    if (realm === undefined) throw hostUnknown();
    if (shape === undefined) throw pathNotFound();
    if (method === "OPTIONS") return options(methodsAt(shape, path));
    if (method === "GET" || method === "HEAD") {
      const asked = { found: find(shape, "GET", path), form: NOTHING };
      return this.run(passage, realm, shape, asked, query);
    }
    return askedOf(request, shape, path)
      .then((asked) => this.run(passage, realm, shape, asked, query))
      .catch((error: unknown) => this.failed(error, passage));
  }

  private run(
    passage: Passage,
    realm: Realm,
    { isApi }: Shape,
    { found, form }: Asked,
    query: string,
  ): Response | Promise<Response> {
    const { route, slots } = found.mounted;
    const caller = this.admitted(passage, realm, route.gate, isApi);
    const given = merged(givenByQuery(query), form);
    const spelling = spellingOf(slots, given);
    decodeInto(found.values, slots, given);
    const named = given.get("client");
    const context = new RequestContext(realm, passage, spelling, caller, named);
    const answer = (route.endpoint as OpenEndpoint).run(context, found.values);
    return this.finished(answer, ignoredOf(slots, given), passage);
  }

  /** Apart, so that what waits for an endpoint holds nothing of the request but its passage. */
  private finished(
    answer: Answer | Promise<Answer>,
    ignored: string[] | undefined,
    passage: Passage,
  ): Response | Promise<Response> {
    if (!(answer instanceof Promise)) return success(answer, ignored, passage);
    return answer.then(
      (given) => this.succeeded(given, ignored, passage),
      (error: unknown) => this.failed(error, passage),
    );
  }

  private succeeded(answer: Answer, ignored: string[] | undefined, passage: Passage): Response {
    try {
      return success(answer, ignored, passage);
    } catch (error) {
      return this.failed(error, passage);
    }
  }

  /** Who asks, once the limit and the gate have let them pass. */
  private admitted(passage: Passage, realm: Realm, gate: Gate | OpenGate, isApi: boolean) {
    let caller: Caller | undefined;
    try {
      caller = this.identified(passage.request, realm, gate, isApi);
    } finally {
      if (isApi) this.count(passage, realm, caller);
    }
    if (caller !== undefined && !gate.open) gate.check(caller.user);
    return caller;
  }

  private identified(request: Request, realm: Realm, gate: Gate | OpenGate, isApi: boolean) {
    const header = request.headers.get("authorization");
    if (header === null) {
      if (gate.open) return undefined;
      throw !isApi && prefersHtml(request) ? loginFirst(partsOf(request.url).path) : notLoggedIn();
    }
    if (!gate.open || gate.strict) return this.authenticator.identify(realm, header);
    try {
      return this.authenticator.identify(realm, header);
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }

  private count(passage: Passage, realm: Realm, caller: Caller | undefined) {
    if (!this.config.rate_limits) return;
    const limits = this.limitsOf(realm);
    if (caller !== undefined) passage.standing = limits.users.take(caller.user.user_id);
    else {
      const address = addressOf(passage);
      passage.standing = limits.addresses.take(networkOf(address));
    }
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
    if (error instanceof Refusal) return refused(error, standing, request);
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

/** The route, and the parameters in the body, one of which may name another method than POST. */
async function askedOf(request: Request, shape: Shape, path: string): Promise<Asked> {
  const { method } = request;
  const isMethod = ({ route }: Mounted) => route.method === method;
  const isRaw = shape.mounted.find(isMethod)?.route.endpoint.body === "raw";
  if (method !== "POST" || isRaw) {
    const found = find(shape, method, path);
    return { found, form: isRaw ? NOTHING : await givenByForm(request) };
  }
  const form = await givenByForm(request);
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
