// A test server: a real server with its own directory and users, and helpers to send requests.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../src/contract/config.ts";
import { createUser } from "../src/features/accounts/actions.ts";
import { newApiKey } from "../src/features/keys/actions.ts";
import { createOrganization } from "../src/features/organization/actions.ts";
import type { Realm } from "../src/realm.ts";
import { type FurtherOrganizations, run, type Running } from "../src/running.ts";
import { CAST, emailOf, type Name } from "./users.ts";
import { Lease } from "./reused-server.ts";
import { checkAnswer } from "./protocol/check-responses.ts";
import { count } from "./resource-usage.ts";

// oxlint-disable-next-line no-explicit-any -- responses are untyped JSON
export type Json = any;
export type Params = Record<string, unknown>;

/** A clock that follows the real one until it is stopped; tests can advance it. */
export class TestClock {
  private elapsedMs = 0;
  private stopped: number | undefined;

  now(): number {
    return (this.stopped ?? Date.now()) + this.elapsedMs;
  }

  /**
   * Stops the clock, so that only `pass` advances it and no job becomes due because a test is slow.
   */
  stop(): void {
    this.stopped ??= Date.now();
  }

  awake(): number {
    return performance.now() + this.elapsedMs;
  }

  passSeconds(seconds: number): void {
    this.elapsedMs += seconds * 1000;
  }
}

export interface RefusalBody {
  status: number;
  code: string;
  msg: string;
  [extra: string]: unknown;
}

export class TestServer {
  readonly clock: TestClock;
  /** Browser sessions on this server, which are closed before the server. */
  readonly browserSessions: { readonly faults: string[]; close(): Promise<void> }[] = [];
  private readonly keys = new Map<Name, string>();
  private readonly people = new Map<Name, number>();

  constructor(
    readonly directory: string,
    private running: Running,
    clock: TestClock,
    private readonly config: Config,
    /** The index of this server among several in one process, and its host. */
    private readonly address: { at: number; host?: string } = { at: 0 },
    private readonly lease?: Lease,
  ) {
    this.clock = clock;
  }

  get realm(): Realm {
    return this.running.realms[this.address.at]!;
  }

  get url(): string {
    return this.running.url;
  }

  get metrics_url(): string | undefined {
    return this.running.metrics_url;
  }

  /** The Host header, if several test servers share one address. */
  get hostHeader(): Record<string, string> {
    return this.address.host === undefined ? {} : { Host: this.address.host };
  }

  idOf(name: Name): number {
    return this.people.get(name)!;
  }

  keyOf(name: Name): string {
    return this.keys.get(name)!;
  }

  /** Sends a request that must succeed, and returns its JSON. */
  async request(name: Name | null, line: string, params: Params = {}): Promise<Json> {
    const response = await this.send(name, line, params);
    const body = (await response.json()) as Json;
    if (response.status !== 200 || body.result !== "success") {
      throw new Error(`${name}: ${line} → ${response.status} ${JSON.stringify(body)}`);
    }
    checkAnswer(line, body);
    return body;
  }

  /** Sends a request that must fail, and returns its error with the status. */
  async refused(name: Name | null, line: string, params: Params = {}): Promise<RefusalBody> {
    const response = await this.send(name, line, params);
    const body = (await response.json()) as Json;
    if (response.ok) throw new Error(`${name}: ${line} was not refused: ${JSON.stringify(body)}`);
    checkAnswer(line, body);
    return { status: response.status, ...body };
  }

  /**
   * `line`: method and path under /api/v1; a path that starts with `//` is relative to the root.
   */
  async send(name: Name | null, line: string, params: Params = {}): Promise<Response> {
    const [method, path] = line.split(" ") as [string, string];
    const url = new URL(this.url + (path.startsWith("//") ? path.slice(1) : `/api/v1${path}`));
    const form = formOf(params);
    const headers: Record<string, string> = { "User-Agent": "SkeinTest/1.0" };
    if (name !== null) headers["Authorization"] = this.basicAuthorization(name);
    Object.assign(headers, this.hostHeader);
    if (method === "GET") {
      url.search = form.toString();
      return fetch(url, { headers });
    }
    return fetch(url, { method, headers, body: form });
  }

  basicAuthorization(name: Name): string {
    return `Basic ${btoa(`${emailOf(name)}:${this.keyOf(name)}`)}`;
  }

  /** Registers a client, which receives the events from now on. */
  async listen(name: Name, params: Params = {}): Promise<Listener> {
    const registered = await this.request(name, "POST /register", params);
    return new Listener(this, name, registered);
  }

  /** Resolves when all published events have reached their queues. */
  async untilIdle(): Promise<void> {
    await this.realm.write(() => undefined);
    while (this.realm.hub.counts.inLine > 0) await Bun.sleep(0);
  }

  /** Stops the server as an operator does, and starts it again on the same directory. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Restarts a stopped server on the same directory. */
  async start(): Promise<void> {
    count("servers");
    this.running = await run(this.config, this.clock);
  }

  /** Uses a server that the test has started in another way. */
  resume(running: Running): void {
    this.running = running;
  }

  stop(): Promise<void> {
    return this.running.stop();
  }

  async close(): Promise<void> {
    const browserSessions = this.browserSessions.splice(0);
    await Promise.all(browserSessions.map((browserSession) => browserSession.close()));
    this.lease?.keep(browserSessions.length);
    await this.running.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  async populate(): Promise<void> {
    await this.realm.write((tx) => {
      const owner = createOrganization(tx, {
        name: "Town",
        owner: { email: emailOf("olga"), full_name: CAST.olga.full_name },
      });
      this.people.set("olga", owner.user_id);
      for (const [name, { full_name, role }] of Object.entries(CAST) as [
        Name,
        { full_name: string; role: number },
      ][]) {
        if (name === "olga") continue;
        const bot = name === "bot" && { bot_type: 1, bot_owner_id: this.people.get("bo")! };
        const user = createUser(tx, { email: emailOf(name), full_name, role, ...bot });
        this.people.set(name, user.user_id);
      }
      for (const [name, user_id] of this.people) {
        this.keys.set(name, newApiKey(tx, tx.users.get(user_id)!, "SkeinTest"));
      }
    });
  }
}

/** A registered client: its initial state and its events. */
export class Listener {
  private last: number;
  private waiting: Json[] = [];

  constructor(
    private readonly testServer: TestServer,
    private readonly name: Name,
    readonly registered: Json,
  ) {
    this.last = registered.last_event_id;
  }

  get queue_id(): string {
    return this.registered.queue_id;
  }

  /** Returns the next event, and waits for it; heartbeats are skipped. */
  async next(): Promise<Json> {
    while (this.waiting.length === 0) this.waiting = await this.poll(false);
    return this.waiting.shift();
  }

  /** Returns all events published so far, without waiting for more. */
  async takeAll(): Promise<Json[]> {
    await this.testServer.untilIdle();
    const events = [...this.waiting, ...(await this.poll(true))];
    this.waiting = [];
    return events;
  }

  private async poll(dont_block: boolean): Promise<Json[]> {
    const { events } = await this.testServer.request(this.name, "GET /events", {
      queue_id: this.queue_id,
      last_event_id: this.last,
      dont_block,
    });
    for (const event of events) this.last = Math.max(this.last, event.id);
    return events.filter((event: Json) => event.type !== "heartbeat");
  }
}

/** Strings raw, everything else as JSON text, as clients send them. */
export function formOf(params: Params): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    form.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form;
}

export async function startTestServer(
  options: Partial<Config> = {},
  additional: FurtherOrganizations = { organizations: [] },
): Promise<TestServer> {
  const testServer = await startEmptyTestServer(options, additional);
  await testServer.populate();
  return testServer;
}

/** Starts a server without an organization. */
export async function startEmptyTestServer(
  options: Partial<Config> = {},
  additional: FurtherOrganizations = { organizations: [] },
): Promise<TestServer> {
  const directory = mkdtempSync(join(tmpdir(), "skein-town-"));
  const config: Config = {
    data: join(directory, "data"),
    host: "127.0.0.1",
    port: 0,
    url: "",
    rate_limits: false,
    web_public_streams: true,
    archive_days: 30,
    max_upload_mib: 100,
    upload_quota_mib: 0,
    external_content: true,
    outbound_allow: [],
    log: "off",
    ...options,
  };
  const clock = new TestClock();
  count("servers");
  // Other configurations have connections, certificates or settings of their own.
  const lease = isPlain(config) && additional.root_host === undefined ? new Lease() : undefined;
  const running = await run(
    config,
    clock,
    lease ? { serve: lease.serve, ...additional } : additional,
  );
  return new TestServer(directory, running, clock, config, undefined, lease);
}

const isPlain = ({ tls, metrics, log, url }: Config) =>
  tls === undefined && metrics === undefined && log === "off" && url === "";
