// Polls and lists of tasks: asked for by a dialog, voted in by several, and seen by all of them.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { Cut } from "./cut.ts";
import { stands, Street } from "./street.ts";

const street = await Street.ofFile();

const area = (page: Page) => page.locator(".compose textarea:enabled");

test("a poll is made of what is written by keys alone, and who votes is seen by all", async () => {
  const seat = await street.seatOf("ada");
  const page = await seat.tab(street.place);
  await stands(page, "live");
  await area(page).click();
  await page.keyboard.type("When?");
  await page.getByRole("button", { name: "Poll", exact: true }).press("Enter");
  await page.getByRole("dialog", { name: "Poll" }).locator("input:focus").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.type("<b>Now</b>\n\nLater");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
  expect(await area(page).inputValue()).toBe("/poll When?\n<b>Now</b>\nLater");
  await page.keyboard.press("Control+Enter");
  const options = page.locator("article.msg:not([data-state]) .opt");
  await options.nth(1).waitFor();
  const other = await (await street.seatOf("bo")).tab(street.place);
  // Without a network the vote stands at once, and arrives when there is one.
  const network = await Cut.of(other, "**/json/submessage");
  const now = other.getByRole("button", { name: "<b>Now</b>: 0 votes" });
  await now.click();
  await other.locator(".opt[aria-pressed=true] small", { hasText: "you" }).waitFor();
  await network.tell();
  await options.first().locator("small", { hasText: "Bo Member" }).waitFor();
  await options.first().click();
  await other.locator(".opt small", { hasText: "Ada Admin" }).waitFor();
  expect(await options.first().innerText()).toMatch(/^<b>Now<\/b>\s+2\s+you and Bo Member$/);
  // Only who asked may ask otherwise.
  expect(await page.getByRole("button", { name: "Change the question" }).count()).toBe(1);
  expect(await other.getByRole("button", { name: "Change the question" }).count()).toBe(0);
  expect(seat.faults).toEqual([]);
});

test("a list of tasks is made of what was begun by its command", async () => {
  const seat = await street.seatOf("cy");
  const page = await seat.tab(street.place);
  await stands(page, "live");
  await area(page).fill("/todo Before\nTag");
  await page.getByRole("button", { name: "More tools" }).click();
  await page.getByRole("menuitem", { name: "To-do list" }).click();
  const dialog = page.getByRole("dialog", { name: "To-do list" });
  expect(await dialog.getByLabel("Title").inputValue()).toBe("Before");
  await dialog.getByLabel("Tasks").fill("Tag\nTell: everybody");
  await dialog.getByRole("button", { name: "Insert" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
  expect(await area(page).inputValue()).toBe("/todo Before\nTag\nTell: everybody");
});
