// What other browsers do otherwise than the one that stories run in, done so by it.
import { expect, test } from "bun:test";
import { shows, stands, Street } from "./street.ts";

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

/** As Safari does it, but for ever. */
function takeNoEntries(): void {
  const refuse = (): never => {
    throw new DOMException("Attempt to use history too often", "SecurityError");
  };
  Object.assign(history, { pushState: refuse, replaceState: refuse });
}

test("where the history takes no more entries one goes on, and back", async () => {
  await street.post("ada", "for the list");
  const seat = await street.seatOf("cy");
  const page = await seat.tab("/#inbox");
  await stands(page, "live");
  await page.evaluate(takeNoEntries);
  for (const key of ["ArrowDown", "ArrowDown", "ArrowUp"]) await page.keyboard.press(key);
  await page.keyboard.press("t");
  await page.getByRole("heading", { name: "Recent", level: 1 }).waitFor();
  await page.evaluate((to) => (location.hash = to), street.place.slice(1));
  await shows(page, "for the list");
  await page.goBack();
  await page.getByRole("heading", { name: "Recent", level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
  expect(seat.faults).toEqual([]);
});
