// Registers routes with the app.
import type { AnyElysia } from "elysia";
import { type RequestState, plugin } from "./request-state.ts";
import { partsOf, type RoutePattern, routePatternAt } from "./routing.ts";

/** Processing before and after the plug-ins. */
export interface Mounting {
  begin(request: Request, shape: RoutePattern | undefined): RequestState;
  /** Sets the response in `told`. */
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

export function mountPointsOf(shapes: readonly RoutePattern[]): MountPoint[] {
  const byLength = Map.groupBy(shapes, ({ segments }) => segments.length);
  return shapes
    .filter((shape) => pathOf(shape) !== EVERYTHING)
    .flatMap((shape) => {
      const methods = methodsOf(shape, byLength.get(shape.segments.length)!);
      return methods.map((method) => ({ method, shape }));
    });
}

/** `macros`: further hooks before the endpoint. */
export function mount<App extends AnyElysia>(
  app: App,
  places: readonly MountPoint[] | undefined,
  { begin, answer }: Mounting,
  macros: object = {},
): App {
  for (const { method, shape } of places ?? []) {
    const transform = function (context: Context) {
      context.asked = begin(context.request, shape);
    };
    const body = method === "GET" ? {} : UNREAD;
    const hooks: object = { transform, ...body, ...macros };
    app.route(method, pathOf(shape), handlerOf(answer), hooks);
  }
  return app;
}

/** Handles all other addresses and methods by searching for a matching route. */
export function unusualPaths(
  shapes: readonly RoutePattern[],
  { begin, answer }: Mounting,
  macros: object,
) {
  const transform = function (context: Context) {
    const { path } = partsOf(context.request.url);
    context.asked = begin(context.request, routePatternAt(shapes, path));
  };
  return plugin("unusual").all(EVERYTHING, handlerOf(answer), { transform, ...UNREAD, ...macros });
}

interface Context {
  readonly request: Request;
  asked: RequestState;
}

/** Synchronous responses are sent synchronously. */
function handlerOf(answer: Mounting["answer"]) {
  return function ({ asked: requestState }: { asked?: RequestState }) {
    answer(requestState!);
    const { told } = requestState!;
    return told;
  };
}

/** Returns the path in the router's syntax. */
export function pathOf({ segments }: RoutePattern): string {
  return segments.map((word, index) => word ?? `:p${index}`).join("/");
}

/**
 * Returns the methods of the route and of all routes that match its path: a literal segment takes
 * precedence over a parameter for every method. `alike`: routes with as many segments.
 */
function methodsOf({ segments }: RoutePattern, alike: readonly RoutePattern[]): string[] {
  // Bun's router changes or rejects such paths, so Elysia's own router handles them.
  if (segments.at(-1) === "" || segments.at(-1) === "*") return ["ALL"];
  const fits = (word: string | undefined, index: number) =>
    word === undefined || word === segments[index];
  const fitting = alike.filter((routePattern) => routePattern.segments.every(fits));
  return [...new Set(fitting.flatMap(({ mounted }) => mounted.map(({ route }) => route.method)))];
}
