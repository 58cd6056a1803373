// Cached and displayed data follows the changes of others.
import { expect, test } from "bun:test";
import type { Name } from "../users.ts";
import { withTimeout } from "../wait-until.ts";
import type { Route } from "playwright-core";
import { recordRequests, BrowserFixture } from "./browser-fixture.ts";
import { routeOnce } from "./failing-network.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer, stream_id } = fixture;

const post = async (topic: string, content: string): Promise<number> => {
  const to = { type: "channel", to: stream_id, topic, content };
  return (await testServer.request("ada", "POST /messages", to)).id;
};

test("updates earlier search results when the user returns", async () => {
  const topics = ["followed first", "followed later"];
  for (const topic of topics) await post(topic, `Of ${topic}`);
  const follow = (topic: string) =>
    testServer.request("bo", "POST /user_topics", { stream_id, topic, visibility_policy: 3 });
  await follow(topics[0]!);
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#narrow/is/followed");
  const texts = page.locator(".msg .md");
  await texts.getByText("Of followed first").waitFor();
  await page.evaluate(() => (location.hash = "drafts"));
  await page.locator("main h1", { hasText: "Drafts" }).waitFor();
  await follow(topics[1]!);
  await page.evaluate(() => (location.hash = "narrow/is/followed"));
  await texts.getByText("Of followed later").waitFor();
  expect(await texts.allTextContents()).toEqual(["Of followed first", "Of followed later"]);
});

test("shows messages marked as unread among the unread ones", async () => {
  // Unread messages of other tests may fill more than the screen.
  await testServer.request("cy", "POST /mark_all_as_read");
  const id = await post("again", "Read once");
  const flag = (op: "add" | "remove") =>
    testServer.request("cy", "POST /messages/flags", { messages: [id], op, flag: "read" });
  await flag("add");
  await post("again", "Never read");
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab("/#narrow/is/unread");
  const texts = page.locator(".msg .md");
  await texts.getByText("Never read").waitFor();
  await flag("remove");
  await texts.getByText("Read once").waitFor();
});

test("updates the name of the user in a list row", async () => {
  const [from, to] = ["mo", "cy"] as const;
  await testServer.request(from, "POST /messages", {
    type: "direct",
    to: [testServer.idOf(to)],
    content: "A word with you",
  });
  const browserSession = await fixture.sessionOf(to);
  const page = await browserSession.tab("/#inbox");
  const name = page.locator(".list-row .top a");
  await name.getByText("Mo Moderator").waitFor();
  const full_name = "Morgan Moderator";
  await testServer.request("olga", `PATCH /users/${testServer.idOf(from)}`, { full_name });
  await name.getByText(full_name).waitFor();
});

test("updates the name of the topic above messages", async () => {
  const id = await post("lantern feast", "Who brings the lanterns?");
  const browserSession = await fixture.sessionOf("bo");
  for (const [view, was, is] of [
    ["search/lantern", "lantern feast", "summer lantern"],
    ["search/lantern", "summer lantern", "summer feast"],
    [`sender/${testServer.idOf("ada")}`, "summer feast", "long night"],
  ] as const) {
    const page = await browserSession.tab(`/#narrow/${view}`);
    const bar = page.locator(".conv", { has: page.locator(`#m${id}`) }).locator(".tp");
    await bar.getByText(was).waitFor();
    const change = { topic: is, propagate_mode: "change_all" };
    await testServer.request("olga", `PATCH /messages/${id}`, change);
    await bar.getByText(is).waitFor();
    await page.close();
  }
});

test("restores a topic when resolving fails, including unopened views", async () => {
  for (const content of ["One", "Two", "Three"]) await post("open question", content);
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(`/#topics/channel/${stream_id}-design`);
  await page.route("**/json/messages/*", (route) =>
    route.request().method() === "PATCH"
      ? route.fulfill({ status: 400, json: { result: "error", code: "BAD_REQUEST", msg: "No" } })
      : route.fallback(),
  );
  const row = page.locator(".list-row", { hasText: "open question" });
  await row.locator("[data-focus]").focus();
  await page.keyboard.press("T");
  await page.getByRole("alert").first().waitFor();
  await page.evaluate(() => (location.hash = "inbox"));
  await page.locator("main h1", { hasText: "Inbox" }).waitFor();
  const here = page.locator(".list-row", { hasText: "open question" });
  await here.locator(".count-slot", { hasText: "3" }).waitFor();
  expect(await here.count()).toBe(1);
  expect(await here.getByText("resolved").count()).toBe(0);
});

test("reloads what others delete once in a while, not each time", async () => {
  await post("swept", "Stays");
  const ids = [
    await post("swept", "One"),
    await post("swept", "Two"),
    await post("swept", "Three"),
  ];
  const browserSession = await fixture.sessionOf("bo");
  await browserSession.context.clock.install();
  const page = await browserSession.tab("/#recent");
  const row = page.locator(".list-row", { hasText: "swept" });
  await row.getByText("Three").waitFor();
  const requests = recordRequests(browserSession);
  const countRecentRequests = () =>
    requests.filter((line) => line === "GET /json/users/me/topics/recent").length;
  for (const id of ids.toReversed()) await testServer.request("ada", `DELETE /messages/${id}`);
  await post("other", "The end");
  await page.locator(".list-row", { hasText: "other" }).waitFor();
  expect(countRecentRequests()).toBe(0);
  await browserSession.context.clock.runFor(30_000);
  await row.getByText("Stays").waitFor();
  expect(countRecentRequests()).toBe(1);
});

test("reloads a list that was in doubt and got no response", async () => {
  await post("asked twice", "Stays");
  const removed = await post("asked twice", "Goes");
  const browserSession = await fixture.sessionOf("bo");
  await browserSession.context.clock.install();
  const page = await browserSession.tab("/#recent");
  const row = page.locator(".list-row", { hasText: "asked twice" });
  await row.getByText("Goes").waitFor();
  const no = { status: 400, json: { result: "error", code: "BAD_REQUEST", msg: "No" } };
  await routeOnce(page, "**/topics/recent?*", (route) => route.fulfill(no));
  await testServer.request("ada", `DELETE /messages/${removed}`);
  await row.waitFor({ state: "detached" });
  await browserSession.context.clock.runFor(30_000);
  await page.getByText("Couldn’t load this").waitFor();
  await browserSession.context.clock.runFor(30_000);
  await row.getByText("Stays").waitFor();
});

test("reloads a direct conversation that was in doubt and got no response", async () => {
  const write = async (from: Name, content: string): Promise<number> => {
    const to = { type: "direct", to: [testServer.idOf("mo")], content };
    return (await testServer.request(from, "POST /messages", to)).id;
  };
  await write("olga", "Stays");
  await write("ada", "Stays as well");
  const removed = await write("olga", "Goes");
  const browserSession = await fixture.sessionOf("mo");
  const page = await browserSession.tab("/#inbox");
  const first = page.locator("nav.sidebar .sidebar-row[href*=dm]").first();
  await first.getByText("Olga Owner").waitFor();
  const no = { status: 400, json: { result: "error", code: "BAD_REQUEST", msg: "No" } };
  const refused = Promise.withResolvers<void>();
  const refuse = (route: Route) => route.fulfill(no).then(refused.resolve);
  await routeOnce(page, /json\/messages\?.*dm/, refuse);
  await testServer.request("olga", `DELETE /messages/${removed}`);
  await withTimeout(refused.promise, "the request of the conversation");
  await first.getByText("Ada Admin").waitFor();
});

test("reloads older conversations together with the newest", async () => {
  // This test leaves so many unread messages that it uses its own test server.
  const wide = await BrowserFixture.open();
  const listMessages = async (topic: string, content: string): Promise<number> => {
    const to = { type: "channel", to: wide.stream_id, topic, content };
    return (await wide.testServer.request("ada", "POST /messages", to)).id;
  };
  await listMessages("deep end", "First");
  const second = await listMessages("deep end", "Second");
  for (let index = 0; index < 110; index++) await listMessages(`shallow ${index}`, "Words");
  const browserSession = await wide.sessionOf("cy");
  await browserSession.context.clock.install();
  const page = await browserSession.tab("/#recent");
  await page.locator(".list-row").first().waitFor();
  await page.getByRole("button", { name: "Load more" }).click();
  const row = page.locator(".list-row", { hasText: "deep end" });
  await row.getByText("Second").waitFor();
  await wide.testServer.request("ada", `DELETE /messages/${second}`);
  await row.waitFor({ state: "detached" });
  await browserSession.context.clock.runFor(30_000);
  await row.getByText("First").waitFor();
  await wide.close();
});

test("adds new matches to an open search, and nothing else", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#narrow/search/kite");
  const nothing = page.getByText("No results");
  await nothing.waitFor();
  const messageId = await post("search", "A kite of paper");
  const later = await post("search", "A string");
  const texts = page.locator(".msg .md");
  const waitForContents = (...all: string[]) =>
    page.waitForFunction(
      (expected) =>
        `${[...document.querySelectorAll(".msg .md")].map((item) => item.textContent)}` ===
        expected,
      `${all}`,
    );
  await waitForContents("A kite of paper");
  await nothing.waitFor({ state: "detached" });
  await post("search", "A ball");
  await post("search", "Two kites");
  await waitForContents("A kite of paper", "Two kites");
  expect(await texts.locator(".highlight").allTextContents()).toEqual(["kite", "kites"]);
  await testServer.request("ada", `PATCH /messages/${later}`, { content: "A string for the kite" });
  await waitForContents("A kite of paper", "A string for the kite", "Two kites");
  await testServer.request("ada", `DELETE /messages/${messageId}`);
  await waitForContents("A string for the kite", "Two kites");
});

test("adds and removes moved messages at once", async () => {
  const create = { name: "workshop", subscribers: [testServer.idOf("ada"), testServer.idOf("bo")] };
  const { id: elsewhere } = await testServer.request("ada", "POST /channels/create", create);
  const to = { type: "channel", to: elsewhere, topic: "bench", content: "Made of oak" };
  const { id } = await testServer.request("ada", "POST /messages", to);
  await post("bench", "Who needs it?");
  const browserSession = await fixture.sessionOf("cy");
  const feed = await browserSession.tab("/#feed");
  const topic = await browserSession.tab(`/#narrow/channel/${stream_id}-design/topic/bench`);
  for (const page of [feed, topic]) {
    // Tall enough to render the end of the feed, however many messages other tests have posted.
    await page.setViewportSize({ width: 1280, height: 4000 });
    await page.getByText("Who needs it?").first().waitFor();
  }
  const move = (index: number) =>
    testServer.request("ada", `PATCH /messages/${id}`, { stream_id: index, ...QUIET });
  await move(stream_id);
  await topic.locator(".msg", { hasText: "Made of oak" }).waitFor();
  // A user who was not subscribed at the time finds the message only in the channel.
  expect(await feed.locator(".msg", { hasText: "Made of oak" }).count()).toBe(0);
  const details = await post("bench", "I do");
  await feed.locator(".msg", { hasText: "I do" }).waitFor();
  await testServer.request("ada", `PATCH /messages/${details}`, { stream_id: elsewhere, ...QUIET });
  await feed.locator(".msg", { hasText: "I do" }).waitFor({ state: "detached" });
  await topic.locator(".msg", { hasText: "I do" }).waitFor({ state: "detached" });
});

test("shows the previous message of a conversation, or removes it", async () => {
  const to = { type: "direct", to: [testServer.idOf("gus")] };
  const post = async (content: string): Promise<number> =>
    (await testServer.request("ada", "POST /messages", { ...to, content })).id;
  const [first, last] = [await post("Are you there?"), await post("Never mind")];
  const browserSession = await fixture.sessionOf("gus");
  const page = await browserSession.tab("/#recent");
  const row = page.locator("main .list-row", { hasText: "Ada Admin" });
  const inRail = page.locator("nav.sidebar .sidebar-row", { hasText: "Ada Admin" });
  await row.getByText("Never mind").waitFor();
  await testServer.request("ada", `DELETE /messages/${last}`);
  await row.getByText("Are you there?").waitFor();
  await testServer.request("ada", `DELETE /messages/${first}`);
  for (const locator of [row, inRail]) await locator.waitFor({ state: "detached" });
  await post("Here again");
  await row.getByText("Here again").waitFor();
  await inRail.waitFor();
});

test("removes a conversation whose only message is deleted during the start", async () => {
  const post = async (from: Name, content: string): Promise<number> =>
    (
      await testServer.request(from, "POST /messages", {
        type: "direct",
        to: [testServer.idOf("bo")],
        content,
      })
    ).id;
  const removed = await post("ada", "Nothing");
  const browserSession = await fixture.sessionOf("bo");
  const { promise: isAllowed, resolve: letThrough } = Promise.withResolvers<void>();
  await browserSession.context.route(/\/assets\/deferred-/, (route) =>
    isAllowed.then(() => route.continue()),
  );
  const page = await browserSession.context.newPage();
  await page.goto("/#inbox");
  const sidebarRow = (name: string) => page.locator("nav.sidebar .sidebar-row", { hasText: name });
  await sidebarRow("Ada Admin").waitFor();
  await testServer.request("ada", `DELETE /messages/${removed}`);
  await post("olga", "I am here");
  // Later events are received, so earlier ones were too.
  await sidebarRow("Olga Owner").waitFor();
  letThrough();
  await sidebarRow("Ada Admin").waitFor({ state: "detached" });
});

const QUIET = { send_notification_to_new_thread: false, propagate_mode: "change_one" };
