// Layers such as dialogs and menus: closing, focus and size.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BrowserSession } from "./browser-session.ts";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
await fixture.testServer.request("ada", "POST /messages", {
  ...{ type: "direct", to: [fixture.testServer.idOf("bo")], content: "psst" },
});
await fixture.post("ada", "@**Bo Member** look");

const waitForFocus = (page: Page, selector: string) =>
  page.waitForFunction((expected) => document.activeElement?.matches(expected) === true, selector);
const waitUntilNone = (page: Page, selector: string) =>
  page.waitForFunction((expected) => document.querySelector(expected) === null, selector);

test("a touch that closes a drawer, a menu or a dialog hits nothing below", async () => {
  const phone = await BrowserSession.forPhone(fixture.testServer, "bo");
  const page = await phone.tab("/#inbox");
  const direct = page.locator(".list-row").filter({ hasText: "psst" });
  const { y, height } = (await direct.boundingBox())!;
  await page.getByRole("button", { name: "Channels" }).tap();
  await page.locator(".sidebar-backdrop").waitFor();
  await page.touchscreen.tap(350, y + height / 2);
  await waitUntilNone(page, ".sidebar-backdrop");
  await page.getByRole("button", { name: "You" }).tap();
  await page.locator(".pop").waitFor();
  const followed = (await page.getByRole("button", { name: "Followed" }).boundingBox())!;
  await page.touchscreen.tap(followed.x + 20, followed.y + 20);
  await waitUntilNone(page, ".pop");
  await page.evaluate(() => void (location.hash = "#invite"));
  await page.locator(".backdrop").waitFor();
  await page.touchscreen.tap(180, 20);
  await waitUntilNone(page, ".backdrop");
  expect(new URL(page.url()).hash).not.toContain("narrow");
  expect(await page.locator(".seg [aria-pressed=true]").textContent()).toBe("Unmuted");
  // Once the layers are closed, a tap presses the button again.
  await page.getByRole("button", { name: "Followed" }).tap();
  await page.locator(".seg [aria-pressed=true]", { hasText: "Followed" }).waitFor();
});

test("Escape and Back close the shortcuts and menus with their URL", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#inbox");
  const open = async () => {
    await page.evaluate(() => void (location.hash = "#keyboard-shortcuts"));
    await page.locator(".dialog input:focus").waitFor();
  };
  await open();
  await page.keyboard.press("Escape");
  await page.waitForURL(/#inbox$/);
  await waitUntilNone(page, ".dialog");
  await open();
  await page.goBack();
  await waitUntilNone(page, ".dialog");
  await open();
  await page.evaluate(() => void (location.hash = "#recent"));
  await waitUntilNone(page, ".dialog");
  await page.keyboard.press("g");
  await page.locator(".pop [role=menuitem]").first().waitFor();
  await page.goBack();
  await waitUntilNone(page, ".pop");
  // The shortcuts also open over a page of settings, which stays open and does not close them.
  for (let round = 0; round < 10; round++) {
    await page.goto("/#settings/notifications");
    await page.locator(".notifications-try").waitFor();
    await page.goto("/#keyboard-shortcuts");
    await page.locator(".dialog input:focus").waitFor();
    expect(new URL(page.url()).hash).toBe("#keyboard-shortcuts");
    expect(await page.locator(".notifications-try").count()).toBe(1);
  }
});

test("a dialog does not open if its view was left in the same task", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#recent");
  const press = (...keys: string[]) =>
    page.evaluate((all) => {
      for (const key of all) {
        const init = { key: key.replace("Shift+", ""), bubbles: true, cancelable: true };
        document.body.dispatchEvent(new KeyboardEvent("keydown", init));
      }
    }, keys);
  await press("?");
  await page.locator(".dialog input:focus").waitFor();
  await page.keyboard.press("Escape");
  await waitUntilNone(page, ".dialog");
  await press("?", "I");
  await page.waitForURL(/#inbox$/);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  expect(await page.locator(".dialog").count()).toBe(0);
  // Opening it again in the same task leads to one dialog.
  await press("?", "I", "?");
  await page.locator(".dialog input:focus").waitFor();
  expect(await page.locator(".dialog").count()).toBe(1);
});

test("a menu scrolls in a small window, and the sidebar keeps the focus", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  // Like 1280 × 1024 pixels at 400 % zoom.
  await page.setViewportSize({ width: 320, height: 256 });
  await page.locator("article").last().focus();
  await page.keyboard.press("i");
  await waitForFocus(page, "[role=menuitem]");
  await page.keyboard.press("End");
  await waitForFocus(page, "[role=menuitem]:last-child");
  const { bottom, height } = await page.evaluate(() => {
    const { bottom: lower } = document.activeElement!.getBoundingClientRect();
    return { bottom: lower, height: innerHeight };
  });
  expect(bottom).toBeLessThanOrEqual(height);
  await page.keyboard.press("Escape");
  await page.locator(".back").click();
  await waitForFocus(page, ".sidebar .sidebar-row");
  const rows = await page.locator(".sidebar :is(a, button)").count();
  for (let remaining = rows + 1; remaining > 0; remaining--) {
    await page.keyboard.press("Tab");
    await waitForFocus(page, ".sidebar *");
  }
  await page.keyboard.press("Escape");
  await waitForFocus(page, ".back");
});

test("moves the focus when its element disappears; settings show offline", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#settings/preferences");
  await page.getByLabel("Use full width on wide screens").press("Space");
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await waitForFocus(page, "#setting-fluid_layout_width");
  const alert_words = ["leek", "soup"];
  await fixture.testServer.request("bo", "POST /users/me/alert_words", { alert_words });
  await page.goto(`${browserSession.url}/#settings/lists`);
  await page.getByRole("button", { name: "Remove leek" }).press("Enter");
  await waitForFocus(page, "[aria-label='Remove soup']");
  // The change is announced in a live region.
  await page.locator(".toasts[role=status] .toast").waitFor();
  await page.locator(".toast").getByRole("button", { name: "Undo" }).press("Enter");
  await waitForFocus(page, "[aria-label^='Remove']");
  await browserSession.context.setOffline(true);
  await page.locator(".status-banner").waitFor();
  await browserSession.context.setOffline(false);
});

test("shows states and focus in forced colors", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#settings/preferences");
  await page.emulateMedia({ forcedColors: "active" });
  const styleOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((node) => {
        const { appearance, borderTopWidth, outlineStyle } = getComputedStyle(node);
        return { appearance, borderTopWidth, outlineStyle };
      });
  expect((await styleOf(".switch")).appearance).toBe("auto");
  expect((await styleOf(".settings-nav [aria-current]")).outlineStyle).toBe("solid");
  await page.locator("input[type=search]").focus();
  const field = { borderTopWidth: "1px", outlineStyle: "solid" };
  expect(await styleOf(".settings-nav .field:focus-within")).toMatchObject(field);
});

test("opens a menu beside its button if there is no space above or below", async () => {
  const browserSession = await fixture.sessionOf("olga");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.setViewportSize({ width: 1360, height: 700 });
  const row = page.locator("article").filter({ hasText: "look" });
  await row.hover();
  const button = row.locator("[data-act=message-menu]");
  await button.click();
  await page.getByRole("menuitem", { name: "Delete" }).waitFor();
  const menu = (await page.getByRole("menu").boundingBox())!;
  const { x, y, height } = (await button.boundingBox())!;
  expect(menu.y).toBeLessThan(y + height);
  expect(menu.x + menu.width).toBeLessThanOrEqual(x);
});

test("keys in a menu or dialog do not affect what is behind", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  const { hash } = new URL(page.url());
  const expectFocusStays = async (selector: string) => {
    // No menu item starts with one of these keys.
    for (const key of ["T", "n", "*", "/", "F6", "Alt+ArrowUp", "Alt+ArrowDown"]) {
      await page.keyboard.press(key);
      expect(await page.evaluate(() => location.hash)).toBe(hash);
      expect(await page.locator(selector).count()).toBe(1);
    }
    await page.keyboard.press("Escape");
    await waitForFocus(page, "article");
  };
  await page.locator("article").last().focus();
  await page.keyboard.press("i");
  await waitForFocus(page, "[role=menuitem]");
  await expectFocusStays("[role=menuitem]:focus");
  await page.keyboard.press("V");
  await waitForFocus(page, ".dialog *");
  await expectFocusStays(".dialog :focus");
  expect(await page.locator(".toast").count()).toBe(0);
});
