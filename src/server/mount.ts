// Registers routes with the app.
import type { AnyElysia } from "elysia";
import { type Asked, plugin } from "./asked.ts";
import { partsOf, type Shape, shapeAt } from "./routing.ts";

/** Processing before and after the plug-ins. */
export interface Mounting {
  begin(request: Request, shape: Shape | undefined): Asked;
  /** Sets the response in `told`. */
  answer(asked: Asked): void;
}

/** A route pattern with one method or all methods. */
export interface Place {
  readonly method: string;
  readonly shape: Shape;
}

/** Matches paths that no other route matches, such as unusual spellings. */
export const EVERYTHING = "/*";

/** Elysia does not read the body; the plug-in `form` does. */
const UNREAD = { parse: "none" } as const;

export function placesOf(shapes: readonly Shape[]): Place[] {
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
  places: readonly Place[] | undefined,
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
export function unusual(shapes: readonly Shape[], { begin, answer }: Mounting, macros: object) {
  const transform = function (context: Context) {
    const { path } = partsOf(context.request.url);
    context.asked = begin(context.request, shapeAt(shapes, path));
  };
  return plugin("unusual").all(EVERYTHING, handlerOf(answer), { transform, ...UNREAD, ...macros });
}

interface Context {
  readonly request: Request;
  asked: Asked;
}

/** Synchronous responses are sent synchronously. */
function handlerOf(answer: Mounting["answer"]) {
  return function ({ asked }: { asked?: Asked }) {
    answer(asked!);
    const { told } = asked!;
    return told;
  };
}

/** Returns the path in the router's syntax. */
export function pathOf({ segments }: Shape): string {
  return segments.map((word, at) => word ?? `:p${at}`).join("/");
}

/**
 * Returns the methods of the route and of all routes that match its path: a literal segment takes
 * precedence over a parameter for every method. `alike`: routes with as many segments.
 */
function methodsOf({ segments }: Shape, alike: readonly Shape[]): string[] {
  // Bun's router changes or rejects such paths, so Elysia's own router handles them.
  if (segments.at(-1) === "" || segments.at(-1) === "*") return ["ALL"];
  const fits = (word: string | undefined, at: number) =>
    word === undefined || word === segments[at];
  const fitting = alike.filter((one) => one.segments.every(fits));
  return [...new Set(fitting.flatMap(({ mounted }) => mounted.map(({ route }) => route.method)))];
}
