// Permissions lost while a dialog that needs them is open.
import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type Json, startTestServer } from "../test-server.ts";
import { BrowserSession } from "./browser-session.ts";
import { waitForEvents, waitForMessage, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

async function isClosedWithAWord(page: Page): Promise<void> {
  await page.getByRole("alert").getByText("You no longer have permission to do that.").waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

async function openMoveDialog(browserSession: BrowserSession): Promise<Page> {
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForMessage(page, "leek");
  const row = page.locator("article").filter({ hasText: "leek" }).first();
  await row.hover();
  await row.locator("[data-act=message-menu]").click();
  await page.getByRole("menuitem", { name: /Move/ }).click();
  await page.getByRole("dialog").waitFor();
  return page;
}

async function setMovers(name: string): Promise<void> {
  const { testServer } = fixture;
  const { user_groups } = await testServer.request("olga", "GET /user_groups");
  const { id } = user_groups.find((group: Json) => group.name === name);
  await testServer.request("olga", "PATCH /realm", {
    can_move_messages_between_topics_group: { new: id },
    can_move_messages_between_channels_group: { new: id },
  });
}

test.each([
  ["is open", false],
  ["loads", true],
])(
  "closes the dialog to move messages if the permission is lost while it %s",
  async (_, isHeld) => {
    await setMovers("role:members");
    await fixture.post("ada", "leek");
    const browserSession = await fixture.sessionOf("bo");
    const isLost = Promise.withResolvers<void>();
    await browserSession.context.route(/assets\/message-dialogs-/, async (route) => {
      if (isHeld) await isLost.promise;
      await route.continue();
    });
    const page = await openMoveDialog(browserSession);
    const dialog = page.getByRole("dialog");
    if (!isHeld) await dialog.getByRole("radio").first().waitFor();
    const received = waitForEvents(page, "can_move_messages_between_channels_group");
    await setMovers("role:administrators");
    await received;
    isLost.resolve();
    await isClosedWithAWord(page);
    expect(browserSession.faults).toEqual([]);
  },
);

test("prevents changes and archiving by a former administrator", async () => {
  const testServer = await startTestServer();
  afterAll(() => testServer.close());
  const role = (expected: number) =>
    testServer.request("olga", `PATCH /users/${testServer.idOf("ada")}`, { role: expected });
  const browserSession = await BrowserSession.of(testServer, "ada");
  const page = await browserSession.tab("/#organization/linkifiers");
  await page.getByRole("button", { name: "New linkifier" }).click();
  await page.getByRole("dialog").getByLabel("Pattern").fill("#(?P<id>[0-9]+)");
  await role(400);
  await isClosedWithAWord(page);
  expect(await page.getByRole("button", { name: "New linkifier" }).count()).toBe(0);

  await role(200);
  const { stream_id } = testServer.realm.read.channels.findBy("name", "general")!;
  await page.goto(`/#channels/${stream_id}/general/general`);
  await page.getByRole("button", { name: "Archive" }).click();
  await page.getByRole("dialog").waitFor();
  await role(400);
  await isClosedWithAWord(page);
  await page.getByRole("button", { name: "Archive" }).waitFor({ state: "detached" });
  expect(browserSession.faults).toEqual([]);
});

test("closes a menu and a dialog of an account with a message", async () => {
  const { testServer } = fixture;
  const role = (expected: number) =>
    testServer.request("olga", `PATCH /users/${testServer.idOf("ada")}`, { role: expected });
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#organization/people");
  const menu = page.getByRole("menu");
  for (const name of [/^Role of Cy Member/, "Actions for Cy Member"]) {
    const button = page.getByRole("button", { name });
    await button.focus();
    await page.keyboard.press("Enter");
    await menu.waitFor();
    await role(400);
    await page.getByRole("alert").getByText("You no longer have permission to do that.").waitFor();
    await menu.waitFor({ state: "detached" });
    await page.locator("a:focus", { hasText: "Cy Member" }).waitFor();
    await role(200);
    await page.getByRole("alert").waitFor({ state: "detached" });
  }
  // A menu that needs no permission stays open.
  await page.getByRole("button", { name: /^Role of Cy Member/ }).waitFor();
  await page.locator(".sidebar [aria-haspopup=menu]").first().click();
  await menu.waitFor();
  await role(400);
  await page.getByRole("button", { name: /^Role of Cy Member/ }).waitFor({ state: "detached" });
  expect(await menu.count()).toBe(1);
  await role(200);
  expect(browserSession.faults).toEqual([]);
});

test("cancels edits of a former administrator", async () => {
  const { testServer } = fixture;
  await fixture.post("bo", "radish");
  const role = (expected: number) =>
    testServer.request("olga", `PATCH /users/${testServer.idOf("ada")}`, { role: expected });
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#organization/people");
  await page.getByRole("button", { name: "Actions for Cy Member" }).click();
  await page.getByRole("menuitem", { name: "Change name" }).click();
  const name = page.getByRole("dialog").getByLabel("Name");
  await name.fill("Bo Member*");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("alert").waitFor();
  expect(await name.getAttribute("aria-invalid")).toBe("true");
  expect(await name.inputValue()).toBe("Bo Member*");
  await role(400);
  await isClosedWithAWord(page);

  await role(200);
  await page.goto(`/#user/${testServer.idOf("cy")}`);
  await page.getByRole("button", { name: "Set a status" }).click();
  await page.getByRole("dialog", { name: "Edit status of" }).waitFor();
  await role(400);
  await page.getByRole("alert").getByText("You no longer have permission to do that.").waitFor();
  await page.getByRole("dialog", { name: "Edit status of" }).waitFor({ state: "detached" });
  await page.keyboard.press("Escape");

  await role(200);
  await page.goto(fixture.topicUrl);
  await waitForMessage(page, "radish");
  await page
    .locator(".bar")
    .getByRole("button", { name: /More|menu/ })
    .last()
    .click();
  await page.getByRole("menuitem", { name: "Delete topic" }).click();
  await page.getByRole("dialog").waitFor();
  await role(400);
  await isClosedWithAWord(page);
  await role(200);
  await waitForMessage(page, "radish");
});

test("explains missing permissions to others", async () => {
  const browserSession = await fixture.sessionOf("gus");
  const page = await browserSession.tab("/#invite");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("You don’t have permission to invite people.").waitFor();
  await dialog.getByText("Everyone except guests can send email invitations").waitFor();
  expect(await dialog.locator("[type=submit]").count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await page.getByRole("alert").count()).toBe(0);
});

test("offers nothing of a private channel after removal from it", async () => {
  const { testServer } = fixture;
  const subscribers = [testServer.idOf("ada"), testServer.idOf("cy")];
  const input = { name: "board", invite_only: true, subscribers };
  const { id: to } = await testServer.request("olga", "POST /channels/create", input);
  const content = "/poll Where?\nHere";
  const params = { type: "channel", to, topic: "t", content };
  const { id } = await testServer.request("ada", "POST /messages", params);
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(`/#narrow/channel/${to}-board/topic/t`);
  const all = await browserSession.tab(`/#narrow/channel/${to}-board`);
  await all.locator(`#m${id}`).waitFor();
  const follow = page.getByRole("button", { name: "Follow" });
  await follow.waitFor();
  await page.locator(`#m${id}`).getByRole("button", { name: "Add an option" }).press("Enter");
  await page.getByRole("dialog").getByRole("textbox").fill("There");
  const principals = [testServer.idOf("cy")];
  await testServer.request("ada", "DELETE /users/me/subscriptions", {
    subscriptions: ["board"],
    principals,
  });
  await page.locator(`#m${id}`).waitFor({ state: "detached" });
  await follow.waitFor({ state: "detached" });
  await all.locator(".feed-note", { hasText: "This channel does not exist" }).waitFor();
  expect(await all.getByRole("button", { name: "Start the first topic" }).count()).toBe(0);
  await page.keyboard.press("Enter");
  await page.locator(".toast", { hasText: "deleted or moved to where" }).waitFor();
  const { message } = await testServer.request("ada", `GET /messages/${id}`);
  expect(message.submessages).toHaveLength(1);
});

test("an action on a deleted message does nothing", async () => {
  const { id: otherMessageId } = await fixture.post("ada", "stays");
  const { id } = await fixture.post("ada", "goes");
  const page = await (await fixture.sessionOf("bo")).tab(fixture.topicUrl);
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("i");
  const star = page.getByRole("menuitem", { name: "Star" });
  await star.waitFor();
  await fixture.testServer.request("ada", `DELETE /messages/${id}`);
  await page.locator(`#m${id}`).waitFor({ state: "detached" });
  await star.press("Enter");
  await page.locator(".toast", { hasText: "deleted or moved to where" }).waitFor();
  expect(
    (await fixture.testServer.request("bo", `GET /messages/${otherMessageId}`)).message.flags,
  ).not.toContain("starred");
});
