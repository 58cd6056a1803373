// Changing a message in its row: the composer's own editor, and a text that nothing loses; and what
// is seen of a message that went elsewhere.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Json } from "../test-server.ts";
import { Cut } from "./cut.ts";
import { faultsOf, look, LOOKS } from "./axe.ts";
import { onDisk } from "./on-disk.ts";
import { shows, BrowserFixture } from "./browser-fixture.ts";

let fixture: BrowserFixture;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
});
afterEach(() => fixture.close());

const textOf = async (id: number): Promise<string> =>
  (await fixture.testServer.ask("ada", `GET /messages/${id}`)).raw_content;

async function saved(id: number, text: string): Promise<void> {
  while ((await textOf(id)) !== text) await Bun.sleep(100);
}

const own = (page: Page, store: "drafts" | "doings", row?: Json) =>
  onDisk(page, fixture.testServer.idOf("ada"), store, row);

/** What of an edit is on the disk. */
const kept = async (page: Page): Promise<Json[]> =>
  (await own(page, "drafts")).filter(({ place }) => place.startsWith("edit "));

async function edited(id: number): Promise<{ page: Page; field: ReturnType<Page["locator"]> }> {
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.place);
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("e");
  const field = page.locator(`#m${id} .edit-box textarea`);
  await field.waitFor();
  return { page, field };
}

test("one edits with typeahead, tools and preview, by keys alone", async () => {
  const { id } = await fixture.post("ada", "Ask somebody");
  const { page, field } = await edited(id);
  expect(await field.evaluate((node) => node === document.activeElement)).toBe(true);
  for (const one of LOOKS) {
    await look(page, one);
    expect(await faultsOf(page)).toEqual([]);
  }
  await page.keyboard.type(", maybe @Bo");
  await page.locator(`#m${id} .compose-pop [role=option]`).first().waitFor();
  // The row is drawn anew around it.
  await fixture.testServer.ask("bo", `POST /messages/${id}/reactions`, { emoji_name: "heart" });
  await page.locator(`#m${id} .react`).waitFor();
  await page.locator(`#m${id} .compose-pop [role=option]`).first().waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+B");
  await page.keyboard.type("now");
  await page.keyboard.press("Alt+P");
  await page.locator(`#m${id} .compose-preview strong`).getByText("now").waitFor();
  expect(await field.inputValue()).toMatch(/^Ask somebody, maybe @\*\*.+\*\* \*\*now\*\*$/);
  // What happens to the row meanwhile takes neither the text nor the focus.
  await fixture.testServer.ask("bo", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  await page.locator(`#m${id} .react button`).first().waitFor();
  await page.keyboard.press("End");
  await page.keyboard.type("!");
  const text = await field.inputValue();
  expect(text.endsWith("**now**!")).toBe(true);
  await page.keyboard.press("Control+Enter");
  await field.waitFor({ state: "detached" });
  await saved(id, text);
  expect(await page.evaluate(() => document.activeElement?.closest(".msg")?.id)).toBe(`m${id}`);
  expect(await kept(page)).toEqual([]);
});

test("others see that one changes a message, until it is saved or given up", async () => {
  const { id } = await fixture.post("ada", "Ask somebody");
  const bo = await (await fixture.sessionOf("bo")).tab(fixture.place);
  await bo.locator(".compose textarea").waitFor();
  const { page, field } = await edited(id);
  const told = bo.locator(".compose .typing", { hasText: "Ada Admin is editing a message" });
  for (const end of ["Escape", "Control+Enter"]) {
    await page.keyboard.type(" else");
    await told.waitFor();
    expect(await page.locator(".typing").count()).toBe(0);
    await page.keyboard.press(end);
    await field.waitFor({ state: "detached" });
    await told.waitFor({ state: "detached" });
    if (end === "Control+Enter") continue;
    await page.keyboard.press("e");
    await field.waitFor();
    await page.locator(`#m${id} textarea:focus`).waitFor();
  }
  await saved(id, "Ask somebody else");
});

test("an editor stays where it is under what others do to its message", async () => {
  const { id } = await fixture.post("ada", "Ask somebody");
  const { page, field } = await edited(id);
  const moved = await page.evaluateHandle((row) => {
    const gone: string[] = [];
    const heard = new MutationObserver((changes) => {
      for (const { removedNodes } of changes)
        for (const node of removedNodes)
          if (node instanceof Element && node.querySelector("textarea")) gone.push(node.className);
    });
    heard.observe(document.querySelector(row)!, { childList: true, subtree: true });
    return gone;
  }, `#m${id}`);
  await fixture.testServer.ask("bo", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  await page.locator(`#m${id} .react`).waitFor();
  expect(await moved.jsonValue()).toEqual([]);
  expect(await field.evaluate((node) => node === document.activeElement)).toBe(true);
});

test("what is begun outlives a reload, and Escape can be taken back", async () => {
  const { id } = await fixture.post("ada", "One word");
  const { page, field } = await edited(id);
  await page.keyboard.type(" and more");
  while ((await kept(page))[0]?.text !== "One word and more") await Bun.sleep(50);
  await page.reload();
  await field.waitFor();
  expect(await field.inputValue()).toBe("One word and more");
  // The composer is another text: nothing of it is in the drafts.
  expect(await page.locator(".compose textarea").inputValue()).toBe("");
  await field.focus();
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await field.waitFor();
  expect(await field.inputValue()).toBe("One word and more");
  await page.keyboard.press("Control+Enter");
  await saved(id, "One word and more");
});

test("who has written nothing yet goes on from what another device made of it", async () => {
  const { id } = await fixture.post("ada", "One word");
  const { page, field } = await edited(id);
  await fixture.testServer.ask("ada", `PATCH /messages/${id}`, { content: "Two words" });
  await page.waitForFunction(
    (row) => document.querySelector<HTMLTextAreaElement>(`${row} textarea`)?.value === "Two words",
    `#m${id}`,
  );
  await page.locator(`#m${id} textarea:focus`).waitFor();
  await field.press("End");
  await page.keyboard.type(", or three");
  await page.keyboard.press("Control+Enter");
  await field.waitFor({ state: "detached" });
  await saved(id, "Two words, or three");
});

test("what waits for the network is written on, and is there once, over a reload too", async () => {
  const { id } = await fixture.post("ada", "Before");
  const { page, field } = await edited(id);
  const isPatch = (one: { method(): string }) => one.method() === "PATCH";
  const network = await Cut.of(page, `**/json/messages/${id}`, isPatch);
  await field.fill("After");
  await page.keyboard.press("Control+Enter");
  await page.locator(`#m${id} .md`).getByText("After").waitFor();
  while ((await kept(page)).length > 0) await Bun.sleep(50);
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("e");
  await field.waitFor();
  expect(await field.inputValue()).toBe("After");
  const [earlier] = await own(page, "doings");
  await field.fill("After all");
  await page.keyboard.press("Control+Enter");
  await page.locator(`#m${id} .md`).getByText("After all").waitFor();
  while ((await kept(page)).length > 0) await Bun.sleep(50);
  // As a page leaves it that goes before the earlier one is off the disk.
  expect(await own(page, "doings", earlier)).toHaveLength(2);
  await page.reload();
  await page.locator(`#m${id} .md`).getByText("After all").waitFor();
  await network.tell();
  await saved(id, "After all");
  const { message_history } = await fixture.testServer.ask("ada", `GET /messages/${id}/history`);
  expect(message_history.length).toBe(2);
});

test("what is changed again while it is on its way is saved over it", async () => {
  const { id } = await fixture.post("ada", "Before");
  const { page, field } = await edited(id);
  const [asked, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(`**/json/messages/${id}`, async (route) => {
    if (route.request().method() !== "PATCH") return route.continue();
    const response = await route.fetch();
    asked.resolve();
    await letGo.promise;
    return route.fulfill({ response });
  });
  for (const text of ["After", "After all"]) {
    await field.fill(text);
    await page.keyboard.press("Control+Enter");
    await page.locator(`#m${id} .md`).getByText(text).waitFor();
    await asked.promise;
    if (text === "After all") break;
    await page.locator(`#m${id}`).focus();
    await page.keyboard.press("e");
    await field.waitFor();
  }
  letGo.resolve();
  await saved(id, "After all");
  await page.locator(`#m${id} .msg-state`).waitFor({ state: "detached" });
});

test("who presses the key before anything could be kept edits once it can be", async () => {
  const { id } = await fixture.post("ada", "Edit me early");
  const browserSession = await fixture.sessionOf("ada");
  const pressed = Promise.withResolvers<void>();
  await browserSession.context.route(/assets\/desk-/, async (route) => {
    await pressed.promise;
    await route.continue();
  });
  const page = await browserSession.tab(fixture.place);
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("e");
  pressed.resolve();
  await page.locator(`#m${id} .edit-box textarea:focus`).waitFor();
});

test("time that runs out is shown where one edits and in the menu", async () => {
  await fixture.testServer.ask("olga", "PATCH /realm", {
    message_content_edit_limit_seconds: 300,
    message_content_delete_limit_seconds: 7200,
    can_delete_any_message_group: { new: { direct_members: [], direct_subgroups: [] } },
  });
  const { id } = await fixture.post("ada", "Soon fixed");
  const { page } = await edited(id);
  const timer = page.locator(`#m${id} [role=timer]`);
  const first = await timer.innerText();
  expect(first).toMatch(/^[45]:\d\d left$/);
  while ((await timer.innerText()) === first) await Bun.sleep(100);
  await page.keyboard.press("Escape");
  await page.keyboard.press("i");
  const item = (name: string) => page.getByRole("menuitem", { name }).locator("small");
  expect(await item("Edit").innerText()).toMatch(/^\d:\d\d left$/);
  expect(await item("Delete").innerText()).toMatch(/^1 hr left$/);
});

test("a message that is deleted under the hands leaves what was typed", async () => {
  const { id } = await fixture.post("ada", "Gone soon");
  const { page, field } = await edited(id);
  await page.keyboard.type(", but not this");
  await fixture.testServer.ask("ada", `DELETE /messages/${id}`);
  await field.waitFor({ state: "detached" });
  await page.getByRole("alert").getByText("was deleted").waitFor();
  await page.getByRole("button", { name: "Copy my text" }).waitFor();
});

test("what was sent to somewhere else is gone to, or told of with a way there", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#inbox");
  const options = page.locator(".compose [role=option]");
  const send = async (topic: string) => {
    await page.keyboard.press("c");
    // The channel is chosen first, where none is open.
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
  await shows(page, "About felt");
  await page.locator(".compose textarea:focus").waitFor();
  expect(page.url()).toContain("/topic/felt");
  await fixture.testServer.ask("bo", "PATCH /settings", { web_navigate_to_sent_message: false });
  await page.goto("/#inbox");
  await page.reload();
  await page.locator("body[data-whole]").waitFor();
  await send("linen");
  const toast = page.locator(".toast", { hasText: "linen" });
  await toast.waitFor();
  expect(page.url()).toContain("#inbox");
  await toast.getByRole("button", { name: "Show" }).press("Enter");
  await shows(page, "About linen");
  expect(browserSession.faults).toEqual([]);
});
