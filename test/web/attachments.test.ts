// Attachments of a message: chips beside the text, which become links in the order shown.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { striped, upload } from "../features/upload-fixture.ts";
import { accessibilityFaults, faultsOf } from "./axe.ts";
import { BrowserFixture, waitForConnection } from "./browser-fixture.ts";
import type { BrowserSession } from "./browser-session.ts";
import { chip, text } from "./composer-content.ts";
import { routeUntilEnd } from "./failing-network.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer, stream_id } = fixture;
const PHONE = { width: 390, height: 844 };
const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.alloc(2048, "n") };
const sketch = {
  ...{ name: "sketch.png", mimeType: "image/png" },
  buffer: Buffer.from(striped(200, 100)),
};

const hashOf = (topic: string) => `#narrow/channel/${stream_id}-design/topic/${topic}`;

async function openComposer(browserSession: BrowserSession, topic: string): Promise<Page> {
  const page = await browserSession.tab(`/${hashOf(topic)}`);
  await waitForConnection(page, "live");
  await page.locator(".compose textarea:enabled").click();
  return page;
}

const files = (page: Page, form = ".compose") => page.locator(`${form} input[type=file]`);
const names = (page: Page, form = ".compose") =>
  page.locator(`${form} .compose-uploads bdi`).allInnerTexts();

async function postedContent(topic: string): Promise<string> {
  const narrow = [
    { operator: "channel", operand: stream_id },
    { operator: "topic", operand: topic },
  ];
  const window = { anchor: "newest", num_before: 1, num_after: 0, apply_markdown: false };
  for (;;) {
    const { messages } = await testServer.request("ada", "GET /messages", { narrow, ...window });
    if (messages.length > 0) return messages[0].content;
    await Bun.sleep(20);
  }
}

/** Replaces the address of each file by "()", because addresses differ in every run. */
const withoutUploadPaths = (content: string) =>
  content.replaceAll(/\(\/user_uploads\/[^)]*\)/g, "()");

test("shows picture, kind and size in chips, and sends links in their order", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await openComposer(browserSession, "chips");
  await page.keyboard.type("> quoted");
  await files(page).setInputFiles([notes, sketch]);
  await chip(page, "sketch.png", "done").waitFor();
  await chip(page, "notes.txt", "done").getByText("TXT · 2 kB").waitFor();
  const picture = chip(page, "sketch.png", "done").locator("img");
  expect(await picture.evaluate((node: HTMLImageElement) => node.decode())).toBeUndefined();
  expect(await text(page)).toBe("> quoted");
  await page.locator(".compose [role=status]", { hasText: "sketch.png is attached" }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  const box = (await chip(page, "notes.txt", "done").boundingBox())!;
  expect(box.x + box.width).toBeLessThan(PHONE.width);
  // Removes a file by keyboard: the focus moves to the next chip, and Undo restores its place.
  await page.getByRole("button", { name: "Remove notes.txt" }).press("Enter");
  await page.locator('[aria-label="Remove sketch.png"]:focus').waitFor();
  expect(await names(page)).toEqual(["sketch.png"]);
  await page.getByText("Removed notes.txt.").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await chip(page, "notes.txt", "done").waitFor();
  expect(await names(page)).toEqual(["notes.txt", "sketch.png"]);
  await page.locator(".compose [type=submit]").click();
  await page.locator(".compose-uploads").waitFor({ state: "detached" });
  expect(withoutUploadPaths(await postedContent("chips"))).toBe(
    "> quoted\n\n[notes.txt]()\n[sketch.png]()",
  );
  expect(browserSession.faults).toEqual([]);
});

test("keeps the chips of a draft after a reload and on another device", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await openComposer(browserSession, "drafted");
  await page.keyboard.type("half");
  await files(page).setInputFiles([notes, sketch]);
  await chip(page, "sketch.png", "done").waitFor();
  await page.getByText("Draft saved").waitFor();
  await page.reload();
  await chip(page, "sketch.png", "done").waitFor();
  expect(await text(page)).toBe("half");
  for (;;) {
    const { drafts } = await testServer.request("cy", "GET /drafts");
    if (drafts.length === 1 && drafts[0].content.includes("[sketch.png](/user_uploads/")) break;
    await Bun.sleep(50);
  }
  const other = await openComposer(await fixture.sessionOf("cy"), "drafted");
  await chip(other, "sketch.png", "done").locator("img").waitFor();
  // The size comes from the server.
  await chip(other, "notes.txt", "done").getByText("TXT · 2 kB").waitFor();
  expect(await text(other)).toBe("half");
  await other.goto("/#drafts");
  await other.getByText("half notes.txt sketch.png").waitFor();
  await other.goBack();
  await chip(other, "sketch.png", "done").waitFor();
  await other.getByRole("button", { name: "Remove sketch.png" }).press("Enter");
  await other.locator('[aria-label="Remove notes.txt"]:focus').waitFor();
  await other.locator(".compose textarea").press("Control+Enter");
  expect(withoutUploadPaths(await postedContent("drafted"))).toBe("half\n[notes.txt]()");
  await page.locator(".compose-uploads").waitFor({ state: "detached" });
});

test("edits the attachments of a message without their Markdown", async () => {
  const [first, second] = [
    await upload(testServer, "bo", { name: "one.png", bytes: striped(20, 10) }),
    await upload(testServer, "bo", { name: "two.png", bytes: striped(20, 10) }),
  ];
  const content = `see\n\n[one.png](${first})\n\n[two.png](${second})`;
  const { id } = await testServer.request("bo", "POST /messages", {
    ...{ type: "channel", to: stream_id, topic: "edited", content },
  });
  const page = await openComposer(await fixture.sessionOf("bo"), "edited");
  const open = async () => {
    await page.locator(`#m${id}`).hover();
    await page.locator(`#m${id}`).press("e");
    await page.locator(".edit-box textarea:focus").waitFor();
  };
  await open();
  expect(await names(page, ".edit-box")).toEqual(["one.png", "two.png"]);
  expect(await page.locator(".edit-box textarea").inputValue()).toBe("see\n");
  // Submitting an edit without changes closes it and leaves the message as it is.
  await page.locator(".edit-box textarea").press("Control+Enter");
  await page.locator(".edit-box").waitFor({ state: "detached" });
  const listMessages = async () =>
    (await testServer.request("bo", `GET /messages/${id}`, { apply_markdown: false })).message;
  expect((await listMessages()).content).toBe(content);
  await open();
  await page.locator(".edit-box").getByRole("button", { name: "Remove one.png" }).click();
  await files(page, ".edit-box").setInputFiles(notes);
  await chip(page, "notes.txt", "done", ".edit-box").waitFor();
  expect(await faultsOf(page, undefined, ".edit-box")).toEqual([]);
  await page.locator(".edit-box [type=submit]").click();
  await page.locator(".edit-box").waitFor({ state: "detached" });
  await page.locator(`#m${id}:not([data-state])`).filter({ hasText: "notes.txt" }).waitFor();
  expect(withoutUploadPaths((await listMessages()).content)).toBe(
    "see\n\n[two.png]()\n[notes.txt]()",
  );
});

test("retries a rejected upload from its chip, and reports one from another view", async () => {
  const browserSession = await fixture.sessionOf("ada");
  const page = await openComposer(browserSession, "failed");
  const TUS_CREATION = /\/json\/tus\/$/;
  const status = { status: 400, headers: { "tus-resumable": "1.0.0" }, body: "Not today." };
  const { context } = browserSession;
  const accept = await routeUntilEnd(context, TUS_CREATION, (route) => route.fulfill(status));
  await files(page).setInputFiles(notes);
  const failed = chip(page, "notes.txt", "failed");
  await failed.getByRole("alert").waitFor();
  expect(await faultsOf(page, undefined, ".compose")).toEqual([]);
  accept();
  await failed.getByRole("button", { name: "Upload notes.txt again" }).press("Enter");
  await chip(page, "notes.txt", "done").waitFor();
  expect(await failed.count()).toBe(0);

  const started = Promise.withResolvers<void>();
  const refuse = Promise.withResolvers<void>();
  await browserSession.context.route(TUS_CREATION, async (route) => {
    started.resolve();
    await refuse.promise;
    await route.fulfill(status);
  });
  await files(page).setInputFiles({ ...notes, name: "late.txt" });
  await chip(page, "late.txt", "uploading").waitFor();
  await started.promise;
  await page.goto("/#inbox");
  await page.locator(".compose").waitFor({ state: "detached" });
  refuse.resolve();
  await page.getByText("late.txt was not uploaded.").waitFor();
});

test("offers to undo the removal of a file only while its text is shown", async () => {
  const page = await openComposer(await fixture.sessionOf("bo"), "first");
  await files(page).setInputFiles(notes);
  await chip(page, "notes.txt", "done").waitFor();
  await page.getByText("Draft saved").waitFor();
  await page.getByRole("button", { name: "Remove notes.txt" }).click();
  await page.locator(".toast").getByRole("button", { name: "Undo" }).waitFor();
  await page.evaluate((hash) => (location.hash = hash), hashOf("second"));
  await page.getByRole("textbox", { name: /second/ }).waitFor();
  await page.locator(".toast").waitFor({ state: "detached" });
  expect(await names(page)).toEqual([]);
});

test("removes one of two attachments of the same file, and brings it back", async () => {
  const url = await upload(testServer, "bo", { name: "twice.png", bytes: striped(20, 10) });
  const content = `see\n\n[twice.png](${url})\n[other.png](${url})\n[twice.png](${url})`;
  const { id } = await testServer.request("bo", "POST /messages", {
    ...{ type: "channel", to: stream_id, topic: "twice", content },
  });
  const page = await openComposer(await fixture.sessionOf("bo"), "twice");
  await page.locator(`#m${id}`).hover();
  await page.locator(`#m${id}`).press("e");
  await page.locator(".edit-box textarea:focus").waitFor();
  const remove = page.locator(".edit-box").getByRole("button", { name: "Remove twice.png" });
  await remove.first().click();
  await page.getByText("Removed twice.png.").waitFor();
  expect(await names(page, ".edit-box")).toEqual(["other.png", "twice.png"]);
  await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
  await page.locator(".edit-box .compose-uploads li").nth(2).waitFor();
  expect(await names(page, ".edit-box")).toEqual(["twice.png", "other.png", "twice.png"]);
});
