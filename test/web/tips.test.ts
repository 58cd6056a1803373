// Tips are shown once, at the end of a list.
import { expect, test } from "bun:test";
import { faultsOf } from "./axe.ts";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

test("shows a list's tip until dismissed, on all devices", async () => {
  await fixture.post("bo", "leek");
  const page = await (await fixture.sessionOf("ada")).tab("/#inbox");
  const tip = page.locator(".conversation-hint");
  await tip.getByText("grouped by conversation").waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await tip.getByRole("button", { name: "Got it" }).press("Enter");
  await tip.waitFor({ state: "detached" });
  await page.goto("/#recent");
  await tip.getByText("including those you have read").waitFor();
  const { onboarding_steps } = await fixture.testServer.request("ada", "POST /register", {
    fetch_event_types: ["onboarding_steps"],
  });
  const stepNames = onboarding_steps.map(({ name }: { name: string }) => name);
  expect(stepNames).not.toContain("intro_inbox_view_modal");
  expect(stepNames).toContain("intro_recent_view_modal");
  const other = await (await fixture.sessionOf("ada")).tab("/#inbox");
  await other.locator(".list-row", { hasText: "logo" }).waitFor();
  expect(await other.locator(".conversation-hint").count()).toBe(0);
});
