// Publishes the description of all routes, including its own.
import { openEndpoint } from "../../endpoint.ts";
import { anyone } from "../gate.ts";
import type { Route } from "../routing.ts";

const PATH = "/openapi.json";

/** Its route, which is part of the list that it describes. */
export function openapiRoute(routes: () => readonly Route[]): Route {
  let text: string | undefined;
  const endpoint = openEndpoint({
    summary: "Get this document",
    tag: "Server",
    params: {},
    run: async () => {
      const { openapiOf } = await import("../openapi.ts");
      text ??= JSON.stringify(openapiOf(routes()));
      return new Response(text, { headers: { "Content-Type": "application/json" } });
    },
  });
  return { method: "GET", path: PATH, gate: anyone, endpoint, mark: "by key" };
}
