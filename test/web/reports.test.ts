// Reporting a message to moderators: the dialog, its errors, and who is notified.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { waitForMessage, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer } = fixture;
const subscribers = [testServer.idOf("mo")];
const params = { name: "moderation", invite_only: true, subscribers };
const { id: moderation } = await testServer.request("olga", "POST /channels/create", params);
const goTo = (moderation_request_channel_id: number) =>
  testServer.request("olga", "PATCH /realm", { moderation_request_channel_id });

const item = (page: Page) => page.getByRole("menuitem", { name: "Report" });
async function menuOf(page: Page, id: number): Promise<void> {
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("i");
  await page.getByRole("menuitem", { name: "View Markdown source" }).waitFor();
}

test("sends a report once, with errors at its fields", async () => {
  const { id } = await fixture.post("bo", "Cheap watches");
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await menuOf(page, id);
  expect(await item(page).count()).toBe(0);
  await goTo(moderation);
  await page.reload();
  await menuOf(page, id);
  await item(page).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Something else").check();
  const report = dialog.getByRole("button", { name: "Report" });
  await report.press("Enter");
  const field = dialog.getByRole("textbox");
  await dialog.locator("textarea[aria-invalid=true]:focus").waitFor();
  const description = page.locator(`#${await field.getAttribute("aria-describedby")}`);
  expect(await description.textContent()).toBe("An explanation is required.");
  await field.fill("It is an advertisement");
  const { promise: gate, resolve } = Promise.withResolvers<void>();
  let requestCount = 0;
  await page.route(/\/report$/, async (route) => {
    requestCount += 1;
    await gate;
    await route.continue();
  });
  await page.keyboard.press("Tab");
  await report.press("Enter");
  await dialog.locator("[type=submit]:disabled").waitFor();
  resolve();
  await page.getByText("Report sent to the moderators.").waitFor();
  expect(requestCount).toBe(1);

  const moderator = await fixture.sessionOf("mo");
  const theirs = await moderator.tab(`/#narrow/channel/${moderation}-moderation`);
  await waitForMessage(theirs, "It is an advertisement");
  expect(browserSession.faults.filter((fault) => !fault.includes("400"))).toEqual([]);
});

test("says so if reports are disabled while one is written", async () => {
  await goTo(moderation);
  const { id } = await fixture.post("bo", "Cheaper watches");
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await menuOf(page, id);
  await item(page).click();
  await page.getByRole("dialog").waitFor();
  await goTo(-1);
  await page.getByRole("alert").getByText("You no longer have permission to do that.").waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
});
