// The composer where there is little room: beside a panel, on a phone, with German words.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { closeBrowser } from "./browser.ts";
import { stands, Street } from "./street.ts";

let street: Street;
beforeAll(async () => {
  street = await Street.open();
});
afterAll(async () => {
  await street?.close();
  await closeBrowser();
});

test("beside a panel and on a phone the tools stay on one line, in German too", async () => {
  await street.town.ask("bo", "PATCH /settings", { default_language: "de" });
  const seat = await street.seatOf("bo");
  const page = await seat.tab(street.place);
  await stands(page, "live");
  await page.locator(".compose textarea").click();
  await page.keyboard.type("Ein Entwurf");
  await page.locator(".compose [role=status]", { hasText: "gespeichert" }).waitFor();
  const lineOf = (selector: string) =>
    page.locator(`.compose-tools ${selector}`).evaluate((node) => {
      const { lineHeight } = getComputedStyle(node);
      const range = document.createRange();
      range.selectNodeContents(node);
      return range.getBoundingClientRect().height / Number.parseFloat(lineHeight);
    });
  for (const width of [320, 390, 768, 920, 1000, 1100]) {
    await page.setViewportSize({ width, height: 700 });
    const over = await page.locator(".compose-tools").evaluate((node) => {
      return node.scrollWidth - node.clientWidth;
    });
    expect([width, over]).toEqual([width, 0]);
    expect([width, (await lineOf(".compose-peek")) < 1.5]).toEqual([width, true]);
  }
  // Files on their way are no wider than what they are written into.
  await page.setViewportSize({ width: 390, height: 700 });
  await page.route("**/json/tus/**", () => undefined);
  await page.route("**/json/user_uploads**", () => undefined);
  const name = `${"Protokoll".repeat(12)}.pdf`;
  const buffer = Buffer.alloc(1000);
  await page.locator(".compose input[type=file]").setInputFiles({ name, mimeType: "", buffer });
  const cancel = page.locator(".compose-uploads button").first();
  await cancel.waitFor();
  const box = (await cancel.boundingBox())!;
  expect(box.x + box.width).toBeLessThan(390);
});
