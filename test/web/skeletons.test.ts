// Views show placeholder rows until their scripts have loaded.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.ofFile();

/** A page whose later scripts do not arrive before `release` is called. */
async function heldPage(path: string): Promise<{ page: Page; release: () => void }> {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const { context } = await fixture.sessionOf("ada");
  await context.route(/\/assets\/(?!main-)[\w-]+\.js$/, async (route) => {
    await promise;
    return route.fallback();
  });
  const page = await context.newPage();
  await page.goto(path);
  return { page, release };
}

const VIEWS = ["inbox", "recent", "drafts", "settings", "channels", "organization/people"];

for (const view of VIEWS) {
  test(`shows placeholder rows until ${view} has loaded, and moves no bar`, async () => {
    const { page, release } = await heldPage(`/#${view}`);
    await page.locator(".blanks li").nth(7).waitFor();
    const before = await page.locator("main .bar").boundingBox();
    expect(before!.height).toBeGreaterThan(0);
    release();
    await page.locator("main .bar .bar-acts").waitFor();
    expect(await page.locator("main .bar").boundingBox()).toEqual(before);
  });
}
