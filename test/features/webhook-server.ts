/** A server that outgoing webhooks call; it records requests and returns set responses. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";

export interface Call {
  method: string;
  path: string;
  type: string;
  agent: string;
  body: string;
}

type Respond = (response: ServerResponse) => void;

export class WebhookServer {
  calls: Call[] = [];
  /** Returned in order; the last one repeats. */
  private responses: Respond[] = [];
  private open: Promise<void> = Promise.resolve();
  private release = () => {};

  private constructor(private readonly server: Server) {}

  static async open(): Promise<WebhookServer> {
    const server = createServer();
    const site = new WebhookServer(server);
    server.on("request", (request, response) => {
      let body = "";
      request.on("data", (bytes) => (body += bytes));
      request.on("end", () => {
        const { "content-type": type = "", "user-agent": agent = "" } = request.headers;
        site.calls.push({ method: request.method!, path: request.url!, type, agent, body });
        void site.open.then(() => site.nextResponse()(response));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }

  reset(): void {
    this.calls = [];
    this.open = Promise.resolve();
    this.answerWith({});
  }

  /** Objects are sent as JSON, texts unchanged. */
  answerWith(...bodies: unknown[]): void {
    this.respondWith(
      ...bodies.map((body): Respond => (response) => {
        response.setHeader("Content-Type", "application/json");
        response.end(typeof body === "string" ? body : JSON.stringify(body));
      }),
    );
  }

  respondWith(...responses: Respond[]): void {
    this.responses = responses;
  }

  /** Delays all responses until the returned function is called. */
  holdResponses(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.open = promise;
    this.release = resolve;
    return resolve;
  }

  /** Resolves when it was called that often. */
  async untilCallCount(count: number): Promise<void> {
    await until(() => this.calls.length >= count);
  }

  close(): void {
    this.release();
    this.server.closeAllConnections();
    this.server.close();
  }

  private nextResponse(): Respond {
    return this.responses.length > 1 ? this.responses.shift()! : this.responses[0]!;
  }
}

/** Resolves when no call is pending; advances the clock for delayed ones. */
export async function untilCallsDone(testServer: TestServer): Promise<void> {
  while (testServer.realm.read.webhook_calls.count() > 0) {
    const [job] = [...testServer.realm.read.due.range()].filter(
      ({ kind }) => kind === "call webhook",
    );
    const wait_ms = (job?.at ?? 0) - testServer.clock.now();
    if (wait_ms > 0) {
      testServer.clock.passSeconds(Math.ceil(wait_ms / 1000));
      testServer.realm.onDue();
    }
    await Bun.sleep(1);
  }
  await testServer.untilIdle();
}
