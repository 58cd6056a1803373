// A test server with a channel, and browsers that are signed in to it.
import { afterAll } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { Name } from "../cast.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { BrowserSession } from "./browser-session.ts";

export class BrowserFixture {
  private constructor(
    readonly testServer: TestServer,
    readonly stream_id: number,
  ) {}

  /** #design, with Ada, Bo and Cy in it. The server finds its port again when it restarts. */
  static async open(): Promise<BrowserFixture> {
    const testServer = await startTestServer({ port: freePort() });
    const subscriptions = [{ name: "design" }];
    const principals = [testServer.idOf("ada"), testServer.idOf("bo"), testServer.idOf("cy")];
    await testServer.ask("ada", "POST /users/me/subscriptions", { subscriptions, principals });
    const { stream_id } = await testServer.ask("ada", "GET /get_stream_id", { stream: "design" });
    return new BrowserFixture(testServer, stream_id);
  }

  /** One for all tests of a file, which closes it at its end. */
  static async ofFile(): Promise<BrowserFixture> {
    const fixture = await BrowserFixture.open();
    afterAll(() => fixture.close());
    return fixture;
  }

  /** The address of the topic that all is about. */
  get place(): string {
    return `/#narrow/channel/${this.stream_id}-design/topic/logo`;
  }

  sessionOf(name: Name, host?: string): Promise<BrowserSession> {
    return BrowserSession.of(this.testServer, name, host);
  }

  emptySession(): Promise<BrowserSession> {
    return BrowserSession.empty(this.testServer);
  }

  post(name: "ada" | "bo", content: string): Promise<Json> {
    const to = { type: "channel", to: this.stream_id, topic: "logo" };
    return this.testServer.ask(name, "POST /messages", { ...to, content });
  }

  /** What the topic has, as Markdown, each with its sender. */
  async posted(): Promise<{ content: string; sender_id: number }[]> {
    const narrow = [
      { operator: "channel", operand: this.stream_id },
      { operator: "topic", operand: "logo" },
    ];
    const window = { anchor: "newest", num_before: 100, num_after: 0, apply_markdown: false };
    const { messages } = await this.testServer.ask("ada", "GET /messages", { narrow, ...window });
    return messages.map(({ content, sender_id }: Json) => ({ content, sender_id }));
  }

  /** All these are with the server, and the page has heard that they are. */
  async arrived(page: Page, ...texts: string[]): Promise<void> {
    const said = async () => new Set((await this.posted()).map(({ content }) => content));
    for (let all = await said(); !texts.every((text) => all.has(text)); all = await said()) {
      await Bun.sleep(20);
    }
    await page.waitForFunction(() => document.querySelector("[data-state]") === null);
  }

  close(): Promise<void> {
    return this.testServer.close();
  }
}

export const shows = (page: Page, text: string) =>
  page.locator("article").filter({ hasText: text }).first().waitFor();

export const stands = (page: Page, standing: string) =>
  page.locator(`main[data-standing=${standing}]`).waitFor();

export async function write(page: Page, text: string): Promise<void> {
  await page.locator("form textarea:enabled").fill(text);
  await page.locator("form [type=submit]").click();
}

/** A field follows what the server told, after what else says it does. */
export async function holds(field: Locator, value: string): Promise<void> {
  while ((await field.inputValue()) !== value) await Bun.sleep(20);
}

/** From now on: an answer to the page's poll has these words. */
export const heard = (page: Page, words: string) =>
  page.waitForResponse(
    async (answer) =>
      answer.url().includes("/json/events") && (await answer.text()).includes(words),
  );

/** What a page finds out by waiting; `waitForFunction` takes a promise for a yes. */
export async function comesTrue(page: Page, is: () => Promise<boolean>): Promise<void> {
  while (!(await page.evaluate(is))) await Bun.sleep(20);
}

/** The lines of requests under `/json` that a browser makes from now on. */
export function askedBy(browserSession: BrowserSession): string[] {
  const asked: string[] = [];
  browserSession.context.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/json")) asked.push(`${request.method()} ${pathname}`);
  });
  return asked;
}

export const registered = (asked: readonly string[]) =>
  asked.filter((line) => line === "POST /json/register").length;

function freePort(): number {
  const server = Bun.serve({ port: 0, fetch: () => new Response() });
  const port = server.port!;
  void server.stop(true);
  return port;
}
