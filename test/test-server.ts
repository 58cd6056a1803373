// A test server: a real server on a directory of its own, with people in it, asked by tests.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../src/contract/config.ts";
import { createUser } from "../src/features/accounts/actions.ts";
import { newApiKey } from "../src/features/keys/actions.ts";
import { createOrganization } from "../src/features/organization/actions.ts";
import type { Realm } from "../src/realm.ts";
import { type Beside, run, type Running } from "../src/running.ts";
import { CAST, emailOf, type Name } from "./cast.ts";
import { holdAnswer } from "./protocol/held.ts";
import { count } from "./usage.ts";

// oxlint-disable-next-line no-explicit-any -- answers are looked into as JSON, whatever they hold
export type Json = any;
export type Params = Record<string, unknown>;

/** A clock that runs with the real one, until it is stopped, and can be moved. */
export class TestClock {
  private moved = 0;
  private stopped: number | undefined;

  now(): number {
    return (this.stopped ?? Date.now()) + this.moved;
  }

  /** From now on only `pass` moves it: what falls due later waits, however long a test takes. */
  stop(): void {
    this.stopped ??= Date.now();
  }

  awake(): number {
    return performance.now() + this.moved;
  }

  pass(seconds: number): void {
    this.moved += seconds * 1000;
  }
}

export interface Refused {
  status: number;
  code: string;
  msg: string;
  [extra: string]: unknown;
}

export class TestServer {
  readonly clock: TestClock;
  /** Browsers that look at it, which close before it does. */
  readonly browserSessions: { readonly faults: string[]; close(): Promise<void> }[] = [];
  private readonly keys = new Map<Name, string>();
  private readonly people = new Map<Name, number>();

  constructor(
    readonly directory: string,
    private running: Running,
    clock: TestClock,
    private readonly config: Config,
    /** Which of several in one process it is, and the host that it is asked at. */
    private readonly place: { at: number; host?: string } = { at: 0 },
  ) {
    this.clock = clock;
  }

  get realm(): Realm {
    return this.running.realms[this.place.at]!;
  }

  get url(): string {
    return this.running.url;
  }

  get metrics_url(): string | undefined {
    return this.running.metrics_url;
  }

  /** The header that says which of several test servers is asked. */
  get addressed(): Record<string, string> {
    return this.place.host === undefined ? {} : { Host: this.place.host };
  }

  idOf(name: Name): number {
    return this.people.get(name)!;
  }

  keyOf(name: Name): string {
    return this.keys.get(name)!;
  }

  /** The JSON of a request that must succeed. */
  async ask(name: Name | null, line: string, params: Params = {}): Promise<Json> {
    const response = await this.send(name, line, params);
    const body = (await response.json()) as Json;
    if (response.status !== 200 || body.result !== "success") {
      throw new Error(`${name}: ${line} → ${response.status} ${JSON.stringify(body)}`);
    }
    holdAnswer(line, body);
    return body;
  }

  /** What a request that must fail is told, with its status. */
  async refused(name: Name | null, line: string, params: Params = {}): Promise<Refused> {
    const response = await this.send(name, line, params);
    const body = (await response.json()) as Json;
    if (response.ok) throw new Error(`${name}: ${line} was not refused: ${JSON.stringify(body)}`);
    holdAnswer(line, body);
    return { status: response.status, ...body };
  }

  /** A line is a method and a path under /api/v1 (from `//` on: under the root). */
  async send(name: Name | null, line: string, params: Params = {}): Promise<Response> {
    const [method, path] = line.split(" ") as [string, string];
    const url = new URL(this.url + (path.startsWith("//") ? path.slice(1) : `/api/v1${path}`));
    const form = formOf(params);
    const headers: Record<string, string> = { "User-Agent": "SkeinTest/1.0" };
    if (name !== null) headers["Authorization"] = this.basic(name);
    Object.assign(headers, this.addressed);
    if (method === "GET") {
      url.search = form.toString();
      return fetch(url, { headers });
    }
    return fetch(url, { method, headers, body: form });
  }

  basic(name: Name): string {
    return `Basic ${btoa(`${emailOf(name)}:${this.keyOf(name)}`)}`;
  }

  /** A client that registers now and hears what comes after. */
  async listen(name: Name, params: Params = {}): Promise<Listener> {
    const registered = await this.ask(name, "POST /register", params);
    return new Listener(this, name, registered);
  }

  /** Resolves when every event told so far has reached its queues. */
  async quiet(): Promise<void> {
    await this.realm.write(() => undefined);
    while (this.realm.hub.counts.inLine > 0) await Bun.sleep(0);
  }

  /** Stops the server as an operator does, and starts it again on the same directory. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** What was stopped, on the same directory. */
  async start(): Promise<void> {
    count("servers");
    this.running = await run(this.config, this.clock);
  }

  /** Goes on with a process that another one has started. */
  resume(running: Running): void {
    this.running = running;
  }

  stop(): Promise<void> {
    return this.running.stop();
  }

  async close(): Promise<void> {
    await Promise.all(
      this.browserSessions.splice(0).map((browserSession) => browserSession.close()),
    );
    await this.running.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  async populate(): Promise<void> {
    const realm = this.realm;
    const clerk = { client: "SkeinTest" };
    await realm.write((tx) => {
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
        const user = createUser(tx, owner, { email: emailOf(name), full_name, role, ...bot });
        this.people.set(name, user.user_id);
      }
      for (const [name, user_id] of this.people) {
        this.keys.set(name, newApiKey(tx, tx.users.get(user_id)!, clerk.client));
      }
    });
  }
}

/** One registered client: what it was told at first, and its events one by one. */
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

  /** The next event, waited for; heartbeats are passed over. */
  async next(): Promise<Json> {
    while (this.waiting.length === 0) this.waiting = await this.poll(false);
    return this.waiting.shift();
  }

  /** Everything told so far, without waiting for more. */
  async all(): Promise<Json[]> {
    await this.testServer.quiet();
    const events = [...this.waiting, ...(await this.poll(true))];
    this.waiting = [];
    return events;
  }

  private async poll(dont_block: boolean): Promise<Json[]> {
    const { events } = await this.testServer.ask(this.name, "GET /events", {
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
  beside: Beside = { organizations: [] },
): Promise<TestServer> {
  const testServer = await startEmptyTestServer(options, beside);
  await testServer.populate();
  return testServer;
}

/** Where nobody has set anything up. */
export async function startEmptyTestServer(
  options: Partial<Config> = {},
  beside: Beside = { organizations: [] },
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
  return new TestServer(directory, await run(config, clock, beside), clock, config);
}
