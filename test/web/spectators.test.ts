// Spectators see only public content, without actions.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { PASSWORD } from "../browser.ts";
import { upload } from "../features/upload-fixture.ts";
import { accessibilityFaults, faultsOf, TWO_LOOKS } from "./axe.ts";
import { LAN_HOST, BrowserSession, withWorkers } from "./browser-session.ts";
import { recordRequests, waitForMessage, BrowserFixture } from "./browser-fixture.ts";

withWorkers();

let fixture: BrowserFixture;
/** The channel that is open to everyone. */
let help: number;
beforeAll(async () => {
  fixture = await BrowserFixture.open();
  const { testServer } = fixture;
  await testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
  const subscribers = [testServer.idOf("ada"), testServer.idOf("bo")];
  const params = { name: "help", description: "Questions, answered", is_web_public: true };
  ({ id: help } = await testServer.request("olga", "POST /channels/create", {
    ...params,
    subscribers,
  }));
  const news = { name: "news", is_web_public: true, subscribers };
  await testServer.request("olga", "POST /channels/create", news);
  await fixture.post("ada", "a secret of the designers");
});
afterEach(async () => {
  for (const browserSession of fixture.testServer.browserSessions.splice(0))
    await browserSession.close();
});
afterAll(async () => {
  await fixture?.close();
});

const post = async (topic: string, content: string, to = help): Promise<number> =>
  (
    await fixture.testServer.request("bo", "POST /messages", {
      type: "channel",
      to,
      topic,
      content,
    })
  ).id;
const topicUrl = (topic: string) => `/#narrow/channel/${help}-help/topic/${topic}`;

async function openAsVisitor(
  path: string,
): Promise<{ browserSession: BrowserSession; page: Page }> {
  const browserSession = await fixture.emptySession();
  const page = await browserSession.tab(path);
  await page.locator("main[data-connection=visiting] h1").waitFor();
  return { browserSession, page };
}

/** Requests sent before the client knows that it is a guest view fail once each. */
const isOfVisitors = /status of 40[01] /;
/** Simulates that half a minute has passed. */
const lookAgain = (page: Page) => page.evaluate(() => dispatchEvent(new Event("online")));
const hrefOf = (page: Page, name: string) =>
  page.getByRole("main").getByRole("link", { name }).first().getAttribute("href");

test("shows the frame of the page until the script of the guest view has loaded", async () => {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const { context } = await fixture.emptySession();
  await context.route(/\/assets\/(?!main-)[\w-]+\.js$/, async (route) => {
    await promise;
    return route.fallback();
  });
  const page = await context.newPage();
  await page.goto("/");
  await page.locator(".app > .sidebar + main[data-connection=visiting][aria-busy]").waitFor();
  release();
  await page.locator("main[data-connection=visiting] h1").waitFor();
});

test("a guest view does not wait for deferred parts", async () => {
  const browserSession = await fixture.emptySession();
  const page = await browserSession.context.newPage();
  // Advances the clock by two seconds at most, so that a timer of three seconds never fires.
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1000);
  await page.goto(topicUrl("hello"));
  const heading = page.locator("main[data-connection=visiting] h1");
  for (let step = 0; step < 400 && (await heading.count()) === 0; step++) {
    await page.clock.runFor(5);
    await Bun.sleep(100);
  }
  expect(await heading.count()).toBe(1);
});

test("rejects private content without a name, and leads back after sign-in", async () => {
  const { testServer, topicUrl: fragment } = fixture;
  const secret = await post("logo", "not for visitors", fixture.stream_id);
  const { page } = await openAsVisitor("/");
  for (const address of [
    fragment,
    `/#narrow/channel/${fixture.stream_id}-design`,
    `/#topics/channel/${fixture.stream_id}-design`,
    `/#narrow/dm/${testServer.idOf("bo")}-x`,
    "/#narrow/is/starred",
    "/#narrow/is/starred/search/secret",
    `/#narrow/channel/${fixture.stream_id}-design/search/secret`,
    `/#narrow/dm/${testServer.idOf("bo")}-x/search/secret`,
    "/#inbox",
    "/#settings/profile",
    `/#user/${testServer.idOf("bo")}`,
    "/#invite",
    `/m/${secret}`,
  ]) {
    await page.goto(address);
    await page.getByRole("heading", { name: "For members only" }).waitFor();
    expect(await page.locator("body").innerText()).not.toMatch(/design|logo|secret|Bo Member/);
    expect(await hrefOf(page, "Sign in")).toBe(`/login/?next=${encodeURIComponent(address)}`);
    expect(await page.locator("form, textarea, .msg, [role=dialog]").count()).toBe(0);
    await page.goto("/#");
    await page.getByRole("heading", { name: "For members only" }).waitFor({ state: "detached" });
  }
});

test("shows a conversation read-only and live", async () => {
  const { testServer } = fixture;
  const url = await upload(testServer, "bo", { name: "note.txt", bytes: "a note" });
  const first = await post("Masts", `Mast 7, [note](${url}) @**Ada Admin** :tada:`);
  await testServer.request("ada", `POST /messages/${first}/reactions`, { emoji_name: "tada" });
  const poll = await post("Masts", "/poll Which?\nNorth\nSouth");
  const { browserSession, page } = await openAsVisitor("/");
  const requests = recordRequests(browserSession);
  await page.getByRole("main").getByRole("link", { name: "help" }).click();
  await page.getByRole("main").getByRole("link", { name: "Masts" }).click();
  await waitForMessage(page, "Mast 7");
  await page.locator(`#m${poll}`).getByText("North").waitFor();
  await page.locator(`#m${first} .reacted`).waitFor();
  // Only buttons that show more can be pressed.
  const visibleControls = () => page.locator("main :is(button, [data-act]):visible").all();
  for (const locator of await visibleControls()) {
    expect(await locator.getAttribute("aria-label")).toMatch(/^(Places|Copy link)$/);
  }
  const rows = page.locator("main[data-connection=visiting] .msg");
  const before = await rows.count();
  await page.locator(`#m${first}`).focus();
  for (const key of ["r", "c", ":", "+", "i", "u", "e", "m", "?", "Control+k", "Control+s"]) {
    await page.keyboard.press(key);
  }
  expect(await page.locator("form, textarea, .pop, .dialog, [role=dialog]").count()).toBe(0);
  expect(await rows.count()).toBe(before);
  // New, edited and deleted messages.
  await post("Masts", "It is the cable");
  await testServer.request("bo", `PATCH /messages/${first}`, { content: "Mast 8, it was" });
  await testServer.request("ada", `DELETE /messages/${poll}`);
  await lookAgain(page);
  await waitForMessage(page, "It is the cable");
  await waitForMessage(page, "Mast 8, it was");
  await page.locator(`#m${poll}`).waitFor({ state: "detached" });
  expect(await hrefOf(page, "Sign in to reply")).toContain(encodeURIComponent("/topic/Masts"));
  const lines = new Set(requests);
  const allowedRequests =
    /^(POST \/json\/register|GET \/json\/(messages|streams|users\/me\/\d+\/topics))$/;
  expect([...lines].filter((line) => !allowedRequests.test(line))).toEqual([]);
  expect(await page.evaluate(() => indexedDB.databases())).toEqual([]);
  expect(browserSession.faults.filter((fault) => !isOfVisitors.test(fault))).toEqual([]);
});

test("a search finds only public messages, by keyboard, highlighted", async () => {
  const { testServer } = fixture;
  await post("hidden", "The heron is not for visitors", fixture.stream_id);
  await testServer.request("bo", "POST /messages", {
    ...{ type: "direct", to: [testServer.idOf("ada")], content: "a heron between us" },
  });
  const mine = await post("Birds", "A heron stands at the mast");
  await post("Birds", "No bird today");
  const { id: other } = await testServer.request("bo", "POST /messages", {
    ...{ type: "channel", to: "news", topic: "Zoo", content: "The heron hatched" },
  });
  const { browserSession, page } = await openAsVisitor("/");
  const requests = recordRequests(browserSession);
  await page.keyboard.press("/");
  const field = page.getByRole("search").getByRole("textbox", { name: "Search messages" });
  await page.locator("[role=search] input:focus").waitFor();
  await page.keyboard.type("heron");
  await page.keyboard.press("Enter");
  await waitForMessage(page, "hatched");
  const messages = page.locator(".msg");
  expect(await messages.count()).toBe(2);
  expect(await page.locator(`#m${mine} .highlight`).innerText()).toBe("heron");
  expect(await page.locator("body").innerText()).not.toMatch(/not for visitors|between us|design/);
  expect(await field.inputValue()).toBe("heron");
  for (const locator of await page.locator("main :is(button, [data-act]):visible").all()) {
    expect(await locator.getAttribute("aria-label")).toMatch(/^(Back|Places|Copy link)$/);
  }
  // From a conversation, the search covers its channel.
  await page.goto(topicUrl("Birds"));
  await waitForMessage(page, "No bird today");
  await page.locator(".msg").first().focus();
  await page.keyboard.press("/");
  await page.locator("[role=search] input:focus").waitFor();
  await page.getByRole("textbox", { name: "Search here" }).waitFor();
  await page.keyboard.type("heron");
  await page.keyboard.press("Enter");
  await waitForMessage(page, "stands at the mast");
  await page.locator(`#m${other}`).waitFor({ state: "detached" });
  expect(await messages.count()).toBe(1);
  const allowedRequests =
    /^(POST \/json\/register|GET \/json\/(messages|streams|users\/me\/\d+\/topics))$/;
  expect(requests.filter((line) => !allowedRequests.test(line))).toEqual([]);
  expect(browserSession.faults.filter((fault) => !isOfVisitors.test(fault))).toEqual([]);
});

test("works without HTTPS, where a worker polls for all tabs", async () => {
  await post("Masts", "Read on the local network");
  const browserSession = await BrowserSession.empty(fixture.testServer, LAN_HOST);
  const page = await browserSession.tab(topicUrl("Masts"));
  await waitForMessage(page, "Read on the local network");
});

test("leads from a channel's topics to all messages on a phone", async () => {
  await post("Ropes", "Which rope?");
  const { page } = await openAsVisitor(`/#topics/channel/${help}-help`);
  await page.setViewportSize({ width: 360, height: 740 });
  const all = page.getByRole("main").getByRole("link", { name: "Messages" });
  expect((await all.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  await all.click();
  await waitForMessage(page, "Which rope?");
});

test("links to messages open them, even if they moved", async () => {
  const id = await post("Lamps", "Which lamp?");
  for (let more = 0; more < 3; more += 1) await post("Lamps", `lamp ${more}`);
  const { browserSession, page } = await openAsVisitor(`${topicUrl("Old.20name")}/with/${id}`);
  await page.waitForURL(new RegExp(`/topic/Lamps/near/${id}$`));
  await waitForMessage(page, "Which lamp?");
  await page.goto(`/m/${id}`);
  await page.waitForURL(new RegExp(`/topic/Lamps/near/${id}$`));
  await waitForMessage(page, "Which lamp?");
  expect(browserSession.faults.filter((fault) => !isOfVisitors.test(fault))).toEqual([]);
});

test("keeps the place after signing in, with all features", async () => {
  await post("Doors", "Knock knock");
  const { browserSession, page } = await openAsVisitor(topicUrl("Doors"));
  await waitForMessage(page, "Knock knock");
  await browserSession.signIn("bo");
  await lookAgain(page);
  await page.locator("main[data-connection=live]").waitFor();
  await waitForMessage(page, "Knock knock");
  await page.locator("form textarea:enabled").waitFor();
});

test("axe finds no fault in guest views, in all schemes and on a phone", async () => {
  await post("Looks", "**Fine**, `code`\n\n```js\nlet a = 1\n```");
  const faults: string[] = [];
  const { page } = await openAsVisitor("/");
  const topics = `/#topics/channel/${help}-help`;
  for (const address of [
    "/#",
    topics,
    topicUrl("Looks"),
    "/#feed",
    "/#inbox",
    "/#narrow/search/fine",
  ]) {
    await page.goto(address);
    await page.locator("h1").waitFor();
    const found = await accessibilityFaults(page, "html", TWO_LOOKS);
    faults.push(...found.map((fault) => `${address} ${fault}`));
  }
  expect(faults).toEqual([]);
});

test("public pages have no accessibility faults, and link to the client", async () => {
  const id = await post("Pages", "A **page**, `code`, [out](https://other.test/)\n\n> quoted");
  const browserSession = await fixture.emptySession();
  const page = await browserSession.tab("/public/");
  await page.getByRole("link", { name: "help" }).click();
  await page.getByRole("link", { name: "Pages" }).click();
  await page.locator(`#m${id}`).getByText("quoted").waitFor();
  expect(await accessibilityFaults(page, "html", TWO_LOOKS)).toEqual([]);
  await page.getByRole("link", { name: "Open in the app" }).click();
  await waitForMessage(page, "quoted");
  expect(browserSession.faults.filter((fault) => !isOfVisitors.test(fault))).toEqual([]);
});

test("sign-up runs the proof of work, also without HTTPS", async () => {
  const { testServer } = fixture;
  await testServer.request("olga", "PATCH /realm", { invite_required: false });
  const browserSession = await BrowserSession.empty(testServer, LAN_HOST);
  const page = await browserSession.tab("/register/");
  expect(await faultsOf(page)).toEqual([]);
  await page.getByLabel("Your email address").fill("nia@example.com");
  await page.getByLabel("Your name").fill("Nia New");
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  expect(browserSession.faults.filter((fault) => !fault.includes("Opener-Policy"))).toEqual([]);
  await testServer.request("olga", "PATCH /realm", { invite_required: true });
});
