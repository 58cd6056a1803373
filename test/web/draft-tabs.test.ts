// Drafts and pending messages that two tabs of a browser share.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../wait-until.ts";
import { NetworkFailure } from "./failing-network.ts";
import { waitForConnection, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

const textField = (page: Page) => page.locator(".compose textarea:enabled");
const waitForText = (page: Page, text: string) =>
  page.waitForFunction((value) => document.querySelector("textarea")?.value === value, text);
const isStored = (page: Page) => page.getByText("Draft saved").waitFor();

/** Opens two offline tabs with the same text in the composer, which the server does not have. */
async function twoTabs(topic: string) {
  const browserSession = await fixture.sessionOf("bo");
  const fragment = fixture.topicUrl.replace("logo", topic);
  await (await browserSession.tab(fragment)).close();
  const network = await NetworkFailure.of(browserSession.context, "**/json/**");
  const thisPage = await browserSession.tab(fragment);
  await textField(thisPage).fill("half");
  await isStored(thisPage);
  const otherPage = await browserSession.tab(fragment);
  await waitForText(otherPage, "half");
  return { thisPage, otherPage, network, place: fragment };
}

async function isSent(page: Page): Promise<void> {
  await textField(page).press("Control+Enter");
  await page.locator("article[data-state]").first().waitFor();
  await waitForText(page, "");
}

async function listDrafts(): Promise<string[]> {
  const response = await fixture.testServer.request("bo", "GET /drafts");
  return response.drafts.map(({ content }: { content: string }) => content);
}

test("removes a draft in other tabs when it is sent, without a network too", async () => {
  const { thisPage, otherPage, network } = await twoTabs("one");
  await isSent(thisPage);
  await waitForText(otherPage, "");
  await otherPage.reload();
  await textField(otherPage).waitFor();
  await otherPage.goto("/#drafts");
  await otherPage.getByText("No drafts.").waitFor();
  await thisPage.close();
  await network.restore();
  await waitForConnection(otherPage, "live");
  expect(await listDrafts()).toEqual([]);
});

test("lists no draft that the server had, even if its event arrives late", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const fragment = fixture.topicUrl.replace("logo", "four");
  const [thisPage, otherPage] = [
    await browserSession.tab(fragment),
    await browserSession.tab(fragment),
  ];
  await textField(thisPage).fill("half");
  await waitForText(otherPage, "half");
  await browserSession.context.setOffline(true);
  for (const page of [thisPage, otherPage]) await waitForConnection(page, "unreached");
  await textField(thisPage).fill("half a thought");
  await isSent(thisPage);
  await waitForText(otherPage, "");
  for (const page of [thisPage, otherPage]) {
    await page.goto("/#drafts");
    await page.getByText("No drafts.").waitFor();
  }
  await thisPage.close();
  await browserSession.context.setOffline(false);
  await until(async () => (await listDrafts()).length === 0);
});

test("keeps no older text of a draft that another tab has sent", async () => {
  const { thisPage, otherPage, network } = await twoTabs("two");
  await textField(thisPage).press("End");
  await thisPage.keyboard.type(" a thought, and ever so many letters more than it had at first");
  await isSent(thisPage);
  await waitForText(otherPage, "");
  await network.restore();
});

test("keeps what another tab has typed since, and stores it", async () => {
  const { thisPage, otherPage, network } = await twoTabs("three");
  await textField(otherPage).fill("half, and more of it");
  await isStored(otherPage);
  await isSent(thisPage);
  await waitForText(otherPage, "half, and more of it");
  await otherPage.reload();
  await waitForText(otherPage, "half, and more of it");
  // After the second tab has sent the text as well, no draft remains.
  await isSent(otherPage);
  await thisPage.reload();
  await textField(thisPage).waitFor();
  expect(await textField(thisPage).inputValue()).toBe("");
  await network.restore();
  await until(async () => (await listDrafts()).length === 0);
});
