// Registers the app's two routes, whose hooks process all requests.
import type { AnyElysia } from "elysia";
import type { RequestState } from "./request-state.ts";
import type { RoutePattern } from "./routing.ts";

/** Processing before and after the plugins. */
export interface Mounting {
  begin(request: Request): RequestState;
  /** Sets the response in `earlyResponse`. */
  answer(requestState: RequestState): void;
}

/**
 * Skein's own table finds the route of a path. To register each route with Elysia would take a
 * fifth of a start, and each would be compiled separately.
 */
const ALL_PATHS = "/*";

/** Elysia does not read the body; the plugin `form` does. */
const UNREAD = { parse: "none" } as const;

/** `macros`: further hooks before the endpoint. */
export function mount<App extends AnyElysia>(
  app: App,
  method: "GET" | "ALL",
  { begin, answer }: Mounting,
  macros: object,
): App {
  const transform = function (context: Context) {
    context.requestState = begin(context.request);
  };
  const body = method === "GET" ? {} : UNREAD;
  const hooks: object = { transform, ...body, ...macros };
  app.route(method, ALL_PATHS, handlerOf(answer), hooks);
  return app;
}

interface Context {
  readonly request: Request;
  requestState: RequestState;
}

/** Synchronous responses are sent synchronously. */
function handlerOf(answer: Mounting["answer"]) {
  return function ({ requestState }: { requestState?: RequestState }) {
    answer(requestState!);
    const { earlyResponse: sent } = requestState!;
    return sent;
  };
}

/** Returns the path in the syntax of Bun's router. */
export function pathOf({ segments }: RoutePattern): string {
  return segments.map((word, index) => word ?? `:p${index}`).join("/");
}
