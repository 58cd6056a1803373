// Mounts places on the app: each request there begins with what is known of it by the place alone.
import type { AnyElysia } from "elysia";
import { type Asked, plugin } from "./asked.ts";
import { partsOf, type Shape, shapeAt } from "./routing.ts";

/** What becomes of a request, before the plug-ins and behind them. */
export interface Mounting {
  begin(request: Request, shape: Shape | undefined): Asked;
  /** Leaves what is to be answered as `told`. */
  answer(asked: Asked): void;
}

/** A place as it is asked by one method, or by all of them. */
export interface Place {
  readonly method: string;
  readonly shape: Shape;
}

/** Where a path ends that no other route takes: it may be written in an unusual way. */
export const EVERYTHING = "/*";

/** By Elysia: it is the plug-in `form` that does. */
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

/** `macros`: what else is done before the endpoint has its turn. */
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

/** Every other address and method: what is there, if anything, is looked for by its words. */
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

/** What an endpoint answers at once leaves at once. */
function handlerOf(answer: Mounting["answer"]) {
  return function ({ asked }: { asked?: Asked }) {
    answer(asked!);
    const { told } = asked!;
    return told;
  };
}

/** As routers write it. */
export function pathOf({ segments }: Shape): string {
  return segments.map((word, at) => word ?? `:p${at}`).join("/");
}

/**
 * Those of its own, and of all that its path fits: a word wins over a parameter, whatever is asked
 * of it. `alike`: those of as many segments.
 */
function methodsOf({ segments }: Shape, alike: readonly Shape[]): string[] {
  // Bun's router gets such a path in another form, or not at all: Elysia's own takes it.
  if (segments.at(-1) === "" || segments.at(-1) === "*") return ["ALL"];
  const fits = (word: string | undefined, at: number) =>
    word === undefined || word === segments[at];
  const fitting = alike.filter((one) => one.segments.every(fits));
  return [...new Set(fitting.flatMap(({ mounted }) => mounted.map(({ route }) => route.method)))];
}
