// Files that go to the server while other tabs are open, or that the server has forgotten.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Seat } from "./browser.ts";
import { Cut } from "./cut.ts";
import { Street, stands } from "./street.ts";

const street = await Street.ofFile();
/** Requests with a piece of a file, or after how much is there. */
const PIECES = /\/json\/tus\/./;
const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("kept") };

async function writing(seat: Seat, topic: string): Promise<Page> {
  const page = await seat.tab(`/#narrow/channel/${street.stream_id}-design/topic/${topic}`);
  await stands(page, "live");
  await page.locator(".compose textarea:enabled").click();
  return page;
}

const text = (page: Page) => page.locator(".compose textarea").inputValue();

async function until(page: Page, is: (text: string) => boolean): Promise<string> {
  for (;;) {
    const now = await text(page);
    if (is(now)) return now;
    await Bun.sleep(20);
  }
}

const attachments = async () => (await street.town.ask("bo", "GET /attachments")).attachments;

test("of two tabs one sends a file, and the text of both has it", async () => {
  const seat = await street.seatOf("bo");
  const first = await writing(seat, "two tabs");
  const network = await Cut.of(seat.context, PIECES);
  await first.keyboard.type("see");
  await first.locator(".compose input[type=file]").setInputFiles(file);
  await until(first, (now) => now.includes("#uploading-"));
  await first.getByText("Draft saved").waitFor();
  const second = await writing(seat, "two tabs");
  await until(second, (now) => now.includes("#uploading-"));
  await second.locator(".compose-uploads li").waitFor();
  const begun: string[] = [];
  seat.context.on("request", (request) => {
    if (request.method() === "PATCH" && PIECES.test(request.url())) begun.push(request.url());
  });
  network.mend();
  const isThere = (now: string) => now.includes("/user_uploads/");
  const [one, other] = [await until(first, isThere), await until(second, isThere)];
  expect(one.trim()).toBe(other.trim());
  for (const page of [first, second]) {
    await page.locator(".compose-uploads").waitFor({ state: "detached" });
  }
  expect(new Set(begun).size).toBe(1);
  expect(await attachments()).toHaveLength(1);
});

test("what is called off in one tab goes nowhere from the other", async () => {
  const seat = await street.seatOf("ada");
  const first = await writing(seat, "called off");
  await Cut.of(seat.context, PIECES);
  await first.locator(".compose input[type=file]").setInputFiles(file);
  await first.getByText("Draft saved").waitFor();
  const second = await writing(seat, "called off");
  await until(second, (now) => now.includes("#uploading-"));
  await second.getByRole("button", { name: "notes.txt" }).click();
  for (const page of [first, second]) {
    await until(page, (now) => now.trim() === "");
    await page.locator(".compose-uploads").waitFor({ state: "detached" });
  }
});

test("what the server has forgotten meanwhile begins anew", async () => {
  const seat = await street.seatOf("cy");
  const page = await writing(seat, "forgotten");
  const network = await Cut.of(seat.context, PIECES, (request) => request.method() === "PATCH");
  const answer = page.waitForResponse(/\/json\/tus\/$/);
  await page.locator(".compose input[type=file]").setInputFiles(file);
  const location = (await answer).headers()["location"]!;
  const sent = await (await answer).request().allHeaders();
  const headers = { "Tus-Resumable": "1.0.0", "X-CSRFToken": sent["x-csrftoken"]! };
  const given = await page.evaluate(
    async ([path, headers]) => (await fetch(path, { method: "DELETE", headers })).status,
    [`/json${location.slice(location.indexOf("/tus/"))}`, headers] as const,
  );
  expect(given).toBe(204);
  network.mend();
  expect(await until(page, (now) => now.includes("/user_uploads/"))).toContain("[notes.txt](");
});
