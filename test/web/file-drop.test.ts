// Files dragged into the window: where they are accepted, and where not.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CDPSession, Page } from "playwright-core";
import { striped, upload } from "../features/upload-fixture.ts";
import { waitForMessage, waitForConnection, BrowserFixture } from "./browser-fixture.ts";
import { chip, text, until } from "./composer-content.ts";

const fixture = await BrowserFixture.forTestFile();
const directory = mkdtempSync(join(tmpdir(), "skein-drops-"));
afterAll(() => rmSync(directory, { recursive: true }));
const path = join(directory, "notes.txt");
writeFileSync(path, "notes");
mkdirSync(join(directory, "folder"));

interface Point {
  x: number;
  y: number;
}

/** Simulates the system: the dragged item comes from outside the page. */
class FileDrag {
  constructor(
    private readonly session: CDPSession,
    private readonly data: { items: { mimeType: string; data: string }[]; files: string[] },
  ) {}

  static async with(page: Page, ...files: string[]): Promise<FileDrag> {
    return new FileDrag(await page.context().newCDPSession(page), { items: [], files });
  }

  async dragOver(point: Point): Promise<void> {
    await this.send("dragEnter", point);
    await this.send("dragOver", point);
  }

  async drop(point: Point): Promise<void> {
    await this.dragOver(point);
    await this.send("drop", point);
  }

  private send(type: "dragEnter" | "dragOver" | "drop", point: Point) {
    const data = { ...this.data, dragOperationsMask: 1 };
    return this.session.send("Input.dispatchDragEvent", { type, ...point, data });
  }
}

const middleOf = async (page: Page, selector: string): Promise<Point> => {
  const { x, y, width, height } = (await page.locator(selector).first().boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
};

test("uploads a file where it is dropped, and ignores other data", async () => {
  const { id } = await fixture.post("bo", "to be changed");
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForMessage(page, "to be changed");
  await page.locator(".compose textarea:enabled").waitFor();
  const feed = await middleOf(page, ".feed");
  const hand = await FileDrag.with(page, path, join(directory, "folder"));
  const mark = page.locator(".compose-drop");
  await hand.dragOver(feed);
  await page.locator(".compose .compose-drop").waitFor();
  // Escape, or a window that takes over the drag, may cause no other event than a mouse move.
  await page.mouse.move(feed.x, feed.y);
  await mark.waitFor({ state: "detached" });
  await hand.drop(feed);
  await page.getByText("but not folders").waitFor();
  await chip(page, "notes.txt", "done").waitFor();
  expect(await text(page)).toBe("");
  expect(await mark.count()).toBe(0);

  const words = new FileDrag(await page.context().newCDPSession(page), {
    items: [{ mimeType: "text/plain", data: "dragged words" }],
    files: [],
  });
  await words.dragOver(feed);
  expect(await mark.count()).toBe(0);
  await words.drop(await middleOf(page, ".compose textarea"));
  await until(page, (now) => now.includes("dragged words"));

  const before = await text(page);
  await page.locator(`#m${id}`).hover();
  await page.locator(`#m${id}`).press("e");
  await page.locator(".edit-box textarea:focus").waitFor();
  const changed = await middleOf(page, ".edit-box textarea");
  const item = await FileDrag.with(page, path);
  await item.dragOver(changed);
  await page.locator(".edit-box .compose-drop").waitFor();
  expect(await mark.count()).toBe(1);
  await item.drop(changed);
  await chip(page, "notes.txt", "done", ".edit-box").waitFor();
  expect(await page.locator(".edit-box textarea").inputValue()).toBe("to be changed");
  expect(await text(page)).toBe(before);
  expect(browserSession.faults).toEqual([]);
});

test("accepts no drop behind a dialog or without a composer", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await page.locator(".compose textarea:enabled").waitFor();
  await page.locator(".feed").focus();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  const hand = await FileDrag.with(page, path);
  const middle = { x: 640, y: 360 };
  const uploads: string[] = [];
  browserSession.context.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/tus/")) uploads.push(request.url());
  });
  await hand.drop(middle);
  expect(await page.locator(".compose-drop").count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await text(page)).toBe("");
  for (const address of ["/#settings/profile", "/#inbox"]) {
    await page.goto(address);
    await page.locator(".compose").waitFor({ state: "detached" });
    await hand.drop(middle);
    expect(new URL(page.url()).hash).toBe(address.slice(1));
  }
  // If the browser had opened the file in a tab, that tab would exist before this one has opened.
  await browserSession.tab(fixture.topicUrl);
  expect(browserSession.context.pages()).toHaveLength(2);
  expect(uploads).toEqual([]);
});

test("does not upload a picture of the page that is dragged within it", async () => {
  const file = await upload(fixture.testServer, "ada", {
    name: "sketch.png",
    bytes: striped(200, 100),
  });
  const { id } = await fixture.post("ada", `[sketch.png](${file})`);
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(".compose textarea:enabled").waitFor();
  await page.locator(".shot img").first().waitFor();
  const [from, to] = [await middleOf(page, ".shot img"), await middleOf(page, ".compose")];
  // Some systems report a dragged picture as a file.
  await page.evaluate(() => {
    const files = new DataTransfer();
    files.items.add(new File(["x"], "sketch.png"));
    const read = (type: string) =>
      new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: files });
    const picture = document.querySelector(".shot img")!;
    picture.dispatchEvent(read("dragstart"));
    const field = document.querySelector(".compose textarea")!;
    for (const type of ["dragenter", "dragover", "drop"]) field.dispatchEvent(read(type));
    picture.dispatchEvent(read("dragend"));
  });
  expect(await page.locator(".compose-drop").count()).toBe(0);
  expect(await text(page)).toBe("");
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  expect(await page.locator(".compose-drop").count()).toBe(0);
  // The picture is rendered again during the drag, so the browser dispatches no `dragend`.
  await fixture.testServer.request("bo", `POST /messages/${id}/reactions`, { emoji_name: "heart" });
  await page.locator(`#m${id} .react`).waitFor();
  await page.mouse.up();
  await page.mouse.move(to.x, to.y - 1);
  await (await FileDrag.with(page, path)).drop(to);
  await chip(page, "notes.txt", "done").waitFor();
  expect(await page.locator(".compose-uploads li").count()).toBe(1);
});
