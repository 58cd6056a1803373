// Listens, and takes each request to its endpoint and the answer back.
import type { Config } from "../contract/config.ts";
import { Served, type Watch } from "./app.ts";
import type { Certificates } from "./certificates.ts";
import { directly } from "./direct.ts";
import type { Hosts } from "./hosts.ts";
import { type Address, Listening, type Open, reached } from "./listening.ts";
import type { RequestCounts } from "./insight/requests.ts";
import { Seen } from "./insight/seen.ts";
import { type Log, openLog } from "./log.ts";
import { servePlainly } from "./plainly.ts";
import type { PageOf } from "./plugins/refusals.ts";
import { type Route, shapesOf } from "./routing.ts";

/** Longer than a long poll is held without a word. */
const IDLE_SECONDS = 120;
/** What may arrive at all besides the largest file; forms are held to far less. */
const BODY_MIB_OVER = 28;
const TLS_1_2 = 0x0303;
/** For the requests under way, at a stop. */
const STOP_MS = 4_000;

type ServerConfig = Pick<
  Config,
  | "host"
  | "port"
  | "http"
  | "url"
  | "rate_limits"
  | "max_upload_mib"
  | "log"
  | "log_level"
  | "log_requests"
  | "log_addresses"
  | "proxies"
  | "trusted_proxy"
>;

export interface Serving {
  readonly url: string;
  /** Where it listens without TLS, besides. */
  readonly plain_url?: string;
  /** Stops listening, and waits for what is under way. */
  stop(): Promise<void>;
}

export interface Hooks {
  /** Where somebody looks at an address that is none, in a browser. */
  readonly pageOf?: PageOf;
  /** Answers the polls that wait, because the server stops. */
  wake?(): void;
  /** Where requests are counted, if anybody asks for that. */
  readonly counts?: RequestCounts | undefined;
  /** With them, TLS is spoken. */
  readonly certificates?: Certificates | undefined;
  /** By method and path, the routes that are mounted past the app, and what that saves. */
  readonly direct?: Readonly<Record<string, number>>;
  /** For how long a request or an answer may take that nothing else looks after. */
  readonly idle_seconds?: number;
}

export async function serve(
  hosts: Hosts,
  routes: readonly Route[],
  config: ServerConfig,
  hooks: Hooks = {},
): Promise<Serving> {
  const log = openLog(config);
  const shapes = shapesOf(routes);
  const seen = new Seen(config, log, hooks.counts);
  const served = new Served(hosts, config, log, seen, shapes, hooks.pageOf);
  let listening: Listening | undefined;
  const watch: Watch = (told, request, peers) => {
    const watched = seen.watch(told, request);
    return listening?.isLeaving(peers) ? withoutMore(watched) : watched;
  };
  const open: Open = (port, tls) => {
    const app = served.app(watch, {
      idleTimeout: hooks.idle_seconds ?? IDLE_SECONDS,
      routes: directly(served, shapes, hooks.direct ?? {}, watch),
    });
    app.listen({
      hostname: config.host,
      port,
      maxRequestBodySize: (config.max_upload_mib + BODY_MIB_OVER) * 1_048_576,
      // Elysia's default would let a second server take half of the connections.
      reusePort: tls !== undefined,
      ...(tls && { tls: { ...tls, minVersion: TLS_1_2 } }),
    } as object);
    if (app.server === null) throw new Error("the server does not listen");
    return app.server;
  };
  const { certificates } = hooks;
  const begun = (listening = Listening.begin(open, config, certificates?.pair));
  if (certificates) {
    served.bear(certificates);
    begun.onEnd = () => log.info("serves with another certificate");
    let { isTrusted } = certificates;
    certificates.onChange = () => {
      served.bear(certificates);
      // Nobody relied on one that nobody believes.
      begun.change(certificates.pair, !isTrusted);
      isTrusted = certificates.isTrusted;
    };
  }
  const { url } = begun;
  const plain =
    certificates &&
    config.http &&
    beside(begun, config.http, (http) =>
      servePlainly(http, { hosts, certificates, url: config.url || url }),
    );
  log.info("listening", { url, ...(plain && { plainly: plain.url.origin }) });
  const stopAll = async () => {
    await Promise.all([stop(begun, hooks, log), plain?.stop(true)]);
  };
  return { url, ...(plain && { plain_url: plain.url.origin }), stop: stopAll };
}

async function withoutMore(told: Response | Promise<Response>): Promise<Response> {
  const response = await told;
  response.headers.set("Connection", "close");
  return response;
}

/** Both listen, or neither does. */
function beside<T>(listening: Listening, http: Address, open: (http: Address) => T): T {
  try {
    return reached(http, "--http", () => open(http));
  } catch (error) {
    void listening.stop(true);
    throw error;
  }
}

/** Polls that wait are answered at once; what works on gets its time, and is cut off then. */
async function stop(server: Listening, hooks: Hooks, log: Log) {
  const stopped = server.stop();
  hooks.wake?.();
  let timer: Timer | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, STOP_MS)));
  await Promise.race([stopped, late]);
  clearTimeout(timer);
  await server.stop(true);
  log.info("stopped");
}
