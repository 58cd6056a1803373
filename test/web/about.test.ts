// The About dialog, with the address that other Zulip clients use.
import { expect, test } from "bun:test";
import { VERSION } from "../../src/contract/version.ts";
import { accessibilityFaults, applyLook, APPEARANCES } from "./axe.ts";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

test("opens from the switcher, the menu and the URL; Escape and Back leave it", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#recent");
  const about = page.getByRole("dialog", { name: "About Skein" });
  const text = about.getByText(`This server runs Skein ${VERSION} (`);
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("about skein");
  await page.getByRole("option", { name: "About Skein" }).first().waitFor();
  await page.keyboard.press("Enter");
  await text.waitFor();
  await about.getByText("feature level 500").waitFor();
  await about.getByText("Apache License 2.0").waitFor();
  expect(page.url()).toEndWith("/#about");
  expect(await page.title()).toContain("About Skein");
  await about.locator(":focus").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await applyLook(page, APPEARANCES[0]!);
  await page.keyboard.press("Escape");
  await about.waitFor({ state: "detached" });
  await page.waitForURL(/#recent$/);

  await page.locator(".sidebar-organization").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "About Skein" }).press("Enter");
  await text.waitFor();
  await page.goBack();
  await about.waitFor({ state: "detached" });
  await page.waitForURL(/#recent$/);
  await page.goto("/#settings/profile");
  await page.evaluate(() => void (location.hash = "#about"));
  await text.waitFor();
  expect(browserSession.faults).toEqual([]);
});

test("shows the license even if server information cannot be loaded", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab("/#recent");
  await browserSession.context.route("**/server_settings", (route) => route.abort());
  await page.goto("/#about");
  const about = page.getByRole("dialog", { name: "About Skein" });
  await about.getByRole("status").getByText("Couldn’t load this.").waitFor();
  await about.getByText("Apache License 2.0").waitFor();
  await browserSession.context.route("**/server_settings", (route) =>
    route.fulfill({ status: 500, body: "{}" }),
  );
  await page.reload();
  await about.getByRole("status").getByText("Couldn’t load this.").waitFor();
});
