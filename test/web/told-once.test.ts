// Lost and duplicate answers are resolved by the server's events or state.
import { expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { HANG_MS } from "../patience.ts";
import type { Json } from "../test-server.ts";
import { onDisk } from "./on-disk.ts";
import { shows, stands, BrowserFixture, write } from "./browser-fixture.ts";

const fixture = await BrowserFixture.ofFile();

const STARRED = { op: "add", flag: "starred" };

const waiting = (page: Page) => onDisk(page, fixture.testServer.idOf("bo"), "doings");

/** Nothing waits any more. */
async function told(page: Page): Promise<void> {
  while ((await waiting(page)).length > 0) await Bun.sleep(50);
}

type End = (route: Route) => Promise<void>;
const abort: End = (route) => route.abort();
const goOn: End = (route) => route.continue();

/** Bo's page with a message of his; what it asks of this first waits, and so ends. */
async function held(of: "starred" | "content", end: End, endLater = end) {
  const { id } = await fixture.post("bo", "Where I am");
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.place);
  await stands(page, "live");
  const [asked, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isAsked = false;
  await page.route(/json\/messages\/(flags|\d+)$/, async (route) => {
    if (!route.request().postData()?.includes(of)) return route.continue();
    if (isAsked) return endLater(route);
    isAsked = true;
    asked.resolve();
    await letGo.promise;
    return end(route);
  });
  await page.locator(`#m${id}`).focus();
  return { page, id, asked: asked.promise, letGo: letGo.resolve };
}

/** Bo changes the text of his message. */
async function change(page: Page, id: number, text: string): Promise<void> {
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("e");
  await page.locator(`#m${id} .edit-box textarea`).fill(text);
  await page.keyboard.press("Control+Enter");
  await page.locator(`#m${id} .md`, { hasText: text }).waitFor();
}

test("what the server tells of by its event is not told once more, without an answer", async () => {
  const { page, id, asked, letGo } = await held("starred", abort);
  await page.keyboard.press("Control+s");
  await asked;
  // It was heard: no answer comes, but its event.
  const flag = (op: "add" | "remove") =>
    fixture.testServer.ask("bo", "POST /messages/flags", { ...STARRED, messages: [id], op });
  await flag("add");
  await told(page);
  await flag("remove");
  await page.locator(`#m${id}:not([data-starred])`).waitFor();
  letGo();
});

test("a text that another tab has told meanwhile is there, and not refused", async () => {
  const { page, id, asked, letGo } = await held("content", goOn);
  // The poll that is on its way ends with something else, and no other tells of a change.
  await page.route("**/json/events?**", async (route) => {
    const response = await route.fetch({ timeout: HANG_MS }).catch(() => undefined);
    const isOfIt = (await response?.text())?.includes("update_message") ?? true;
    await (isOfIt ? route.abort() : route.fulfill({ response: response! })).catch(() => undefined);
  });
  await fixture.post("ada", "Something else");
  await shows(page, "Something else");
  await change(page, id, "Where I was");
  await asked;
  await fixture.testServer.ask("bo", `PATCH /messages/${id}`, { content: "Where I was" });
  letGo();
  await told(page);
  await page.locator(`#m${id}:not([data-state])`).waitFor();
});

test("what is done to two is known by its event, whichever of them is told first", async () => {
  const { page, id, asked, letGo } = await held("starred", abort);
  await page.keyboard.press("Control+s");
  await asked;
  // The line of what changes messages goes on meanwhile.
  await change(page, id, "Where I was");
  while ((await waiting(page)).length > 1) await Bun.sleep(50);
  await fixture.testServer.ask("bo", "POST /messages/flags", { ...STARRED, messages: [id] });
  await told(page);
  letGo();
});

test("a text that a later one replaced on its way is not refused", async () => {
  const allowed = (allow_message_editing: boolean) =>
    fixture.testServer.ask("olga", "PATCH /realm", { allow_message_editing });
  const refused: End = async (route) => {
    await allowed(false);
    const response = await route.fetch();
    expect(response.status()).toBe(400);
    await allowed(true);
    return route.fulfill({ response });
  };
  const { page, id, asked, letGo } = await held("content", refused, goOn);
  await change(page, id, "First");
  await asked;
  await change(page, id, "Second");
  const isSecond = ({ params }: Json) => params.content === "Second";
  while (!(await waiting(page)).every(isSecond)) await Bun.sleep(50);
  letGo();
  await told(page);
  await page.locator(`#m${id}:not([data-state])`, { hasText: "Second" }).waitFor();
});

test("a text whose message is out of reach when looked at stops nothing after it", async () => {
  const { testServer } = fixture;
  const late: End = async (route) => {
    const path = new URL(route.request().url()).pathname.replace("/json", "");
    await testServer.ask("bo", `PATCH ${path}`, { content: "From elsewhere" });
    const response = await route.fetch();
    await testServer.ask("olga", `DELETE ${path}`);
    return route.fulfill({ response });
  };
  const { page, id, asked, letGo } = await held("content", late);
  await change(page, id, "Where I was");
  await asked;
  await write(page, "And so on");
  letGo();
  await fixture.arrived(page, "And so on");
});

test("what is refused to one tab is taken back in the others that tell it too", async () => {
  const { id } = await fixture.post("bo", "Where I am");
  const browserSession = await fixture.sessionOf("bo");
  const asked: Route[] = [];
  await browserSession.context.route("**/json/messages/flags", (route) => {
    if (route.request().postData()!.includes("starred")) asked.push(route);
    else return route.continue();
  });
  const askedOf = async (count: number) => {
    while (asked.length < count) await Bun.sleep(20);
    return asked[count - 1]!;
  };
  const first = await browserSession.tab(fixture.place);
  await first.locator(`#m${id}`).focus();
  await first.keyboard.press("Control+s");
  const refused = await askedOf(1);
  const second = await browserSession.tab(fixture.place);
  await second.locator(`#m${id}[data-starred]`).waitFor();
  const unanswered = await askedOf(2);
  await refused.fulfill({ status: 400, json: { code: "BAD_REQUEST", msg: "Not today" } });
  for (const page of [first, second]) await page.locator(`#m${id}:not([data-starred])`).waitFor();
  await unanswered.abort();
  await browserSession.close();
});

/** Bo deletes his message, and no longer can take that back. */
async function erase(page: Page, id: number): Promise<void> {
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("i");
  await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
  await page.locator(`#m${id}`).waitFor({ state: "detached" });
}

test("a text that waits in one tab ends with its message, which another tab deletes", async () => {
  const { page, id, asked, letGo } = await held("content", abort);
  const other = await page.context().newPage();
  await other.goto(fixture.place);
  await stands(other, "live");
  await change(page, id, "Where I was");
  await asked;
  await erase(other, id);
  await page.locator(`#m${id}`).waitFor({ state: "detached" });
  letGo();
  await told(page);
});

/** Nothing is said to have failed, also when what comes after it has gone its way. */
async function noAlert(page: Page): Promise<void> {
  await write(page, "And so on");
  await fixture.arrived(page, "And so on");
  expect(await page.locator(".toast[role=alert]").allInnerTexts()).toEqual([]);
}

/** Bo's page, in which he deletes a message; `asked` is the first that the server is to hear. */
async function erased() {
  const { id } = await fixture.post("bo", "Where I am");
  const page = await (await fixture.sessionOf("bo")).tab(fixture.place);
  await stands(page, "live");
  const asked = Promise.withResolvers<Route>();
  let isAsked = false;
  await page.route(/json\/messages\/\d+$/, (route) => {
    if (isAsked || route.request().method() !== "DELETE") return route.continue();
    isAsked = true;
    asked.resolve(route);
  });
  await erase(page, id);
  const route = await asked.promise;
  return { id, page, route };
}

test("a message that is gone already is deleted, and nothing is refused", async () => {
  const { id, page, route } = await erased();
  await fixture.testServer.ask("bo", `DELETE /messages/${id}`);
  const response = await route.fetch();
  expect(response.status()).toBe(400);
  await route.fulfill({ response });
  await told(page);
  await noAlert(page);
});

test("a message that may not be deleted any more, once asked again, is there again", async () => {
  const { id, page, route } = await erased();
  const within = (message_content_delete_limit_seconds: number | "unlimited") =>
    fixture.testServer.ask("olga", "PATCH /realm", { message_content_delete_limit_seconds });
  await within(1);
  await route.abort();
  await page.locator(`#m${id}`).waitFor();
  await told(page);
  await within("unlimited");
});

test("a text that waits ends with its message that one deletes and leaves the page", async () => {
  const { page, id, asked, letGo } = await held("content", abort);
  await change(page, id, "Where I was");
  await asked;
  await erase(page, id);
  await page.reload();
  const looked = () => fixture.testServer.send("bo", `GET /messages/${id}`);
  while ((await looked()).status === 200) await Bun.sleep(20);
  letGo();
  await stands(page, "live");
  await told(page);
  await noAlert(page);
});

test("a tab that goes tells no deletion that another could still take back", async () => {
  const { id } = await fixture.post("bo", "Where I am");
  const isThere = async () =>
    (await fixture.testServer.send("bo", `GET /messages/${id}`)).status === 200;
  const browserSession = await fixture.sessionOf("bo");
  // It can be taken back for as long as this takes.
  await browserSession.context.clock.setFixedTime(Date.now());
  const page = await browserSession.tab(fixture.place);
  await stands(page, "live");
  await erase(page, id);
  const other = await browserSession.tab(fixture.place);
  await stands(other, "live");
  await other.locator(`#m${id}`).waitFor({ state: "detached" });
  await other.goto(`${browserSession.url}/help/apps/`);
  await fixture.post("ada", "Something else");
  await shows(page, "Something else");
  expect(await isThere()).toBe(true);
  // The tab in which it was done has decided, when it goes.
  await page.goto(`${browserSession.url}/help/apps/`);
  while (await isThere()) await Bun.sleep(20);
});
