// Slash commands in the composer.
import { expect, test } from "bun:test";
import { until } from "../wait-until.ts";
import { waitForConnection, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

test("suggests slash commands, and does not send them as messages", async () => {
  const browserSession = await fixture.sessionOf("bo");
  await fixture.testServer.request("bo", "PATCH /settings", { enter_sends: true });
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const area = page.locator(".compose textarea");
  await area.click();
  const waitForText = (text: string) =>
    page.waitForFunction(
      (expected) =>
        document.querySelector<HTMLTextAreaElement>(".compose textarea")?.value === expected,
      text,
    );
  const settings = () =>
    fixture.testServer.realm.read.users.get(fixture.testServer.idOf("bo"))!.settings;
  await page.keyboard.type("/flu");
  await page.locator(".compose [role=option]", { hasText: "/fluid-width" }).waitFor();
  await page.keyboard.press("Enter");
  await waitForText("/fluid-width ");
  await page.keyboard.press("Enter");
  await waitForText("");
  await until(() => settings()["fluid_layout_width"] === true);
  for (const [command, scheme] of [
    ["/night", 2],
    ["/day", 3],
  ] as const) {
    await area.fill(command);
    await page.keyboard.press("Enter");
    await until(() => settings()["color_scheme"] === scheme);
  }
  expect(await fixture.listPosted()).toEqual([]);
});

test("suggests languages for a fence that is typed, not for an existing one", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(".compose textarea:enabled").focus();
  const option = page.locator(".compose [role=option]").filter({ hasText: "javascript" });
  await page.keyboard.type("```java");
  await option.waitFor();
  await page.keyboard.type("script");
  await option.waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("End");
  await page.keyboard.type("\n1 + 1");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("End");
  expect(await option.count()).toBe(0);
  await page.keyboard.press("Backspace");
  await option.waitFor();
});

test("opens snippets by key, even if its character needs Shift", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  const area = page.locator(".compose textarea:enabled");
  await area.focus();
  await area.evaluate((node) => {
    const german = { key: "'", code: "Backslash", ctrlKey: true, shiftKey: true };
    node.dispatchEvent(new KeyboardEvent("keydown", { ...german, bubbles: true }));
  });
  await page.getByRole("menu").getByRole("menuitem").first().waitFor();
});
