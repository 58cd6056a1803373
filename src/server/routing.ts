// The rows of the routes table, and the search for the route of a path and method.
import { methodNotAllowed, pathNotFound } from "../contract/errors/general.ts";
import type { Endpoint, OpenEndpoint, Parameters } from "../endpoint.ts";
import { type Sharing, sharingOf } from "./security-headers.ts";
import type { Gate, OpenGate } from "./gate.ts";
import { decodedInPath, type Slots, parameterSlots } from "./parameters/decode.ts";
import { decodedPart } from "./parameters/parameters.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

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
 * `by key`: not available under /json. `nobody's`: likewise, and always counts for the IP address.
 * `free`: never counts toward a rate limit, such as resources of a page and health probes; this
 * applies to all routes of the path.
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
  /** Requests count for the IP address, whoever sends them. */
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

/**
 * Splits a URL by searching for its separators, because this runs for every request. Repeated
 * slashes count as one.
 */
export function partsOf(url: string) {
  // A request without a host has only a path.
  const hostAt = url.startsWith("/") ? 0 : url.indexOf("://") + 3;
  const pathAt = url.indexOf("/", hostAt);
  const mark = url.indexOf("?", pathAt);
  const host = url.slice(hostAt, pathAt);
  const path = mark < 0 ? url.slice(pathAt) : url.slice(pathAt, mark);
  const query = mark < 0 ? "" : url.slice(mark + 1);
  return { host, path: path.includes("//") ? path.replaceAll(/\/{2,}/g, "/") : path, query };
}

/**
 * Returns the patterns of all routes; of two that match a path, the one with more literal segments
 * comes first.
 */
export function routePatternsOf(routes: readonly Route[]): RoutePattern[] {
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
  return Array.from(patterns, ([key, pattern]) => ({ rank: rank(key), pattern }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ pattern }) => pattern);
}

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

/** Finds the pattern of a path by trying each one, for paths in unusual spelling. */
export function routePatternAt(
  patterns: readonly RoutePattern[],
  path: string,
): RoutePattern | undefined {
  const parts = path.split("/");
  const isApi = byAt(path) !== "either";
  return patterns.find(({ segments, isApi: isOfApi }) => {
    if (isApi && !isOfApi) return false;
    const hasRest = segments.at(-1) === "*";
    if (hasRest ? parts.length < segments.length : parts.length !== segments.length) return false;
    return segments.every((word, index) => {
      return word === "*" || (word === undefined ? parts[index] !== "" : word === parts[index]);
    });
  });
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

/** Sorts literal segments before parameters, and parameters before a rest, segment by segment. */
function rank(key: string) {
  return key.replaceAll(/(?<=\/):(?=\/|$)/g, "\uffef").replaceAll(/(?<=\/)\*$/g, "\uffff");
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
