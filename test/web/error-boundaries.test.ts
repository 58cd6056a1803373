// An error in one message, row or view leaves the rest of the page in place.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Seat } from "./browser.ts";
import { shows, stands, Street } from "./street.ts";

const street = await Street.ofFile();
const { town } = street;
const toBo = { type: "direct", to: [town.idOf("bo")] };
await town.ask("ada", "POST /messages", { ...toBo, content: "Only for Bo" });
await street.post("ada", "Before");
await street.post("bo", "the old box was at http://192.168.1.256/ I think");
await street.post("bo", "Of a sender who cannot be drawn");
await street.post("ada", "After");
const elsewhere = { type: "channel", to: street.stream_id, topic: "of Ada alone" };
await town.ask("ada", "POST /messages", { ...elsewhere, content: "Alone" });

const seat = await street.seatOf("ada");
let broken: Seat;

/** A tab to which the server says of Bo what it never says: a picture that is no text. */
async function brokenTab(path: string): Promise<Page> {
  // Nothing of it is on its disk yet.
  broken = await street.seatOf("ada");
  const page = await broken.context.newPage();
  await page.route("**/json/register", async (route) => {
    const answer = await route.fetch();
    const json = await answer.json();
    for (const person of json.realm_users ?? json.raw_users) {
      if (person.user_id === town.idOf("bo")) person.avatar_url = 7;
    }
    await route.fulfill({ response: answer, json });
  });
  await page.goto(path);
  return page;
}

test("shows the messages around one with an address that is no URL", async () => {
  const page = await seat.tab(street.place);
  await shows(page, "Before");
  await shows(page, "the old box was at http://192.168.1.256/ I think");
  await shows(page, "After");
  expect(await page.locator(".feed-note").count()).toBe(0);
  expect(seat.faults).toEqual([]);
  await page.close();
});

test("shows the sender and the text of a message whose row cannot be drawn", async () => {
  const page = await brokenTab(street.place);
  await shows(page, "After");
  await shows(page, "Before");
  const row = page.locator("article", { hasText: "Of a sender who cannot be drawn" });
  await row.waitFor();
  expect(await page.locator(".feed-note").count()).toBe(0);
  expect(broken.faults.join()).toContain("includes");
  await page.close();
});

test("keeps the other rows of a list when one cannot be drawn", async () => {
  const page = await brokenTab("/#recent");
  await page.locator(".list-row", { hasText: "of Ada alone" }).waitFor();
  await page.locator(".list-row", { hasText: "Couldn’t display this." }).first().waitFor();
  expect(broken.faults.join()).toContain("includes");
  await page.close();
});

test("#narrow/constructor/x and its kind leave the tab usable", async () => {
  const other = await street.seatOf("ada");
  const page = await other.tab(street.place);
  for (const name of ["constructor", "__proto__", "toString"]) {
    for (const path of [`narrow/${name}/x`, `narrow/is/${name}`, `narrow/topic/${name}`, name]) {
      await page.goto(`/#${path}`);
      await stands(page, "live");
      await page.goto(street.place);
      await shows(page, "After");
    }
  }
  // The server refuses an operator that it does not know.
  expect(other.faults.filter((fault) => !fault.includes("status of 400"))).toEqual([]);
  await other.close();
});
