// `basic-auth`: who asks, by HTTP Basic, for any Elysia app: nothing of this server is known here.
import { Elysia } from "elysia";

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** What is wrong: nothing was said; not by Basic; not as Basic has it; or it lets nobody in. */
export type Fault = "missing" | "scheme" | "malformed" | "wrong";

export interface BasicAuthOptions<User, About> {
  /** What the name and the password are for, as clients show it to people. */
  readonly realm: string;
  /** Whom they let in; nobody: undefined, or an error that is thrown. */
  check(credentials: Credentials, request: Request, asked: About): User | undefined;
  /** The beginnings of paths, or which requests are looked at; without it, all are. */
  readonly scope?: string | readonly string[] | ((request: Request, asked: About) => boolean);
  /** The error of a fault; without it, an answer of 401 that asks for a name and a password. */
  refuse?(fault: Fault): Error;
  /** Whoever shows nothing, or the wrong thing, goes on, and `basicAuth.error` says why. */
  readonly isOptional?: boolean;
}

/** What the app's other hooks and its handlers find as `basicAuth`. */
export interface BasicAuth<User> {
  readonly user?: User;
  readonly error?: Error;
}

interface Found<User> {
  readonly basicAuth: BasicAuth<User>;
}

/** Whoever is let in stands in the context as `basicAuth.user`. */
export function basicAuth<User, About = unknown>(options: BasicAuthOptions<User, About>) {
  const identify = basicAuthOf(options);
  return (
    new Elysia({ name: "basic-auth", seed: options })
      // Handed on to `check` and `scope`, for an app whose answer depends on more than the request.
      .decorate("asked", undefined as About)
      // In two lines, as Elysia would await what looks like `return call(` in the source.
      .resolve({ as: "global" }, function ({ request, asked }) {
        const { basicAuth } = identify(request, asked);
        return { basicAuth };
      })
  );
}

const NOBODY = { basicAuth: {} };
/** How many headers are remembered as what they say: a busy client's is read once. */
const KNOWN_MAX = 10_000;

/** What the plug-in does, as a function: for what asks past the app. */
export function basicAuthOf<User, About>(options: BasicAuthOptions<User, About>) {
  const { check, isOptional = false } = options;
  const refuse = options.refuse ?? ((fault) => new Unauthorized(options.realm, fault));
  const isAsked = scopeOf(options.scope);
  const known = new Map<string, Credentials>();

  /** Only what lets somebody in is remembered, so that guessing drives out nobody. */
  const remember = (header: string, credentials: Credentials) => {
    if (known.size >= KNOWN_MAX) known.delete(known.keys().next().value!);
    known.set(header, credentials);
  };

  const identified = (request: Request, asked: About): Found<User> => {
    const header = request.headers.get("authorization");
    if (header === null) {
      if (isOptional) return NOBODY;
      throw refuse("missing");
    }
    const before = known.get(header);
    const credentials = before ?? credentialsOf(header);
    if (typeof credentials === "string") throw refuse(credentials);
    const user = check(credentials, request, asked);
    if (user === undefined) throw refuse("wrong");
    if (before === undefined) remember(header, credentials);
    return { basicAuth: { user } };
  };

  return (request: Request, asked: About): Found<User> => {
    if (!isAsked(request, asked)) return NOBODY;
    try {
      return identified(request, asked);
    } catch (error) {
      if (!isOptional) throw error;
      return { basicAuth: { error: error as Error } };
    }
  };
}

function scopeOf<About>(scope: BasicAuthOptions<unknown, About>["scope"]) {
  if (scope === undefined) return () => true;
  if (typeof scope === "function") return scope;
  const beginnings = [scope].flat();
  return ({ url }: Request) => {
    const { pathname } = new URL(url);
    return beginnings.some((beginning) => pathname.startsWith(beginning));
  };
}

/** RFC 7617. */
function credentialsOf(header: string): Credentials | "scheme" | "malformed" {
  const written = header.trim();
  const space = written.search(/\s/);
  const scheme = space < 0 ? written : written.slice(0, space);
  if (scheme.toLowerCase() !== "basic") return "scheme";
  const encoded = written.slice(scheme.length).trim();
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return "malformed";
  const decoded = Buffer.from(encoded, "base64").toString();
  const colon = decoded.indexOf(":");
  if (colon < 0) return "malformed";
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** Elysia answers with what `toResponse` gives, where the app has no other word for it. */
export class Unauthorized extends Error {
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
