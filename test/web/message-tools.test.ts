// The toolbar of a message, the marks of edited and moved messages, and toasts beside both.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { until } from "../wait-until.ts";
import { faultsOf, APPEARANCES, applyLook } from "./axe.ts";
import { BrowserFixture, waitForMessage } from "./browser-fixture.ts";

let fixture: BrowserFixture;
let page: Page;
let own: number;
let other: number;

beforeAll(async () => {
  fixture = await BrowserFixture.open();
  ({ id: other } = await fixture.post("bo", "The mark is drawn"));
  ({ id: own } = await fixture.post("ada", "I like the second one"));
  page = await (await fixture.sessionOf("ada")).tab(fixture.topicUrl);
  await waitForMessage(page, "I like the second one");
});
afterAll(() => fixture.close());

const row = (id: number) => page.locator(`#m${id}`);
const toolbar = (id: number) => row(id).getByRole("toolbar");
const tool = (id: number, name: RegExp | string) => toolbar(id).getByRole("button", { name });
const editor = () => page.getByRole("textbox", { name: "Message text" });
const point = async (id: number) => {
  await row(id).hover();
  await toolbar(id).waitFor();
};
const hasNoEdit = async (id: number) => {
  await point(other);
  await point(own);
  await point(id);
  return (await tool(id, /^Edit/).count()) === 0;
};

test("edits an own message from its toolbar, by pointer and by keyboard", async () => {
  await point(own);
  await tool(own, "Edit Ada Admin’s message").click();
  await editor().waitFor();
  await page.keyboard.press("Escape");
  await editor().waitFor({ state: "detached" });
  await row(own).focus();
  await tool(own, "Edit Ada Admin’s message").press("Enter");
  await editor().waitFor();
  await page.keyboard.press("Escape");
  await editor().waitFor({ state: "detached" });
});

test("offers no Edit where the rules do not allow it", async () => {
  const { testServer } = fixture;
  await point(other);
  await tool(other, "Quote Bo Member’s message").waitFor();
  expect(await tool(other, /^Edit/).count()).toBe(0);
  await testServer.request("ada", "PATCH /realm", { allow_message_editing: false });
  await until(() => hasNoEdit(own));
  await testServer.request("ada", "PATCH /realm", { allow_message_editing: true });
  await until(async () => !(await hasNoEdit(own)));
});

test("adds and removes quick reactions, the most used first", async () => {
  const reactionsOf = (id: number) =>
    fixture.testServer.realm.read.messages.get(id)?.reactions ?? [];
  await page.mouse.move(0, 0);
  await point(other);
  const eyesButton = tool(other, "React with eyes to Bo Member’s message");
  await eyesButton.click();
  await row(other).locator(".react button[aria-pressed=true]").waitFor();
  await until(() => reactionsOf(other)[0]?.emoji_name === "eyes");
  await eyesButton.and(page.locator("[aria-pressed=true]")).press("Enter");
  await row(other).locator(".react").waitFor({ state: "detached" });
  await until(() => reactionsOf(other).length === 0);
  for (const variant of APPEARANCES.slice(0, 2)) {
    await applyLook(page, variant);
    expect(await faultsOf(page)).toEqual([]);
  }
  await applyLook(page, APPEARANCES[0]!);
  // The next row offers this emoji first. The toolbar follows the focus rather than the pointer.
  await page.mouse.move(0, 0);
  await row(own).focus();
  await toolbar(own).waitFor();
  const first = toolbar(own).getByRole("button").first();
  expect(await first.getAttribute("aria-label")).toBe("React with eyes to Ada Admin’s message");
});

test("shows at the end of the text that a message was edited or moved", async () => {
  const { testServer } = fixture;
  const { id } = await fixture.post("ada", "The first wording");
  await waitForMessage(page, "The first wording");
  await testServer.request("ada", `PATCH /messages/${id}`, { content: "The second *wording*" });
  const mark = row(id).locator(".msg-mark");
  await mark.filter({ hasText: "(edited)" }).waitFor();
  expect(await mark.getAttribute("title")).toMatch(/^edited .*\d:\d\d/);
  const box = (await row(id).locator(".md p").boundingBox())!;
  const marked = (await mark.boundingBox())!;
  expect(marked.y + marked.height).toBeLessThanOrEqual(box.y + box.height + 1);
  await mark.press("Enter");
  await page.getByRole("dialog").getByText("The first wording").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const policy = { message_edit_history_visibility_policy: "none" };
  await testServer.request("ada", "PATCH /realm", policy);
  await row(id).locator("span.msg-mark", { hasText: "(edited)" }).waitFor();
  expect(await row(id).locator("button.msg-mark").count()).toBe(0);
  const to = { topic: "wordings", propagate_mode: "change_one" };
  await testServer.request("ada", "PATCH /realm", {
    ...policy,
    message_edit_history_visibility_policy: "moves",
  });
  await testServer.request("ada", `PATCH /messages/${id}`, {
    ...to,
    send_notification_to_old_thread: false,
  });
  await page.goto(`${fixture.testServer.url}/#narrow/channel/${fixture.stream_id}-design`);
  await row(id).locator("button.msg-mark", { hasText: "(edited, moved)" }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.goto(`${fixture.testServer.url}${fixture.topicUrl}`);
  await waitForMessage(page, "I like the second one");
});

const boxOf = async (target: Locator) => (await target.boundingBox())!;

test("keeps toasts clear of the newest message and the composer", async () => {
  const toast = page.locator(".toast");
  await row(own).focus();
  await page.keyboard.press("y");
  await toast.filter({ hasText: "Link copied" }).waitFor();
  await page.keyboard.press("M");
  await toast.filter({ hasText: "Muted" }).waitFor();
  expect(await toast.count()).toBe(1);
  expect(await page.getByRole("status").filter({ has: toast }).count()).toBe(1);
  await toast.hover();
  const sizes = [
    [1360, 800],
    [700, 800],
    [390, 844],
    // The height that remains while a phone's keyboard is open.
    [390, 420],
    [320, 568],
  ] as const;
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    const toastBox = await boxOf(toast);
    expect([width, toastBox.x >= 0, toastBox.x + toastBox.width <= width]).toEqual([
      width,
      true,
      true,
    ]);
    for (const below of [page.locator("article").last(), page.locator("form.compose")]) {
      const { y } = await boxOf(below);
      expect([width, height, toastBox.y + toastBox.height <= y]).toEqual([width, height, true]);
    }
    expect([width, await faultsOf(page, undefined, ".toast")]).toEqual([width, []]);
  }
  await page.setViewportSize({ width: 1360, height: 800 });
  await page.keyboard.press("F6");
  while (!(await toast.evaluate((node) => node.contains(document.activeElement)))) {
    await page.keyboard.press("F6");
  }
  await page.keyboard.press("Escape");
  await toast.waitFor({ state: "detached" });
});

test("closes a toast by its button and by Escape", async () => {
  const toast = page.locator(".toast");
  await row(own).focus();
  await page.keyboard.press("y");
  await toast.getByRole("button", { name: "Dismiss" }).press("Enter");
  await toast.waitFor({ state: "detached" });
  await page.waitForFunction((id) => document.activeElement?.id === `m${id}`, own);
  await page.keyboard.press("y");
  await toast.waitFor();
  await toast.getByRole("button", { name: "Dismiss" }).focus();
  await page.keyboard.press("Escape");
  await toast.waitFor({ state: "detached" });
});
