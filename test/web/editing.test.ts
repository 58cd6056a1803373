// Editing a message in its row: no text is lost, and messages moved meanwhile are found.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Json } from "../test-server.ts";
import { withTimeout, until } from "../wait-until.ts";
import { NetworkFailure } from "./failing-network.ts";
import { accessibilityFaults } from "./axe.ts";
import { readStoredRows } from "./stored-data.ts";
import { waitForMessage, waitForConnection, BrowserFixture } from "./browser-fixture.ts";

let fixture: BrowserFixture;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
});
afterEach(() => fixture.close());

const textOf = async (id: number): Promise<string> =>
  (await fixture.testServer.request("ada", `GET /messages/${id}`)).raw_content;

async function untilSaved(id: number, text: string): Promise<void> {
  await until(async () => (await textOf(id)) === text);
}

const ownStoredRows = (page: Page, store: "drafts" | "doings", row?: Json) =>
  readStoredRows(page, fixture.testServer.idOf("ada"), store, row);

/** Returns the stored drafts of edits. */
const readStored = async (page: Page): Promise<Json[]> =>
  (await ownStoredRows(page, "drafts")).filter(({ place: location }) =>
    location.startsWith("edit "),
  );

async function openEditor(id: number): Promise<{ page: Page; field: ReturnType<Page["locator"]> }> {
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("e");
  const field = page.locator(`#m${id} .edit-box textarea`);
  await field.waitFor();
  return { page, field };
}

test("saves a text that is entered as soon as the field appears", async () => {
  const { id } = await fixture.post("ada", "slow");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  // Runs before the next frame, like the input of a fast user on a slow device.
  await page.locator(`#m${id}`).evaluate((row) => {
    new MutationObserver((_, observer) => {
      const field = row.querySelector("textarea");
      if (!field) return;
      observer.disconnect();
      field.value = "fast";
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }).observe(row, { childList: true, subtree: true });
  });
  await page.locator(`#m${id}`).press("e");
  await page.locator(`#m${id} .edit-box textarea:focus`).press("Control+Enter");
  await page.locator(`#m${id} .edit-box`).waitFor({ state: "detached" });
  await page.locator(`#m${id}:not([data-state])`).waitFor();
  expect(await textOf(id)).toBe("fast");
});

test("edits with suggestions, tools and preview by keyboard", async () => {
  const { id } = await fixture.post("ada", "Ask somebody");
  const { page, field } = await openEditor(id);
  expect(await field.evaluate((node) => node === document.activeElement)).toBe(true);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.type(", maybe @Bo");
  await page.locator(`#m${id} .compose-pop [role=option]`).first().waitFor();
  // The reaction renders the row again around the field.
  await fixture.testServer.request("bo", `POST /messages/${id}/reactions`, { emoji_name: "heart" });
  await page.locator(`#m${id} .react`).waitFor();
  await page.locator(`#m${id} .compose-pop [role=option]`).first().waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+B");
  await page.keyboard.type("now");
  await page.keyboard.press("Alt+P");
  await page.locator(`#m${id} .compose-preview strong`).getByText("now").waitFor();
  expect(await field.inputValue()).toMatch(/^Ask somebody, maybe @\*\*.+\*\* \*\*now\*\*$/);
  // Changes of the row keep the text and the focus.
  await fixture.testServer.request("bo", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  await page.locator(`#m${id} .react button`).first().waitFor();
  await page.keyboard.press("End");
  await page.keyboard.type("!");
  const text = await field.inputValue();
  expect(text.endsWith("**now**!")).toBe(true);
  await page.keyboard.press("Control+Enter");
  await field.waitFor({ state: "detached" });
  await untilSaved(id, text);
  await page.locator(`#m${id}:focus-within`).waitFor();
  await until(async () => (await readStored(page)).length === 0);
});

test("shows others that a message is being edited, until saved or cancelled", async () => {
  const { id } = await fixture.post("ada", "Ask somebody");
  const bo = await (await fixture.sessionOf("bo")).tab(fixture.topicUrl);
  await bo.locator(".compose textarea").waitFor();
  const { page, field } = await openEditor(id);
  const locator = bo.locator(".compose .typing", { hasText: "Ada Admin is editing a message" });
  for (const end of ["Escape", "Control+Enter"]) {
    await page.keyboard.type(" else");
    await locator.waitFor();
    expect(await page.locator(".typing").count()).toBe(0);
    await page.keyboard.press(end);
    await field.waitFor({ state: "detached" });
    await locator.waitFor({ state: "detached" });
    if (end === "Control+Enter") continue;
    await page.keyboard.press("e");
    await field.waitFor();
    await page.locator(`#m${id} textarea:focus`).waitFor();
  }
  await untilSaved(id, "Ask somebody else");
});

test("keeps an editor in place while others change its message", async () => {
  const { id } = await fixture.post("ada", "Ask somebody");
  const { page, field } = await openEditor(id);
  const moved = await page.evaluateHandle((row) => {
    const removed: string[] = [];
    const mutationObserver = new MutationObserver((changes) => {
      for (const { removedNodes } of changes)
        for (const node of removedNodes)
          if (node instanceof Element && node.querySelector("textarea"))
            removed.push(node.className);
    });
    mutationObserver.observe(document.querySelector(row)!, { childList: true, subtree: true });
    return removed;
  }, `#m${id}`);
  await fixture.testServer.request("bo", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  await page.locator(`#m${id} .react`).waitFor();
  expect(await moved.jsonValue()).toEqual([]);
  expect(await field.evaluate((node) => node === document.activeElement)).toBe(true);
});

test("keeps an edit after a reload, and Escape can be undone", async () => {
  const { id } = await fixture.post("ada", "One word");
  const { page, field } = await openEditor(id);
  await page.keyboard.type(" and more");
  await until(async () => (await readStored(page))[0]?.text === "One word and more");
  await page.reload();
  await field.waitFor();
  expect(await field.inputValue()).toBe("One word and more");
  // The edit is not a draft of the composer, which stays empty.
  expect(await page.locator(".compose textarea").inputValue()).toBe("");
  await field.focus();
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await field.waitFor();
  expect(await field.inputValue()).toBe("One word and more");
  await page.keyboard.press("Control+Enter");
  await untilSaved(id, "One word and more");
});

test("continues with another device's version if nothing was typed", async () => {
  const { id } = await fixture.post("ada", "One word");
  const { page, field } = await openEditor(id);
  await fixture.testServer.request("ada", `PATCH /messages/${id}`, { content: "Two words" });
  await page.waitForFunction(
    (row) => document.querySelector<HTMLTextAreaElement>(`${row} textarea`)?.value === "Two words",
    `#m${id}`,
  );
  await page.locator(`#m${id} textarea:focus`).waitFor();
  await field.press("End");
  await page.keyboard.type(", or three");
  await page.keyboard.press("Control+Enter");
  await field.waitFor({ state: "detached" });
  await untilSaved(id, "Two words, or three");
});

test("edits a message that waits for the network, also after a reload", async () => {
  const { id } = await fixture.post("ada", "Before");
  const { page, field } = await openEditor(id);
  const isPatch = (item: { method(): string }) => item.method() === "PATCH";
  const network = await NetworkFailure.of(page, `**/json/messages/${id}`, isPatch);
  await field.fill("After");
  await page.keyboard.press("Control+Enter");
  await page.locator(`#m${id} .md`).getByText("After").waitFor();
  await until(async () => (await readStored(page)).length === 0);
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("e");
  await field.waitFor();
  expect(await field.inputValue()).toBe("After");
  const pendingEdits = async (row?: Json): Promise<Json[]> =>
    (await ownStoredRows(page, "doings", row)).filter(({ path }) => path === `/messages/${id}`);
  const [earlier] = await pendingEdits();
  await field.fill("After all");
  await page.keyboard.press("Control+Enter");
  await page.locator(`#m${id} .md`).getByText("After all").waitFor();
  await until(async () => (await readStored(page)).length === 0);
  // Simulates a page that closed before the earlier edit was deleted from the disk.
  expect(await pendingEdits(earlier)).toHaveLength(2);
  await page.reload();
  await page.locator(`#m${id} .md`).getByText("After all").waitFor();
  await network.restore();
  await untilSaved(id, "After all");
  const { message_history } = await fixture.testServer.request(
    "ada",
    `GET /messages/${id}/history`,
  );
  expect(message_history.length).toBe(2);
});

test("saves a second edit over one in progress", async () => {
  const { id } = await fixture.post("ada", "Before");
  const { page, field } = await openEditor(id);
  const [requested, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(`**/json/messages/${id}`, async (route) => {
    if (route.request().method() !== "PATCH") return route.continue();
    const response = await route.fetch();
    requested.resolve();
    await release.promise;
    return route.fulfill({ response });
  });
  for (const text of ["After", "After all"]) {
    await field.fill(text);
    await page.keyboard.press("Control+Enter");
    await page.locator(`#m${id} .md`).getByText(text).waitFor();
    await withTimeout(requested.promise, "the request of the first edit");
    if (text === "After all") break;
    await page.locator(`#m${id}`).focus();
    await page.keyboard.press("e");
    await field.waitFor();
  }
  release.resolve();
  await untilSaved(id, "After all");
  await page.locator(`#m${id} .msg-state`).waitFor({ state: "detached" });
});

test("starts one edit when the key is pressed before edits can be stored", async () => {
  const { id } = await fixture.post("ada", "Edit me early");
  const browserSession = await fixture.sessionOf("ada");
  const isPressed = Promise.withResolvers<void>();
  await browserSession.context.route(/assets\/desk-/, async (route) => {
    await isPressed.promise;
    await route.continue();
  });
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("e");
  isPressed.resolve();
  await page.locator(`#m${id} .edit-box textarea:focus`).waitFor();
});

test("shows the remaining time in the editor and the menu", async () => {
  await fixture.testServer.request("olga", "PATCH /realm", {
    message_content_edit_limit_seconds: 300,
    message_content_delete_limit_seconds: 7200,
    can_delete_any_message_group: { new: { direct_members: [], direct_subgroups: [] } },
  });
  const { id } = await fixture.post("ada", "Soon fixed");
  const { page } = await openEditor(id);
  const timer = page.locator(`#m${id} [role=timer]`);
  const first = await timer.innerText();
  expect(first).toMatch(/^[45]:\d\d left$/);
  await until(async () => (await timer.innerText()) !== first);
  await page.keyboard.press("Escape");
  await page.keyboard.press("i");
  const item = (name: string) => page.getByRole("menuitem", { name }).locator("small");
  expect(await item("Edit").innerText()).toMatch(/^\d:\d\d left$/);
  expect(await item("Delete").innerText()).toMatch(/^1 hr left$/);
});

test("keeps the text when the edited message is deleted", async () => {
  const { id } = await fixture.post("ada", "Gone soon");
  const { page, field } = await openEditor(id);
  await page.keyboard.type(", but not this");
  await fixture.testServer.request("ada", `DELETE /messages/${id}`);
  await field.waitFor({ state: "detached" });
  await page.getByRole("alert").getByText("was deleted").waitFor();
  await page.locator(".toast").getByRole("button", { name: "Drafts" }).click();
  await page.locator(".own-list li", { hasText: "Gone soon, but not this" }).waitFor();
  expect(await readStored(page)).toEqual([]);
});

test("says where the edited message is when it alone is moved", async () => {
  await fixture.post("ada", "Stays");
  const { id } = await fixture.post("ada", "Moves");
  const { page, field } = await openEditor(id);
  await page.keyboard.type(" on");
  await fixture.testServer.request("ada", `PATCH /messages/${id}`, { topic: "elsewhere" });
  await page.getByRole("alert").getByText("was moved to").waitFor();
  await page.locator(".toast").getByRole("button", { name: "Show" }).click();
  await field.waitFor();
  expect([await field.inputValue(), page.url().includes("elsewhere")]).toEqual(["Moves on", true]);
});

test("leads to a message that moved, or says where it went", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#inbox");
  const options = page.locator(".compose [role=option]");
  const send = async (topic: string) => {
    await page.keyboard.press("c");
    // In a view without a channel, the composer asks for the channel first.
    await page.locator("form.compose input:focus").waitFor();
    await page.keyboard.type("design");
    await options.filter({ hasText: "design" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.locator("input[name=topic]:focus").waitFor();
    await page.keyboard.type(topic);
    await options.filter({ hasText: topic }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".compose textarea:focus").waitFor();
    await page.keyboard.type(`About ${topic}`);
    await page.keyboard.press("Control+Enter");
  };
  await send("felt");
  await waitForMessage(page, "About felt");
  await page.locator(".compose textarea:focus").waitFor();
  expect(page.url()).toContain("/topic/felt");
  await fixture.testServer.request("bo", "PATCH /settings", {
    web_navigate_to_sent_message: false,
  });
  await page.goto("/#inbox");
  await page.reload();
  // Until the page is live, it may still apply the old value, which it stored on the disk.
  await waitForConnection(page, "live");
  await page.locator("body[data-whole]").waitFor();
  await send("linen");
  const toast = page.locator(".toast", { hasText: "linen" });
  await toast.waitFor();
  expect(page.url()).toContain("#inbox");
  await toast.getByRole("button", { name: "Show" }).press("Enter");
  await waitForMessage(page, "About linen");
  expect(browserSession.faults).toEqual([]);
});
