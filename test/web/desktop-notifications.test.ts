// Desktop notifications: shown by one tab, one per conversation, closed when read.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { BrowserSession } from "./browser-session.ts";
import { waitUntilTrue, waitForMessage, BrowserFixture } from "./browser-fixture.ts";
import { withWorkers } from "./browser-session.ts";

withWorkers();

const fixture = await BrowserFixture.forTestFile();

interface ShownNotification {
  title: string;
  body: string;
  silent: boolean;
  renotify: boolean;
  tag?: string;
}

/** More than the leading tab and one other, as users have. */
const TABS = 4;

/** The test browser cannot show notifications, so the page records what it would show. */
function recordNotifications(): void {
  if (!isSecureContext) return;
  const notifications: (NotificationOptions & { title: string; close(): void })[] = [];
  const worker = ServiceWorkerRegistration.prototype;
  const received = { count: 0 };
  Object.assign(globalThis, { shown: notifications, heard: received });
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  const take = (item: unknown) => notifications.splice(notifications.indexOf(item as never), 1);
  worker.showNotification = (title, options = {}) => {
    const before = notifications.find(({ tag }) => tag === options.tag);
    if (before) take(before);
    const notification = { ...options, title, close: () => void take(notification) };
    notifications.push(notification);
    return Promise.resolve();
  };
  worker.getNotifications = () => Promise.resolve([...notifications] as unknown as Notification[]);
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (index) {
    received.count += 1;
    start.call(this, index);
  };
}

async function sessionWithNotifications(): Promise<BrowserSession> {
  const browserSession = await fixture.sessionOf("bo");
  await browserSession.context.addInitScript(recordNotifications);
  // Pages have the service worker from the second page on.
  const first = await browserSession.tab("/#inbox");
  await first.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await first.close();
  return browserSession;
}

const notificationsIn = (page: Page): Promise<ShownNotification[]> =>
  page.evaluate(() => {
    const { shown } = globalThis as unknown as { shown: ShownNotification[] };
    return shown.map(({ title, body, silent, renotify }) => ({ title, body, silent, renotify }));
  });

const count = (page: Page, expected: number) =>
  page.waitForFunction((condition) => {
    const { shown } = globalThis as unknown as { shown: ShownNotification[] };
    return shown.length === condition;
  }, expected);

const waitUntilVisible = (page: Page) =>
  waitUntilTrue(page, async () => {
    const { held = [] } = await navigator.locks.query();
    return held.some(({ name }) => name?.startsWith("skein-looks"));
  });
const isNotFocused = (page: Page) =>
  waitUntilTrue(page, async () => {
    const { held = [] } = await navigator.locks.query();
    return !held.some(({ name }) => name?.startsWith("skein-looks"));
  });

/** Opens a tab with its late parts, which report visible conversations, and makes none visible. */
async function openHiddenTab(browserSession: BrowserSession): Promise<Page> {
  const page = await browserSession.tab("/#feed");
  await waitUntilVisible(page);
  await inspect(page, "#inbox");
  await isNotFocused(page);
  return page;
}

const inspect = (page: Page, address: string) =>
  page.evaluate((to) => void (location.hash = to), address);

test("one tab shows a conversation's notifications until read", async () => {
  const browserSession = await sessionWithNotifications();
  const first = await openHiddenTab(browserSession);
  const other = await openHiddenTab(browserSession);
  const { id } = await fixture.post("ada", "@**Bo Member** look");
  await count(first, 1);
  const [notification] = await notificationsIn(first);
  expect(notification).toMatchObject({
    title: "#design › logo",
    body: "Ada Admin: @Bo Member look",
  });
  const next = await fixture.post("ada", "@**Bo Member** *again*");
  await first.waitForFunction(() => {
    const { shown } = globalThis as unknown as { shown: ShownNotification[] };
    return shown[0]?.title.endsWith("(2)");
  });
  expect((await notificationsIn(first)).map(({ body }) => body)).toEqual([
    "Ada Admin: @Bo Member look\nAda Admin: @Bo Member again",
  ]);
  const { testServer } = fixture;
  await testServer.request("ada", "POST /messages", {
    type: "direct",
    to: [testServer.idOf("bo")],
    content: "psst",
  });
  await count(first, 2);
  expect((await notificationsIn(first))[1]).toMatchObject({ title: "Ada Admin", body: "psst" });
  expect(await notificationsIn(other)).toEqual([]);
  const read = (messages: number[]) =>
    testServer.request("bo", "POST /messages/flags", { op: "add", flag: "read", messages });
  await read([id]);
  // The remaining lines are shown without another alert.
  await first.waitForFunction(() => {
    const { shown } = globalThis as unknown as { shown: ShownNotification[] };
    return shown.some(({ title }) => title === "#design › logo");
  });
  expect(
    (await notificationsIn(first)).find(({ title }) => title === "#design › logo"),
  ).toMatchObject({
    body: "Ada Admin: @Bo Member again",
    renotify: false,
    silent: true,
  });
  await read([next.id]);
  await count(first, 1);
  // The other tab takes over showing notifications.
  await first.close();
  await fixture.post("ada", "@**Bo Member** here?");
  await count(other, 1);
  expect(browserSession.faults).toEqual([]);
});

/** Simulates the system's notifications, which all tabs share and which outlive a tab. */
async function sessionWithSharedNotifications(
  notifications: ShownNotification[],
): Promise<BrowserSession> {
  const browserSession = await sessionWithNotifications();
  const isOf = (tag?: string) => (item: ShownNotification) => item.tag === tag;
  await browserSession.context.exposeFunction("put", (item: ShownNotification) => {
    const index = notifications.findIndex(isOf(item.tag));
    if (index !== -1) notifications.splice(index, 1);
    notifications.push(item);
  });
  await browserSession.context.exposeFunction("all", () => notifications);
  await browserSession.context.exposeFunction("take", (tag: string) => {
    notifications.splice(0, Infinity, ...notifications.filter((item) => !isOf(tag)(item)));
  });
  await browserSession.context.addInitScript(() => {
    if (!isSecureContext) return;
    const { put, all, take } = globalThis as unknown as Record<
      string,
      (item?: unknown) => Promise<ShownNotification[]>
    >;
    const worker = ServiceWorkerRegistration.prototype;
    worker.showNotification = async (title, { tag = "", body = "", data } = {}) =>
      void (await put!({ title, tag, body, data }));
    worker.getNotifications = async () =>
      (await all!()).map((item) => ({
        ...item,
        close: () => void take!(item.tag),
      })) as unknown as Notification[];
  });
  return browserSession;
}

test("many tabs show a mention once, even if the leader closes", async () => {
  const notifications: ShownNotification[] = [];
  const browserSession = await sessionWithSharedNotifications(notifications);
  const tabs: Page[] = [];
  for (let offset = 0; offset < TABS; offset += 1) tabs.push(await openHiddenTab(browserSession));
  // Posts a mention and waits until all tabs have received it, whichever notifies.
  const countSounds = async (text: string): Promise<number> => {
    const before = await Promise.all(tabs.map((tab) => tab.title()));
    const { id } = await fixture.post("ada", `@**Bo Member** ${text}`);
    for (const [index, tab] of tabs.entries()) {
      await tab.waitForFunction((title) => document.title !== title, before[index]!);
    }
    return id;
  };
  // Waits inside a tab, so that the loop ends at the latest when the tab closes.
  const until = async (condition: () => boolean) => {
    while (!condition())
      await tabs.at(-1)!.evaluate(() => new Promise((done) => setTimeout(done, 20)));
  };
  const first = await countSounds("one");
  await until(() => notifications.length > 0);
  // The leading tab receives the next message and does not notify.
  await tabs[0]!.evaluate(() => {
    navigator.locks.query = () => new Promise(() => undefined);
  });
  const second = await countSounds("two");
  expect(notifications.map(({ body }) => body)).toEqual(["Ada Admin: @Bo Member one"]);
  await tabs.shift()!.close();
  await until(() => notifications[0]!.body.includes("two"));
  await tabs.shift()!.close();
  const third = await countSounds("three");
  await until(() => notifications[0]!.body.includes("three"));
  const lines = ["one", "two", "three"].map((word) => `Ada Admin: @Bo Member ${word}`);
  expect(notifications.map(({ body }) => body)).toEqual([lines.join("\n")]);
  // Once the messages are read anywhere, the notification disappears and does not return.
  const read = { op: "add", flag: "read", messages: [first, second, third] };
  await fixture.testServer.request("bo", "POST /messages/flags", read);
  await until(() => notifications.length === 0);
  await tabs.shift()!.close();
  await countSounds("four");
  await until(() => notifications.length === 1);
  expect(notifications[0]!.body).toBe("Ada Admin: @Bo Member four");
  expect(browserSession.faults).toEqual([]);
});

test("shows nothing for the open view, and plays sounds after interaction", async () => {
  const browserSession = await sessionWithNotifications();
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(".feed").waitFor();
  await waitUntilVisible(page);
  await fixture.post("ada", "@**Bo Member** in sight");
  await waitForMessage(page, "in sight");
  await inspect(page, "#inbox");
  await isNotFocused(page);
  await page.locator("main").click({ position: { x: 5, y: 300 } });
  await fixture.post("ada", "@**Bo Member** out of sight");
  await count(page, 1);
  const [only] = await notificationsIn(page);
  // The page plays the sound itself, so the system's notification is silent.
  expect(only).toMatchObject({
    title: "#design › logo",
    body: "Ada Admin: @Bo Member out of sight",
  });
  expect(only?.silent).toBe(true);
  const received = await page.evaluate(
    () => (globalThis as unknown as { heard: { count: number } }).heard.count,
  );
  expect(received).toBeGreaterThan(0);
});

test("plays a selected sound, or none", async () => {
  const browserSession = await sessionWithNotifications();
  const page = await browserSession.tab("/#settings/notifications");
  await page.getByRole("heading", { name: "Do Not Disturb" }).click();
  const countReceivedSounds = () =>
    page.evaluate(() => (globalThis as unknown as { heard: { count: number } }).heard.count);
  const choice = page.locator("#setting-notification_sound");
  await choice.selectOption("ding");
  await page.waitForFunction(
    () => (globalThis as unknown as { heard: { count: number } }).heard.count === 2,
  );
  await choice.selectOption("none");
  // Waits until the server has stored this choice, so that no request outlives the test.
  const stored = page.waitForResponse(
    (response) => response.ok() && response.request().postData()?.includes("zulip") === true,
  );
  await choice.selectOption("zulip");
  await page.waitForFunction(
    () => (globalThis as unknown as { heard: { count: number } }).heard.count > 2,
  );
  expect(await countReceivedSounds()).toBe(4);
  await stored;
});

test("explains why a message caused a notification", async () => {
  const browserSession = await fixture.sessionOf("bo");
  await fixture.post("ada", "@**Bo Member** why");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForMessage(page, "why");
  // The menu items load late.
  await waitUntilVisible(page);
  const row = page.locator("article").filter({ hasText: "why" }).last();
  await row.hover();
  await row.locator("[data-act=message-menu]").click();
  await page.getByRole("menuitem", { name: "Why was I notified?" }).click();
  const dialog = page.getByRole("dialog");
  // Lists each kind except email, which this server does not send.
  await dialog.getByText("Yes: it mentions you.").nth(2).waitFor();
  expect(await dialog.getByText("Yes: it mentions you.").count()).toBe(3);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

test.each([
  ["denied", "This browser blocks notifications."],
  ["default", "Notifications stay off."],
] as const)("says where to allow notifications after the answer %s", async (answer, words) => {
  const browserSession = await fixture.sessionOf("bo");
  await browserSession.context.addInitScript((permission) => {
    const requestPermission = () => Promise.resolve(permission);
    Object.assign(globalThis, { Notification: { permission: "default", requestPermission } });
  }, answer);
  const page = await openHiddenTab(browserSession);
  await fixture.post("ada", "@**Bo Member** are you there");
  const toast = page.locator(".toast");
  await toast.getByRole("button", { name: "Turn on" }).click();
  await toast.getByText(words).waitFor();
  await toast.getByRole("button", { name: "Settings" }).click();
  await page.getByText("Notifications are not allowed in this browser yet.").waitFor();
});
