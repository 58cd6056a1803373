// What other browsers do otherwise than the one that stories run in, done so by it.
import { expect, test } from "bun:test";
import { stands, Street } from "./street.ts";

const street = await Street.ofFile();

test("the press that ends a composition is none of the page's, as Safari makes it", async () => {
  const seat = await street.seatOf("bo");
  const page = await seat.tab("/#inbox");
  await stands(page, "live");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("design");
  await page.locator(".palette [role=option]").first().waitFor();
  const field = page.locator(".palette input");
  for (const key of ["Enter", "Escape", "ArrowDown"]) {
    await field.dispatchEvent("keydown", { key, keyCode: 229, bubbles: true, cancelable: true });
  }
  expect(await field.inputValue()).toBe("design");
  expect(new URL(page.url()).hash).toBe("#inbox");
  await field.press("Enter");
  await page.waitForFunction(() => location.hash.startsWith("#narrow/channel/"));
  expect(seat.faults).toEqual([]);
});
