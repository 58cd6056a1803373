// What a row of the routes page is, and how a request's path and method find theirs.
import { methodNotAllowed, pathNotFound } from "../contract/errors/general.ts";
import type { Endpoint, OpenEndpoint, Parameters } from "../endpoint.ts";
import { type Sharing, sharingOf } from "./bearing.ts";
import type { Gate, OpenGate } from "./gate.ts";
import { decodedInPath, type Slots, slotsOf } from "./parameters/decode.ts";
import { decodedPart } from "./parameters/parameters.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Paths lie under /api/v1 for who asks with a key, and under /json for who asks in a session,
 * unless they begin with `root:`. `{rest*}` at the end takes the rest.
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
 * `by key`: it has no twin under /json. `nobody's`: so too, and whoever asks, it counts for the
 * address alone. `free`: it never counts in a limit, as what a browser loads beside a page, and
 * what asks whether the server is alive; the path's other routes neither.
 */
type Mark = "by key" | "nobody's" | "free";
const API = "/api/v1";
const SESSION_API = "/json";

/** A route made ready. */
export interface Mounted {
  readonly route: Route;
  readonly slots: Slots;
  /** The names of the path's parameters, in order. */
  readonly inPath: readonly string[];
}

/** A path with its parameters left open, and the routes that lie there. */
export interface Shape {
  /** Of the segments; undefined for a parameter, `*` for the rest. */
  readonly segments: readonly (string | undefined)[];
  readonly isApi: boolean;
  /** With what one asks there; on pages and files, with either. */
  readonly by: "key" | "session" | "either";
  /** What pages of other sites may do with what is there. */
  readonly sharing: Sharing;
  /** Its requests count in no limit. */
  readonly isFree: boolean;
  /** Its requests count for an address, whoever asks. */
  readonly isNobodys: boolean;
  /** The key may stand in the address, alone. */
  readonly isByAddress: boolean;
  /** A key opens nothing there. */
  readonly isBySession: boolean;
  readonly mounted: Mounted[];
}

export interface Found {
  readonly mounted: Mounted;
  /** The values of the path's parameters, to be completed. */
  readonly values: Record<string, unknown>;
}

/** The address that a route answers at, with its parameters in braces. */
export function addressOf({ path }: Route): string {
  return path.startsWith("root:") ? path.slice("root:".length) : API + path;
}

/** All of them, of which `addressOf` is the first. */
function addressesOf(route: Route): [string, Route][] {
  const { path, mark } = route;
  const own: [string, Route] = [addressOf(route), route];
  const isAlone = path.startsWith("root:") || mark === "by key" || mark === "nobody's";
  return isAlone ? [own] : [own, [SESSION_API + path, route]];
}

/** Whether only a session's cookie says who asks. */
export const isInSession = ({ by, isBySession }: Shape) => by === "session" || isBySession;

function byAt(path: string): Shape["by"] {
  if (isByKey(path)) return "key";
  return path.startsWith(`${SESSION_API}/`) ? "session" : "either";
}

/** Where programs ask by a key; elsewhere pages of browsers do, and their pictures. */
export const isByKey = (path: string) => path.startsWith(`${API}/`);

/** Where programs ask, whatever they find. */
export const isApi = (path: string) => /^\/(?:api|json)\//.test(path);

/** An address in parts, read by its marks, as this runs for every request. Slashes are single. */
export function partsOf(url: string) {
  // A request that names no host comes as its path alone.
  const hostAt = url.startsWith("/") ? 0 : url.indexOf("://") + 3;
  const pathAt = url.indexOf("/", hostAt);
  const mark = url.indexOf("?", pathAt);
  const host = url.slice(hostAt, pathAt);
  const path = mark < 0 ? url.slice(pathAt) : url.slice(pathAt, mark);
  const query = mark < 0 ? "" : url.slice(mark + 1);
  return { host, path: path.includes("//") ? path.replaceAll(/\/{2,}/g, "/") : path, query };
}

/** The shapes of all routes; of two that fit one path, the one with more words comes first. */
export function shapesOf(routes: readonly Route[]): Shape[] {
  const shapes = new Map<string, Shape>();
  for (const [address, route] of routes.flatMap(addressesOf)) {
    const parts = address.split("/");
    const segments = parts.map((part) => (isHole(part) ? (isRest(part) ? "*" : undefined) : part));
    const key = segments.map((segment) => segment ?? ":").join("/");
    const begun = shapes.get(key) ?? emptyShape(segments, byAt(key), sharingOf(key));
    const shape = withRoute(begun, route);
    shapes.set(key, shape);
    const inPath = parts.filter(isHole).map((part) => part.replaceAll(/[{}*]/g, ""));
    assertDeclared(route, inPath);
    shape.mounted.push({ route, slots: slotsOf(route.endpoint.params, inPath), inPath });
  }
  return [...shapes.entries()].sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1)).map(([, it]) => it);
}

function emptyShape(segments: Shape["segments"], by: Shape["by"], sharing: Sharing): Shape {
  const isApi = by !== "either";
  const flags = { isFree: false, isNobodys: false, isByAddress: false, isBySession: false };
  return { segments, isApi, by, sharing, ...flags, mounted: [] };
}

function withRoute(shape: Shape, { gate, mark }: Route): Shape {
  return {
    ...shape,
    isFree: shape.isFree || mark === "free",
    isNobodys: shape.isNobodys || mark === "nobody's",
    isByAddress: shape.isByAddress || (!gate.open && gate.byAddress === true),
    isBySession: shape.isBySession || (!gate.open && gate.bySession === true),
  };
}

/** The shape of a path, looked for one by one: for paths written in an unusual way. */
export function shapeAt(shapes: readonly Shape[], path: string): Shape | undefined {
  const parts = path.split("/");
  const isApi = byAt(path) !== "either";
  return shapes.find(({ segments, isApi: isOfApi }) => {
    if (isApi && !isOfApi) return false;
    const hasRest = segments.at(-1) === "*";
    if (hasRest ? parts.length < segments.length : parts.length !== segments.length) return false;
    return segments.every((word, at) => {
      return word === "*" || (word === undefined ? parts[at] !== "" : word === parts[at]);
    });
  });
}

/** The route of a method at a path of this shape, or a refusal. */
export function find(shape: Shape, method: string, path: string): Found {
  for (const mounted of shape.mounted) {
    if (mounted.route.method !== method) continue;
    const values = valuesInPath(shape, mounted, path);
    if (values !== undefined) return { mounted, values };
  }
  throw methodNotAllowed(methodsAt(shape, path));
}

/** The methods that a path of this shape answers to. */
export function methodsAt(shape: Shape, path: string): string[] {
  const fitting = shape.mounted.filter((one) => valuesInPath(shape, one, path) !== undefined);
  if (fitting.length === 0) throw pathNotFound();
  const methods = new Set<string>(fitting.map(({ route }) => route.method));
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods.add("OPTIONS")].sort();
}

function valuesInPath(
  { segments }: Shape,
  { inPath, route }: Mounted,
  path: string,
): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {};
  if (inPath.length === 0) return values;
  const parts = path.split("/");
  let hole = 0;
  for (const [at, segment] of segments.entries()) {
    if (segment !== undefined && segment !== "*") continue;
    const raw = segment === "*" ? parts.slice(at).join("/") : (parts[at] ?? "");
    const name = inPath[hole++] ?? "";
    const parameter = (route.endpoint.params as Parameters)[name];
    const value = parameter && decodedInPath(parameter, decodedPart(raw));
    if (value === undefined) return undefined;
    values[name] = value;
  }
  return values;
}

function assertDeclared({ method, path, endpoint }: Route, inPath: readonly string[]) {
  const stranger = inPath.find((name) => !(name in endpoint.params));
  if (stranger !== undefined) throw new Error(`${method} ${path} does not declare ${stranger}`);
}

function isHole(part: string) {
  return part.startsWith("{") && part.endsWith("}");
}

function isRest(part: string) {
  return part.endsWith("*}");
}

/** Sorts words before parameters, and a parameter before a rest, segment by segment. */
function rank(key: string) {
  return key.replaceAll(/(?<=\/):(?=\/|$)/g, "\uffef").replaceAll(/(?<=\/)\*$/g, "\uffff");
}

/** A row of the routes page. */
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
