// Responses and events may arrive in any order, and the latest state is displayed.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { withTimeout, until } from "../wait-until.ts";
import { waitForEvents, waitForConnection, BrowserFixture } from "./browser-fixture.ts";
import { routeOnce } from "./failing-network.ts";

const fixture = await BrowserFixture.forTestFile();

/** Holds the next response until `release` is called; if `isOlder`, the server answers before. */
async function holdAnswer(page: Page, isOlder: boolean, to = /json\/messages\?/) {
  const [requested, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await routeOnce(page, to, async (route) => {
    const older = isOlder ? await route.fetch() : undefined;
    requested.resolve();
    await release.promise;
    await (older ? route.fulfill({ response: older }) : route.continue());
  });
  return {
    isRequested: () => withTimeout(requested.promise, `a request to ${to}`),
    release: release.resolve,
  };
}

for (const isOlder of [true, false]) {
  const order = isOlder ? "older than what came meanwhile" : "newer than what came before it";
  test(`handles a response that is ${order}`, async () => {
    const topic = isOlder ? "older" : "newer";
    const to = { type: "channel", to: fixture.stream_id, topic };
    const post = async (content: string): Promise<number> =>
      (await fixture.testServer.request("ada", "POST /messages", { ...to, content })).id;
    const [edited, deleted, moved] = [
      await post("Before"),
      await post("Gone"),
      await post("Moved"),
    ];
    const browserSession = await fixture.sessionOf("bo");
    const page = await browserSession.tab(
      `/#narrow/channel/${fixture.stream_id}-design/topic/else`,
    );
    await waitForConnection(page, "live");
    await page.locator("main h1", { hasText: "else" }).waitFor();
    const { isRequested, release } = await holdAnswer(page, isOlder);
    const hash = `narrow/channel/${fixture.stream_id}-design/topic/${topic}`;
    await page.evaluate((fragment) => (location.hash = fragment), hash);
    await isRequested();
    const receivedAll = waitForEvents(page, `The end, ${topic}`);
    await fixture.testServer.request("ada", `PATCH /messages/${edited}`, { content: "After" });
    await fixture.testServer.request("cy", `POST /messages/${edited}/reactions`, {
      emoji_name: "tada",
    });
    await fixture.testServer.request("ada", `DELETE /messages/${deleted}`);
    const aside = { topic: "aside", propagate_mode: "change_one" };
    await fixture.testServer.request("ada", `PATCH /messages/${moved}`, aside);
    await post(`The end, ${topic}`);
    await receivedAll;
    release();
    await page.locator(".msg", { hasText: `The end, ${topic}` }).waitFor();
    const rows = page.locator(".msg");
    expect(await rows.locator(".md").allTextContents()).toEqual(["After", `The end, ${topic}`]);
    expect(await rows.first().locator(".react").textContent()).toBe("🎉 Cy Member");
    await browserSession.close();
  });
}

test("keeps the position when a topic is resolved by key", async () => {
  const { id } = await fixture.post("ada", "Which colour?");
  const { id: last } = await fixture.post("bo", "Blue");
  const flags = { messages: [id, last], op: "add", flag: "read" };
  await fixture.testServer.request("cy", "POST /messages/flags", flags);
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await page.locator(`#m${id}`).focus();
  const { isRequested, release } = await holdAnswer(page, false);
  const received = waitForEvents(page, "as resolved");
  await page.keyboard.press("T");
  await Promise.all([isRequested(), received]);
  release();
  await page.locator(".msg", { hasText: "as resolved" }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe(`m${id}`);
  expect(await page.locator(".msg-mark").count()).toBe(0);
});

test("a response from before the loss of the queue removes nothing", async () => {
  const to = { type: "channel", to: fixture.stream_id, topic: "lost" };
  const post = (content: string) =>
    fixture.testServer.request("ada", "POST /messages", { ...to, content });
  await post("Before");
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(`/#narrow/channel/${fixture.stream_id}-design/topic/else`);
  await waitForConnection(page, "live");
  await page.locator("main h1", { hasText: "else" }).waitFor();
  const { isRequested, release } = await holdAnswer(page, true);
  await page.evaluate(
    (hash) => (location.hash = hash),
    `narrow/channel/${fixture.stream_id}/topic/lost`,
  );
  await isRequested();
  const posted = Promise.withResolvers<void>();
  await page.route("**/json/register", async (route) => {
    await posted.promise;
    await route.continue();
  });
  const repeated = page.waitForRequest("**/json/register");
  const { hub } = fixture.testServer.realm;
  for (const { record } of hub.of(fixture.testServer.idOf("bo"))) hub.close(record.queue_id);
  await repeated;
  await post("After");
  posted.resolve();
  await page.locator(".msg", { hasText: "After" }).waitFor();
  const response = page.waitForResponse(/json\/messages\?/);
  release();
  await response;
  await post("The end");
  await page.locator(".msg", { hasText: "The end" }).waitFor();
  const rows = page.locator(".msg .md");
  expect(await rows.allTextContents()).toEqual(["Before", "After", "The end"]);
});

test("an old list of topics does not restore an old name", async () => {
  const principals = [fixture.testServer.idOf("ada"), fixture.testServer.idOf("bo")];
  await fixture.testServer.request("ada", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "plans" }],
    principals,
  });
  const { stream_id } = await fixture.testServer.request("ada", "GET /get_stream_id", {
    stream: "plans",
  });
  const to = { type: "channel", to: stream_id, content: "Words" };
  const { id } = await fixture.testServer.request("ada", "POST /messages", {
    ...to,
    topic: "old name",
  });
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#drafts");
  await waitForConnection(page, "live");
  await page.locator("main h1").waitFor();
  const { isRequested, release } = await holdAnswer(page, true, /topics\?/);
  await page.evaluate((hash) => (location.hash = hash), `topics/channel/${stream_id}-plans`);
  await isRequested();
  const received = waitForEvents(page, "third name");
  const renamed = { topic: "new name", propagate_mode: "change_all" };
  await fixture.testServer.request("ada", `PATCH /messages/${id}`, renamed);
  await fixture.testServer.request("ada", "POST /messages", { ...to, topic: "third name" });
  await received;
  release();
  await page.locator('.recent-list[aria-busy="false"]').waitFor();
  const titles = page.locator(".recent-list .list-row .top a");
  expect((await titles.allTextContents()).sort()).toEqual(["new name", "third name"]);
});

test("reloads a list of topics from before a lost queue", async () => {
  const to = { type: "channel", to: fixture.stream_id };
  const post = (topic: string) =>
    fixture.testServer.request("ada", "POST /messages", { ...to, topic, content: "Words" });
  const { id } = await post("before the loss");
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#drafts");
  await waitForConnection(page, "live");
  await page.locator("main h1").waitFor();
  const { isRequested, release } = await holdAnswer(page, true, /topics\?/);
  await page.evaluate((hash) => (location.hash = hash), `topics/channel/${fixture.stream_id}`);
  await isRequested();
  const renamed = Promise.withResolvers<void>();
  await page.route("**/json/register", async (route) => {
    await renamed.promise;
    await route.continue();
  });
  const repeated = page.waitForRequest("**/json/register");
  const { hub } = fixture.testServer.realm;
  for (const { record } of hub.of(fixture.testServer.idOf("bo"))) hub.close(record.queue_id);
  await repeated;
  const aside = { topic: "after the loss", propagate_mode: "change_all" };
  await fixture.testServer.request("ada", `PATCH /messages/${id}`, aside);
  const registered = page.waitForResponse("**/json/register");
  renamed.resolve();
  await registered;
  const received = waitForEvents(page, "the end of the loss");
  await post("the end of the loss");
  await received;
  release();
  await page.locator('.recent-list[aria-busy="false"]').waitFor();
  const titles = await page.locator(".recent-list .list-row .top a").allTextContents();
  expect(titles).toContain("after the loss");
  expect(titles).not.toContain("before the loss");
});

test("a list of topics is complete if messages are removed during its load", async () => {
  const subscriptions = [{ name: "sketches" }];
  const principals = [fixture.testServer.idOf("ada"), fixture.testServer.idOf("bo")];
  await fixture.testServer.request("ada", "POST /users/me/subscriptions", {
    subscriptions,
    principals,
  });
  const { stream_id } = await fixture.testServer.request("ada", "GET /get_stream_id", {
    stream: "sketches",
  });
  const post = async (topic: string): Promise<number> => {
    const to = { type: "channel", to: stream_id, topic, content: "Words" };
    return (await fixture.testServer.request("ada", "POST /messages", to)).id;
  };
  await post("stays");
  const [last, only] = [await post("stays"), await post("goes")];
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#drafts");
  await waitForConnection(page, "live");
  await page.locator("main h1").waitFor();
  const { isRequested, release } = await holdAnswer(page, true, /topics\?/);
  await page.evaluate((hash) => (location.hash = hash), `topics/channel/${stream_id}-sketch`);
  await isRequested();
  const received = waitForEvents(page, `"message_ids":[${only}]`);
  await fixture.testServer.request("ada", `DELETE /messages/${last}`);
  await fixture.testServer.request("ada", `DELETE /messages/${only}`);
  await received;
  release();
  await page.locator('.recent-list[aria-busy="false"]').waitFor();
  const titles = page.locator(".recent-list .list-row .top a");
  // The page asks again about a topic whose last message was deleted, so its row may come later.
  const show = (names: string[]) =>
    until(async () => `${await titles.allTextContents()}` === `${names}`);
  await show(["stays"]);
  const newest = await post("next");
  await show(["next", "stays"]);
  await fixture.testServer.request("ada", `DELETE /messages/${newest}`);
  await show(["stays"]);
});

test("applies subscriptions that change during the load of subscribers", async () => {
  const browserSession = await fixture.sessionOf("bo");
  await browserSession.context.route("**/json/register", async (route) => {
    const response = await route.fetch();
    const snapshot = await response.json();
    for (const row of snapshot.subscriptions) {
      row.partial_subscribers = [fixture.testServer.idOf("bo")];
      delete row.subscribers;
    }
    await route.fulfill({ response, json: snapshot });
  });
  const page = await browserSession.tab("/#drafts");
  await waitForConnection(page, "live");
  await page.locator("main h1").waitFor();
  const { isRequested, release } = await holdAnswer(page, true, /members/);
  await page.evaluate(
    (hash) => (location.hash = hash),
    `channels/${fixture.stream_id}/design/subscribers`,
  );
  await isRequested();
  const subscriptions = [{ name: "design" }];
  const principals = [fixture.testServer.idOf("mo")];
  await fixture.testServer.request("ada", "POST /users/me/subscriptions", {
    subscriptions,
    principals,
  });
  const received = waitForEvents(page, "peer_remove");
  const removed = { subscriptions: ["design"], principals: [fixture.testServer.idOf("cy")] };
  await fixture.testServer.request("ada", "DELETE /users/me/subscriptions", removed);
  await received;
  release();
  const section = page.locator("[data-part=subscribers]");
  await section.getByText("Ada Admin").first().waitFor();
  expect(await section.getByText("Mo Moderator").count()).toBeGreaterThan(0);
  expect(await section.getByText("Cy Member").count()).toBe(0);
  await browserSession.close();
  await fixture.testServer.request("cy", "POST /users/me/subscriptions", { subscriptions });
});

test("keeps later events when a message is reloaded after an error", async () => {
  const { id } = await fixture.post("bo", "Said wrongly");
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const row = page.locator(`#m${id}`);
  await row.focus();
  await page.route(`**/json/messages/${id}`, (route) =>
    route.request().method() === "PATCH"
      ? route.fulfill({ status: 400, json: { result: "error", code: "BAD_REQUEST", msg: "No" } })
      : route.fallback(),
  );
  const { isRequested, release } = await holdAnswer(
    page,
    true,
    new RegExp(`messages/${id}\\?(?!.*false)`),
  );
  await page.keyboard.press("e");
  await row.locator("textarea:enabled").fill("Said otherwise");
  await page.keyboard.press("Control+Enter");
  await isRequested();
  const received = waitForEvents(page, "tada");
  await fixture.testServer.request("ada", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  await received;
  const response = page.waitForResponse(new RegExp(`messages/${id}\\?`));
  release();
  await (await response).finished();
  await fixture.post("ada", "The end");
  await page.locator(".msg", { hasText: "The end" }).waitFor();
  expect(await row.locator(".react").count()).toBe(1);
});

test("keeps what others undo before the response arrives", async () => {
  const to = { type: "channel", to: fixture.stream_id, topic: "settled" };
  const { id } = await fixture.testServer.request("ada", "POST /messages", {
    ...to,
    content: "Or not",
  });
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(`/#topics/channel/${fixture.stream_id}-design`);
  await waitForConnection(page, "live");
  const { isRequested, release } = await holdAnswer(page, true, new RegExp(`messages/${id}$`));
  const row = page.locator(".list-row", { hasText: "settled" });
  const events = waitForEvents(page, "as resolved");
  await page.locator('.recent-list[aria-busy="false"]').waitFor();
  await row.locator("[data-focus]").press("T");
  await Promise.all([isRequested(), events]);
  const undone = waitForEvents(page, `"subject":"settled"`);
  const moveBack = { topic: "settled", propagate_mode: "change_all" };
  await fixture.testServer.request("ada", `PATCH /messages/${id}`, moveBack);
  await undone;
  const response = page.waitForResponse(new RegExp(`messages/${id}$`));
  release();
  await (await response).finished();
  const received = waitForEvents(page, "And so it stays");
  await fixture.testServer.request("ada", "POST /messages", { ...to, content: "And so it stays" });
  await received;
  await row.getByText("And so it stays").waitFor();
  expect(await row.count()).toBe(1);
  expect(await row.getByText("resolved").count()).toBe(0);
});
