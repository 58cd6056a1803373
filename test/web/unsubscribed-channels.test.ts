// Readable channels without a subscription get no events, so the client refetches them.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { recordRequests, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer } = fixture;

/** A channel with Ada in it, open to everyone. */
const channelOf = async (name: string): Promise<number> =>
  (
    await testServer.request("ada", "POST /channels/create", {
      name,
      subscribers: [testServer.idOf("ada")],
    })
  ).id;

const post = async (to: number, topic: string, content: string): Promise<number> =>
  (await testServer.request("ada", "POST /messages", { type: "channel", to, topic, content })).id;

const join = (name: string) =>
  testServer.request("ada", "POST /users/me/subscriptions", {
    subscriptions: [{ name }],
    principals: [testServer.idOf("cy")],
  });

async function goTo(page: Page, hash: string, heading: string): Promise<void> {
  await page.evaluate((to) => (location.hash = to), hash);
  await page.locator("main h1", { hasText: heading }).waitFor();
}

const leaveToDrafts = (page: Page) => goTo(page, "drafts", "Drafts");

/** Waits until the elements have exactly these texts, in this order. */
const waitForTexts = (page: Page, selector: string, ...texts: string[]) =>
  page.waitForFunction(
    ([path, expected]) =>
      `${[...document.querySelectorAll(path!)].map((item) => item.textContent)}` === expected,
    [selector, `${texts}`],
  );

const TEXTS = ".msg .md";
const TOPICS = "main .list-row .top a";

test("loads messages of an unsubscribed channel at each opening", async () => {
  const id = await channelOf("workshop");
  const first = await post(id, "bench", "Made of oak");
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab("/#drafts");
  for (const [view, heading] of [
    [`narrow/channel/${id}-workshop/topic/bench`, "bench"],
    [`narrow/channel/${id}-workshop`, "workshop"],
  ] as const) {
    await goTo(page, view, heading);
    await page.locator(TEXTS, { hasText: "Made of oak" }).waitFor();
    await leaveToDrafts(page);
  }
  await goTo(page, `topics/channel/${id}-workshop`, "workshop");
  await waitForTexts(page, TOPICS, "bench");
  await leaveToDrafts(page);

  await testServer.request("ada", `PATCH /messages/${first}`, { content: "Made of ash" });
  await post(id, "bench", "It is heavy");
  await post(id, "stool", "Three legs");
  await goTo(page, `topics/channel/${id}-workshop`, "workshop");
  await waitForTexts(page, TOPICS, "stool", "bench");
  const release = Promise.withResolvers<void>();
  const late = /json\/messages\?/;
  await page.route(late, (route) => release.promise.then(() => route.continue()));
  await goTo(page, `narrow/channel/${id}-workshop/topic/bench`, "bench");
  // Cached messages are shown meanwhile.
  await waitForTexts(page, TEXTS, "Made of oak");
  release.resolve();
  await waitForTexts(page, TEXTS, "Made of ash", "It is heavy");
  await goTo(page, `narrow/channel/${id}-workshop`, "workshop");
  await waitForTexts(page, TEXTS, "Made of ash", "It is heavy", "Three legs");
  expect(browserSession.faults).toEqual([]);
});

test("loads messages sent before the subscription", async () => {
  const id = await channelOf("cellar");
  await post(id, "shelf", "Apples");
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(`/#narrow/channel/${id}-cellar`);
  await waitForTexts(page, TEXTS, "Apples");
  await goTo(page, `topics/channel/${id}-cellar`, "cellar");
  await waitForTexts(page, TOPICS, "shelf");
  const topic = `narrow/channel/${id}-cellar/topic/shelf`;
  await goTo(page, topic, "shelf");
  await waitForTexts(page, TEXTS, "Apples");
  await post(id, "shelf", "Pears");
  await post(id, "rack", "Bottles");
  await join("cellar");
  await waitForTexts(page, TEXTS, "Apples", "Pears");
  await goTo(page, `topics/channel/${id}-cellar`, "cellar");
  await waitForTexts(page, TOPICS, "rack", "shelf");
  await goTo(page, `narrow/channel/${id}-cellar`, "cellar");
  await waitForTexts(page, TEXTS, "Apples", "Pears", "Bottles");
  await post(id, "rack", "Jars");
  await goTo(page, `narrow/channel/${id}-cellar/topic/rack`, "rack");
  await waitForTexts(page, TEXTS, "Bottles", "Jars");
  expect(browserSession.faults).toEqual([]);
});

test("marks messages moved to unsubscribed channels as read", async () => {
  const id = await channelOf("attic");
  await post(id, "ladder", "Mind your head");
  const browserSession = await fixture.sessionOf("cy");
  const address = `/#narrow/channel/${id}-attic/topic/ladder`;
  const page = await browserSession.tab(address);
  await waitForTexts(page, TEXTS, "Mind your head");
  const called = await post(fixture.stream_id, "ladder", "@**Cy Member** Bring it up");
  const starred = await post(fixture.stream_id, "ladder", "It creaks");
  const star = { messages: [starred], op: "add", flag: "starred" };
  await testServer.request("cy", "POST /messages/flags", star);
  const to = { stream_id: id, propagate_mode: "change_all", ...QUIET };
  await testServer.request("ada", `PATCH /messages/${called}`, to);
  await waitForTexts(page, TEXTS, "Mind your head", "@Cy Member Bring it up", "It creaks");
  const newMessageMarks = (page: Page) =>
    page
      .locator(".msg")
      .evaluateAll((rows) =>
        rows.map((row) =>
          ["unread", "mention", "starred"].filter((mark) => mark in (row as HTMLElement).dataset),
        ),
      );
  const fresh = await browserSession.tab(address);
  await waitForTexts(fresh, TEXTS, "Mind your head", "@Cy Member Bring it up", "It creaks");
  expect(await newMessageMarks(fresh)).toEqual([[], [], ["starred"]]);
  expect(await newMessageMarks(page)).toEqual([[], [], ["starred"]]);
});

test("shows own messages again when a channel becomes visible", async () => {
  const id = await channelOf("vault");
  await join("vault");
  await post(id, "gold", "Twelve bars");
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(`/#narrow/channel/${id}-vault`);
  await waitForTexts(page, TEXTS, "Twelve bars");
  await goTo(page, "feed", "Everything");
  const bars = page.locator(TEXTS, { hasText: "Twelve bars" });
  await bars.waitFor();
  await testServer.request("ada", `PATCH /streams/${id}`, { is_private: true });
  await testServer.request("cy", "DELETE /users/me/subscriptions", { subscriptions: ["vault"] });
  await bars.waitFor({ state: "detached" });
  await testServer.request("ada", `PATCH /streams/${id}`, { is_private: false });
  await bars.waitFor();
  await goTo(page, `narrow/channel/${id}-vault`, "vault");
  await waitForTexts(page, TEXTS, "Twelve bars");
  expect(browserSession.faults).toEqual([]);
});

test("reloads topics of a channel when it becomes visible", async () => {
  const id = await channelOf("burrow");
  await post(id, "tunnel", "Dig");
  await testServer.request("ada", `PATCH /streams/${id}`, { is_private: true });
  const browserSession = await fixture.sessionOf("cy");
  const requests = recordRequests(browserSession);
  const page = await browserSession.tab(`/#topics/channel/${id}-burrow`);
  await page.getByText("This channel does not exist, or you don’t have access.").waitFor();
  const topics = () => requests.filter((line) => line === `GET /json/users/me/${id}/topics`).length;
  expect(topics()).toBe(0);
  await testServer.request("ada", `PATCH /streams/${id}`, { is_private: false });
  await waitForTexts(page, TOPICS, "tunnel");
  expect(browserSession.faults).toEqual([]);
});

const QUIET = { send_notification_to_new_thread: false };
