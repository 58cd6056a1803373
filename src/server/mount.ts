// Registers routes with the app.
import type { AnyElysia } from "elysia";
import { type RequestState, plugin } from "./request-state.ts";
import { partsOf, type RoutePattern, routePatternAt } from "./routing.ts";

/** Processing before and after the plug-ins. */
export interface Mounting {
  begin(request: Request, pattern: RoutePattern | undefined): RequestState;
  /** Sets the response in `earlyResponse`. */
  answer(requestState: RequestState): void;
}

/** A route pattern with one method or all methods. */
export interface MountPoint {
  readonly method: string;
  readonly shape: RoutePattern;
}

/** Matches paths that no other route matches, such as unusual spellings. */
export const EVERYTHING = "/*";

/** Elysia does not read the body; the plug-in `form` does. */
const UNREAD = { parse: "none" } as const;

export function mountPointsOf(patterns: readonly RoutePattern[]): MountPoint[] {
  const byHead = Map.groupBy(patterns, headOf);
  return patterns
    .filter((pattern) => pathOf(pattern) !== EVERYTHING)
    .flatMap((pattern) => {
      const heads = new Set([headOf(pattern), OPEN_HEAD]);
      const similar = [...heads].flatMap((head) => byHead.get(head) ?? []);
      return methodsOf(pattern, similar).map((method) => ({ method, shape: pattern }));
    });
}

/** Number of segments by which patterns are grouped: `/api/v1/users`. */
const HEAD_SEGMENTS = 4;
/** Patterns with a parameter among these segments. */
const OPEN_HEAD = "";

function headOf({ segments }: RoutePattern): string {
  const head = segments.slice(0, HEAD_SEGMENTS);
  return head.includes(undefined) ? OPEN_HEAD : head.join("/");
}

/** `macros`: further hooks before the endpoint. */
export function mount<App extends AnyElysia>(
  app: App,
  mountPoints: readonly MountPoint[] | undefined,
  { begin, answer: response }: Mounting,
  macros: object = {},
): App {
  for (const { method, shape: pattern } of mountPoints ?? []) {
    const transform = function (context: Context) {
      context.requestState = begin(context.request, pattern);
    };
    const body = method === "GET" ? {} : UNREAD;
    const hooks: object = { transform, ...body, ...macros };
    app.route(method, pathOf(pattern), handlerOf(response), hooks);
  }
  return app;
}

/** Handles all other addresses and methods by searching for a matching route. */
export function unusualPaths(
  patterns: readonly RoutePattern[],
  { begin, answer: response }: Mounting,
  macros: object,
) {
  const transform = function (context: Context) {
    const { path } = partsOf(context.request.url);
    context.requestState = begin(context.request, routePatternAt(patterns, path));
  };
  return plugin("unusual").all(EVERYTHING, handlerOf(response), {
    transform,
    ...UNREAD,
    ...macros,
  });
}

interface Context {
  readonly request: Request;
  requestState: RequestState;
}

/** Synchronous responses are sent synchronously. */
function handlerOf(response: Mounting["answer"]) {
  return function ({ requestState }: { requestState?: RequestState }) {
    response(requestState!);
    const { earlyResponse: sent } = requestState!;
    return sent;
  };
}

/** Returns the path in the router's syntax. */
export function pathOf({ segments }: RoutePattern): string {
  return segments.map((word, index) => word ?? `:p${index}`).join("/");
}

/**
 * Returns the methods of the route and of all routes that match its path: a literal segment takes
 * precedence over a parameter for every method. `similar`: all patterns that could match.
 */
function methodsOf({ segments }: RoutePattern, similar: readonly RoutePattern[]): string[] {
  // Bun's router changes or rejects such paths, so Elysia's own router handles them.
  if (segments.at(-1) === "" || segments.at(-1) === "*") return ["ALL"];
  const fits = (word: string | undefined, index: number) =>
    word === undefined || word === segments[index];
  const fitting = similar.filter(
    (pattern) => pattern.segments.length === segments.length && pattern.segments.every(fits),
  );
  return [...new Set(fitting.flatMap(({ mounted }) => mounted.map(({ route }) => route.method)))];
}
