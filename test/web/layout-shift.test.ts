// Arriving content does not move what the user points at or looks for.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer, stream_id } = fixture;

const post = (topic: string, content: string) =>
  testServer.request("bo", "POST /messages", { type: "channel", to: stream_id, topic, content });

const isReceived = (page: Page, row: string) =>
  page.locator(".sidebar-topics .sidebar-row", { hasText: row }).waitFor();

test("new messages move nothing in the filter and the switcher", async () => {
  await post("poster", "Two for the door");
  await post("paper", "The grey one froze");
  const page = await (await fixture.sessionOf("cy")).tab("/#drafts");
  await page.keyboard.press("q");
  // The field also gets keys that are typed before it is displayed.
  await page.keyboard.type("p");
  const topicRow = page.locator(".sidebar-topics .t");
  await topicRow.getByText("poster").waitFor();
  expect(await topicRow.allTextContents()).toEqual(["paper", "poster"]);
  await post("poster", "A third one");
  await isReceived(page, "poster2");
  expect(await topicRow.allTextContents()).toEqual(["paper", "poster"]);

  await page.keyboard.press("Control+k");
  const optionLabels = page.locator(".palette [role=option] .t");
  await optionLabels.first().waitFor();
  const before = await optionLabels.allTextContents();
  expect(before[0]).toBe("poster");
  await post("paper", "It thawed");
  await isReceived(page, "paper2");
  await page.keyboard.press("ArrowDown");
  await page.locator("#palette-1[aria-selected=true]").waitFor();
  expect(await optionLabels.allTextContents()).toEqual(before);
});

test.each(["inbox", "recent", "topics"])(
  "rows of %s stay in place under the pointer",
  async (list) => {
    const topics = [`${list} one`, `${list} two`];
    for (const topic of topics) await post(topic, "Hello");
    const fragment = list === "topics" ? `topics/channel/${stream_id}-design` : list;
    const page = await (await fixture.sessionOf("ada")).tab(`/#${fragment}`);
    const rows = page.locator(".list-row .top a").filter({ hasText: `${list} ` });
    await rows.nth(1).waitFor();
    expect(await rows.allTextContents()).toEqual(topics.toReversed());
    await page.locator(".list-row").first().hover();
    await post(`${list} one`, `New in ${list}`);
    await page.locator(".list-row", { hasText: `New in ${list}` }).waitFor();
    expect(await rows.allTextContents()).toEqual(topics.toReversed());
    await page.locator("main h1").hover();
    await page.waitForFunction(
      (name) => document.querySelector(".list-row")?.textContent?.includes(name),
      topics[0]!,
    );
    await page.close();
  },
);
