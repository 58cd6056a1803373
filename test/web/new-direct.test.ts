// Starting a conversation with one person or several, from the sidebar.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { accessibilityFaults } from "./axe.ts";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer } = fixture;

const dialog = (page: Page) => page.getByRole("dialog", { name: "New direct message" });
const field = (page: Page) => dialog(page).getByRole("combobox", { name: "To" });
const pills = (page: Page) => dialog(page).locator(".pill");

async function open(): Promise<Page> {
  const page = await (await fixture.sessionOf("ada")).tab("/#inbox");
  await page.locator(".sidebar").getByRole("button", { name: "New direct message" }).waitFor();
  return page;
}

const isInGroup = (page: Page) =>
  page.locator("main h1").filter({ hasText: "Bo Member, Cy Member" }).waitFor();

test("starts a group conversation by keyboard alone", async () => {
  const page = await open();
  await page.locator(".sidebar").getByRole("button", { name: "New direct message" }).press("Enter");
  await field(page).and(page.locator(":focus")).waitFor();
  for (const name of ["bo m", "ada", "cy m"]) {
    await page.keyboard.type(name);
    await dialog(page).getByRole("option").first().waitFor();
    await page.keyboard.press("Enter");
    await dialog(page).getByRole("option").first().waitFor({ state: "detached" });
    if (name !== "ada") continue;
    // Backspace in the empty field removes the last person.
    await pills(page).nth(1).waitFor();
    await page.keyboard.press("Backspace");
    await pills(page).nth(1).waitFor({ state: "detached" });
  }
  await dialog(page).getByText("Only these people and you can read the conversation.").waitFor();
  await page.keyboard.press("Enter");
  await isInGroup(page);
  // The next thing to do is to write.
  await page.locator(".compose textarea:focus").waitFor();
});

test("starts a group with the person of a conversation from its menu, by pointer", async () => {
  await testServer.request("bo", "POST /messages", {
    type: "direct",
    to: [testServer.idOf("ada")],
    content: "The samples are on your bench",
  });
  const page = await open();
  const row = page
    .locator(".sidebar-list .sidebar-row")
    .filter({ has: page.getByText("Bo Member", { exact: true }) });
  await row.click({ button: "right" });
  await page.getByRole("menuitem", { name: "Start group conversation" }).click();
  await pills(page).filter({ hasText: "Bo Member" }).waitFor();
  await field(page).fill("cy");
  await dialog(page)
    .getByRole("option", { name: /Cy Member/ })
    .click();
  await dialog(page).getByRole("button", { name: "Start conversation" }).click();
  await isInGroup(page);
});

test("does not start a conversation with nobody", async () => {
  const page = await open();
  await page.locator(".sidebar").getByRole("button", { name: "New direct message" }).click();
  await field(page).waitFor();
  expect(await dialog(page).getByRole("button", { name: "Start conversation" }).isDisabled()).toBe(
    true,
  );
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await dialog(page).waitFor({ state: "detached" });
});

test("the dialog has no accessibility faults in any scheme and width", async () => {
  const page = await open();
  await page.locator(".sidebar").getByRole("button", { name: "New direct message" }).click();
  await field(page).fill("bo m");
  await dialog(page)
    .getByRole("option", { name: /Bo Member/ })
    .click();
  await pills(page).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});
