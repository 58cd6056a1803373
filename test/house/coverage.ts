/** Finds which routes, events and errors the tests mention. */
import { type Source, sources } from "./source.ts";

type Route = { method: string; path: string; line: number };

const METHOD = "(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)";

/** Texts of tests, without the tables that list all routes and events. */
export function testText() {
  const isTest = ({ path }: Source) => !/^test\/(house|roles|protocol)/.test(path);
  const tests = sources("test/**/*.ts").filter(isTest);
  return tests.map(({ text }) => text).join("\n");
}

/** Rows of the routes page: `GET("/path", …`. */
export function routesOf({ text }: Source): Route[] {
  const row = new RegExp(`\\b${METHOD}\\(\\s*"/?([^"]+)"`, "g");
  return [...text.matchAll(row)].map(({ 1: method = "", 2: path = "", index }) => {
    const line = text.slice(0, index).split("\n").length;
    return { method, path, line };
  });
}

/** `POST messages/7/reactions` names the route that it would reach: the most literal match. */
export function unnamedRoutes(routes: Route[], text: string) {
  const namedRoutes = new Set<Route>();
  const mention = new RegExp(
    `\\b${METHOD} /?(?:api/v1/|json/)?((?:\\$\\{[^}]*\\}|[^\\s"'\`?$])+)`,
    "g",
  );
  for (const [, method, path = ""] of text.matchAll(mention)) {
    const requests = path.split("/");
    const isByEmail = path.includes("@");
    const reachedRoutes = routes
      .filter((route) => route.method === method && matchesRoute(route.path.split("/"), requests))
      .filter((route) => isByEmail === route.path.includes("{email}"))
      .toSorted((a, b) => countParameters(a.path) - countParameters(b.path))[0];
    if (reachedRoutes !== undefined) namedRoutes.add(reachedRoutes);
  }
  return routes.filter((route) => !namedRoutes.has(route));
}

function matchesRoute(route: string[], requests: string[]) {
  // Requests of paths under the root start with two slashes.
  const isSame = (part: string, index: number) =>
    part === requests[index] || part.includes("{") || (part === "root:" && requests[index] === "");
  return route.length === requests.length && route.every(isSame);
}

function countParameters(path: string) {
  return path.split("{").length;
}
