// After a session has ended, the browser contains nothing readable of the account.
import { beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { endSessionsOf } from "../../src/features/sessions/actions.ts";
import { LAN_HOST, type BrowserSession } from "./browser-session.ts";
import { NetworkFailure, isPost } from "./failing-network.ts";
import { waitForMessage, waitForConnection, BrowserFixture, write } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer } = fixture;
let count = 0;
let secret = "";
beforeEach(() => void (secret = `heron number ${(count += 1)}`));

/** Returns everything that the browser stores for the site, as text. */
async function readStorage(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const asText = (value: unknown): unknown => {
      if (!(value instanceof ArrayBuffer) && !ArrayBuffer.isView(value)) return value;
      const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
      return new TextDecoder("latin1").decode(bytes);
    };
    const requestResult = <T>(request: IDBRequest<T>) =>
      new Promise<T | undefined>((resolve) => {
        request.addEventListener("success", () => resolve(request.result));
        // The database was deleted after it was listed; the abort prevents creating it again.
        request.addEventListener("upgradeneeded", () => request.transaction!.abort());
        request.addEventListener("error", () => resolve(undefined));
      });
    const retained: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const { name } of await indexedDB.databases()) {
      const db = await requestResult(indexedDB.open(name!));
      if (!db) continue;
      for (const store of db.objectStoreNames) {
        const all = await requestResult(db.transaction(store).objectStore(store).getAll());
        retained.push(name, store, ...(all ?? []));
      }
      db.close();
    }
    // Pages over http have no `caches`.
    for (const name of "caches" in globalThis ? await caches.keys() : []) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const { pathname } = new URL(request.url);
        if (pathname.startsWith("/assets/")) continue;
        retained.push(name, pathname, await (await cache.match(request))!.text());
      }
    }
    return JSON.stringify(retained, (_, value) => asText(value));
  });
}

/** Opens a tab and waits until it shows the message. */
async function openAndRead(browserSession: BrowserSession, text: string): Promise<Page> {
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await waitForMessage(page, text);
  return page;
}

/** Waits, because another tab may still be deleting. */
const untilNoDatabases = async (page: Page) => {
  while ((await page.evaluate(() => indexedDB.databases())).length > 0) await Bun.sleep(50);
};

const until = async (page: Page, condition: (stored: string) => boolean) => {
  for (;;) {
    const stored = await readStorage(page);
    if (condition(stored)) return stored;
    await Bun.sleep(50);
  }
};

const onSignInPage = (page: Page) => page.waitForURL((url) => url.pathname === "/login/");

async function signOutByMenu(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.locator("input[role=combobox]").fill("Sign out");
  await page.getByRole("option", { name: "Sign out" }).first().waitFor();
  await page.keyboard.press("Enter");
}

/** Writes a message that is stored on the disk but does not reach the server. */
async function writeUnsent(page: Page, text: string): Promise<NetworkFailure> {
  const failure = await NetworkFailure.of(page.context(), "**/json/messages", isPost);
  await write(page, text);
  await until(page, (stored) => stored.includes(text));
  return failure;
}

const hasAccountKey = (page: Page) => until(page, (stored) => stored.includes("skein.unsent-key"));

/** Signs in with another account, whose browser data must not contain these texts. */
async function expectNothingFor(browserSession: BrowserSession, ...texts: string[]): Promise<Page> {
  await browserSession.signIn("cy");
  const page = await browserSession.tab("/#drafts");
  await waitForConnection(page, "live");
  const stored = await readStorage(page);
  for (const text of texts) expect(stored).not.toContain(text);
  return page;
}

const isSent = async (text: string) =>
  (await fixture.listPosted()).some(({ content }) => content === text);

test("leaves nothing of the account on the disk after sign-out by the menu", async () => {
  await fixture.post("ada", secret);
  const browserSession = await fixture.sessionOf("bo");
  const noted = { stream_id: fixture.stream_id, topic: "logo", content: "A note", version: 0 };
  await fixture.testServer.request("ada", "PUT /skein_topic_notes", noted);
  const page = await openAndRead(browserSession, secret);
  // A closed note is remembered with its topic.
  await page.locator(".topic-note summary").click();
  await until(page, (stored) => stored.includes(secret) && stored.includes("closed-notes"));
  await signOutByMenu(page);
  await onSignInPage(page);
  expect(await readStorage(page)).not.toContain(secret);
  await untilNoDatabases(page);
  await expectNothingFor(browserSession, secret, "closed-notes");
});

test("deletes unsent messages at sign-out unless kept, in all tabs", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const [page, otherPage] = [
    await browserSession.tab(fixture.topicUrl),
    await browserSession.tab(fixture.topicUrl),
  ];
  await waitForConnection(page, "live");
  await waitForConnection(otherPage, "live");
  await hasAccountKey(page);
  const failure = await writeUnsent(page, secret);
  await signOutByMenu(page);
  await page.getByText("Keep 1 unsent message on this device?").waitFor();
  await page.keyboard.press("Enter");
  await Promise.all([onSignInPage(page), onSignInPage(otherPage)]);
  expect(await readStorage(page)).not.toContain(secret);
  await untilNoDatabases(page);
  failure.stopFailing();
  await browserSession.signIn("bo");
  await otherPage.goto(fixture.topicUrl);
  await waitForConnection(otherPage, "live");
  await fixture.untilPosted(otherPage);
  expect(await isSent(secret)).toBe(false);
});

test("keeps unsent messages encrypted and sends them when the account signs in again", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await hasAccountKey(page);
  const failure = await writeUnsent(page, secret);
  await signOutByMenu(page);
  await page.getByRole("button", { name: "Keep and sign out" }).click();
  await onSignInPage(page);
  expect(await readStorage(page)).not.toContain(secret);
  failure.stopFailing();
  const other = await expectNothingFor(browserSession, secret);
  expect(await readStorage(other)).toContain("skein-sealed");
  expect(await isSent(secret)).toBe(false);
  await other.close();
  await browserSession.signIn("bo");
  await page.goto(fixture.topicUrl);
  await waitForConnection(page, "live");
  await fixture.untilPosted(page, secret);
  await until(page, (stored) => !stored.includes("skein.sealed"));
});

test("encrypts what was not sent when the session is ended elsewhere during work", async () => {
  await fixture.post("ada", secret);
  const browserSession = await fixture.sessionOf("bo");
  const [page, otherPage] = [
    await openAndRead(browserSession, secret),
    await openAndRead(browserSession, secret),
  ];
  await hasAccountKey(page);
  const [sentText, started] = [`${secret} waits`, `${secret} is begun`];
  // The server is not reachable, so this draft stays on the device.
  const drafts = await NetworkFailure.of(browserSession.context, /\/json\/drafts/);
  const failure = await writeUnsent(page, sentText);
  await otherPage.locator(".compose textarea:enabled").fill(started);
  await testServer.realm.write((tx) => endSessionsOf(tx, testServer.idOf("bo")));
  await Promise.all([onSignInPage(page), onSignInPage(otherPage)]);
  expect(new URL(page.url()).searchParams.get("ended")).toBe("1");
  const stored = await readStorage(page);
  expect(stored).toContain("skein-sealed");
  expect(stored).not.toContain(secret);
  failure.stopFailing();
  drafts.stopFailing();
  await otherPage.close();
  await browserSession.signIn("bo");
  await page.goto(fixture.topicUrl);
  await waitForConnection(page, "live");
  await fixture.untilPosted(page, sentText);
  await page.waitForFunction((text) => document.querySelector("textarea")?.value === text, started);
});

test("deletes the data of an account when another one signs in beside its open tab", async () => {
  await fixture.post("ada", secret);
  const browserSession = await fixture.sessionOf("bo");
  const page = await openAndRead(browserSession, secret);
  await until(page, (stored) => stored.includes(secret));
  await browserSession.signIn("cy");
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await waitForConnection(page, "another");
  await until(page, (stored) => !stored.includes(secret));
  await expectNothingFor(browserSession, secret);
});

test("deletes the data of a session that ended without a tab before it reads", async () => {
  await fixture.post("ada", secret);
  const browserSession = await fixture.sessionOf("bo");
  const page = await openAndRead(browserSession, secret);
  await hasAccountKey(page);
  await writeUnsent(page, `${secret} waits`);
  await page.close();
  await testServer.realm.write((tx) => endSessionsOf(tx, testServer.idOf("bo")));
  const other = await expectNothingFor(browserSession, secret);
  expect(await readStorage(other)).toContain("skein-sealed");
});

test("completes a deletion that an open database has delayed", async () => {
  await fixture.post("ada", secret);
  const browserSession = await fixture.sessionOf("bo");
  const page = await openAndRead(browserSession, secret);
  const name = `skein-${testServer.idOf("bo")}`;
  await until(page, (stored) => stored.includes(secret));
  const holder = await browserSession.tab("/help/");
  await holder.evaluate(async (storeName) => {
    const request = indexedDB.open(storeName);
    await new Promise((resolve) => request.addEventListener("success", resolve));
    Object.assign(globalThis, { held: request.result });
  }, name);
  await signOutByMenu(page);
  await onSignInPage(page);
  // The rows are gone although the database cannot be deleted yet.
  const rows = await holder.evaluate(async () => {
    const { held } = globalThis as unknown as { held: IDBDatabase };
    const stores = [...held.objectStoreNames];
    const tx = held.transaction(stores);
    const counts = stores.map((store) => tx.objectStore(store).count());
    await new Promise((resolve) => tx.addEventListener("complete", resolve));
    return counts.map(({ result }) => result);
  });
  expect(rows.every((count) => count === 0)).toBe(true);
  expect(await page.evaluate(() => localStorage.getItem("skein.ended"))).not.toBeNull();
  await holder.close();
  await expectNothingFor(browserSession, secret);
  const remaining = await page.evaluate(async (storeName) => {
    const all = await indexedDB.databases();
    return [all.some((item) => item.name === storeName), localStorage.getItem("skein.ended")];
  }, name);
  expect(remaining).toEqual([false, null]);
});

test("deletes everything over http, where nothing can be encrypted", async () => {
  const browserSession = await fixture.sessionOf("bo", LAN_HOST);
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  // Later messages are in the worker's journal.
  await fixture.post("ada", secret);
  await until(page, (stored) => stored.includes(secret));
  await writeUnsent(page, `${secret} waits`);
  await signOutByMenu(page);
  await page.getByText("Delete 1 unsent message?").waitFor();
  await page.keyboard.press("Enter");
  await onSignInPage(page);
  expect(await readStorage(page)).not.toContain(secret);
  await untilNoDatabases(page);
});
