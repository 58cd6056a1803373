// What has no answer, or was told by two: the server's event, or what is there, is the answer.
import { test } from "bun:test";
import type { Page } from "playwright-core";
import { onDisk } from "./on-disk.ts";
import { shows, stands, Street } from "./street.ts";

const street = await Street.ofFile();

/** Nothing waits any more. */
async function told(page: Page): Promise<void> {
  while ((await onDisk(page, street.town.idOf("bo"), "doings")).length > 0) await Bun.sleep(50);
}

/** Bo's page with a message of his; what it asks of this address waits, and then goes on or not. */
async function held(to: string, method: string, end: "abort" | "continue") {
  const { id } = await street.post("bo", "Where I am");
  const seat = await street.seatOf("bo");
  const page = await seat.tab(street.place);
  await stands(page, "live");
  const [asked, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(to.replace("ID", `${id}`), async (route) => {
    if (route.request().method() !== method) return route.continue();
    asked.resolve();
    await letGo.promise;
    return route[end]();
  });
  await page.locator(`#m${id}`).focus();
  return { page, id, asked: asked.promise, letGo: letGo.resolve };
}

test("what the server tells of by its event is not told once more, without an answer", async () => {
  const { page, id, asked, letGo } = await held("**/json/messages/flags", "POST", "abort");
  await page.keyboard.press("Control+s");
  await asked;
  // It was heard: no answer comes, but its event.
  const flag = (op: "add" | "remove") =>
    street.town.ask("bo", "POST /messages/flags", { messages: [id], op, flag: "starred" });
  await flag("add");
  await told(page);
  await flag("remove");
  await page.locator(`#m${id}:not([data-starred])`).waitFor();
  letGo();
});

test("a text that another tab has told meanwhile is there, and not refused", async () => {
  const { page, id, asked, letGo } = await held("**/json/messages/ID", "PATCH", "continue");
  // The poll that is on its way ends with something else, and no other has an answer.
  await page.route("**/json/events?**", (route) => route.abort());
  await street.post("ada", "Something else");
  await shows(page, "Something else");
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("e");
  await page.locator(`#m${id} .edit-box textarea`).fill("Where I was");
  await page.keyboard.press("Control+Enter");
  await asked;
  await street.town.ask("bo", `PATCH /messages/${id}`, { content: "Where I was" });
  letGo();
  await told(page);
  await page.locator(`#m${id}:not([data-state])`).waitFor();
});
