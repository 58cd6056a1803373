// Screen reader support: accessible names, lists and announcements.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { waitForMessage, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer, stream_id } = fixture;

/** Returns the announcements of the live region from now on. */
async function receive(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const lines: string[] = [];
    Object.assign(globalThis, { said: lines });
    const recordStatus = () => {
      for (const { textContent } of document.querySelectorAll("p.vh[role=status]")) {
        if (textContent && lines.at(-1) !== textContent) lines.push(textContent);
      }
    };
    const options = { childList: true, subtree: true, characterData: true };
    new MutationObserver(recordStatus).observe(document.body, options);
  });
  return () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
}

test("announces only new messages of the topic, and what follows", async () => {
  for (const index of [1, 2, 3, 4, 5]) await fixture.post("bo", `Message ${index}`);
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForMessage(page, "Message 5");
  const listMessages = await receive(page);
  await page.locator("article").last().focus();
  await page.keyboard.press("T");
  await page.waitForURL(/\.E2\.9C\.94/);
  await waitForMessage(page, "Message 5");
  const to = { type: "channel", to: stream_id, topic: "✔ logo" };
  await testServer.request("bo", "POST /messages", { ...to, content: "One more thing" });
  await page.waitForFunction(() =>
    (globalThis as unknown as { said: string[] }).said.some((item) => item.includes("One more")),
  );
  expect((await listMessages()).filter((item) => /new messages|Message \d/.test(item))).toEqual([]);
  expect(browserSession.faults).toEqual([]);
});

test("no settings page has an empty list", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab("/#settings/profile");
  const links = page.locator(".settings-nav a");
  await links.first().waitFor();
  const empty: string[] = [];
  for (const link of await links.all()) {
    await link.click();
    const name = (await link.textContent())!;
    await page.locator("main h2", { hasText: name }).first().waitFor();
    const lists = await page.locator("main").ariaSnapshot();
    if (/- list(?: ".*")?$/m.test(lists)) empty.push(name);
  }
  expect(empty).toEqual([]);
});

test("names a list once, together with its context", async () => {
  const browserSession = await fixture.sessionOf("ada");
  await fixture.post("bo", "Unread");
  const page = await browserSession.tab("/#inbox");
  for (const path of ["inbox", "recent", "channels/all", `topics/channel/${stream_id}`]) {
    await page.evaluate((hash) => void (location.hash = hash), path);
    await page.waitForURL((url) => url.hash === `#${path}`);
    const region = page.locator("main .scroll[role=region]");
    await region.locator(".list").waitFor();
    const name = (await region.getAttribute("aria-label"))!;
    expect([path, await region.getByRole("group", { name, exact: true }).count()]).toEqual([
      path,
      0,
    ]);
  }
});

test("names symbols for selection, and reports no missing matches", async () => {
  const elsewhere = { type: "channel", to: stream_id, topic: "colours", content: "Blue" };
  await fixture.testServer.request("bo", "POST /messages", elsewhere);
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.getByRole("button", { name: "Emoji" }).click();
  await page.getByRole("dialog", { name: "Emoji" }).waitFor();
  await page.keyboard.press("Escape");
  await page.evaluate(() => {
    const recordEmptyPalette = () => {
      if (document.querySelector(".palette-none")) document.body.dataset["none"] = "";
    };
    new MutationObserver(recordEmptyPalette).observe(document.body, {
      childList: true,
      subtree: true,
    });
  });
  await page.keyboard.press("Control+k");
  await page.locator(".palette [role=option]").first().waitFor();
  expect(await page.locator("body").getAttribute("data-none")).toBeNull();
});

test("announces each added and removed star", async () => {
  const { id } = await fixture.post("bo", "Worth a star");
  const { id: other } = await fixture.post("bo", "And this one");
  const page = await (await fixture.sessionOf("cy")).tab(fixture.topicUrl);
  await waitForMessage(page, "And this one");
  const listMessages = await receive(page);
  for (const [at, marked] of [
    [id, "[data-starred]"],
    [other, "[data-starred]"],
    [other, ":not([data-starred])"],
  ] as const) {
    await page.locator(`#m${at}`).focus();
    await page.keyboard.press("Control+s");
    await page.locator(`#m${at}${marked}`).waitFor();
  }
  expect(await listMessages()).toEqual(["Starred", "Starred\u00a0", "Star removed"]);
  expect(await page.locator(".toast").count()).toBe(0);
});
