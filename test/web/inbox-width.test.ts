// The inbox on wide screens: its rows fill the view, with the newest line beside the name.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { accessibilityFaults } from "./axe.ts";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
await fixture.post("bo", "The mark is drawn, please have a look at the second variant");
await fixture.testServer.request("bo", "POST /messages", {
  type: "direct",
  to: [fixture.testServer.idOf("ada")],
  content: "The samples are on your bench",
});

async function open(width: number, height: number): Promise<Page> {
  const page = await (await fixture.sessionOf("ada")).tab("/#inbox");
  await page.setViewportSize({ width, height });
  await page.locator(".list-row .pre").filter({ hasText: "The mark is drawn" }).waitFor();
  await page.locator(".list-row .pre").filter({ hasText: "The samples" }).waitFor();
  return page;
}

const boxes = (page: Page, selector: string) =>
  page.locator(`.list-row ${selector}`).evaluateAll((all) =>
    all.map((item) => {
      const { left, top, bottom } = item.getBoundingClientRect();
      return { left, top, bottom };
    }),
  );

test.each([1280, 1920])("rows use the width of a screen of %d pixels", async (width) => {
  const page = await open(width, 900);
  const list = (await page.locator(".list").boundingBox())!;
  const sheet = (await page.locator(".scroll").boundingBox())!;
  expect(list.width / sheet.width).toBeGreaterThan(0.8);
  const [names, lines] = [await boxes(page, ".top"), await boxes(page, ".pre")];
  for (const [index, line] of lines.entries()) expect(line.top).toBeLessThan(names[index]!.bottom);
  // The message lines of all rows start at the same position.
  expect(new Set(lines.map(({ left }) => Math.round(left))).size).toBe(1);
});

test("shows the newest message below the name on a phone", async () => {
  const page = await open(390, 844);
  const [names, lines] = [await boxes(page, ".top"), await boxes(page, ".pre")];
  for (const [index, line] of lines.entries()) {
    expect(line.top).toBeGreaterThanOrEqual(names[index]!.bottom);
  }
});

test("cuts right-to-left names and messages at their end", async () => {
  const topic = "נושא ארוך מאוד שאינו נכנס לשורה אחת";
  const content = "הודעה ארוכה מאוד שאינה נכנסת לשורה אחת בטלפון קטן";
  const message = { type: "channel", to: fixture.stream_id, topic, content };
  await fixture.testServer.request("bo", "POST /messages", message);
  const page = await open(360, 800);
  const row = page.locator(".list-row", { hasText: "נושא" });
  for (const part of [".top > b", ".pre"])
    expect(await row.locator(part).evaluate((node) => getComputedStyle(node).direction)).toBe(
      "rtl",
    );
});

test("a button starts a new message, and asks for the channel", async () => {
  const page = await open(390, 844);
  await page.getByRole("button", { name: "New message" }).click();
  await page.locator("input[name=channel]:focus").waitFor();
});

test("has no accessibility faults in any scheme", async () => {
  const page = await open(1360, 900);
  expect(await accessibilityFaults(page)).toEqual([]);
});
