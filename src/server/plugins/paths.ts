// `paths`: finds the route of a path and method, or the error if there is none.
import { pathNotFound } from "../../contract/errors/general.ts";
import { leading, options } from "../response.ts";
import { type RequestState, plugin } from "../request-state.ts";
import { prefersHtml } from "../context.ts";
import { find, methodsAt, type RoutePattern, routePatternAt } from "../routing.ts";

/** Sets `told` if the response is already known. */
export function look(requestState: RequestState, shapes: readonly RoutePattern[]): void {
  const { shape, path, query, method, isLook } = requestState;
  if (shape === undefined) {
    if (!isLook || !isPage(shapes, `${path}/`)) throw pathNotFound();
    requestState.told = leading(`${path}/${query === "" ? "" : `?${query}`}`, requestState);
  } else if (isLook && isOnlySentTo(shape) && prefersHtml(requestState.request)) {
    requestState.told = leading(pageAbove(shapes, path), requestState);
  } else if (isLook) {
    requestState.found = find(shape, "GET", path);
  } else if (method === "OPTIONS") {
    requestState.told = options(methodsAt(shape, path), requestState);
  }
}

/** Paths that only receive forms of the page above. Reloading one shows that page. */
const isOnlySentTo = ({ isApi, segments, mounted }: RoutePattern) =>
  !isApi && segments.at(-1) === "" && mounted.every(({ route }) => route.method === "POST");

/** Returns the nearest page above the path; the client's page is above all. */
function pageAbove(shapes: readonly RoutePattern[], path: string): string {
  const isThere = (one: string) =>
    routePatternAt(shapes, one)?.mounted.some(({ route }) => route.method === "GET");
  const parts = path.split("/").slice(1, -2);
  while (parts.length > 0 && !isThere(`/${parts.join("/")}/`)) parts.pop();
  return parts.length === 0 ? "/" : `/${parts.join("/")}/`;
}

/** Whether the path is a page, whose address ends with a slash. Catch-all routes are not pages. */
function isPage(shapes: readonly RoutePattern[], path: string): boolean {
  const shape = routePatternAt(shapes, path);
  return shape !== undefined && !shape.isApi && shape.segments.at(-1) === "";
}

export const paths = (shapes: readonly RoutePattern[]) =>
  plugin("paths").onBeforeHandle({ as: "global" }, function ({ asked: requestState }) {
    look(requestState, shapes);
    const { told } = requestState;
    return told;
  });
