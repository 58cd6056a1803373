// Registers a few routes with Bun's router, without Elysia, whose 1 to 2 µs would be noticeable
// there.
import type { App, Watch } from "./app.ts";
import type { Peers } from "./caller/proxies.ts";
import { pathOf } from "./mount.ts";
import type { RoutePattern } from "./routing.ts";

type DirectRoute = (request: Request, peers: Peers) => Response | Promise<Response>;

/**
 * `names`: method and path as in the routes table. Each route is registered with all its addresses.
 */
export function registerDirect(
  app: App,
  patterns: readonly RoutePattern[],
  names: Readonly<Record<string, number>>,
  watch: Watch,
): Record<string, Record<string, DirectRoute>> {
  const direct: Record<string, Record<string, DirectRoute>> = {};
  for (const pattern of patterns) {
    for (const { route } of pattern.mounted) {
      if (!Object.hasOwn(names, `${route.method} ${route.path}`)) continue;
      const routesByMethod = (direct[pathOf(pattern)] ??= {});
      routesByMethod[route.method] = (request, peers) =>
        watch(app.respond(request, pattern, peers), request, peers);
    }
  }
  return direct;
}
