// The sidebar's fixed views, and the button of each row that opens its menu.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { faultsOf, applyLook, APPEARANCES } from "./axe.ts";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer } = fixture;
const principals = [testServer.idOf("ada"), testServer.idOf("bo")];
for (let index = 10; index < 50; index++) {
  const subscriptions = [{ name: `channel ${index}` }];
  await testServer.request("ada", "POST /users/me/subscriptions", { subscriptions, principals });
}
await fixture.post("bo", "The mark is drawn");
await testServer.request("bo", "POST /messages", {
  type: "direct",
  to: [testServer.idOf("ada")],
  content: "The samples are on your bench",
});

const rowOf = (page: Page, name: string) =>
  page
    .locator(".sidebar li")
    .filter({ has: page.locator(`.sidebar-row:has-text("${name}")`) })
    .last();
const moreOf = (page: Page, name: string) =>
  page.getByRole("button", { name: `Menu for ${name}`, exact: true });
const items = (page: Page) => page.getByRole("menuitem");

async function open(name: "ada" | "bo" = "ada"): Promise<Page> {
  const page = await (await fixture.sessionOf(name)).tab("/#inbox");
  await page.setViewportSize({ width: 1360, height: 800 });
  await moreOf(page, "design").waitFor({ state: "attached" });
  return page;
}

test("the fixed views stay in place while the channels scroll", async () => {
  const page = await open();
  const inbox = page.locator('.sidebar-row[href="#inbox"]');
  const before = await inbox.boundingBox();
  await rowOf(page, "channel 10").hover();
  await page.mouse.wheel(0, 4000);
  await page.waitForFunction(() => {
    const rows = [...document.querySelectorAll(".sidebar-list .sidebar-row")];
    const list = document.querySelector(".sidebar-list")!.getBoundingClientRect();
    return rows.at(-1)!.getBoundingClientRect().bottom <= list.bottom;
  });
  expect(await inbox.boundingBox()).toEqual(before);
});

test("the views scroll with the channels on a low screen", async () => {
  const page = await open();
  await page.setViewportSize({ width: 1360, height: 420 });
  await rowOf(page, "Recent").hover();
  await page.mouse.wheel(0, 4000);
  await page.waitForFunction(() => {
    const inbox = document.querySelector('.sidebar-row[href="#inbox"]')!.getBoundingClientRect();
    return inbox.bottom < 0;
  });
});

test("the button of a hovered row opens the menu that a right click opens", async () => {
  const page = await open();
  for (const name of ["design", "Bo Member", "Inbox"]) {
    await rowOf(page, name).locator(".sidebar-row").first().hover();
    await moreOf(page, name).click();
    await items(page).first().waitFor();
    const byButton = await items(page).allTextContents();
    await page.keyboard.press("Escape");
    await items(page).first().waitFor({ state: "detached" });
    await rowOf(page, name).locator(".sidebar-row").first().click({ button: "right" });
    await items(page).first().waitFor();
    expect(await items(page).allTextContents()).toEqual(byButton);
    await page.keyboard.press("Escape");
    await items(page).first().waitFor({ state: "detached" });
  }
});

test("the button leaves the count of its row legible", async () => {
  const page = await open();
  const row = rowOf(page, "design").locator(".sidebar-row").first();
  await row.hover();
  const [count, more] = [await row.locator(".count").boundingBox(), moreOf(page, "design")];
  await more.hover();
  const box = await more.boundingBox();
  expect(count!.x + count!.width).toBeLessThanOrEqual(box!.x);
  const countBox = await row.locator(".count").boundingBox();
  expect(countBox!.x + countBox!.width).toBeLessThanOrEqual(box!.x);
});

test("Tab leads from a row to its button, whose menu marks a conversation as read", async () => {
  const page = await open();
  const row = rowOf(page, "Bo Member").locator(".sidebar-row").first();
  await row.locator(".count").waitFor();
  await row.focus();
  await page.keyboard.press("Tab");
  await moreOf(page, "Bo Member").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Mark as read" }).waitFor();
  await page.keyboard.press("Enter");
  await row.locator(".count").waitFor({ state: "detached" });
});

test("has no accessibility faults in any scheme, and in the drawer of a phone", async () => {
  const page = await open("bo");
  for (const variant of APPEARANCES.slice(0, 2)) {
    await applyLook(page, variant);
    await rowOf(page, "design").locator(".sidebar-row").first().hover();
    expect(await faultsOf(page, undefined, ".sidebar")).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Channels" }).click();
  await rowOf(page, "channel 10").waitFor();
  expect(await faultsOf(page, undefined, ".sidebar")).toEqual([]);
});

test("muting a topic from its row leaves the focus in the sidebar", async () => {
  const page = await (await fixture.sessionOf("ada")).tab(`/#topics/channel/${fixture.stream_id}`);
  await page.setViewportSize({ width: 1360, height: 800 });
  const row = page.locator(".sidebar-row").filter({ hasText: "logo" });
  await row.focus();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitemradio", { name: /^Mute/ }).press("Enter");
  await row.waitFor({ state: "detached" });
  await page.locator(".sidebar a:focus").waitFor();
  // The topic is marked in the channel's list, whose menu unmutes it.
  const listRow = page.locator(".list-row").filter({ hasText: "logo" });
  await listRow.getByText("Muted").waitFor({ state: "attached" });
  await listRow.click({ button: "right" });
  await page.getByRole("menuitemradio", { name: /^Channel default/ }).click();
  await row.waitFor();
});

test("a topic offers to unmute it only in a muted channel", async () => {
  const page = await open("bo");
  const topic = page.locator(".list-row").filter({ hasText: "logo" });
  const unmute = page.getByRole("menuitemradio", { name: /^Unmute/ });
  const mute = (is_muted: boolean) =>
    testServer.request("bo", "POST /users/me/subscriptions/properties", {
      subscription_data: [{ stream_id: fixture.stream_id, property: "is_muted", value: is_muted }],
    });
  await fixture.post("ada", "A second draft");
  await topic.hover();
  await topic.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitemradio", { name: /^Mute/ }).waitFor();
  expect(await unmute.count()).toBe(0);
  await page.keyboard.press("Escape");
  await mute(true);
  await page.getByRole("button", { name: "All", exact: true }).click();
  await topic.hover();
  await topic.getByRole("button", { name: "More" }).click();
  await unmute.waitFor();
  await mute(false);
});
