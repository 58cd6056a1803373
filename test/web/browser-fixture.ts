// A test server with a channel, and browsers that are signed in to it.
import { afterAll } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";
import { BrowserSession } from "./browser-session.ts";

/** Ports of closed servers. At a known address, browsers reuse their pages and caches. */
const ports: number[] = [];

export class BrowserFixture {
  private constructor(
    readonly testServer: TestServer,
    readonly stream_id: number,
  ) {}

  /** Opens #design with Ada, Bo and Cy. The server gets the same port when it restarts. */
  static async open(): Promise<BrowserFixture> {
    const testServer = await startTestServer({ port: ports.pop() ?? freePort() });
    const subscriptions = [{ name: "design" }];
    const principals = [testServer.idOf("ada"), testServer.idOf("bo"), testServer.idOf("cy")];
    await testServer.request("ada", "POST /users/me/subscriptions", { subscriptions, principals });
    const { stream_id } = await testServer.request("ada", "GET /get_stream_id", {
      stream: "design",
    });
    return new BrowserFixture(testServer, stream_id);
  }

  /** Shared by all tests of a file and closed after them. */
  static async forTestFile(): Promise<BrowserFixture> {
    const fixture = await BrowserFixture.open();
    afterAll(() => fixture.close());
    return fixture;
  }

  /** The address of the topic that most tests use. */
  get topicUrl(): string {
    return `/#narrow/channel/${this.stream_id}-design/topic/logo`;
  }

  sessionOf(name: Name, host?: string): Promise<BrowserSession> {
    return BrowserSession.of(this.testServer, name, host);
  }

  sessionWithWorker(name: Name): Promise<BrowserSession> {
    return BrowserSession.withWorker(this.testServer, name);
  }

  emptySession(): Promise<BrowserSession> {
    return BrowserSession.empty(this.testServer);
  }

  post(name: "ada" | "bo", content: string): Promise<Json> {
    const to = { type: "channel", to: this.stream_id, topic: "logo" };
    return this.testServer.request(name, "POST /messages", { ...to, content });
  }

  /** Returns the messages of the topic as Markdown, with their senders. */
  async listPosted(): Promise<{ content: string; sender_id: number }[]> {
    const narrow = [
      { operator: "channel", operand: this.stream_id },
      { operator: "topic", operand: "logo" },
    ];
    const window = { anchor: "newest", num_before: 100, num_after: 0, apply_markdown: false };
    const { messages } = await this.testServer.request("ada", "GET /messages", {
      narrow,
      ...window,
    });
    return messages.map(({ content, sender_id }: Json) => ({ content, sender_id }));
  }

  /** Waits until the server has all of these messages and the page has their confirmation. */
  async untilPosted(page: Page, ...texts: string[]): Promise<void> {
    const listMessages = async () =>
      new Set((await this.listPosted()).map(({ content }) => content));
    await until(async () => {
      const all = await listMessages();
      return texts.every((text) => all.has(text));
    });
    await page.waitForFunction(() => document.querySelector("[data-state]") === null);
  }

  async close(): Promise<void> {
    const { port } = new URL(this.testServer.url);
    await this.testServer.close();
    ports.push(Number(port));
  }
}

export const waitForMessage = (page: Page, text: string) =>
  page.locator("article").filter({ hasText: text }).first().waitFor();

export const waitForConnection = (page: Page, attempt: string) =>
  page.locator(`main[data-connection=${attempt}]`).waitFor();

export async function write(page: Page, text: string): Promise<void> {
  await page.locator("form textarea:enabled").fill(text);
  await page.locator("form [type=submit]").click();
}

/** Waits until a field has this value; it may change later than other signs of an event. */
export async function waitForValue(field: Locator, value: string): Promise<void> {
  await until(async () => (await field.inputValue()) === value);
}

/** Waits for a response to the page's poll that contains these words; call it before the cause. */
export const waitForEvents = (page: Page, text: string) =>
  page.waitForResponse(
    async (response) =>
      response.url().includes("/json/events") && (await response.text()).includes(text),
  );

/** Polls an asynchronous condition in the page; `waitForFunction` treats a promise as true. */
export async function waitUntilTrue(page: Page, condition: () => Promise<boolean>): Promise<void> {
  await until(() => page.evaluate(condition));
}

/** Records the requests under `/json` that a browser makes from now on. */
export function recordRequests(browserSession: BrowserSession): string[] {
  const requests: string[] = [];
  browserSession.context.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/json")) requests.push(`${request.method()} ${pathname}`);
  });
  return requests;
}

export const countRegistrations = (requested: readonly string[]) =>
  requested.filter((line) => line === "POST /json/register").length;

function freePort(): number {
  const server = Bun.serve({ port: 0, fetch: () => new Response() });
  const port = server.port!;
  void server.stop(true);
  return port;
}
