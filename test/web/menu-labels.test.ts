// Menu items end with an ellipsis if they open a dialog or menu that must be answered first.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { BrowserFixture, waitForMessage } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

/** The labels of an open menu, without shortcuts and notes. */
async function closeAndList(page: Page): Promise<string[]> {
  const menu = page.getByRole("menu");
  await menu.waitFor();
  const labels = await menu.locator("[role^=menuitem] > .t").allTextContents();
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
  return labels;
}

const asking = (labels: readonly string[]) => labels.filter((label) => label.endsWith("…"));

test("marks the items of all menus that ask for more", async () => {
  await fixture.post("ada", "The mark is drawn");
  await fixture.testServer.request("ada", "POST /messages", {
    ...{ type: "direct", to: [fixture.testServer.idOf("bo")], content: "psst" },
  });
  const page = await (await fixture.sessionOf("ada")).tab(fixture.topicUrl);
  await waitForMessage(page, "The mark is drawn");
  const listOf = async (open: () => Promise<unknown>) => {
    await open();
    return closeAndList(page);
  };
  const rightClick = (row: Locator) => () => row.click({ button: "right" });
  const message = await listOf(async () => {
    await page.locator("article").last().focus();
    await page.keyboard.press("i");
  });
  expect(message).toContain("Edit");
  expect(message).toContain("Delete");
  expect(asking(message)).toEqual([
    ...["Forward…", "Add a reaction…", "Remind me…", "Move message…"],
  ]);
  const topic = await listOf(rightClick(page.locator(".sidebar a", { hasText: "logo" })));
  expect(topic).toContain("Resolve");
  expect(asking(topic)).toEqual([
    ...["Rename or move…", "Topic note…", "Pin this view to the sidebar…", "Delete topic…"],
  ]);
  const channel = await listOf(rightClick(page.locator(".sidebar a", { hasText: "design" })));
  expect(channel).toContain("Leave channel");
  expect(asking(channel)).toEqual([]);
  const direct = await listOf(rightClick(page.locator(".sidebar a", { hasText: "Bo Member" })));
  expect(asking(direct)).toEqual(["Start group conversation…", "Pin this view to the sidebar…"]);
  const own = await listOf(() => page.locator(".sidebar-user").click());
  expect(own).toContain("Sign out");
  expect(asking(own)).toEqual(["Set a status…", "Do Not Disturb…"]);
  const organization = await listOf(() => page.locator(".sidebar-organization").click());
  expect(asking(organization)).toEqual(["Invite people…"]);
  const tools = await listOf(() => page.getByRole("button", { name: "More tools" }).click());
  expect(tools).toContain("Strikethrough");
  expect(asking(tools)).toEqual(["To-do list…", "Snippets…"]);

  // In German a space precedes the ellipsis, which abbreviates no word.
  await fixture.testServer.request("ada", "PATCH /settings", { default_language: "de" });
  await page.waitForFunction(() => document.documentElement.lang === "de");
  await page.locator(".sidebar-user").click();
  await page.getByRole("menuitem", { name: "Nicht stören …" }).waitFor();
});
