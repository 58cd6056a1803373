// The first steps of an owner, on one page that appears once.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSetUp } from "../../src/features/organization/set-up.ts";
import { startEmptyTestServer, startTestServer } from "../test-server.ts";
import { accessibilityFaults, faultsOf, applyLook, APPEARANCES } from "./axe.ts";
import { BrowserSession } from "./browser-session.ts";

/** Enter sends in new organizations; another choice is also the default of new members. */
async function chooseEnter(page: Page): Promise<void> {
  const enter = page.getByRole("group", { name: "The Enter key" });
  expect(await enter.getByRole("radio", { name: "Sends the message" }).isChecked()).toBe(true);
  const changed = page.waitForResponse(/\/json\/realm\/user_settings_defaults$/);
  await enter.getByText("Starts a new line").click();
  expect((await changed).status()).toBe(200);
  await enter
    .getByRole("radio", { name: "Starts a new line" })
    .and(page.locator(":checked"))
    .waitFor();
  expect(await faultsOf(page)).toEqual([]);
}

test("shows the owner invitations, icon and appearance on one page, once", async () => {
  const testServer = await startEmptyTestServer();
  const link = await testServer.realm.write(openSetUp);
  const browserSession = await BrowserSession.empty(testServer);
  const page = await browserSession.tab(link);
  await page.getByLabel("Organization name").fill("Larkspur");
  await page.getByLabel("Your name").fill("Olga Owner");
  await page.getByLabel("Your email address").fill("olga@example.com");
  await page.getByLabel("Your password").fill("correct horse battery");
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByRole("heading", { name: "Invite people" }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await applyLook(page, APPEARANCES[0]!);
  await page.getByRole("button", { name: "Create link" }).click();
  const invitation = page.getByRole("textbox", { name: "Invitation link" });
  await invitation.waitFor();
  expect(await invitation.inputValue()).toStartWith(`${testServer.url}/join/`);
  // Another device cannot open an address of this computer, so there is no QR code.
  await page.getByText("This link opens only on this computer").waitFor();
  await page.locator(".settings-reach code", { hasText: "--https chat.example.org" }).waitFor();
  expect(await page.locator(".settings-qr").count()).toBe(0);
  expect(await faultsOf(page)).toEqual([]);

  // The user can leave the page and return to it. It has the same controls as the preferences.
  await page.goto("/#inbox");
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  await page.goto("/#first-steps");
  await page.getByRole("heading", { name: "Appearance" }).waitFor();
  await page.getByRole("radio", { name: "Dark" }).click();
  await page.locator("html[data-scheme=dark]").waitFor();
  const compact = page.getByRole("button", { name: "Compact" });
  await compact.click();
  await page.locator(".onboarding [aria-pressed=true]", { hasText: "Compact" }).waitFor();
  // The page offers to skip no step; the only "Skip" is the skip link for keyboards.
  expect(await page.getByText("Skip").allInnerTexts()).toEqual(["Skip to messages"]);
  await chooseEnter(page);
  expect(testServer.realm.read.setting_defaults.get("enter_sends")).toBeUndefined();
  await page.getByRole("button", { name: "Start chatting" }).click();
  await page.getByText("what are topics?").first().waitFor();
  const [seenStep] = [...testServer.realm.read.onboarding_seen.range()];
  expect(seenStep!.steps).toEqual(["founder_people", "founder_name", "founder_look"]);
  expect(browserSession.faults).toEqual([]);
  await browserSession.close();
  await testServer.close();
});

test("leads no other user through them", async () => {
  const testServer = await startTestServer();
  const { onboarding_steps } = await testServer.request("olga", "POST /register", {
    fetch_event_types: ["onboarding_steps"],
  });
  const names = (onboarding_steps as { name: string }[]).map(({ name }) => name);
  expect(names.filter((name) => name.startsWith("founder"))).toEqual([]);
  await testServer.close();
});
