// No screen is blank while the code of the page or of a view loads.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

/** Whether an element shows the bar that indicates loading. */
const waitFor = (page: Page, selector: string) =>
  page.evaluate((item) => {
    const node = document.querySelector(item);
    return node !== null && getComputedStyle(node, "::before").content === '""';
  }, selector);

test("shows that it waits, in the page and in a view, until their code is there", async () => {
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.context.newPage();
  let gate = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto("/#inbox", { waitUntil: "commit" });
  await page.waitForFunction(() => document.styleSheets.length > 0);
  expect(await waitFor(page, "body")).toBe(true);
  gate.resolve();
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  await page.locator("body[data-whole]").waitFor();
  expect(await waitFor(page, "body")).toBe(false);
  expect(await waitFor(page, "#main")).toBe(false);

  gate = Promise.withResolvers<void>();
  await page.evaluate(() => void (location.hash = "#groups/all"));
  await page.locator("#main .blanks").waitFor();
  gate.resolve();
  await page.getByRole("heading", { level: 1, name: "Groups" }).waitFor();
  expect(await waitFor(page, "#main")).toBe(false);
});
