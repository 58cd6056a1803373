// The emoji picker: categories, search by keywords, skin tones, and the grid by keys.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { accessibilityFaults, faultsOf, applyLook, APPEARANCES } from "./axe.ts";
import { waitForMessage, waitForConnection, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const PHONE = { width: 390, height: 844 };

async function openComposer(name: "bo" | "cy" | "ada"): Promise<Page> {
  const page = await (await fixture.sessionOf(name)).tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await page.locator(".compose textarea:enabled").click();
  return page;
}

async function openPicker(page: Page): Promise<void> {
  await page.locator(".compose").getByRole("button", { name: "Emoji", exact: true }).click();
  await page.locator(".emoji-pop input:focus").waitFor();
}

const waitForText = (page: Page, text: string) =>
  page.waitForFunction(
    (expected) =>
      document.querySelector<HTMLTextAreaElement>(".compose textarea")?.value === expected,
    text,
  );

test("goes to a category, and moves in its grid by keys", async () => {
  const page = await openComposer("bo");
  await openPicker(page);
  await applyLook(page, APPEARANCES[0]!);
  expect(await faultsOf(page, undefined, ".emoji-pop")).toEqual([]);
  // All emoji have the same markup, so a few of them are enough for the other looks.
  await page.locator(".emoji-pop input").fill("heart");
  await page.locator("[data-section=found]").waitFor();
  expect(await accessibilityFaults(page, ".emoji-pop")).toEqual([]);
  await applyLook(page, APPEARANCES[0]!);
  await page.locator(".emoji-pop input").fill("");
  const food = page.getByRole("button", { name: "Food and drink" });
  await food.click();
  const first = page.getByRole("group", { name: "Food and drink" }).getByRole("option").first();
  await first.and(page.locator("[data-active]")).waitFor();
  expect(await first.isVisible()).toBe(true);
  await page.locator(".emoji-tabs [aria-current=true][aria-label='Food and drink']").waitFor();

  // Keys lead to the categories, along them, into the grid, and back by typing a search.
  await page.locator(".emoji-pop input").focus();
  await page.keyboard.press("Tab");
  await page.locator(".emoji-tabs button[aria-label='Food and drink']:focus").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.locator(".emoji-tabs button[aria-label='Travel and places']:focus").waitFor();
  await page.keyboard.press("Enter");
  const travel = page.getByRole("group", { name: "Travel and places" }).getByRole("option");
  await travel.first().and(page.locator(":focus")).waitFor();
  await page.keyboard.press("ArrowRight");
  await travel.nth(1).and(page.locator(":focus[tabindex='0']")).waitFor();
  expect(await page.locator(".emoji-list [role=option][tabindex='0']").count()).toBe(1);
  await page.keyboard.press("w");
  await page.locator(".emoji-pop input:focus").waitFor();
  expect(await page.locator(".emoji-pop input").inputValue()).toBe("w");
  await page.keyboard.press("Escape");
  await page.locator(".emoji-pop").waitFor({ state: "detached" });
});

test("finds emoji by keywords, also in German", async () => {
  const page = await openComposer("cy");
  await openPicker(page);
  await page.keyboard.type("laugh");
  await page.getByRole("option", { name: "joy", exact: true }).waitFor();
  // Only the Unicode name of the emoji contains this word.
  await page.locator(".emoji-pop input").fill("waving");
  await page.getByRole("option", { name: "wave", exact: true }).waitFor();
  await page.locator(".emoji-pop input").fill("xyzzy");
  await page.getByText("No emoji found.").waitFor();
  // Selecting a category ends the search.
  await page.getByRole("button", { name: "Flags" }).click();
  const flags = page.getByRole("group", { name: "Flags" }).getByRole("option");
  await flags.first().and(page.locator("[data-active]")).waitFor();
  expect(await page.locator(".emoji-pop input").inputValue()).toBe("");
  await page.keyboard.press("Escape");
  await page.locator(".emoji-pop").waitFor({ state: "detached" });
  await fixture.testServer.request("cy", "PATCH /settings", { default_language: "de" });
  const button = page.locator(".compose-tools [aria-label='Emoji']");
  await page.locator(".compose-hint", { hasText: "neue Zeile" }).waitFor();
  await button.click();
  await page.locator(".emoji-pop input:focus").waitFor();
  await page.keyboard.type("lachen");
  await page.getByRole("option", { name: "joy", exact: true }).waitFor();
  await page.keyboard.press("Escape");
});

test("inserts emoji in the chosen skin tone, which is kept; reactions have none", async () => {
  const { id } = await fixture.post("bo", "Tones?");
  const page = await openComposer("ada");
  await page.setViewportSize(PHONE);
  await openPicker(page);
  await page.getByRole("button", { name: "Skin tone: Default" }).press("Enter");
  await page.locator(".emoji-tones [aria-pressed=true]:focus").waitFor();
  expect(await faultsOf(page, undefined, ".emoji-pop > .foot")).toEqual([]);
  await page.getByRole("button", { name: "Medium", exact: true }).press("Enter");
  await page.locator("[aria-label='Skin tone: Medium']:focus").waitFor();
  await page.locator(".emoji-pop input").fill("wave");
  const wave = page.getByRole("option", { name: "wave", exact: true });
  await wave.getByText("👋🏽").waitFor();
  await wave.click();
  await waitForText(page, "👋🏽 ");
  await page.locator(".compose textarea").press("Control+Enter");
  await waitForMessage(page, "👋🏽");
  await fixture.untilPosted(page, "👋🏽");
  await page.reload();
  await waitForConnection(page, "live");
  await openPicker(page);
  await page.getByRole("button", { name: "Skin tone: Medium" }).waitFor();
  // An emoji without a person gets no skin tone.
  await page.locator(".emoji-pop input").fill("tada");
  await page.getByRole("option", { name: "tada", exact: true }).click();
  await waitForText(page, ":tada: ");
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press(":");
  await page.locator(".emoji-pop input:focus").waitFor();
  expect(await page.locator(".emoji-tones").count()).toBe(0);
  await page.keyboard.type("wave");
  await page
    .getByRole("option", { name: "wave", exact: true })
    .getByText("👋", { exact: true })
    .waitFor();
  await page.keyboard.press("Escape");
});

test("shows a placeholder of its size until its script has loaded", async () => {
  const page = await openComposer("bo");
  const gate = Promise.withResolvers<void>();
  await page.route(/\/assets\/picker-[\w-]+\.js$/, async (route) => {
    await gate.promise;
    return route.fallback();
  });
  const open = () =>
    page.locator(".compose").getByRole("button", { name: "Emoji", exact: true }).click();
  const placeholder = page.locator(".emoji-pop:has([aria-busy])");
  await open();
  await placeholder.waitFor();
  await page.keyboard.press("Escape");
  await placeholder.waitFor({ state: "detached" });
  await open();
  await placeholder.waitFor();
  const before = await page.locator(".emoji-pop").boundingBox();
  gate.resolve();
  await page.locator(".emoji-pop input:focus").waitFor();
  expect(await page.locator(".emoji-pop").boundingBox()).toEqual(before);
  expect(await page.locator(".emoji-pop").count()).toBe(1);
});
