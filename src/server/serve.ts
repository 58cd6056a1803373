// Starts the HTTP server.
import { withTimeout } from "../async/with-timeout.ts";
import type { Config } from "../contract/config.ts";
import { App, type Watch } from "./app.ts";
import type { Certificates } from "./certificates.ts";
import { registerDirect } from "./direct.ts";
import type { Hosts } from "./hosts.ts";
import { type Address, Listening, type Open, reached } from "./listening.ts";
import type { RequestCounts } from "./insight/requests.ts";
import { RequestObserver } from "./insight/observe.ts";
import { type Log, openLog } from "./log.ts";
import { serveHttpRedirect } from "./http-redirect.ts";
import type { PageOf } from "./plugins/refusals.ts";
import { type Route, RouteTable } from "./routing.ts";

/** Longer than any pause of a long poll. */
const IDLE_SECONDS = 120;
/** Allowance for a request beyond the largest file. Forms have much lower limits. */
const BODY_MIB_OVER = 28;
const TLS_1_2 = 0x0303;
/** Time that a stop allows for running requests. */
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
  /** The additional URL without TLS. */
  readonly plain_url?: string;
  /** Stops listening and waits for running requests. */
  stop(): Promise<void>;
}

export interface Hooks {
  /** Renders an error page for browsers. */
  readonly pageOf?: PageOf;
  /** Answers waiting polls because the server stops. */
  wake?(): void;
  /** Request counters, if metrics are enabled. */
  readonly counts?: RequestCounts | undefined;
  /** Enables TLS. */
  readonly certificates?: Certificates | undefined;
  /**
   * Method and path of the routes that bypass the app, and the relative CPU time that this saves.
   */
  readonly direct?: Readonly<Record<string, number>>;
  /** Timeout for requests and responses that have no other. */
  readonly idle_seconds?: number;
}

export async function serve(
  hosts: Hosts,
  routes: readonly Route[],
  config: ServerConfig,
  hooks: Hooks = {},
): Promise<Serving> {
  const log = openLog(config);
  const table = new RouteTable(routes);
  const requestObserver = new RequestObserver(config, log, hooks.counts);
  const app = new App(hosts, config, log, requestObserver, table, hooks.pageOf);
  let listening: Listening | undefined;
  const watch: Watch = (response, request, peers) => {
    const watched = requestObserver.watch(response, request);
    return listening?.isLeaving(peers) ? withoutMore(watched) : watched;
  };
  const open: Open = (port, tls) => {
    const elysia = app.elysia(watch, {
      idleTimeout: hooks.idle_seconds ?? IDLE_SECONDS,
      routes: registerDirect(app, table.patterns, hooks.direct ?? {}, watch),
    });
    elysia.listen({
      hostname: config.host,
      port,
      maxRequestBodySize: (config.max_upload_mib + BODY_MIB_OVER) * 1_048_576,
      // Elysia's default would let a second server receive half of the connections.
      reusePort: tls !== undefined,
      ...(tls && { tls: { ...tls, minVersion: TLS_1_2 } }),
    } as object);
    if (elysia.server === null) throw new Error("the server is not listening");
    return elysia.server;
  };
  const { certificates } = hooks;
  const started = (listening = Listening.begin(open, config, certificates?.pair));
  if (certificates) {
    app.setTls(certificates);
    started.onEnd = () => log.info("serving with a new certificate");
    let { isTrusted } = certificates;
    certificates.onChange = () => {
      app.setTls(certificates);
      // A certificate that browsers did not trust can be replaced at once.
      started.change(certificates.pair, !isTrusted);
      isTrusted = certificates.isTrusted;
    };
  }
  const { url } = started;
  const plainText =
    certificates &&
    config.http &&
    openBoth(started, config.http, (http) =>
      serveHttpRedirect(http, { hosts, certificates, url: config.url || url }),
    );
  log.info("listening", { url, ...(plainText && { plainly: plainText.url.origin }) });
  const stopAll = async () => {
    await Promise.all([stop(started, hooks, log), plainText?.stop(true)]);
  };
  return { url, ...(plainText && { plain_url: plainText.url.origin }), stop: stopAll };
}

async function withoutMore(sent: Response | Promise<Response>): Promise<Response> {
  const response = await sent;
  response.headers.set("Connection", "close");
  return response;
}

/** Opens both listeners, or neither. */
function openBoth<T>(listening: Listening, http: Address, open: (http: Address) => T): T {
  try {
    return reached(http, "--http", () => open(http));
  } catch (error) {
    void listening.stop(true);
    throw error;
  }
}

/** Waiting polls are answered at once; other requests get time to complete and are then aborted. */
async function stop(server: Listening, hooks: Hooks, log: Log) {
  const stopped = server.stop();
  hooks.wake?.();
  await withTimeout(stopped, STOP_MS, () => {});
  await server.stop(true);
  log.info("stopped");
}
