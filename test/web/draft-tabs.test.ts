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
const isKept = (page: Page) => page.getByText("Draft saved").waitFor();

/** Opens two offline tabs with the same text in the composer, which the server does not have. */
async function twoTabs(topic: string) {
  const browserSession = await fixture.sessionOf("bo");
  const fragment = fixture.place.replace("logo", topic);
  await (await browserSession.tab(fragment)).close();
  const network = await Cut.of(browserSession.context, "**/json/**");
  const here = await browserSession.tab(fragment);
  await box(here).fill("half");
  await isKept(here);
  const beside = await browserSession.tab(fragment);
  await holds(beside, "half");
  return { here, beside, network, place: fragment };
}

async function isSent(page: Page): Promise<void> {
  await box(page).press("Control+Enter");
  await page.locator("article[data-state]").first().waitFor();
  await holds(page, "");
}

async function drafts(): Promise<string[]> {
  const answer = await fixture.testServer.request("bo", "GET /drafts");
  return answer.drafts.map(({ content }: { content: string }) => content);
}

test("removes a draft in other tabs when it is sent, without a network too", async () => {
  const { here, beside, network } = await twoTabs("one");
  await isSent(here);
  await holds(beside, "");
  await beside.reload();
  await box(beside).waitFor();
  await beside.goto("/#drafts");
  await beside.getByText("No drafts.").waitFor();
  await here.close();
  await network.tell();
  await connectionIs(beside, "live");
  expect(await drafts()).toEqual([]);
});

test("lists no draft that the server had, even if its event arrives late", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const fragment = fixture.place.replace("logo", "four");
  const [here, beside] = [await browserSession.tab(fragment), await browserSession.tab(fragment)];
  await box(here).fill("half");
  await holds(beside, "half");
  await browserSession.context.setOffline(true);
  for (const page of [here, beside]) await connectionIs(page, "unreached");
  await box(here).fill("half a thought");
  await isSent(here);
  await holds(beside, "");
  for (const page of [here, beside]) {
    await page.goto("/#drafts");
    await page.getByText("No drafts.").waitFor();
  }
  await here.close();
  await browserSession.context.setOffline(false);
  await until(async () => (await drafts()).length === 0);
});

test("keeps no older text of a draft that another tab has sent", async () => {
  const { here, beside, network } = await twoTabs("two");
  await box(here).press("End");
  await here.keyboard.type(" a thought, and ever so many letters more than it had at first");
  await isSent(here);
  await holds(beside, "");
  await network.tell();
});

test("keeps what another tab has typed since, and stores it", async () => {
  const { here, beside, network } = await twoTabs("three");
  await box(beside).fill("half, and more of it");
  await isKept(beside);
  await isSent(here);
  await holds(beside, "half, and more of it");
  await beside.reload();
  await holds(beside, "half, and more of it");
  // After the second tab has sent the text as well, no draft remains.
  await isSent(beside);
  await here.reload();
  await box(here).waitFor();
  expect(await box(here).inputValue()).toBe("");
  await network.tell();
  await until(async () => (await drafts()).length === 0);
});
