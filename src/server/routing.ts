// The rows of the routes table, and the search for the route of a path and method.
import { methodNotAllowed, pathNotFound } from "../contract/errors/general.ts";
import type { Endpoint, OpenEndpoint, Parameters } from "../endpoint.ts";
import { type Sharing, sharingOf } from "./security-headers.ts";
import type { Gate, OpenGate } from "./gate.ts";
import { decodedInPath, type Slots, parameterSlots } from "./parameters/decode.ts";
import { decodedPart } from "./parameters/parameters.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Paths are under /api/v1 for API keys and under /json for sessions, unless they start with
 * `root:`. A final `{rest*}` matches the rest of the path.
 */
export type Route = {
  readonly method: Method;
  readonly path: string;
  readonly mark?: Mark | undefined;
} & (
  | { readonly gate: Gate; readonly endpoint: Endpoint }
  | { readonly gate: OpenGate; readonly endpoint: OpenEndpoint }
);

/**
 * `by key`: not available under /json. `nobody's`: not available under /json either, and counts for
 * the IP address even if a user is known. `free`: never counts toward a rate limit, such as
 * resources of a page and health probes; this applies to all routes of the path.
 */
type Mark = "by key" | "nobody's" | "free";
const API = "/api/v1";
const SESSION_API = "/json";

/** A route that is ready to serve. */
export class Mounted {
  private prepared: Slots | undefined;

  /** `inPath`: names of the path parameters, in order. */
  constructor(
    readonly route: Route,
    readonly inPath: readonly string[],
  ) {}

  /** Prepared for the first request, because a start would prepare hundreds. */
  get slots(): Slots {
    return (this.prepared ??= parameterSlots(this.route.endpoint.params, this.inPath));
  }
}

/** A path pattern with its routes. */
export interface RoutePattern {
  /** Segments: text, undefined for a parameter, `*` for the rest. */
  readonly segments: readonly (string | undefined)[];
  readonly isApi: boolean;
  /** Authentication for this path; pages and files accept both. */
  readonly authentication: "key" | "session" | "either";
  /** Use of the resource by pages of other sites. */
  readonly sharing: Sharing;
  /** Requests do not count toward a rate limit. */
  readonly isFree: boolean;
  /** Requests count for the IP address, regardless of the user. */
  readonly isPerAddress: boolean;
  /** The API key may be in the URL. */
  readonly isByAddress: boolean;
  /** API keys are not accepted. */
  readonly isBySession: boolean;
  readonly mounted: Mounted[];
}

export interface RouteMatch {
  readonly mounted: Mounted;
  /** Values of the path parameters, completed later. */
  readonly values: Record<string, unknown>;
}

/** Returns the address of a route, with its parameters in braces. */
export function addressOf({ path }: Route): string {
  return path.startsWith("root:") ? path.slice("root:".length) : API + path;
}

/** Returns all addresses of a route; `addressOf` returns the first. */
function addressesOf(route: Route): [string, Route][] {
  const { path, mark } = route;
  const own: [string, Route] = [addressOf(route), route];
  const isAlone = path.startsWith("root:") || mark === "by key" || mark === "nobody's";
  return isAlone ? [own] : [own, [SESSION_API + path, route]];
}

/** Whether only a session cookie authenticates. */
export const isInSession = ({ authentication, isBySession }: RoutePattern) =>
  authentication === "session" || isBySession;

function byAt(path: string): RoutePattern["authentication"] {
  if (isByKey(path)) return "key";
  return path.startsWith(`${SESSION_API}/`) ? "session" : "either";
}

/** Whether programs call the path with a key; other paths are for browsers. */
export const isByKey = (path: string) => path.startsWith(`${API}/`);

/** Whether the path belongs to the API, whether or not it exists. */
export const isApi = (path: string) => /^\/(?:api|json)\//.test(path);

export interface UrlParts {
  readonly host: string;
  readonly path: string;
  /** The text after `?`. */
  readonly query: string;
}

/**
 * Splits a URL by searching for its separators, because this runs for every request. Repeated
 * slashes count as one.
 */
export function partsOf(url: string): UrlParts {
  // A request without a host has only a path.
  const hostAt = url.startsWith("/") ? 0 : url.indexOf("://") + 3;
  const pathAt = url.indexOf("/", hostAt);
  const mark = url.indexOf("?", pathAt);
  const host = url.slice(hostAt, pathAt);
  const path = mark < 0 ? url.slice(pathAt) : url.slice(pathAt, mark);
  const query = mark < 0 ? "" : url.slice(mark + 1);
  return { host, path: path.includes("//") ? path.replaceAll(/\/{2,}/g, "/") : path, query };
}

/** The patterns of all routes, and a search tree of their segments. */
export class RouteTable {
  readonly patterns: readonly RoutePattern[];
  private readonly root: RouteNode = newNode();

  constructor(routes: readonly Route[]) {
    const patterns = new Map<string, RoutePattern>();
    for (const [address, route] of routes.flatMap(addressesOf)) {
      const parts = address.split("/");
      const segments = parts.map((part) =>
        isPlaceholder(part) ? (isRest(part) ? "*" : undefined) : part,
      );
      const key = segments.map((segment) => segment ?? ":").join("/");
      const started = patterns.get(key) ?? emptyPattern(segments, byAt(key), sharingOf(key));
      const pattern = withRoute(started, route);
      patterns.set(key, pattern);
      const inPath = parts.filter(isPlaceholder).map((part) => part.replaceAll(/[{}*]/g, ""));
      assertDeclared(route, inPath);
      pattern.mounted.push(new Mounted(route, inPath));
    }
    for (const pattern of patterns.values()) this.add(pattern);
    this.patterns = [...patterns.values()];
  }

  /**
   * Finds the pattern of a path. Of two that match, the one whose first different segment is
   * literal comes before one with a parameter there, and that before one with the rest.
   */
  at(path: string): RoutePattern | undefined {
    return search(this.root, path.split("/"), 0, byAt(path) !== "either");
  }

  private add(pattern: RoutePattern): void {
    let node = this.root;
    for (const segment of pattern.segments) {
      if (segment === "*") {
        node.rest = pattern;
        return;
      }
      if (segment === undefined) node = node.parameter ??= newNode();
      else {
        const next = node.literals.get(segment) ?? newNode();
        node.literals.set(segment, next);
        node = next;
      }
    }
    node.pattern = pattern;
  }
}

interface RouteNode {
  readonly literals: Map<string, RouteNode>;
  parameter: RouteNode | undefined;
  rest: RoutePattern | undefined;
  pattern: RoutePattern | undefined;
}

const newNode = (): RouteNode => ({
  literals: new Map(),
  parameter: undefined,
  rest: undefined,
  pattern: undefined,
});

/** `isApi`: pages and files do not match. A parameter does not match an empty segment. */
function search(
  node: RouteNode,
  parts: readonly string[],
  index: number,
  isApi: boolean,
): RoutePattern | undefined {
  if (index === parts.length) return offered(node.pattern, isApi);
  const part = parts[index]!;
  const literal = node.literals.get(part);
  const match = literal && search(literal, parts, index + 1, isApi);
  if (match) return match;
  const { parameter, rest } = node;
  const byParameter = parameter && part !== "" && search(parameter, parts, index + 1, isApi);
  return byParameter || offered(rest, isApi);
}

const offered = (pattern: RoutePattern | undefined, isApi: boolean) =>
  isApi && !pattern?.isApi ? undefined : pattern;

function emptyPattern(
  segments: RoutePattern["segments"],
  authentication: RoutePattern["authentication"],
  sharing: Sharing,
): RoutePattern {
  const isApi = authentication !== "either";
  const flags = { isFree: false, isPerAddress: false, isByAddress: false, isBySession: false };
  return { segments, isApi, authentication, sharing, ...flags, mounted: [] };
}

function withRoute(pattern: RoutePattern, { gate, mark }: Route): RoutePattern {
  return {
    ...pattern,
    isFree: pattern.isFree || mark === "free",
    isPerAddress: pattern.isPerAddress || mark === "nobody's",
    isByAddress: pattern.isByAddress || (!gate.open && gate.byAddress === true),
    isBySession: pattern.isBySession || (!gate.open && gate.bySession === true),
  };
}

/** Returns the route of a method at this pattern. @throws if there is none */
export function find(pattern: RoutePattern, method: string, path: string): RouteMatch {
  for (const mounted of pattern.mounted) {
    if (mounted.route.method !== method) continue;
    const values = valuesInPath(pattern, mounted, path);
    if (values !== undefined) return { mounted, values };
  }
  throw methodNotAllowed(methodsAt(pattern, path));
}

/** Returns the methods that the pattern supports. */
export function methodsAt(pattern: RoutePattern, path: string): string[] {
  const fitting = pattern.mounted.filter(
    (mounted) => valuesInPath(pattern, mounted, path) !== undefined,
  );
  if (fitting.length === 0) throw pathNotFound();
  const methods = new Set<string>(fitting.map(({ route }) => route.method));
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods.add("OPTIONS")].sort();
}

function valuesInPath(
  { segments }: RoutePattern,
  { inPath, route }: Mounted,
  path: string,
): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {};
  if (inPath.length === 0) return values;
  const parts = path.split("/");
  let gap = 0;
  for (const [index, segment] of segments.entries()) {
    if (segment !== undefined && segment !== "*") continue;
    const raw = segment === "*" ? parts.slice(index).join("/") : (parts[index] ?? "");
    const name = inPath[gap++] ?? "";
    const parameter = (route.endpoint.params as Parameters)[name];
    const value = parameter && decodedInPath(parameter, decodedPart(raw));
    if (value === undefined) return undefined;
    values[name] = value;
  }
  return values;
}

function assertDeclared({ method, path, endpoint }: Route, inPath: readonly string[]) {
  const unknown = inPath.find((name) => !(name in endpoint.params));
  if (unknown !== undefined) throw new Error(`${method} ${path} does not declare ${unknown}`);
}

function isPlaceholder(part: string) {
  return part.startsWith("{") && part.endsWith("}");
}

function isRest(part: string) {
  return part.endsWith("*}");
}

/** Creates a row of the routes table. */
function row(method: Method) {
  function of(path: string, gate: Gate, endpoint: Endpoint, mark?: Mark): Route;
  function of(path: string, gate: OpenGate, endpoint: OpenEndpoint, mark?: Mark): Route;
  function of(path: string, gate: Gate | OpenGate, endpoint: object, mark?: Mark): Route {
    return { method, path, gate, endpoint, mark } as Route;
  }
  return of;
}

export const GET = row("GET");
export const POST = row("POST");
export const PUT = row("PUT");
export const PATCH = row("PATCH");
export const DELETE = row("DELETE");
