// Listens, and takes each request to its endpoint and the answer back.
import { Elysia } from "elysia";
import type { Config } from "../config.ts";
import type { Peers } from "./context.ts";
import type { Hosts } from "./hosts.ts";
import { type Log, openLog } from "./log.ts";
import { Responder } from "./respond.ts";
import { partsOf, type Route, shapeAt, shapesOf } from "./routing.ts";

/** Longer than a long poll is held without a word. */
const IDLE_SECONDS = 120;
/** What may arrive at all besides the largest file; forms are held to far less. */
const BODY_MIB_OVER = 28;
/** Where a path ends that no other route takes: it may be written in an unusual way. */
const EVERYTHING = "/*";
const STOP_MS = 10_000;

type ServerConfig = Pick<Config, "host" | "port" | "rate_limits" | "max_upload_mib" | "log">;

export interface Serving {
  readonly url: string;
  /** Stops listening, and waits for what is under way. */
  stop(): Promise<void>;
}

export interface Hooks {
  /** Answers the polls that wait, because the server stops. */
  wake?(): void;
}

type Direct = (request: Request, peers: Peers) => Response | Promise<Response>;

/** Bun's own router leads there; Elysia would write such a path otherwise. */
function isDirect(path: string) {
  return !path.endsWith("/") && !path.endsWith("*");
}

export async function serve(
  hosts: Hosts,
  routes: readonly Route[],
  config: ServerConfig,
  hooks: Hooks = {},
): Promise<Serving> {
  const log = openLog(config.log);
  const shapes = shapesOf(routes);
  const responder = new Responder(hosts, config, log);
  const direct: Record<string, Direct> = {};
  const serving = { idleTimeout: IDLE_SECONDS, routes: direct };
  const app = new Elysia({ strictPath: true, serve: serving as object });
  const raw = { parse: "none" } as const;
  for (const shape of shapes) {
    const path = shape.segments.map((word, at) => word ?? `:p${at}`).join("/");
    if (path === EVERYTHING) continue;
    if (isDirect(path)) direct[path] = (request, peers) => responder.respond(request, shape, peers);
    else app.all(path, ({ request, server }) => responder.respond(request, shape, server), raw);
  }
  const shapeOf = ({ url }: Request) => shapeAt(shapes, partsOf(url).path);
  app.all(
    EVERYTHING,
    ({ request, server }) => responder.respond(request, shapeOf(request), server),
    raw,
  );
  app.listen({
    hostname: config.host,
    port: config.port,
    maxRequestBodySize: (config.max_upload_mib + BODY_MIB_OVER) * 1_048_576,
    // Elysia's default would let a second server take half of the connections.
    reusePort: false,
  });
  const { server } = app;
  if (server === null) throw new Error("the server does not listen");
  const url = server.url.origin;
  log.info("listening", { url });
  return { url, stop: () => stop(server, hooks, log) };
}

/** Polls that wait are answered at once; what works on gets its time, and is cut off then. */
async function stop(server: { stop(now?: boolean): Promise<void> }, hooks: Hooks, log: Log) {
  const stopped = server.stop();
  hooks.wake?.();
  let timer: Timer | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, STOP_MS)));
  await Promise.race([stopped, late]);
  clearTimeout(timer);
  await server.stop(true);
  log.info("stopped");
}
