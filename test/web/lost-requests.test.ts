// Random actions while requests and responses are lost: each takes effect once.
import { expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { countOf } from "../repetitions.ts";
import { PAGE_MS } from "../patience.ts";
import { SEED } from "../random.ts";
import { type RandomChance, chanceOf } from "../store/sample-schema.ts";
import type { Json } from "../test-server.ts";
import { readStoredRows } from "./stored-data.ts";
import { BrowserFixture } from "./browser-fixture.ts";
import { routeUntilEnd } from "./failing-network.ts";

const ACTS = 25;
const LATE_MS = 300;

for (let index = 0; index < countOf("lossy"); index++) {
  const seed = SEED + index;
  test(`keeps changes on an unreliable network, with ${seed}`, async () => {
    const random = chanceOf(seed);
    const fixture = await BrowserFixture.open();
    const lossy = new LossyRun(fixture, random);
    try {
      await lossy.runSteps();
    } catch (error) {
      console.log(lossy.log.join("\n"));
      throw error;
    } finally {
      await fixture.close();
    }
  });
}

class LossyRun {
  readonly log: string[] = [];
  /** Bo's messages with their current text. */
  private readonly own = new Set<string>();
  private readonly starred = new Set<number>();
  private readonly liked = new Set<number>();
  private others: number[] = [];
  private number = 0;

  constructor(
    private readonly fixture: BrowserFixture,
    private readonly random: RandomChance,
  ) {}

  async runSteps(): Promise<void> {
    const { fixture, random } = this;
    for (let index = 0; index < 4; index++) await this.post();
    const browserSession = await fixture.sessionOf("bo");
    const tabs = [
      await browserSession.tab(fixture.topicUrl),
      await browserSession.tab(fixture.topicUrl),
    ];
    for (const page of tabs) await page.setViewportSize({ width: 1280, height: 3000 });
    const { context } = browserSession;
    const recover = await routeUntilEnd(context, /\/json\/(?!events|register)/, (route) =>
      this.passRequest(route),
    );
    const actions = [
      () => this.post(),
      (page: Page) => this.write(page),
      (page: Page) => this.write(page),
      (page: Page) => this.edit(page),
      (page: Page) => this.edit(page),
      (page: Page) => this.erase(page),
      (page: Page) => this.star(page),
      (page: Page) => this.like(page),
      (page: Page) => this.reload(page),
    ];
    for (let step = 0; step < ACTS; step++) {
      const index = random.below(tabs.length);
      this.log.push(`tab ${index}`);
      await random.pick(actions)(tabs[index]!);
    }
    recover();
    for (const page of tabs) await page.evaluate(() => dispatchEvent(new Event("online")));
    for (const page of tabs) await this.compare(page);
  }

  /** Loses some requests before they reach the server, and the responses to others. */
  private async passRequest(route: Route): Promise<void> {
    await Bun.sleep(this.random.below(LATE_MS));
    const request = route.request();
    // Requests that read are not lost, because a step that waits for a changed text would fail.
    const outcome = request.method() === "GET" ? undefined : this.random.below(5);
    if (outcome !== undefined) this.log.push(`  ${request.method()} ${request.url()}, ${outcome}`);
    if (outcome === 0) return route.abort();
    const response = await route.fetch();
    return outcome === 1 ? route.abort() : route.fulfill({ response });
  }

  private async post(): Promise<void> {
    const { id } = await this.fixture.post("ada", `Ada ${this.nextText()}`);
    this.others.push(id);
    this.log.push(`ada ${id}`);
  }

  private async write(page: Page): Promise<void> {
    const text = `Bo ${this.nextText()}`;
    this.log.push(`write ${text}`);
    await page.locator(".compose textarea:enabled").fill(text);
    await page.locator(".compose textarea").press("Control+Enter");
    await page.locator(".msg", { hasText: text }).waitFor();
    this.own.add(text);
  }

  /** Returns one of Bo's stored messages, with the keyboard focus on it. */
  private async ownRowsIn(page: Page): Promise<{ id: string; text: string } | undefined> {
    if (this.own.size === 0) return undefined;
    const text = this.random.pick([...this.own]);
    const row = page.locator(".msg", { hasText: text });
    await row.waitFor();
    const id = (await row.getAttribute("id"))!;
    // The request is in flight.
    if (Number(id.slice(1)) >= 2 ** 52) return undefined;
    await page.locator(`#${id}`).focus();
    return { id, text };
  }

  private async edit(page: Page): Promise<void> {
    const { id, text } = (await this.ownRowsIn(page)) ?? {};
    if (text === undefined) return;
    this.log.push(`edit ${id} ${text}`);
    const field = page.locator(`#${id} .edit-box textarea`);
    await page.keyboard.press("e");
    await field.waitFor();
    const changed = `Bo ${this.nextText()}`;
    await field.fill(changed);
    await page.keyboard.press("Control+Enter");
    await page.locator(`#${id} .md`, { hasText: changed }).waitFor();
    this.own.delete(text);
    this.own.add(changed);
    this.log.push(`edited ${id} ${changed}`);
  }

  private async erase(page: Page): Promise<void> {
    const { id, text } = (await this.ownRowsIn(page)) ?? {};
    if (text === undefined) return;
    this.log.push(`erase ${id} ${text}`);
    await page.keyboard.press("i");
    await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
    await page.locator(`#${id}`).waitFor({ state: "detached" });
    this.own.delete(text);
  }

  private star(page: Page): Promise<void> {
    return this.mark(page, "Control+s", this.starred, "#ID[data-starred]");
  }

  private like(page: Page): Promise<void> {
    return this.mark(page, "+", this.liked, '#ID .react [aria-pressed="true"]');
  }

  /** Marks each message once only: another tab's request may arrive after this tab's undo. */
  private async mark(page: Page, key: string, all: Set<number>, character: string): Promise<void> {
    const id = this.random.pick(this.others);
    if (all.has(id)) return;
    this.log.push(`${key} ${id}`);
    await page.locator(`#m${id}`).focus();
    await page.keyboard.press(key);
    await page.locator(character.replace("ID", `m${id}`)).waitFor();
    all.add(id);
  }

  /** Displayed messages are on the disk after a moment. */
  private async reload(page: Page): Promise<void> {
    this.log.push("reload");
    await pendingRows(page, this.fixture.testServer.idOf("bo"));
    await page.reload();
    await page.locator(".compose textarea:enabled").waitFor();
    await page.locator("body[data-whole]").waitFor();
  }

  private async compare(page: Page): Promise<void> {
    const { fixture } = this;
    const me = fixture.testServer.idOf("bo");
    const expected = [...this.own].sort();
    const postedContents = async () =>
      (await fixture.listPosted())
        .filter(({ sender_id }) => sender_id === me)
        .map(({ content }) => content)
        .sort();
    const flaggedIds = async () => {
      const { messages } = await fixture.testServer.request("bo", "GET /messages", {
        message_ids: this.others,
      });
      return {
        starred: messages
          .filter(({ flags }: Json) => flags.includes("starred"))
          .map(({ id }: Json) => id),
        liked: messages
          .filter(({ reactions }: Json) => reactions.length > 0)
          .map(({ id }: Json) => id),
      };
    };
    const marks = {
      starred: [...this.starred].sort(byNumber),
      liked: [...this.liked].sort(byNumber),
    };
    const until = performance.now() + PAGE_MS;
    for (;;) {
      const there = {
        own: await postedContents(),
        ...(await flaggedIds()),
        left: await pendingRows(page, me),
      };
      const target = { own: expected, ...marks, left: [] };
      if (Bun.deepEquals(there, target)) break;
      if (performance.now() > until) expect(there).toEqual(target);
      await Bun.sleep(100);
    }
    await page.waitForFunction(() => document.querySelector("[data-state]") === null);
    const isShown = (all: string) =>
      `${[...document.querySelectorAll(".msg .md")]
        .map((item) => item.textContent!)
        .filter((text) => text.startsWith("Bo "))
        .sort()}` === all;
    await page.waitForFunction(isShown, `${expected}`);
  }

  private nextText = (): string => `«${(this.number += 1)}»`;
}

const byNumber = (a: number, b: number) => a - b;

/** Returns pending changes. */
async function pendingRows(page: Page, me: number): Promise<Json[]> {
  return [
    ...(await readStoredRows(page, me, "doings")),
    ...(await readStoredRows(page, me, "outbox")),
  ];
}
