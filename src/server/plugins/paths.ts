// `paths`: finds the route of a path and method, or the error if there is none.
import { pathNotFound } from "../../contract/errors/general.ts";
import { redirectResponse, options } from "../response.ts";
import { type RequestState, plugin } from "../request-state.ts";
import { prefersHtml } from "../context.ts";
import { find, methodsAt, type RoutePattern, type RouteTable } from "../routing.ts";

/** Sets `earlyResponse` if the response is already known. */
export function matchPath(requestState: RequestState, table: RouteTable): void {
  const { pattern, path, query, method, isGetOrHead } = requestState;
  if (pattern === undefined) {
    if (!isGetOrHead || !isPage(table, `${path}/`)) throw pathNotFound();
    requestState.earlyResponse = redirectResponse(
      `${path}/${query === "" ? "" : `?${query}`}`,
      requestState,
    );
  } else if (isGetOrHead && isOnlySentTo(pattern) && prefersHtml(requestState.request)) {
    requestState.earlyResponse = redirectResponse(pageAbove(table, path), requestState);
  } else if (isGetOrHead) {
    requestState.routeMatch = find(pattern, "GET", path);
  } else if (method === "OPTIONS") {
    requestState.earlyResponse = options(methodsAt(pattern, path), requestState);
  }
}

/** Paths that only receive forms of the page above. Reloading one shows that page. */
const isOnlySentTo = ({ isApi, segments, mounted }: RoutePattern) =>
  !isApi && segments.at(-1) === "" && mounted.every(({ route }) => route.method === "POST");

/** Returns the nearest page above the path; the client's page is above all. */
function pageAbove(table: RouteTable, path: string): string {
  const exists = (item: string) =>
    table.at(item)?.mounted.some(({ route }) => route.method === "GET");
  const parts = path.split("/").slice(1, -2);
  while (parts.length > 0 && !exists(`/${parts.join("/")}/`)) parts.pop();
  return parts.length === 0 ? "/" : `/${parts.join("/")}/`;
}

/** Whether the path is a page, whose address ends with a slash. Catch-all routes are not pages. */
function isPage(table: RouteTable, path: string): boolean {
  const pattern = table.at(path);
  return pattern !== undefined && !pattern.isApi && pattern.segments.at(-1) === "";
}

export const paths = (table: RouteTable) =>
  plugin("paths").onBeforeHandle({ as: "global" }, function ({ requestState }) {
    matchPath(requestState, table);
    const { earlyResponse: sent } = requestState;
    return sent;
  });
