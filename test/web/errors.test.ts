// Errors of the network, the disk and the clock lose no text, message or position.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { endSessionsOf } from "../../src/features/sessions/actions.ts";
import { withTimeout, until } from "../wait-until.ts";
import type { BrowserSession } from "./browser-session.ts";
import { NetworkFailure, isPost } from "./failing-network.ts";
import {
  recordRequests,
  countRegistrations,
  waitForMessage,
  waitForConnection,
  BrowserFixture,
  write,
} from "./browser-fixture.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await BrowserFixture.open();
});
// A view opens at the first unread message, which may be far from the end.
const markAllRead = () => fixture.testServer.request("bo", "POST /mark_all_as_read");
beforeEach(markAllRead);
afterEach(async () => {
  for (const browserSession of fixture.testServer.browserSessions.splice(0))
    await browserSession.close();
});
afterAll(() => fixture.close());

async function openTabOfBo(): Promise<{ browserSession: BrowserSession; page: Page }> {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  return { browserSession, page };
}

const listMessages = async (text: string) =>
  (await fixture.listPosted()).filter(({ content }) => content === text).length;
const draftField = (page: Page) =>
  page.locator("form.composer textarea, form textarea:enabled").first();

test("loads the rest of a first start when the network is back", async () => {
  await fixture.post("ada", "there before");
  const browserSession = await fixture.sessionOf("bo");
  // Served to the page itself; a worker would cache it for the next load.
  const shell = await (await fetch(browserSession.url)).text();
  const isLate = (url: string) => !shell.includes(new URL(url).pathname);
  const requested = new Set<string>();
  const failure = await NetworkFailure.of(browserSession.context, /.*/, (request) => {
    const isScript = request.url().endsWith(".js") && isLate(request.url());
    const matches = isScript || request.method() === "HEAD";
    if (isScript) requested.add(request.url().replace(/.*assets\/([\w-]+)-.*/, "$1"));
    return matches;
  });
  const page = await browserSession.context.newPage();
  await page.goto(fixture.topicUrl);
  await page.locator(".msg").first().waitFor();
  const late = ["deferred", "rest", "feed-parts", "composer-parts", "tools"];
  await until(() => late.every((name) => requested.has(name)));
  failure.stopFailing();
  await page.locator("body[data-whole]").waitFor({ state: "attached" });
  await page.locator(".msg").first().hover();
  await page.locator(".msg [role=toolbar]").waitFor();
  await write(page, "written after all");
  await fixture.untilPosted(page, "written after all");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.locator("[role=dialog]").waitFor();
});

test("a dialog or page whose script cannot be loaded says so, and retries", async () => {
  await fixture.post("ada", "there to be forwarded");
  const { browserSession, page } = await openTabOfBo();
  await page.locator("body[data-whole]").waitFor({ state: "attached" });
  const failure = await NetworkFailure.of(
    browserSession.context,
    /.*/,
    (request) => /assets\/.*\.js$/.test(request.url()) || request.method() === "HEAD",
  );
  await page.locator(".msg").first().focus();
  await page.keyboard.press("<");
  const forward = page.getByRole("dialog", { name: "Forward" });
  const retry = forward.getByRole("alert").getByRole("button", { name: "Try again" });
  await retry.click();
  await retry.waitFor();
  await page.keyboard.press("Escape");
  await forward.waitFor({ state: "detached" });
  await page.evaluate(() => (location.hash = "#settings/preferences"));
  // The navigation has such a button, too.
  const retryButton = page
    .locator("p.feed-note")
    .getByRole("button", { name: "Try again" })
    .first();
  await retryButton.click();
  // The button stays while the server cannot be reached.
  await retryButton.waitFor();
  failure.stopFailing();
  // The view may load by itself before the button is pressed.
  await page.evaluate(() => document.querySelector<HTMLElement>("p.feed-note button")?.click());
  await page.locator("#setting-color_scheme, [name=color_scheme]").first().waitFor();
});

test("waits as long as a busy server asks, and then loads", async () => {
  const { browserSession, page } = await openTabOfBo();
  let refused = 0;
  await browserSession.context.route("**/json/messages*", (route) => {
    if (refused >= 3) return route.continue();
    refused += 1;
    const json = { result: "error", code: "RATE_LIMIT_HIT", msg: "Later", "retry-after": 0.2 };
    return route.fulfill({ status: 429, headers: { "Retry-After": "1" }, json });
  });
  await write(page, "said in a hurry");
  await page.goto(`${browserSession.url}/#feed`);
  await waitForMessage(page, "said in a hurry");
  await fixture.untilPosted(page, "said in a hurry");
  expect(refused).toBe(3);
  expect(await listMessages("said in a hurry")).toBe(1);
  expect(await page.getByRole("alert").count()).toBe(0);
});

test("announces an error in place, or with a link to it", async () => {
  const { browserSession, page } = await openTabOfBo();
  let delay = Promise.resolve();
  await browserSession.context.route("**/json/messages", async (route) => {
    if (!isPost(route.request())) return route.continue();
    await delay;
    const json = { result: "error", code: "BAD_REQUEST", msg: "Not today" };
    return route.fulfill({ status: 400, json });
  });
  await write(page, "refused at once");
  await page.locator("[role=alert]", { hasText: "Not today" }).waitFor({ state: "attached" });
  expect(await page.locator(".toast").count()).toBe(0);
  const { promise, resolve } = Promise.withResolvers<void>();
  delay = promise;
  await write(page, "refused behind one's back");
  await waitForMessage(page, "refused behind one's back");
  await page.goto(`${browserSession.url}/#inbox`);
  await page.locator("main h1", { hasText: "Inbox" }).waitFor();
  resolve();
  const toast = page.locator(".toast[role=alert]", { hasText: "not sent: Not today" });
  await toast.getByRole("button", { name: "Show" }).click();
  await waitForMessage(page, "refused behind one's back");
});

test("announces an error that arrives before the texts for it", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const refused = Promise.withResolvers<void>();
  await browserSession.context.route(/assets\/rest-/, async (route) => {
    await withTimeout(refused.promise, "the refusal of the message");
    return route.continue();
  });
  await browserSession.context.route("**/json/messages", (route) => {
    if (!isPost(route.request())) return route.continue();
    return route.fulfill({
      status: 400,
      json: { result: "error", code: "BAD_REQUEST", msg: "No" },
    });
  });
  const page = await browserSession.context.newPage();
  await page.goto(fixture.topicUrl);
  const response = page.waitForResponse(
    (response) => isPost(response.request()) && response.status() === 400,
  );
  await write(page, "refused early");
  await response;
  refused.resolve();
  await page.locator("[role=alert]", { hasText: "No" }).waitFor({ state: "attached" });
});

test("keeps pending texts over an expired session", async () => {
  const { browserSession, page } = await openTabOfBo();
  const network = await NetworkFailure.of(browserSession.context, "**/json/messages", isPost);
  await write(page, "on its way out");
  await page.locator("article[data-state=waiting]").waitFor();
  await draftField(page).pressSequentially("half a thou");
  const { testServer } = fixture;
  await testServer.realm.write((tx) => endSessionsOf(tx, testServer.idOf("bo")));
  await page.waitForURL(/\/login\/\?next=/);
  network.stopFailing();
  await browserSession.signIn("bo");
  await page.goto(fixture.topicUrl);
  await waitForMessage(page, "on its way out");
  await fixture.untilPosted(page, "on its way out");
  expect(await listMessages("on its way out")).toBe(1);
  await page.waitForFunction(() =>
    [...document.querySelectorAll("textarea")].some(({ value }) => value === "half a thou"),
  );
  await draftField(page).fill("");
});

test("reads, writes and stars from memory with a full disk", async () => {
  const browserSession = await fixture.sessionOf("bo");
  await browserSession.context.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await write(page, "from memory");
  await waitForMessage(page, "from memory");
  await fixture.untilPosted(page, "from memory");
  expect(await listMessages("from memory")).toBe(1);
  const { id } = await fixture.post("ada", "worth a star");
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("Control+s");
  await page.locator(`#m${id}[data-starred]`).waitFor();
  const flags = async () =>
    (await fixture.testServer.request("bo", `GET /messages/${id}`)).message.flags;
  while (!(await flags()).includes("starred")) await Bun.sleep(50);
  await browserSession.context.route("**/json/**", (route) => route.abort());
  // The event makes the page poll again instead of waiting.
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await waitForConnection(page, "unreached");
  await write(page, "in this tab alone");
  await page.getByRole("alert").getByText("Keep this tab open").waitFor();
});

test("reopens a database that the browser closed, without loss", async () => {
  const browserSession = await fixture.sessionOf("bo");
  await browserSession.context.addInitScript(() => {
    const closed: (() => void)[] = [];
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...args) {
      const request = open.apply(this, args);
      closed.push(() => request.result.close());
      return request;
    };
    addEventListener("story-close", () => closed.splice(0).forEach((close) => close()));
  });
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const network = await NetworkFailure.of(browserSession.context, "**/json/**");
  await page.evaluate(() => dispatchEvent(new Event("story-close")));
  await write(page, "on the disk all the same");
  await draftField(page).fill("and half a thought");
  await page.locator("article[data-state=waiting]").waitFor();
  await page.getByText("Draft saved").waitFor();
  await page.reload();
  await waitForMessage(page, "on the disk all the same");
  await page.waitForFunction(
    () => document.querySelector("textarea")?.value === "and half a thought",
  );
  await network.restore();
  await fixture.untilPosted(page, "on the disk all the same");
  await draftField(page).fill("");
  expect(browserSession.faults.filter((fault) => fault.includes("InvalidState"))).toEqual([]);
});

test("keeps the position after a night, with new messages", async () => {
  for (let offset = 0; offset < 40; offset += 1) await fixture.post("ada", `evening ${offset}`);
  await markAllRead();
  const browserSession = await fixture.sessionOf("bo");
  const requests = recordRequests(browserSession);
  await browserSession.context.clock.install();
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await waitForMessage(page, "evening 39");
  await draftField(page).fill("to be finished tomorrow");
  const row = page.locator("article").filter({ hasText: "evening 12" });
  await row.scrollIntoViewIfNeeded();
  await row.focus();
  const before = await placeOf(page);
  // Simulates a closed laptop: the server deletes the event queue, and other users write.
  await browserSession.context.setOffline(true);
  const { hub } = fixture.testServer.realm;
  for (const { record } of hub.of(fixture.testServer.idOf("bo"))) hub.close(record.queue_id);
  await fixture.post("ada", "good morning");
  await browserSession.context.clock.fastForward("08:00:00");
  await browserSession.context.setOffline(false);
  await waitForConnection(page, "live");
  // The row has the same position to the pixel, and the focus, although all was fetched again.
  await page.waitForFunction(({ id, top }) => {
    const row = document.getElementById(id);
    return row === document.activeElement && Math.abs(row!.getBoundingClientRect().top - top) <= 1;
  }, before);
  expect(await draftField(page).inputValue()).toBe("to be finished tomorrow");
  await page.keyboard.press("End");
  await waitForMessage(page, "good morning");
  await draftField(page).fill("");
  expect(countRegistrations(requests)).toBe(2);
});

const placeOf = (page: Page) =>
  page.evaluate(() => {
    const row = document.activeElement!.closest(".msg")!;
    return { id: row.id, top: row.getBoundingClientRect().top };
  });

test("a changed clock delays no request, and sends none twice", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const dayMs = 86_400_000;
  for (const [index, ms] of [dayMs, -dayMs, 0].entries()) {
    await page.evaluate((offset) => {
      Date.now = () => performance.timeOrigin + performance.now() + offset;
    }, ms);
    const network = await NetworkFailure.of(browserSession.context, "**/json/messages", isPost);
    await write(page, `when was that ${index}`);
    await waitForMessage(page, `when was that ${index}`);
    await network.restore();
    await fixture.untilPosted(page, `when was that ${index}`);
    expect(await listMessages(`when was that ${index}`)).toBe(1);
  }
});
