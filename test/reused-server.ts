// Reuses HTTP servers between test servers, since composing the routes takes most of a start.
import type { Hosts } from "../src/server/hosts.ts";
import { RequestCounts } from "../src/server/insight/requests.ts";
import { type Hooks, serve, type Serving } from "../src/server/serve.ts";
import { onEnd } from "./cleanup.ts";

type Serve = typeof serve;

/** Maximum number of kept servers; the one unused for longest is stopped first. */
const SERVERS_MAX = 6;
/** Time for requests in progress, as a stop allows them. */
const QUIET_MS = 4_000;
const NO_HOSTS: Hosts = { realmAt: () => undefined, isRoot: () => false, realms: [] };

/** Counts the requests in progress. */
class PendingRequests extends RequestCounts {
  count = 0;

  override begin(): number {
    this.count += 1;
    return 0;
  }

  override end(): void {
    this.count -= 1;
  }
}

/** Requests that a page may send while it closes, which can arrive after its server has closed. */
const LAST_REQUESTS_MAX = 2;

/** An HTTP server whose organizations can be replaced. */
class ReusedServer implements Hosts {
  serving!: Serving;
  readonly counts = new PendingRequests();
  private hosts: Hosts = NO_HOSTS;
  private leaked = 0;
  private leakedMax = 0;

  private constructor(readonly settings: string) {}

  static async open(settings: string, [, routes, config, hooks]: Parameters<Serve>) {
    const server = new ReusedServer(settings);
    server.serving = await serve(server, routes, config, { ...hooks, counts: server.counts });
    return server;
  }

  get realms() {
    return this.hosts.realms;
  }

  /**
   * Fails if a client of the previous test server is still connected. `pages`: how many browsers
   * of that one were closed.
   */
  replace(hosts: Hosts, pages = 0): void {
    this.hosts = hosts;
    const { leaked, leakedMax } = this;
    [this.leaked, this.leakedMax] = [0, pages * LAST_REQUESTS_MAX];
    if (leaked <= leakedMax) return;
    throw new Error(`a test left a client behind: ${leaked} requests came after its server closed`);
  }

  realmAt(host: string) {
    if (this.hosts === NO_HOSTS) this.leaked += 1;
    return this.hosts.realmAt(host);
  }

  isRoot(host: string) {
    return this.hosts.isRoot(host);
  }

  /** Whether all requests were answered in time. */
  async isQuiet(): Promise<boolean> {
    const startedAt = performance.now();
    while (this.counts.count > 0) {
      if (performance.now() - startedAt > QUIET_MS) return false;
      await Bun.sleep(1);
    }
    return true;
  }
}

const retained: ReusedServer[] = [];

onEnd(async () => {
  const all = retained.splice(0);
  await Promise.all(all.map(({ serving }) => serving.stop()));
  for (const server of all) server.replace(NO_HOSTS);
});

/** The HTTP server of one test server. */
export class Lease {
  private isKept = false;
  private pages = 0;

  /**
   * From now on, a stop keeps the HTTP server for the next test server with equal settings.
   * `pages`: how many browsers were on this one.
   */
  keep(pages: number): void {
    [this.isKept, this.pages] = [true, pages];
  }

  readonly serve: Serve = async (...args) => {
    const [hosts, , config, hooks] = args;
    const settings = JSON.stringify({ ...config, data: "" });
    const index = retained.findLastIndex((item) => item.settings === settings);
    const server =
      retained.splice(index, index < 0 ? 0 : 1)[0] ?? (await ReusedServer.open(settings, args));
    try {
      server.replace(hosts);
    } catch (error) {
      await server.serving.stop();
      throw error;
    }
    return { url: server.serving.url, stop: () => this.stop(server, hooks) };
  };

  private async stop(server: ReusedServer, hooks: Hooks | undefined): Promise<void> {
    hooks?.wake?.();
    if (!this.isKept || !(await server.isQuiet())) return server.serving.stop();
    server.replace(NO_HOSTS, this.pages);
    retained.push(server);
    if (retained.length > SERVERS_MAX) await retained.shift()!.serving.stop();
  }
}
