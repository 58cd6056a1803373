// Lost and duplicate responses are resolved by the server's events or state.
import { expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { HANG_MS } from "../patience.ts";
import type { Json } from "../test-server.ts";
import { withTimeout, until } from "../wait-until.ts";
import { readStoredRows } from "./stored-data.ts";
import { waitForMessage, waitForConnection, BrowserFixture, write } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

const STARRED = { op: "add", flag: "starred" };

const pendingMutations = (page: Page) =>
  readStoredRows(page, fixture.testServer.idOf("bo"), "doings");

/** Waits until no change is pending. */
async function read(page: Page): Promise<void> {
  await until(async () => (await pendingMutations(page)).length === 0);
}

type RespondToRequest = (route: Route) => Promise<void>;
const abort: RespondToRequest = (route) => route.abort();
const passRequest: RespondToRequest = (route) => route.continue();

/** Opens Bo's page with a message; holds its first request with `of`, then ends it with `end`. */
async function holdRequest(request: "starred" | "content", end: RespondToRequest, endLater = end) {
  const { id } = await fixture.post("bo", "Where I am");
  // Otherwise the page marks the messages as read, and that change waits behind the held request.
  await fixture.testServer.request("bo", "POST /mark_all_as_read");
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const [requested, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isRequested = false;
  await page.route(/json\/messages\/(flags|\d+)$/, async (route) => {
    if (!route.request().postData()?.includes(request)) return route.continue();
    if (isRequested) return endLater(route);
    isRequested = true;
    requested.resolve();
    await release.promise;
    return end(route);
  });
  await page.locator(`#m${id}`).focus();
  const isHeld = () => withTimeout(requested.promise, `the request with "${request}"`);
  return { page, id, isHeld, release: release.resolve };
}

/** Changes the text of a message in Bo's page. */
async function change(page: Page, id: number, text: string): Promise<void> {
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("e");
  await page.locator(`#m${id} .edit-box textarea`).fill(text);
  await page.keyboard.press("Control+Enter");
  await page.locator(`#m${id} .md`, { hasText: text }).waitFor();
}

test("does not resend a change that its event confirmed", async () => {
  const { page, id, isHeld, release } = await holdRequest("starred", abort);
  await page.keyboard.press("Control+s");
  await isHeld();
  // The server has stored the change: no response arrives, but its event does.
  const flag = (op: "add" | "remove") =>
    fixture.testServer.request("bo", "POST /messages/flags", { ...STARRED, messages: [id], op });
  await flag("add");
  await read(page);
  await flag("remove");
  await page.locator(`#m${id}:not([data-starred])`).waitFor();
  release();
});

test("shows a text that another tab has sent, without an error", async () => {
  const { page, id, isHeld, release } = await holdRequest("content", passRequest);
  // The poll in flight ends with another event, and later polls about the message are lost.
  await page.route("**/json/events?**", async (route) => {
    const response = await route.fetch({ timeout: HANG_MS }).catch(() => undefined);
    // The last poll may end together with the page.
    const text = await response?.text().catch(() => undefined);
    const isOfIt = text?.includes("update_message") ?? true;
    await (isOfIt ? route.abort() : route.fulfill({ response: response! })).catch(() => undefined);
  });
  await fixture.post("ada", "Something else");
  await waitForMessage(page, "Something else");
  await change(page, id, "Where I was");
  await isHeld();
  await fixture.testServer.request("bo", `PATCH /messages/${id}`, { content: "Where I was" });
  release();
  await read(page);
  await page.locator(`#m${id}:not([data-state])`).waitFor();
});

test("an event confirms either of two changes", async () => {
  const { page, id, isHeld, release } = await holdRequest("starred", abort);
  await page.keyboard.press("Control+s");
  await isHeld();
  // The queue of changes to messages continues meanwhile.
  await change(page, id, "Where I was");
  await until(async () => (await pendingMutations(page)).length <= 1);
  await fixture.testServer.request("bo", "POST /messages/flags", { ...STARRED, messages: [id] });
  await read(page);
  release();
});

test("a text replaced on its way causes no error", async () => {
  const allowEditing = (allow_message_editing: boolean) =>
    fixture.testServer.request("olga", "PATCH /realm", { allow_message_editing });
  const refuseRequest: RespondToRequest = async (route) => {
    await allowEditing(false);
    const response = await route.fetch();
    expect(response.status()).toBe(400);
    await allowEditing(true);
    return route.fulfill({ response });
  };
  const { page, id, isHeld, release } = await holdRequest("content", refuseRequest, passRequest);
  await change(page, id, "First");
  await isHeld();
  await change(page, id, "Second");
  const isSecond = ({ params }: Json) => params.content === "Second";
  await until(async () => (await pendingMutations(page)).every(isSecond));
  release();
  await read(page);
  await page.locator(`#m${id}:not([data-state])`, { hasText: "Second" }).waitFor();
});

test("a text whose message is inaccessible blocks nothing after it", async () => {
  const { testServer } = fixture;
  const respondLate: RespondToRequest = async (route) => {
    const path = new URL(route.request().url()).pathname.replace("/json", "");
    await testServer.request("bo", `PATCH ${path}`, { content: "From elsewhere" });
    const response = await route.fetch();
    await testServer.request("olga", `DELETE ${path}`);
    return route.fulfill({ response });
  };
  const { page, id, isHeld, release } = await holdRequest("content", respondLate);
  await change(page, id, "Where I was");
  await isHeld();
  await write(page, "And so on");
  release();
  await fixture.untilPosted(page, "And so on");
});

test("says in the language of the page that a message is missing", async () => {
  const setLanguage = (default_language: string) =>
    fixture.testServer.request("bo", "PATCH /settings", { default_language });
  await setLanguage("de");
  const { id } = await fixture.post("bo", "Where I am");
  const page = await (await fixture.sessionOf("bo")).tab(fixture.topicUrl);
  // The event of the deletion does not arrive before the response.
  await page.route("**/json/messages/*/reactions", async (route) => {
    await page.route("**/json/events?**", (poll) => poll.abort());
    await fixture.testServer.request("olga", `DELETE /messages/${id}`);
    const response = await route.fetch();
    await route.fulfill({ response });
  });
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("+");
  await page.locator(".toast[role=alert]", { hasText: "Diese Nachricht wurde gelöscht" }).waitFor();
  await setLanguage("en");
});

test("rolls back a rejected change in all tabs that send it", async () => {
  const { id } = await fixture.post("bo", "Where I am");
  const browserSession = await fixture.sessionOf("bo");
  const routes: Route[] = [];
  await browserSession.context.route("**/json/messages/flags", (route) => {
    if (route.request().postData()!.includes("starred")) routes.push(route);
    else return route.continue();
  });
  const askedOf = async (count: number) => {
    await until(() => routes.length >= count);
    return routes[count - 1]!;
  };
  const first = await browserSession.tab(fixture.topicUrl);
  await first.locator(`#m${id}`).focus();
  await first.keyboard.press("Control+s");
  const refused = await askedOf(1);
  const second = await browserSession.tab(fixture.topicUrl);
  await second.locator(`#m${id}[data-starred]`).waitFor();
  const unanswered = await askedOf(2);
  await refused.fulfill({ status: 400, json: { code: "BAD_REQUEST", msg: "Not today" } });
  for (const page of [first, second]) await page.locator(`#m${id}:not([data-starred])`).waitFor();
  await unanswered.abort();
});

/** Deletes a message in Bo's page. */
async function erase(page: Page, id: number): Promise<void> {
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("i");
  await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
  await page.locator(`#m${id}`).waitFor({ state: "detached" });
}

test("a pending text ends when another tab deletes its message", async () => {
  const { page, id, isHeld, release } = await holdRequest("content", abort);
  const other = await page.context().newPage();
  await other.goto(fixture.topicUrl);
  await waitForConnection(other, "live");
  await change(page, id, "Where I was");
  await isHeld();
  await erase(other, id);
  await page.locator(`#m${id}`).waitFor({ state: "detached" });
  release();
  await read(page);
});

/** Checks that no error is shown, even after later changes were sent. */
async function noAlert(page: Page): Promise<void> {
  await write(page, "And so on");
  await fixture.untilPosted(page, "And so on");
  expect(await page.locator(".toast[role=alert]").allInnerTexts()).toEqual([]);
}

/** Deletes a message in Bo's page; `route` is the first DELETE request, which it holds. */
async function deleteWithLostResponse() {
  const { id } = await fixture.post("bo", "Where I am");
  const page = await (await fixture.sessionOf("bo")).tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const requested = Promise.withResolvers<Route>();
  let isRequested = false;
  await page.route(/json\/messages\/\d+$/, (route) => {
    if (isRequested || route.request().method() !== "DELETE") return route.continue();
    isRequested = true;
    requested.resolve(route);
  });
  await erase(page, id);
  const route = await withTimeout(requested.promise, "the request that deletes the message");
  return { id, page, route };
}

test("deletes an already deleted message without an error", async () => {
  const { id, page, route } = await deleteWithLostResponse();
  await fixture.testServer.request("bo", `DELETE /messages/${id}`);
  const response = await route.fetch();
  expect(response.status()).toBe(400);
  await route.fulfill({ response });
  await read(page);
  await noAlert(page);
});

test("restores a message whose deletion is rejected on retry", async () => {
  const { id, page, route } = await deleteWithLostResponse();
  const setDeleteLimit = (message_content_delete_limit_seconds: number | "unlimited") =>
    fixture.testServer.request("olga", "PATCH /realm", { message_content_delete_limit_seconds });
  await setDeleteLimit(1);
  await route.abort();
  await page.locator(`#m${id}`).waitFor();
  await read(page);
  await setDeleteLimit("unlimited");
});

/** Edits and deletes a message, then loads the page again while neither has a response. */
async function leaveWithEditAndDeletion(prepare?: (page: Page) => Promise<void>): Promise<void> {
  const { page, id, isHeld, release } = await holdRequest("content", abort);
  await change(page, id, "Where I was");
  await isHeld();
  await erase(page, id);
  await prepare?.(page);
  await page.reload();
  const fetchMessage = () => fixture.testServer.send("bo", `GET /messages/${id}`);
  await until(async () => (await fetchMessage()).status !== 200);
  release();
  await waitForConnection(page, "live");
  await read(page);
  await noAlert(page);
}

test("a pending text ends when its message is deleted before leaving", async () => {
  await leaveWithEditAndDeletion();
});

test("a pending text ends when the closing page cannot record the deletion", async () => {
  await leaveWithEditAndDeletion((page) =>
    page.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new Error("The page is closing.");
      };
    }),
  );
});

test("a closing tab sends no deletion that can still be undone", async () => {
  const { id } = await fixture.post("bo", "Where I am");
  const exists = async () =>
    (await fixture.testServer.send("bo", `GET /messages/${id}`)).status === 200;
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(`#m${id}`).waitFor();
  await waitForConnection(page, "live");
  // The stopped clock keeps the deletion undoable during the test. A page should not start with
  // it, since a request that fails would not be repeated.
  await browserSession.context.clock.setFixedTime(Date.now());
  await erase(page, id);
  const other = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(other, "live");
  await other.locator(`#m${id}`).waitFor({ state: "detached" });
  await other.goto(`${browserSession.url}/help/apps/`);
  await fixture.post("ada", "Something else");
  await waitForMessage(page, "Something else");
  expect(await exists()).toBe(true);
  // The tab in which the user deleted the message sends the deletion when it closes.
  await page.goto(`${browserSession.url}/help/apps/`);
  await until(async () => !(await exists()));
});
