// Views pinned to the sidebar: with a custom name, on all devices, and private.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { accessibilityFaults, applyLook, APPEARANCES } from "./axe.ts";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

const readStored = async (name: "ada" | "bo" | "cy") =>
  (await fixture.testServer.request(name, "GET /navigation_views")).navigation_views;

const rowIn = (page: Page, name: string) => page.locator(".sidebar").getByRole("link", { name });

async function typeName(page: Page, name: string): Promise<void> {
  await page.getByRole("dialog").getByRole("textbox").fill(name);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

test("pins a search from the switcher, on all devices, renames and unpins it", async () => {
  const address = `/#narrow/sender/${fixture.testServer.idOf("ada")}-Ada-Admin/has/link`;
  await fixture.post("ada", "See [this](https://example.com/)");
  const [device, there] = [await fixture.sessionOf("bo"), await fixture.sessionOf("bo")];
  const [page, other] = [await device.tab(address), await there.tab("/#inbox")];
  await page.locator("article").filter({ hasText: "See this" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill(">pin this view");
  await page.getByRole("option", { name: "Pin this view to the sidebar" }).waitFor();
  await page.keyboard.press("Enter");
  const field = page.getByRole("dialog").getByRole("textbox");
  expect(await field.inputValue()).toBe("Ada Admin link");
  await typeName(page, "Ada's links");
  await rowIn(page, "Ada's links").and(page.locator("[aria-current=page]")).waitFor();
  await rowIn(other, "Ada's links").press("Enter");
  await other.locator("article").filter({ hasText: "See this" }).waitFor();
  expect(await readStored("bo")).toMatchObject([{ is_pinned: true, name: "Ada's links" }]);
  expect(await accessibilityFaults(page)).toEqual([]);
  await applyLook(page, APPEARANCES[0]!);

  await rowIn(page, "Ada's links").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Rename this pinned view" }).press("Enter");
  await typeName(page, "Links");
  await rowIn(other, "Links").waitFor();
  const button = other.getByRole("button", { name: "Pin this view to the sidebar" });
  await button.and(other.locator("[aria-pressed=true]")).press("Enter");
  await rowIn(page, "Links").waitFor({ state: "detached" });
  await other.getByRole("button", { name: "Undo" }).press("Enter");
  await rowIn(page, "Links").waitFor();
  expect([device.faults, there.faults]).toEqual([[], []]);
});

test("pins a topic from its menu, and shows errors", async () => {
  await fixture.post("ada", "For the rail");
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  const pin = async (name: string) => {
    await page.locator(".bar").getByRole("button", { name: "More" }).press("Enter");
    await page.getByRole("menuitem", { name: "Pin this view to the sidebar" }).press("Enter");
    await typeName(page, name);
  };
  await page.locator("article").filter({ hasText: "For the rail" }).waitFor();
  const words = { result: "error", msg: "Not today.", code: "BAD_REQUEST" };
  let isRefused = true;
  await page.route("**/json/navigation_views", (route) =>
    isRefused ? route.fulfill({ status: 400, json: words }) : route.continue(),
  );
  await pin("The logo");
  await page.getByRole("alert").getByText("Not today.").waitFor();
  expect(await readStored("cy")).toEqual([]);
  isRefused = false;
  await pin("The logo");
  await rowIn(page, "The logo").waitFor();
  const fragment = `narrow/channel/${fixture.stream_id}-design/topic/logo`;
  expect(await readStored("cy")).toEqual([{ fragment, is_pinned: true, name: "The logo" }]);
  expect(await readStored("ada")).toEqual([]);
});
