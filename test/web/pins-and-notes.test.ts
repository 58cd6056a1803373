// Pinned messages in the panel of a channel, and the note of a topic.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../wait-until.ts";
import { accessibilityFaults, faultsOf, applyLook, APPEARANCES } from "./axe.ts";
import { BrowserFixture, waitForMessage } from "./browser-fixture.ts";
import { routeOnce } from "./failing-network.ts";
import { BrowserSession } from "./browser-session.ts";

let fixture: BrowserFixture;
let page: Page;
let message_id: number;

beforeAll(async () => {
  fixture = await BrowserFixture.open();
  ({ id: message_id } = await fixture.post("bo", "The mark is drawn"));
  page = await (await fixture.sessionOf("ada")).tab(fixture.topicUrl);
  await waitForMessage(page, "The mark is drawn");
});
afterAll(() => fixture.close());

const pins = () => page.getByRole("region", { name: "Pinned messages" });
const setNote = async (content: string) => {
  const params = { stream_id: fixture.stream_id, topic: "logo" };
  const { version } = await fixture.testServer.request("bo", "GET /skein_topic_notes", params);
  await fixture.testServer.request("bo", "PUT /skein_topic_notes", { ...params, content, version });
};
const menuItem = (name: string) => page.getByRole("menuitem", { name });
const openMenu = async () => {
  await page.locator("article").filter({ hasText: "The mark is drawn" }).hover();
  await page.locator('article [data-act="message-menu"]').first().click();
};

test("a message is pinned from its menu, listed in the panel, and unpinned", async () => {
  await openMenu();
  await menuItem("Pin to channel").click();
  await pins().getByText("The mark is drawn").waitFor();
  await pins().getByText("pinned by Ada Admin").waitFor();
  for (const variant of APPEARANCES.slice(0, 2)) {
    await applyLook(page, variant);
    expect(await faultsOf(page)).toEqual([]);
  }
  await applyLook(page, APPEARANCES[0]!);
  await pins().getByRole("button", { name: "Unpin from channel" }).click();
  await pins().waitFor({ state: "detached" });
  await until(() => !fixture.testServer.realm.read.message_pins.has(message_id));
});

test("shows and removes another user's pin while the panel is open", async () => {
  await fixture.testServer.request("bo", "POST /skein_pins", { message_id });
  await pins().getByText("pinned by Bo Member").waitFor();
  await openMenu();
  await menuItem("Unpin from channel").waitFor();
  await page.keyboard.press("Escape");
  await fixture.testServer.request("bo", `DELETE /skein_pins/${message_id}`);
  await pins().waitFor({ state: "detached" });
});

test("marks pinned messages in their rows, with who pinned them, as pins change", async () => {
  const { testServer } = fixture;
  const phone = await (await BrowserSession.forPhone(testServer, "cy")).tab(fixture.topicUrl);
  const { id: next_id } = await fixture.post("bo", "The mark is inked");
  const signIn = (tab: Page, text: string) =>
    tab.locator("article").filter({ hasText: text }).locator(".msg-pin");
  // The second row continues the first one, and has no visible name.
  const pinned = [
    { id: message_id, text: "The mark is drawn" },
    { id: next_id, text: "The mark is inked" },
  ];
  for (const { id, text } of pinned) {
    await testServer.request("bo", "POST /skein_pins", { message_id: id });
    for (const tab of [page, phone]) {
      await signIn(tab, text).getByText("Pinned by Bo Member").waitFor();
      expect(await signIn(tab, text).getAttribute("title")).toStartWith("Pinned by Bo Member\n");
    }
  }
  for (const variant of APPEARANCES) {
    await applyLook(page, variant);
    expect(await faultsOf(page)).toEqual([]);
  }
  await applyLook(page, APPEARANCES[0]!);
  await phone.reload();
  await signIn(phone, "The mark is inked").waitFor();
  await testServer.request("bo", "PATCH /settings", { full_name: "Bo Renamed" });
  await signIn(page, "The mark is inked").getByText("Pinned by Bo Renamed").waitFor();
  await testServer.request("bo", "PATCH /settings", { full_name: "Bo Member" });
  for (const { id, text } of pinned) {
    await testServer.request("bo", `DELETE /skein_pins/${id}`);
    for (const tab of [page, phone]) await signIn(tab, text).waitFor({ state: "detached" });
  }
});

test("marks the pins of a channel without a subscription each time it is opened", async () => {
  const tab = await (await fixture.sessionOf("mo")).tab(fixture.topicUrl);
  await waitForMessage(tab, "The mark is drawn");
  await tab.goto("/#inbox");
  await fixture.testServer.request("bo", "POST /skein_pins", { message_id });
  await tab.goto(fixture.topicUrl);
  await tab.locator(".msg-pin").getByText("Pinned by Bo Member").waitFor();
  await fixture.testServer.request("bo", `DELETE /skein_pins/${message_id}`);
});

test("a note is written by keyboard, shown above the messages, and changed by others", async () => {
  await page.locator(".bar-acts [aria-haspopup=menu]").last().focus();
  await page.keyboard.press("Enter");
  await menuItem("Topic note…").focus();
  await page.keyboard.press("Enter");
  const editor = page.getByRole("dialog", { name: "Note for logo" });
  await editor.getByRole("textbox", { name: "Note" }).fill("Agenda: **tea**");
  expect(await faultsOf(page)).toEqual([]);
  await editor.getByRole("button", { name: "Save" }).press("Enter");
  const note = page.locator(".topic-note");
  await note.locator("strong").filter({ hasText: "tea" }).waitFor();
  await setNote("Agenda: milk");
  await note.getByText("Agenda: milk").waitFor();
  await note.getByText(/edited by Bo Member/).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await applyLook(page, APPEARANCES[0]!);
  await note.getByRole("button", { name: "History of the note" }).click();
  const history = page.getByRole("dialog", { name: "History of the note" });
  // Rendered, with the changed words marked.
  await history.locator("li").nth(1).locator("strong").filter({ hasText: "tea" }).waitFor();
  await history.locator(".highlight_text_deleted").filter({ hasText: "tea" }).waitFor();
  await history.locator(".highlight_text_inserted").filter({ hasText: "milk" }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press("Escape");
});

test("shows the newest note, even if an older response arrives later", async () => {
  const [requested, isAllowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const arrived = Promise.withResolvers<void>();
  await routeOnce(page, "**/json/skein_topic_notes?*", async (route) => {
    // The page cancels the request, so that it may not wait for the response.
    const response = await route.fetch();
    requested.resolve();
    await isAllowed.promise;
    await route.fulfill({ response }).catch(() => undefined);
    arrived.resolve();
  });
  await setNote("the older text");
  await requested.promise;
  await setNote("the newer text");
  const note = page.locator(".topic-note");
  await note.getByText("the newer text").waitFor();
  isAllowed.resolve();
  await arrived.promise;
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(await note.innerText()).toContain("the newer text");
});

test("rejects a note changed by another user, and keeps the typed text", async () => {
  await setNote("ours");
  await page.getByRole("button", { name: "Edit topic note" }).click();
  const editor = page.getByRole("dialog", { name: "Note for logo" });
  const field = editor.getByRole("textbox", { name: "Note" });
  await field.fill("mine");
  await setNote("theirs");
  await editor.getByRole("button", { name: "Save" }).click();
  await editor.getByText("Someone else changed the note").waitFor();
  expect(await field.inputValue()).toBe("mine");
  await page.keyboard.press("Escape");
});

test("keeps a note closed on this device until it changes", async () => {
  await setNote("closed soon");
  const note = page.locator(".topic-note");
  const waitForOpen = (isOpen: boolean) =>
    page.locator(isOpen ? ".topic-note[open]" : ".topic-note:not([open])").waitFor();
  await note.getByText("closed soon").waitFor();
  await note.locator("summary").press("Enter");
  await waitForOpen(false);
  await page.goto("/#inbox");
  await page.goto(fixture.topicUrl);
  await waitForOpen(false);
  await page.reload();
  await waitForOpen(false);
  await setNote("news for everyone");
  await waitForOpen(true);
  await note.getByText("news for everyone").waitFor();
  await note.locator("summary").click();
  await waitForOpen(false);
  await note.locator("summary").click();
  // The browser reports the opened element with a later task.
  await page.waitForFunction(() => localStorage.getItem("skein:closed-notes") === "[]");
  await page.reload();
  await waitForOpen(true);
});
