/** Settings sync between devices and follow the user's language. */
import { beforeEach, afterEach, expect, test } from "bun:test";
import MessageFormat from "@messageformat/core";
import compileModule from "@messageformat/core/lib/compile-module.js";
import type { Page } from "playwright-core";
import { PREFERENCES as PREFERENCES_OF } from "../../src/web/features/settings/preferences.ts";
import { PRIVACY } from "../../src/web/features/settings/privacy.ts";
import english from "../../src/web/words/en.json";
import { startTestServer, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";
import { COLOR_RULES, faultsOf } from "./axe.ts";
import { BrowserSession } from "./browser-session.ts";
import { waitForValue } from "./browser-fixture.ts";

const VIEWS = ["/#settings/preferences", "/#settings/device", "/#feed", "/#inbox"];
const PREFERENCES = "/#settings/preferences";
const WIDTHS = [1360, 320];

let testServer: TestServer;
let browserSession: BrowserSession;

beforeEach(async () => {
  testServer = await startTestServer();
  browserSession = await BrowserSession.of(testServer, "bo");
  await testServer.request("bo", "POST /messages", {
    ...{ type: "channel", to: "general", topic: "soup", content: "Leek and *potato*" },
  });
});
afterEach(async () => {
  await browserSession?.close();
  await testServer?.close();
});

/** The root has no size of its own, so that it never counts as visible. */
const waitForRoot = (page: Page, selector: string) =>
  page.waitForSelector(selector, { state: "attached" });

const settingOf = (name: string) => {
  const { settings } = testServer.realm.read.users.get(testServer.idOf("bo"))!;
  return settings[name];
};

test("finds pages by names that other clients use", async () => {
  const page = await browserSession.tab("/#settings/your-bots");
  for (const [address, heading] of [
    ["settings/your-bots", "My bots"],
    ["settings/alert-words", "Alert words and muting"],
    ["settings/account-and-privacy", "Account and sign-in"],
    ["organization/emoji-settings", "Emoji"],
    ["organization/users/active", "Users"],
    ["organization/auth-methods", "Sign-in methods"],
    ["settings/nothing-of-the-kind", "Preferences"],
  ] as const) {
    await page.evaluate((hash) => (location.hash = hash), address);
    await page.getByRole("heading", { level: 2, name: heading, exact: true }).waitFor();
  }
});

test("applies a choice in other tabs, and undoes it", async () => {
  const page = await browserSession.tab(PREFERENCES);
  const other = await browserSession.tab(PREFERENCES);

  await page.getByLabel("Dark").check();
  await waitForRoot(other, ':root[data-scheme="dark"]');
  await until(() => settingOf("color_scheme") === 2);
  await page.getByRole("button", { name: "Undo" }).click();
  await waitForRoot(other, ":root:not([data-scheme])");
  await page.getByLabel("Use full width on wide screens").check();
  await waitForRoot(other, ":root[data-fluid]");
  await page.getByLabel("Text size").selectOption("20");
  await other.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === "20px");
  expect(browserSession.faults).toEqual([]);
});

test("every setting has a URL, and is found by other words", async () => {
  const page = await browserSession.tab(PREFERENCES);
  for (const [groupName, sections] of Object.entries({
    preferences: PREFERENCES_OF,
    privacy: PRIVACY,
  })) {
    for (const { name } of sections.flatMap(({ rows }) => rows)) {
      await page.goto(`/#settings/${groupName}/${name}`);
      await page.locator(`#setting-${name}:focus`).waitFor();
    }
  }
  const search = page.getByRole("searchbox", { name: "Search settings" });
  const results = page.getByRole("region", { name: "Results" });
  await search.fill("dark mode");
  await results.getByLabel("Dark").waitFor();
  await search.fill("2FA");
  await results.getByRole("link", { name: "Security" }).waitFor();
  await search.fill("SSO");
  await results.getByRole("link", { name: "Sign-in methods" }).waitFor();
  expect(await results.getByRole("link", { name: "Security" }).count()).toBe(0);
  expect(browserSession.faults).toEqual([]);
});

test("Do Not Disturb applies to all devices and on the server", async () => {
  const page = await browserSession.tab("/#settings/notifications");
  const phone = await BrowserSession.of(testServer, "bo");
  const other = await phone.tab("/#settings/notifications");
  await page.getByRole("button", { name: "30 minutes" }).click();
  await other.getByText("on all your devices").waitFor();
  await until(() => Number(settingOf("do_not_disturb_until")) > testServer.clock.now() / 1000);
  await other.getByRole("button", { name: "Turn off Do Not Disturb" }).click();
  await page.getByRole("button", { name: "30 minutes" }).waitFor();
  await until(() => settingOf("do_not_disturb_until") === undefined);

  // The schedule is in the account's time zone; an account without one gets the device's.
  await page.getByLabel("Do Not Disturb schedule").click();
  await until(() => settingOf("do_not_disturb_hours") === "22:00-07:00");
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  await until(() => settingOf("timezone") === zone);
  await other.getByLabel("From").fill("23:15");
  await until(() => settingOf("do_not_disturb_hours") === "23:15-07:00");
  await waitForValue(page.locator("[type=time]").first(), "23:15");
  await other.getByLabel("to", { exact: true }).fill("23:15");
  await other.getByRole("alert").getByText("The schedule is empty").waitFor();
  await other.getByLabel("Do Not Disturb schedule").click();
  await page.locator("[type=time]").first().waitFor({ state: "detached" });
  await until(() => settingOf("do_not_disturb_hours") === undefined);
  expect([...browserSession.faults, ...phone.faults]).toEqual([]);
});

test("compact hides avatars, only on this device", async () => {
  const page = await browserSession.tab("/#feed");
  await page.locator(".msg .av, .msg img, .msg > :first-child").first().waitFor();

  await page.goto(`${browserSession.url}/#settings/device`);
  await page.getByRole("button", { name: "Compact" }).click();
  await page.goto(`${browserSession.url}/#feed`);
  await page.locator(".msg").first().waitFor();
  expect(await page.locator(".msg > :first-child").first().isVisible()).toBe(false);
  await page.reload();
  await waitForRoot(page, ':root[data-density="compact"]');
});

/** Returns the number of rows in a store, or 0 while the database does not exist. */
const rowsIn = (page: Page, database: string, store: string) =>
  page.evaluate(
    async ([name, databaseName]) => {
      const all = await indexedDB.databases();
      if (!all.some((item) => item.name === name)) return 0;
      const send = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve) => (request.onsuccess = () => resolve(request.result)));
      const db = await send(indexedDB.open(name));
      const count = await send(db.transaction(databaseName).objectStore(databaseName).count());
      db.close();
      return count;
    },
    [database, store] as const,
  );

test("clears cached messages of this device, and keeps drafts", async () => {
  const { stream_id } = await testServer.request("bo", "GET /get_stream_id", { stream: "general" });
  const page = await browserSession.tab(`/#narrow/channel/${stream_id}-general/topic/soup`);
  await page.locator(".msg", { hasText: "potato" }).waitFor();
  const me = testServer.idOf("bo");
  const readStored = (store: string) => rowsIn(page, `skein-kept-${me}`, store);
  const field = page.locator("form.compose textarea:enabled");
  // The cache writer loads late and needs the network.
  await until(async () => (await rowsIn(page, `skein-${me}`, "windows")) > 0);
  await page.locator("body[data-whole]").waitFor();
  // The script of the settings loads when they are first opened, which needs the network.
  await page.evaluate(() => (location.hash = "#settings/device"));
  await page.getByText(/^1 message \(about/).waitFor();
  await page.goBack();
  await field.waitFor();
  await browserSession.context.setOffline(true);
  await field.fill("with thyme");
  await page.locator("form.compose [type=submit]").click();
  await until(async () => (await readStored("outbox")) > 0);
  await field.fill("half a thought");
  await until(async () => (await readStored("drafts")) > 0);

  await page.evaluate(() => (location.hash = "#settings/device"));
  await page.getByText(/^1 message \(about/).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  const remove = page.getByRole("button", { name: "Clear cached messages" });
  await remove.click();
  await page.getByText("Cached messages cleared.").waitFor();
  for (const store of ["windows", "shelf"]) {
    expect(await rowsIn(page, `skein-${me}`, store)).toBe(0);
  }
  expect([await readStored("outbox"), await readStored("drafts")]).toEqual([1, 1]);
  await remove.and(page.locator("[aria-disabled=true]")).waitFor();

  await browserSession.context.setOffline(false);
  await page.getByRole("link", { name: /^Notification sound/ }).click();
  await page.locator("#setting-notification_sound:focus").waitFor();
  await page.goBack();
  await page.getByRole("link", { name: /^Keyboard/ }).click();
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.evaluate((id) => {
    location.hash = `#narrow/channel/${id}-general/topic/soup`;
  }, stream_id);
  await page.locator(".msg:not([data-state])", { hasText: "with thyme" }).waitFor();
  await waitForValue(field, "half a thought");
});

test("loads German on demand, and uses it everywhere", async () => {
  const page = await browserSession.tab(PREFERENCES);

  await page.getByLabel("Language").selectOption("de");
  await page.getByRole("heading", { name: "Einstellungen" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  await until(() => settingOf("default_language") === "de");
  // German uses the 24-hour clock. Undo restores both settings.
  await until(() => settingOf("twenty_four_hour_time") === true);
  await page.getByRole("switch", { name: "24-Stunden-Uhr", checked: true }).waitFor();
  await page.getByRole("button", { name: "Rückgängig" }).click();
  await page.getByRole("switch", { name: "24-hour clock", checked: false }).waitFor();
  await until(() => settingOf("twenty_four_hour_time") === undefined);
  await page.getByLabel("Language").selectOption("de");
  await page.getByRole("switch", { name: "24-Stunden-Uhr", checked: true }).waitFor();
  await page.reload();
  await page
    .getByRole("link", { name: "Direktnachrichten" })
    .or(page.getByText("Eingang"))
    .first()
    .waitFor();
});

test("longer words and right-to-left text break no view", async () => {
  await testServer.request("bo", "PATCH /settings", { default_language: "de" });
  const pseudo = compileModule(new MessageFormat("de"), pseudoTranslate(english));
  await browserSession.context.route("**/assets/de-*.js", async (route) => {
    await route.fulfill({ response: await route.fetch(), body: pseudo });
  });
  // A long run allows the worker, which would fetch the file itself.
  await browserSession.context.addInitScript(() =>
    Reflect.deleteProperty(Navigator.prototype, "serviceWorker"),
  );
  const page = await browserSession.tab(PREFERENCES);
  await page.getByRole("heading", { name: "[Šéttîñgš" }).first().waitFor();
  for (const language of ["de", "ar"]) {
    await testServer.request("bo", "PATCH /settings", { default_language: language });
    await waitForRoot(
      page,
      `:root[lang="${language}"][dir="${language === "ar" ? "rtl" : "ltr"}"]`,
    );
    for (const path of VIEWS) {
      await page.goto(browserSession.url + path);
      await page.locator("main").waitFor();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([language, width, path, wide]).toEqual([language, width, path, Math.min(wide, 0)]);
      }
    }
  }
});

test("axe finds no fault in the settings, in all schemes", async () => {
  const page = await browserSession.tab(PREFERENCES);
  await page.getByRole("heading", { name: "Preferences" }).waitFor();
  for (const [color_scheme, high_contrast_mode] of [
    [3, false],
    [2, false],
    [3, true],
    [2, true],
  ] as const) {
    await testServer.request("bo", "PATCH /settings", { color_scheme, high_contrast_mode });
    const scheme = color_scheme === 2 ? "dark" : "light";
    const contrast = high_contrast_mode ? "[data-contrast]" : ":not([data-contrast])";
    await waitForRoot(page, `:root[data-scheme="${scheme}"]${contrast}`);
    const rules = scheme === "light" && !high_contrast_mode ? undefined : COLOR_RULES;
    const faults = await faultsOf(page, rules);
    expect([color_scheme, high_contrast_mode, faults]).toEqual([
      color_scheme,
      high_contrast_mode,
      [],
    ]);
  }
  await page.goto(`${browserSession.url}/#settings/device`);
  await page.getByRole("button", { name: "Compact" }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
});

const CHARACTERS: Readonly<Record<string, string>> = {
  ...{ a: "á", e: "é", i: "î", o: "ö", u: "ü", n: "ñ", s: "š", S: "Š", c: "ç" },
};

/** Makes each sentence half as long again, with accents. Keeps placeholders and omits plurals. */
function pseudoTranslate(catalogue: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(catalogue).flatMap(([key, sentence]) => {
      if (/,\s*(plural|select|number)/.test(sentence)) return [];
      const accented = sentence
        .split(/(\{.*\})/)
        .map((groupName) =>
          groupName.startsWith("{")
            ? groupName
            : groupName.replace(/[A-Za-z]/g, (l) => CHARACTERS[l] ?? l),
        )
        .join("");
      return [[key, `[${accented} ${"~".repeat(Math.ceil(sentence.length / 2))}]`]];
    }),
  );
}
