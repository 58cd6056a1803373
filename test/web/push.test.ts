// Pushes to a browser: enabled and tested in the settings, shown by the worker, and removed.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { CDPSession, Page, Worker } from "playwright-core";
import { Browser, startTestServerWithPush, untilPushed, PushServer } from "../push/push-server.ts";
import type { TestServer } from "../test-server.ts";
import { withTimeout, until } from "../wait-until.ts";
import { faultsOf, applyLook, APPEARANCES } from "./axe.ts";
import { BrowserSession, withWorkers } from "./browser-session.ts";
import { waitUntilTrue } from "./browser-fixture.ts";

withWorkers();

let testServer: TestServer;
let site: PushServer;
beforeAll(async () => {
  site = await PushServer.open();
  testServer = await startTestServerWithPush();
});
afterAll(async () => {
  await testServer?.close();
  site?.close();
});

/** The test browser has no push service and no screen: it gets a subscription of the test. */
function pushService(subscription: { endpoint: string; p256dh: string; auth: string }): void {
  if (!isSecureContext) return;
  const { endpoint, ...keys } = subscription;
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = () => Promise.resolve("granted");
  ServiceWorkerRegistration.prototype.showNotification = () => Promise.resolve();
  ServiceWorkerRegistration.prototype.getNotifications = () => Promise.resolve([]);
  const bytesOf = (text: string) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (item) =>
      item.charCodeAt(0),
    ).buffer;
  const ownSubscription = () => {
    const key = localStorage.getItem("subscribed");
    if (key === null) return null;
    return {
      endpoint,
      options: { applicationServerKey: bytesOf(key) },
      toJSON: () => ({ endpoint, keys }),
      unsubscribe: () => Promise.resolve(localStorage.removeItem("subscribed") === undefined),
    } as unknown as PushSubscription;
  };
  PushManager.prototype.getSubscription = () => Promise.resolve(ownSubscription());
  PushManager.prototype.subscribe = (options) => {
    localStorage.setItem("subscribed", String(options?.applicationServerKey));
    return Promise.resolve(ownSubscription()!);
  };
}

interface ShownNotification {
  title: string;
  body: string;
}

/** Runs in the worker: records the notifications that the worker shows. */
function recordNotifications(): void {
  const notifications: (NotificationOptions & { title: string; close(): void })[] = [];
  const take = (item: unknown) => notifications.splice(notifications.indexOf(item as never), 1);
  const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
  Object.assign(globalThis, { shown: notifications });
  registration.showNotification = (title, options = {}) => {
    const before = notifications.find(({ tag }) => tag === options.tag);
    if (before) take(before);
    const notification = { ...options, title, close: () => void take(notification) };
    notifications.push(notification);
    return Promise.resolve();
  };
  registration.getNotifications = ({ tag } = {}) =>
    Promise.resolve(
      notifications.filter(
        (item) => tag === undefined || item.tag === tag,
      ) as unknown as Notification[],
    );
}

const notificationsOf = (worker: Worker): Promise<ShownNotification[]> =>
  worker.evaluate(() => {
    const { shown } = globalThis as unknown as { shown: ShownNotification[] };
    return shown.map(({ title, body }) => ({ title, body }));
  });

/** Delivers what has arrived at the test's push service, as a real service does. */
class Relay {
  private done = 0;

  private constructor(
    private readonly browser: Browser,
    private readonly session: CDPSession,
    private readonly registrationId: string,
  ) {}

  static async open(browser: Browser, page: Page): Promise<Relay> {
    const session = await page.context().newCDPSession(page);
    const { promise, resolve } = Promise.withResolvers<string>();
    session.on(
      "ServiceWorker.workerRegistrationUpdated",
      ({ registrations: [serviceWorkerRegistration] }) => {
        if (serviceWorkerRegistration) resolve(serviceWorkerRegistration.registrationId);
      },
    );
    await session.send("ServiceWorker.enable");
    return new Relay(browser, session, await withTimeout(promise, "the worker's registration"));
  }

  async forwardPushes(): Promise<void> {
    const payloads = await this.browser.decryptAll();
    for (const payload of payloads.slice(this.done)) {
      await this.session.send("ServiceWorker.deliverPushMessage", {
        origin: testServer.url,
        registrationId: this.registrationId,
        data: JSON.stringify(payload),
      });
    }
    this.done = payloads.length;
  }
}

const notify = async (content: string) => {
  const to = [testServer.idOf("bo")];
  return (await testServer.request("ada", "POST /messages", { type: "direct", to, content }))
    .id as number;
};

/** Deletes all push subscriptions of Bo. */
async function forgetSubscriptions(): Promise<void> {
  for (const { id } of await listSubscriptions()) {
    await testServer.request("bo", `DELETE /users/me/push_subscriptions/${id}`);
  }
}

/** Opens a session that uses the test's push service; its worker records notifications. */
async function sessionAtPushService(): Promise<{
  browser: Browser;
  browserSession: BrowserSession;
  page: Page;
}> {
  await forgetSubscriptions();
  const browser = await Browser.open(site);
  const browserSession = await BrowserSession.of(testServer, "bo");
  await browserSession.context.addInitScript(pushService, browser.subscription);
  const page = await browserSession.tab("/#settings/notifications");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await browserSession.context.serviceWorkers()[0]!.evaluate(recordNotifications);
  return { browser, browserSession, page };
}

/** Opens a session that is subscribed but shows no client, only a server page without messages. */
async function sessionWithPush(): Promise<{
  browserSession: BrowserSession;
  worker: Worker;
  relay: Relay;
}> {
  const { browser, browserSession, page } = await sessionAtPushService();
  const [worker] = browserSession.context.serviceWorkers();
  await testServer.request("bo", "PATCH /settings", { enable_online_push_notifications: true });
  await testServer.request("bo", "POST /users/me/push_subscriptions", browser.subscription);
  await page.goto("/manifest.webmanifest");
  return { browserSession, worker: worker!, relay: await Relay.open(browser, page) };
}

const listSubscriptions = async () =>
  (await testServer.request("bo", "GET /users/me/push_subscriptions")).push_subscriptions;

test("subscribes a browser in the settings, tests and unsubscribes it", async () => {
  const { browser, page } = await sessionAtPushService();
  // The worker records notifications from here on, so the page loads again with it.
  await page.reload();
  const pushSwitch = page.getByRole("switch", { name: "Push to this browser" });
  await pushSwitch.and(page.locator(":enabled")).waitFor();
  await pushSwitch.click();
  await page.getByText("(this browser)").waitFor();
  expect(await listSubscriptions()).toMatchObject([
    { kind: "web", name: "Chrome · Linux", failure: null },
  ]);

  const relay = await Relay.open(browser, page);
  await page.getByRole("button", { name: "Test notifications" }).click();
  await page.getByText("Push service accepted the push: yes").waitFor();
  await relay.forwardPushes();
  await page.getByText("This browser received the push: yes").waitFor();
  // Checks the steps in the wide light view and the narrow dark one.
  for (const variant of [APPEARANCES[0]!, APPEARANCES[3]!]) {
    await applyLook(page, variant);
    expect(await faultsOf(page, undefined, ".settings-body")).toEqual([]);
  }
  await pushSwitch.click();
  await page.getByText("No devices yet.").waitFor();
  expect(await listSubscriptions()).toEqual([]);
});

test("says so if a browser supports no worker", async () => {
  await forgetSubscriptions();
  const browser = await Browser.open(site);
  const browserSession = await BrowserSession.of(testServer, "bo");
  await browserSession.context.addInitScript(pushService, browser.subscription);
  await browserSession.context.addInitScript(() => {
    ServiceWorkerContainer.prototype.register = () => Promise.reject(new Error("no room"));
  });
  const page = await browserSession.tab("/#settings/notifications");
  const pushSwitch = page.getByRole("switch", { name: "Push to this browser" });
  await pushSwitch.and(page.locator(":enabled")).waitFor();
  await pushSwitch.click();
  await page.getByText("Couldn’t subscribe this browser: no room").waitFor();
  expect(await pushSwitch.isChecked()).toBe(false);
  expect(await listSubscriptions()).toEqual([]);
});

test("the worker groups conversations, removes read ones, and opens them", async () => {
  const { browserSession, worker, relay } = await sessionWithPush();
  const messages = [await notify("one"), await notify("two")];
  await untilPushed(testServer);
  await relay.forwardPushes();
  await until(async () =>
    (await notificationsOf(worker)).some(({ title }) => title.endsWith("(2)")),
  );
  expect(await notificationsOf(worker)).toEqual([{ title: "Ada Admin (2)", body: "one\ntwo" }]);
  const read = (ids: number[]) =>
    testServer.request("bo", "POST /messages/flags", { op: "add", flag: "read", messages: ids });
  await read(messages.slice(0, 1));
  await notify("three");
  await untilPushed(testServer);
  await relay.forwardPushes();
  await until(async () =>
    (await notificationsOf(worker)).some(({ body }) => body.endsWith("three")),
  );
  expect(await notificationsOf(worker)).toEqual([{ title: "Ada Admin (2)", body: "two\nthree" }]);
  await testServer.request("bo", "POST /mark_all_as_read");
  await testServer.request("ada", "POST /messages", {
    ...{ type: "channel", to: "general", topic: "soup", content: "@**Bo Member** leek" },
  });
  await untilPushed(testServer);
  await relay.forwardPushes();
  await until(async () =>
    (await notificationsOf(worker)).some(({ title }) => title.startsWith("#")),
  );
  const leek = { title: "#general > soup", body: "Ada Admin: @Bo Member leek" };
  expect(await notificationsOf(worker)).toEqual([leek]);

  const tab = await browserSession.tab("/#feed");
  // The late parts, which handle clicks on notifications, have loaded.
  await waitUntilTrue(tab, async () => {
    const { held = [] } = await navigator.locks.query();
    return held.some(({ name }) => name?.startsWith("skein-looks"));
  });
  await click(worker);
  await tab.waitForFunction(() => location.hash.includes("/topic/soup/near/"));
});

/** Clicks the notification that was shown last. */
const click = (worker: Worker) =>
  worker.evaluate(async () => {
    const { shown } = globalThis as unknown as { shown: object[] };
    let pushed: Promise<unknown> = Promise.resolve();
    const waitUntil = (until: Promise<unknown>) => void (pushed = until);
    const clicked = new Event("notificationclick");
    dispatchEvent(Object.assign(clicked, { notification: shown.at(-1), waitUntil }));
    // There was no real click, so no window can be focused.
    await pushed.catch(() => undefined);
  });

test("a click while the only tab is loading opens the message", async () => {
  const { browserSession, worker, relay } = await sessionWithPush();
  await notify("come here");
  await untilPushed(testServer);
  await relay.forwardPushes();
  await until(async () => (await notificationsOf(worker)).length > 0);
  // Paints no frame, because the late parts would load after one.
  const tab = await browserSession.context.newPage();
  await tab.addInitScript(() => {
    const frames: FrameRequestCallback[] = [];
    window.requestAnimationFrame = (frame) => frames.push(frame);
    Object.assign(globalThis, { frames });
  });
  await tab.goto("/#feed");
  await tab.locator("main").waitFor();
  await click(worker);
  expect(await tab.evaluate(() => location.hash)).toBe("#feed");
  await tab.evaluate(() => {
    const { frames } = globalThis as unknown as { frames: FrameRequestCallback[] };
    window.requestAnimationFrame = (frame) => Number(setTimeout(frame));
    for (const frame of frames) frame(performance.now());
  });
  await tab.waitForFunction(() => location.hash.includes("/near/"));
});
