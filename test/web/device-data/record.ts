// Records what a version of the client stores on a device, for the tests of later versions.
import { expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import type { Json } from "../../test-server.ts";
import type { BrowserSession } from "../browser-session.ts";
import { waitForConnection } from "../browser-fixture.ts";
import { routeUntilEnd } from "../failing-network.ts";
import { readStoredRows } from "../stored-data.ts";
import { chip, until } from "../composer-content.ts";
import { DATA_FILE, type RecordedDevice, SESSION } from "./recorded.ts";
import {
  FILE_BYTES,
  fileBytes,
  openScene,
  type DeviceFixture,
  SENT_TEXT,
  topicAt,
  UNREAD_FROM,
} from "./scene.ts";

/**
 * Usage: run `bun test/built-client.ts` (`test/client.ts` before its rename) in a checkout of that
 * version, and here, with TEST_CLIENT set to its dist/client:
 * bun test --timeout=300000 ./test/web/device-data/record.ts
 */
const HOUR_MS = 3_600_000;
/** After this time the server no longer recognizes a message that is sent again. */
const UNSURE_MS = 21 * HOUR_MS;
const STEP_MS = 20_000;

test("records the device data of the client in TEST_CLIENT", async () => {
  expect(process.env["TEST_CLIENT"]).toBeDefined();
  const deviceFixture = await openScene();
  const { testServer } = deviceFixture.fixture;
  const session = await deviceFixture.fixture.sessionOf("bo");
  await session.context.addInitScript(listen);
  session.context.setDefaultTimeout(STEP_MS);
  const page = await session.tab(`${deviceFixture.fixture.topicUrl}/near/${UNREAD_FROM}`);
  await waitForConnection(page, "live");
  await keepSteps(deviceFixture, page);
  await createDrafts(deviceFixture, page);
  await startUpload(deviceFixture, page);
  await keepAnswered(deviceFixture, page);
  await session.context.route("**/json/**", (route) => route.abort());
  await page.evaluate(() => dispatchEvent(new Event("offline")));
  await waitForConnection(page, "unreached");
  await keepOutbox(deviceFixture, page);
  await keepChanges(deviceFixture, page);
  await changeDrafts(deviceFixture, page, session);
  await Bun.write(
    DATA_FILE,
    JSON.stringify(await recordedOf(deviceFixture, page), undefined, 1) + "\n",
  );
  await session.close();
  expect(testServer.idOf("bo")).toBeGreaterThan(0);
  await deviceFixture.fixture.close();
});

const textField = (page: Page) => page.locator(".compose textarea:enabled");
const isStored = (page: Page) => page.getByText("Draft saved").waitFor();

async function openTopic(deviceFixture: DeviceFixture, page: Page, topic: string): Promise<void> {
  await goTo(page, topicAt(deviceFixture, topic));
  await page.locator(".compose-to").filter({ hasText: topic }).waitFor();
  await until(page, (text) => text === "");
}

async function write(page: Page, text: string): Promise<void> {
  await textField(page).fill(text);
  await page.locator(".compose [type=submit]").click();
  await until(page, (text) => text === "");
}

const goTo = (page: Page, address: string) =>
  page.evaluate((hash) => void (location.hash = hash), address.slice(1));

/** Stores two drafts that the server has as well. */
async function createDrafts(deviceFixture: DeviceFixture, page: Page): Promise<void> {
  const drafts = async () =>
    (await deviceFixture.fixture.testServer.request("bo", "GET /drafts")).drafts;
  for (const [count, topic] of ["shared", "sent offline"].entries()) {
    await openTopic(deviceFixture, page, topic);
    await textField(page).fill(`Draft in ${topic}`);
    while ((await drafts()).length <= count) await Bun.sleep(50);
    await isStored(page);
  }
  while ((await rows(deviceFixture, page, "drafts")).some(({ draft_id }) => !draft_id))
    await Bun.sleep(50);
}

/** Uploads only the first piece of a file. */
async function startUpload(deviceFixture: DeviceFixture, page: Page): Promise<void> {
  await openTopic(deviceFixture, page, "files");
  let chunkIndex = 0;
  const abortLater = (route: Route) => {
    if (route.request().method() !== "PATCH") return route.continue();
    return (chunkIndex += 1) === 1 ? route.continue() : route.abort();
  };
  await page.context().route(/\/json\/tus\/./, abortLater);
  await textField(page).fill("See this:");
  const file = { name: "half.txt", mimeType: "text/plain", buffer: fileBytes() };
  await page.locator(".compose input[type=file]").setInputFiles(file);
  await chip(page, "half.txt", "uploading").waitFor();
  while (chunkIndex < 2) await Bun.sleep(20);
  await isStored(page);
}

/** Leaves a rejected message, a sent one without its event, a rejected edit, and an open edit. */
async function keepAnswered(deviceFixture: DeviceFixture, page: Page): Promise<void> {
  const { ids, fixture } = deviceFixture;
  await openTopic(deviceFixture, page, "refused");
  const refusal = { status: 400, json: { result: "error", code: "BAD_REQUEST", msg: "Not today" } };
  const refuse = (route: Route) => route.fulfill(refusal);
  const refused = /json\/messages(\/\d+)?$/;
  const accept = await routeUntilEnd(page, refused, (route) =>
    route.request().method() === "GET" ? route.continue() : refuse(route),
  );
  await write(page, "Refused by the server");
  await page.locator("article[data-state=refused]").waitFor();
  await goTo(page, `${fixture.topicUrl}/near/${ids.begun}`);
  await change(page, ids.refused, "Changed all the same");
  await page.locator(`#m${ids.refused}[data-state=refused]`).waitFor();
  accept();
  await page.locator(`#m${ids.begun}`).focus();
  await page.keyboard.press("e");
  await page.locator(`#m${ids.begun} .edit-box textarea`).fill("An edit begins here, and goes on");
  await page.locator(`#m${ids.edited}`).focus();
  await page.keyboard.press("e");
  await page.locator(`#m${ids.edited} .edit-box textarea`).fill("Without a typo");
  await page.context().route("**/json/events?**", (route) => route.abort());
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await write(page, SENT_TEXT);
  while (!(await rows(deviceFixture, page, "outbox")).some(({ state }) => state === "sent"))
    await Bun.sleep(50);
}

async function change(page: Page, id: number, text: string): Promise<void> {
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("e");
  await page.locator(`#m${id} .edit-box textarea`).fill(text);
  await page.keyboard.press("Control+Enter");
}

/** Leaves messages that wait to be sent, and one whose first attempt is too long ago. */
async function keepOutbox(deviceFixture: DeviceFixture, page: Page): Promise<void> {
  await openTopic(deviceFixture, page, "unsure");
  await write(page, "Perhaps sent a day ago");
  while (
    !(await rows(deviceFixture, page, "outbox")).some(
      ({ first_tried, state }) => first_tried && state === "waiting",
    )
  )
    await Bun.sleep(50);
  await page.evaluate(skipAhead, UNSURE_MS);
  await page.locator("article[data-state=unsure]").waitFor();
  await page.evaluate(
    () => void (Date.now = (globalThis as unknown as { realNow: typeof Date.now }).realNow),
  );
  await goTo(page, `${deviceFixture.fixture.topicUrl}/near/${deviceFixture.ids.begun}`);
  for (const text of ["First offline", "Second offline", "Third offline"]) await write(page, text);
  await goTo(page, `/#narrow/dm/${deviceFixture.fixture.testServer.idOf("ada")}-x`);
  await page.locator(".compose-to").filter({ hasText: "Ada" }).waitFor();
  await write(page, "To Ada alone");
  await goTo(page, topicAt(deviceFixture, "sent offline"));
  await until(page, (text) => text !== "");
  await page.locator(".compose [type=submit]").click();
  while ((await rows(deviceFixture, page, "outbox")).length < 8) await Bun.sleep(50);
}

/** Adds a change of each kind. */
async function keepChanges({ ids, fixture }: DeviceFixture, page: Page): Promise<void> {
  await goTo(page, `${fixture.topicUrl}/near/${ids.begun}`);
  await page.locator(`#m${ids.liked}`).focus();
  await page.keyboard.press("+");
  await page.locator(`#m${ids.liked} .react [aria-pressed="true"]`).waitFor();
  await page.keyboard.press("Control+s");
  await page.locator(`#m${ids.edited} .edit-box textarea`).press("Control+Enter");
  await page.locator(`#m${ids.edited}[data-state]`).waitFor();
  await page.locator(`#m${ids.poll} .opt`).filter({ hasText: "Later" }).press("Enter");
  await page.locator(`#m${ids.deleted}`).focus();
  await page.keyboard.press("i");
  await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
  await page.locator(`#m${ids.moved}`).focus();
  await page.keyboard.press("m");
  await page.locator(".dialog input[name=topic]").fill("right topic");
  await page.keyboard.press("Enter");
  await page.locator(`#m${ids.moved}`).waitFor({ state: "detached" });
  // A deletion that is undone is rolled back in all tabs.
  await page.locator(`#m${ids.begun}`).focus();
  await page.keyboard.press("i");
  await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
  await page.getByRole("button", { name: "Undo" }).last().click();
  await page.locator(`#m${ids.begun}`).waitFor();
}

/** Marks more messages as unread than the page has loaded, which the server does in steps. */
async function keepSteps(deviceFixture: DeviceFixture, page: Page): Promise<void> {
  await page.context().route("**/flags/narrow", (route) => route.abort());
  await page.locator(`#m${UNREAD_FROM}`).press("U");
  while ((await rows(deviceFixture, page, "doings")).length === 0) await Bun.sleep(50);
}

/** Leaves drafts of every kind that the server does not have. */
async function changeDrafts(
  deviceFixture: DeviceFixture,
  page: Page,
  session: BrowserSession,
): Promise<void> {
  await goTo(page, topicAt(deviceFixture, "shared"));
  await until(page, (text) => text !== "");
  await textField(page).fill("Draft in shared, changed offline");
  await isStored(page);
  await openTopic(deviceFixture, page, "offline");
  await textField(page).fill("Draft that no server has");
  await isStored(page);
  await goTo(page, `/#narrow/dm/${deviceFixture.fixture.testServer.idOf("cy")}-x`);
  await page.locator(".compose-to").filter({ hasText: "Cy" }).waitFor();
  await textField(page).fill("Draft to Cy");
  await isStored(page);
  const other = await session.context.newPage();
  await other.goto(topicAt(deviceFixture, "two tabs"));
  await textField(other).waitFor();
  await openTopic(deviceFixture, page, "two tabs");
  await textField(page).fill("From one tab");
  await isStored(page);
  await textField(other).fill("From the other tab");
  while (
    (await rows(deviceFixture, page, "drafts")).filter(({ place: location }) =>
      /two tabs/.test(location),
    ).length < 2
  )
    await Bun.sleep(50);
  await other.keyboard.press("Escape");
  await other.close();
  await goTo(page, "/#inbox");
  await page.locator("main h1").first().waitFor();
  await page.keyboard.press("c");
  await textField(page).fill("Draft without a recipient");
  await isStored(page);
}

const rows = (
  deviceFixture: DeviceFixture,
  page: Page,
  store: "drafts" | "outbox" | "doings",
): Promise<Json[]> => readStoredRows(page, deviceFixture.fixture.testServer.idOf("bo"), store);

/** Runs in the page: sets its clock ahead and lets the client retry pending changes. */
function skipAhead(ms: number): void {
  const real = Date.now;
  Date.now = () => real() + ms;
  dispatchEvent(new Event("online"));
  Object.assign(globalThis, { realNow: real });
}

/** Runs in each page: records the messages that it sends to other tabs. */
function listen(): void {
  const received: [string, unknown][] = [];
  Object.assign(globalThis, { told: received });
  const { postMessage } = BroadcastChannel.prototype;
  BroadcastChannel.prototype.postMessage = function (message) {
    received.push([this.name, message]);
    postMessage.call(this, message);
  };
}

async function recordedOf({ fixture, ids }: DeviceFixture, page: Page): Promise<RecordedDevice> {
  const user_id = fixture.testServer.idOf("bo");
  const deviceData = await page.evaluate(readDevice, `skein-kept-${user_id}`);
  for (const { file } of deviceData.rows["files"]!) expect(file.length).toBe(FILE_BYTES);
  const sessions = /(?<=skein-(leader-)?)(?!drafts-|leader-|upload|kept)[0-9a-z]{8,}/g;
  return JSON.parse(
    JSON.stringify({
      recorded_at: Date.now(),
      user_id,
      stream_id: fixture.stream_id,
      message_ids: ids,
      ...deviceData,
    }).replaceAll(sessions, SESSION),
  ) as RecordedDevice;
}

/** Runs in the page: reads its stored data, and the first message of each kind between tabs. */
async function readDevice(name: string) {
  const requestResult = <T>(item: IDBRequest<T>) =>
    new Promise<T>((resolve) => (item.onsuccess = () => resolve(item.result)));
  const disk = await requestResult(indexedDB.open(name));
  const stores = [];
  const rows: Record<string, any[]> = {};
  for (const store of disk.objectStoreNames) {
    const all = disk.transaction(store).objectStore(store);
    stores.push({ name: store, keyPath: all.keyPath as string });
    rows[store] = await requestResult<any[]>(all.getAll());
  }
  for (const row of rows["files"]!) row.file = { type: row.file.type, length: row.file.size };
  const messages: Record<string, any[]> = {};
  const { told: received } = globalThis as unknown as { told: [string, any][] };
  for (const [channel, message] of received) {
    const stored = (messages[channel] ??= []);
    const isSame = (item: any) => item.kind === message.kind && !item.rest === !message.rest;
    if (stored.some(isSame)) continue;
    // JSON has no sets.
    if (message.versions) message.versions = [...message.versions];
    // A snapshot is large, and each version registers for its own.
    stored.push(message.snapshot ? { ...message, snapshot: {} } : message);
  }
  const { held = [] } = await navigator.locks.query();
  return {
    database: { name, version: disk.version, stores },
    rows,
    messages,
    locks: held.map((lock) => lock.name!),
    storage: Object.keys(localStorage),
  };
}
