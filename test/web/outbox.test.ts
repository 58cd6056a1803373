// Messages are sent once, under their author, despite network failures and closed tabs.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Request } from "playwright-core";
import { withTimeout, until } from "../wait-until.ts";
import type { BrowserSession } from "./browser-session.ts";
import { NetworkFailure } from "./failing-network.ts";
import { readStoredRows } from "./stored-data.ts";
import { waitForMessage, waitForConnection, BrowserFixture, write } from "./browser-fixture.ts";

let fixture: BrowserFixture;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
});
afterEach(() => fixture.close());

/** Loses the requests of the client before they reach the server. */
const cutMessages = (browserSession: BrowserSession) =>
  NetworkFailure.of(browserSession.context, "**/json/**");
const postedContents = async () => (await fixture.listPosted()).map(({ content }) => content);

test("sends offline messages once, after a reload, in order", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const network = await cutMessages(browserSession);
  const texts = ["first", "second", "third"];
  for (const text of texts) await write(page, text);
  for (const text of texts) {
    await page.locator("article[data-state=waiting]").filter({ hasText: text }).waitFor();
  }
  await page.reload();
  await page.locator("article[data-state=waiting]").filter({ hasText: "third" }).waitFor();
  expect(await postedContents()).toEqual([]);
  await network.restore();
  for (const text of texts) await waitForMessage(page, text);
  await fixture.untilPosted(page, ...texts);
  expect(await postedContents()).toEqual(texts);
});

test("sends once when the key is pressed twice", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const field = page.locator(".compose textarea:enabled");
  await field.fill("only once");
  // Presses Enter twice, faster than any disk can store the message.
  await field.evaluate((node) => {
    const keyEvent = { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
    for (let time = 0; time < 2; time += 1)
      node.dispatchEvent(new KeyboardEvent("keydown", keyEvent));
  });
  await write(page, "and then");
  await until(async () => (await postedContents()).length >= 2);
  expect((await postedContents()).toSorted()).toEqual(["and then", "only once"]);
});

test("does not send a message twice when the response is lost", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  let lost = 0;
  await page.route("**/json/messages", async (route) => {
    if (route.request().method() !== "POST" || lost > 1) return route.continue();
    lost += 1;
    await route.fetch();
    return route.abort();
  });
  await write(page, "only once");
  await until(() => lost >= 1);
  await waitForMessage(page, "only once");
  await fixture.untilPosted(page, "only once");
  expect(await postedContents()).toEqual(["only once"]);
});

test("removes a pending message answered after its queue was lost", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const { testServer } = fixture;
  const { hub } = testServer.realm;
  const registering = await NetworkFailure.of(browserSession.context, "**/json/register");
  const requested = Promise.withResolvers<void>();
  const received = Promise.withResolvers<void>();
  await page.route("**/json/messages", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    for (const { record } of hub.of(testServer.idOf("bo"))) hub.close(record.queue_id);
    const response = await route.fetch();
    requested.resolve();
    await received.promise;
    return route.fulfill({ response });
  });
  await write(page, "told of by no event");
  await withTimeout(requested.promise, "the request that sends the message");
  const { id } = await fixture.post("ada", "on the new queue");
  await registering.restore();
  await waitForMessage(page, "on the new queue");
  await testServer.request("ada", `DELETE /messages/${id - 1}`);
  await page.locator(`#m${id - 1}`).waitFor({ state: "detached" });
  const response = page.waitForResponse("**/json/messages");
  received.resolve();
  await response;
  await page.locator("article", { hasText: "told of by no event" }).waitFor({ state: "detached" });
  await page.reload();
  await waitForMessage(page, "on the new queue");
  // If the page was left before its row was deleted, it is sent and answered once more.
  await page.locator("article", { hasText: "told of by no event" }).waitFor({ state: "detached" });
});

test("shows a restored message once, even without a response", async () => {
  const browserSession = await fixture.sessionOf("bo");
  // This tab leads, so the events that it receives are stored on the disk.
  const other = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(other, "live");
  const page = await browserSession.tab(fixture.topicUrl);
  const requested = Promise.withResolvers<Request>();
  await page.route("**/json/messages", (route) => {
    if (route.request().method() !== "POST") return route.continue();
    requested.resolve(route.request());
    return route.abort();
  });
  await write(page, "said as I went");
  const request = await withTimeout(requested.promise, "the request that sends the message");
  const { queue_id, local_id } = Object.fromEntries(new URLSearchParams(request.postData()!));
  await page.goto("about:blank");
  const to = { type: "channel", to: fixture.stream_id, topic: "logo", content: "said as I went" };
  await fixture.testServer.request("bo", "POST /messages", { ...to, queue_id, local_id });
  await waitForMessage(other, "said as I went");
  await page.goto(`${browserSession.url}${fixture.topicUrl}`);
  await page.locator(".compose textarea:enabled").waitFor();
  await until(
    async () => (await readStoredRows(page, fixture.testServer.idOf("bo"), "outbox")).length === 0,
  );
  await page.locator("article[data-state]").waitFor({ state: "detached" });
  expect(await page.locator("article", { hasText: "said as I went" }).count()).toBe(1);
});

test("shows the server's error, and keeps the text", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await fixture.testServer.request("ada", "PATCH /streams/" + fixture.stream_id, {
    can_send_message_group: { new: await nobodyGroupId() },
  });
  await write(page, "not wanted here");
  await page.locator("article[data-state=refused]").filter({ hasText: "not wanted" }).waitFor();
  expect(await postedContents()).toEqual([]);
});

test("shows errors in German to German users", async () => {
  await fixture.testServer.request("bo", "PATCH /settings", { default_language: "de" });
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator("html[lang=de]").waitFor({ state: "attached" });
  await waitForConnection(page, "live");
  await fixture.testServer.request("ada", "PATCH /streams/" + fixture.stream_id, {
    can_send_message_group: { new: await nobodyGroupId() },
  });
  await write(page, "nicht hier");
  const row = page.locator("article[data-state=refused]").filter({ hasText: "nicht hier" });
  await row.getByText("Du hast keine Berechtigung, in diesem Kanal zu schreiben.").waitFor();
});

async function nobodyGroupId(): Promise<number> {
  const { user_groups } = await fixture.testServer.request("ada", "GET /user_groups");
  return user_groups.find(({ name }: { name: string }) => name === "role:nobody").id;
}

test("copies a rejected text even if the clipboard is blocked", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await fixture.testServer.request("ada", "PATCH /streams/" + fixture.stream_id, {
    can_send_message_group: { new: await nobodyGroupId() },
  });
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));
    document.execCommand = (command) => {
      const { value } = document.activeElement as HTMLTextAreaElement;
      document.body.dataset["copied"] = `${command} ${value}`;
      return true;
    };
  });
  await write(page, "for later");
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.locator("body[data-copied='copy for later']").waitFor();
  await page.locator(".toast").getByText("Copied").waitFor();
});

test("sends nothing from a tab whose session was replaced", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const network = await cutMessages(browserSession);
  await write(page, "by bo alone");
  await page.locator("article[data-state=waiting]").waitFor();
  await browserSession.signIn("cy");
  await network.restore();
  await waitForConnection(page, "another");
  const other = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(other, "live");
  await write(other, "by cy");
  await waitForMessage(other, "by cy");
  await fixture.untilPosted(other, "by cy");
  const { testServer } = fixture;
  expect(await fixture.listPosted()).toEqual([
    { content: "by cy", sender_id: testServer.idOf("cy") },
  ]);

  await browserSession.signIn("bo");
  const repeated = await browserSession.tab(fixture.topicUrl);
  await waitForMessage(repeated, "by bo alone");
  await fixture.untilPosted(repeated, "by bo alone");
  expect((await fixture.listPosted()).at(-1)).toEqual({
    content: "by bo alone",
    sender_id: testServer.idOf("bo"),
  });
});

test("starts without a network, with cached data", async () => {
  const browserSession = await fixture.sessionWithWorker("bo");
  const first = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(first, "live");
  await first.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await browserSession.context.setOffline(true);
  await first.reload();
  await waitForConnection(first, "unreached");
  await write(first, "written in a tunnel");
  await waitForMessage(first, "written in a tunnel");
});
