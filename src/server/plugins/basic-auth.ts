// `basic-auth`: HTTP Basic authentication for any Elysia app, independent of this server.
import { Elysia } from "elysia";

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The fault: no header, another scheme, malformed, or wrong credentials. */
export type Fault = "missing" | "scheme" | "malformed" | "wrong";

export interface BasicAuthOptions<User, About> {
  /** The realm that clients display. */
  readonly realm: string;
  /** Returns the authenticated user. Wrong credentials: undefined, or an error. */
  check(credentials: Credentials, request: Request, state: About): User | undefined;
  /** Path prefixes, or a predicate for the requests to check. Default: all. */
  readonly scope?: string | readonly string[] | ((request: Request, state: About) => boolean);
  /** Returns the error for a fault. Default: a 401 response that asks for credentials. */
  refuse?(fault: Fault): Error;
  /** Requests without valid credentials continue, and `basicAuth.error` has the reason. */
  readonly isOptional?: boolean;
}

/** The value of `basicAuth` in later hooks and handlers. */
export interface BasicAuth<User> {
  readonly user?: User;
  readonly error?: Error;
}

interface IdentifiedRequest<User> {
  readonly basicAuth: BasicAuth<User>;
}

/** Adds the authenticated user to the context as `basicAuth.user`. */
export function basicAuth<User, About = unknown>(options: BasicAuthOptions<User, About>) {
  const identify = basicAuthOf(options);
  return (
    new Elysia({ name: "basic-auth", seed: options })
      // Passed to `check` and `scope`, for apps that need more than the request.
      .decorate("requestState", undefined as About)
      // Two statements, because Elysia would await what looks like `return call(` in the source.
      .resolve({ as: "global" }, function ({ request, requestState: state }) {
        const { basicAuth } = identify(request, state);
        return { basicAuth };
      })
  );
}

const ANONYMOUS_STATE = { basicAuth: {} };
/** Number of parsed headers to cache, so that a busy client's header is parsed once. */
const KNOWN_MAX = 10_000;

/** The plugin as a function, for requests that bypass the app. */
export function basicAuthOf<User, About>(options: BasicAuthOptions<User, About>) {
  const { check, isOptional = false } = options;
  const refuse = options.refuse ?? ((fault) => new Unauthorized(options.realm, fault));
  const isRequested = scopeOf(options.scope);
  const credentialsByHeader = new Map<string, Credentials>();

  /** Only valid credentials are cached, so that guessing cannot evict them. */
  const remember = (header: string, credentials: Credentials) => {
    if (credentialsByHeader.size >= KNOWN_MAX)
      credentialsByHeader.delete(credentialsByHeader.keys().next().value!);
    credentialsByHeader.set(header, credentials);
  };

  const identified = (request: Request, state: About): IdentifiedRequest<User> => {
    const header = request.headers.get("authorization");
    if (header === null) {
      if (isOptional) return ANONYMOUS_STATE;
      throw refuse("missing");
    }
    const before = credentialsByHeader.get(header);
    const credentials = before ?? credentialsOf(header);
    if (typeof credentials === "string") throw refuse(credentials);
    const user = check(credentials, request, state);
    if (user === undefined) throw refuse("wrong");
    if (before === undefined) remember(header, credentials);
    return { basicAuth: { user } };
  };

  return (request: Request, state: About): IdentifiedRequest<User> => {
    if (!isRequested(request, state)) return ANONYMOUS_STATE;
    try {
      return identified(request, state);
    } catch (error) {
      if (!isOptional) throw error;
      return { basicAuth: { error: error as Error } };
    }
  };
}

function scopeOf<About>(scope: BasicAuthOptions<unknown, About>["scope"]) {
  if (scope === undefined) return () => true;
  if (typeof scope === "function") return scope;
  const accepted = [scope].flat();
  return ({ url }: Request) => {
    const { pathname } = new URL(url);
    return accepted.some((beginning) => pathname.startsWith(beginning));
  };
}

/** RFC 7617. */
function credentialsOf(header: string): Credentials | "scheme" | "malformed" {
  const credentials = header.trim();
  const space = credentials.search(/\s/);
  const scheme = space < 0 ? credentials : credentials.slice(0, space);
  if (scheme.toLowerCase() !== "basic") return "scheme";
  const encoded = credentials.slice(scheme.length).trim();
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return "malformed";
  const decoded = Buffer.from(encoded, "base64").toString();
  const colon = decoded.indexOf(":");
  if (colon < 0) return "malformed";
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** Elysia responds with the result of `toResponse` unless the app handles the error itself. */
class Unauthorized extends Error {
  readonly status = 401;

  constructor(
    private readonly realm: string,
    readonly fault: Fault,
  ) {
    super("Unauthorized");
  }

  toResponse(): Response {
    const quoted = this.realm.replaceAll(/["\\]/g, "\\$&");
    const headers = { "WWW-Authenticate": `Basic realm="${quoted}", charset="UTF-8"` };
    return new Response(this.message, { status: this.status, headers });
  }
}
