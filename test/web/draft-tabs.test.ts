// Drafts and pending messages that two tabs of a browser share.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../wait-until.ts";
import { Cut } from "./failing-network.ts";
import { connectionIs, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.ofFile();

const box = (page: Page) => page.locator(".compose textarea:enabled");
const holds = (page: Page, text: string) =>
  page.waitForFunction((it) => document.querySelector("textarea")?.value === it, text);
const isStored = (page: Page) => page.getByText("Draft saved").waitFor();

/** Opens two offline tabs with the same text in the composer, which the server does not have. */
async function twoTabs(topic: string) {
  const browserSession = await fixture.sessionOf("bo");
  const fragment = fixture.place.replace("logo", topic);
  await (await browserSession.tab(fragment)).close();
  const network = await Cut.of(browserSession.context, "**/json/**");
  const thisPage = await browserSession.tab(fragment);
  await box(thisPage).fill("half");
  await isStored(thisPage);
  const otherPage = await browserSession.tab(fragment);
  await holds(otherPage, "half");
  return { thisPage, otherPage, network, place: fragment };
}

async function isSent(page: Page): Promise<void> {
  await box(page).press("Control+Enter");
  await page.locator("article[data-state]").first().waitFor();
  await holds(page, "");
}

async function drafts(): Promise<string[]> {
  const response = await fixture.testServer.request("bo", "GET /drafts");
  return response.drafts.map(({ content }: { content: string }) => content);
}

test("removes a draft in other tabs when it is sent, without a network too", async () => {
  const { thisPage, otherPage, network } = await twoTabs("one");
  await isSent(thisPage);
  await holds(otherPage, "");
  await otherPage.reload();
  await box(otherPage).waitFor();
  await otherPage.goto("/#drafts");
  await otherPage.getByText("No drafts.").waitFor();
  await thisPage.close();
  await network.tell();
  await connectionIs(otherPage, "live");
  expect(await drafts()).toEqual([]);
});

test("lists no draft that the server had, even if its event arrives late", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const fragment = fixture.place.replace("logo", "four");
  const [thisPage, otherPage] = [
    await browserSession.tab(fragment),
    await browserSession.tab(fragment),
  ];
  await box(thisPage).fill("half");
  await holds(otherPage, "half");
  await browserSession.context.setOffline(true);
  for (const page of [thisPage, otherPage]) await connectionIs(page, "unreached");
  await box(thisPage).fill("half a thought");
  await isSent(thisPage);
  await holds(otherPage, "");
  for (const page of [thisPage, otherPage]) {
    await page.goto("/#drafts");
    await page.getByText("No drafts.").waitFor();
  }
  await thisPage.close();
  await browserSession.context.setOffline(false);
  await until(async () => (await drafts()).length === 0);
});

test("keeps no older text of a draft that another tab has sent", async () => {
  const { thisPage, otherPage, network } = await twoTabs("two");
  await box(thisPage).press("End");
  await thisPage.keyboard.type(" a thought, and ever so many letters more than it had at first");
  await isSent(thisPage);
  await holds(otherPage, "");
  await network.tell();
});

test("keeps what another tab has typed since, and stores it", async () => {
  const { thisPage, otherPage, network } = await twoTabs("three");
  await box(otherPage).fill("half, and more of it");
  await isStored(otherPage);
  await isSent(thisPage);
  await holds(otherPage, "half, and more of it");
  await otherPage.reload();
  await holds(otherPage, "half, and more of it");
  // After the second tab has sent the text as well, no draft remains.
  await isSent(otherPage);
  await thisPage.reload();
  await box(thisPage).waitFor();
  expect(await box(thisPage).inputValue()).toBe("");
  await network.tell();
  await until(async () => (await drafts()).length === 0);
});
