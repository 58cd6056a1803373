// Actions on messages by keyboard, and their errors.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { Json } from "../test-server.ts";
import { until } from "../wait-until.ts";
import { waitForValue, BrowserFixture } from "./browser-fixture.ts";

let fixture: BrowserFixture;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
});
afterEach(() => fixture.close());

const messageOf = async (id: number): Promise<Json> =>
  (await fixture.testServer.request("ada", `GET /messages/${id}`)).message;

/** Opens a tab of this user's at the message. */
async function openAtMessage(id: number, name: "ada" | "bo" | "cy" = "ada"): Promise<Page> {
  const browserSession = await fixture.sessionOf(name);
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(`#m${id}`).focus();
  return page;
}

test("reacts by keyboard: thumbs up, by name, adding to one, and removing", async () => {
  const { id } = await fixture.post("bo", "React to me");
  const page = await openAtMessage(id);
  await page.keyboard.press("+");
  await page.locator(`#m${id} .react [aria-pressed="true"]`).waitFor();
  await page.keyboard.press(":");
  await page.locator(".emoji-pop input:enabled").waitFor();
  await page.keyboard.type("tad");
  await page.keyboard.press("Enter");
  const codes = async () =>
    (await messageOf(id)).reactions.map((reaction: Json) => reaction.emoji_code);
  await until(async () => (await codes()).length === 2);
  expect(await codes()).toEqual(["1f44d", "1f389"]);
  await page.keyboard.press("=");
  await until(async () => (await codes()).length === 1);
  // The focus has stayed in the row.
  await page.locator(`#m${id}:focus-within`).waitFor();
});

test("shows the user's most used emoji in the picker", async () => {
  const { id } = await fixture.post("bo", "Which ones are mine?");
  const page = await openAtMessage(id);
  const area = page.locator(".compose textarea");
  await area.click();
  await page.keyboard.type("So :octop");
  await page.locator(".compose [role=option]", { hasText: "octopus" }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Emoji", exact: true }).click();
  await page.locator(".emoji-pop input").fill("avocado");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() =>
    document.querySelector<HTMLTextAreaElement>(".compose textarea")!.value.includes(":avocado:"),
  );
  await area.fill("");
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press(":");
  const own = page.getByRole("group", { name: "Frequently used" });
  for (const name of ["octopus", "avocado"]) await own.getByRole("option", { name }).waitFor();
  await page.keyboard.press("Escape");
});

test("rolls back a rejected reaction with the server's message", async () => {
  const { id } = await fixture.post("bo", "Nothing works here");
  const page = await openAtMessage(id);
  await page.route("**/reactions", (route) =>
    route.fulfill({
      status: 400,
      json: { result: "error", msg: "Not today.", code: "BAD_REQUEST" },
    }),
  );
  await page.keyboard.press("+");
  await page.getByRole("alert").getByText("Not today.").waitFor();
  await page.locator(`#m${id} .react`).waitFor({ state: "detached" });
});

test("votes by keyboard: Tab leads to options, Enter votes and unvotes", async () => {
  const { id } = await fixture.post("bo", "/poll When?\nNow\nLater");
  const page = await openAtMessage(id);
  const option = page.locator(`#m${id} .poll .opt`).nth(1);
  await option.waitFor();
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press("Tab");
    if (await option.evaluate((node) => node === document.activeElement)) break;
  }
  // Report where Tab moved the focus, instead of a timeout of the vote.
  expect(await page.evaluate(() => document.activeElement?.textContent)).toStartWith("Later");
  await page.keyboard.press("Enter");
  await page.locator(`#m${id} .opt[aria-pressed="true"]`).waitFor();
  const votes = async () => (await messageOf(id)).submessages.length - 1;
  await until(async () => (await votes()) === 1);
  // Looks the option up again, because the vote has rendered it again.
  await page.locator(".opt:focus", { hasText: "Later 11 vote" }).waitFor();
  await page.keyboard.press("Enter");
  await until(async () => (await votes()) === 2);
  await page.locator(`#m${id} .opt[aria-pressed="true"]`).waitFor({ state: "detached" });
});

test("offers reminders only in the future", async () => {
  const { id } = await fixture.post("bo", "Remember me");
  const page = await openAtMessage(id);
  await page.keyboard.press("i");
  await page.getByRole("menuitem", { name: "Remind me" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Remind me" });
  await dialog.getByLabel("Custom time").fill("2020-01-01T09:00");
  await dialog.getByText("Choose a time in the future.").waitFor();
  const remind = dialog.getByRole("button", { name: "Remind me" });
  expect(await remind.isDisabled()).toBe(true);
  await dialog.getByLabel("Custom time").fill("2099-01-01T09:00");
  await remind.click();
  await dialog.waitFor({ state: "detached" });
  const readStored = async () =>
    (await fixture.testServer.request("ada", "GET /reminders")).reminders;
  await until(async () => (await readStored()).length === 1);
  expect((await readStored())[0].reminder_target_message_id).toBe(id);
});

test("offers no undo of a deletion that was sent, even under the pointer", async () => {
  const { id } = await fixture.post("ada", "Delete me at once");
  const page = await openAtMessage(id);
  await page.keyboard.press("i");
  await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
  const notice = page.locator(".toast", { hasText: "Undo" });
  await notice.hover();
  await notice.waitFor({ state: "detached" });
});

test("a deletion can be undone before it is sent", async () => {
  const { id } = await fixture.post("ada", "Delete me");
  const page = await openAtMessage(id);
  const requests: string[] = [];
  page.on("request", (request) => request.method() === "DELETE" && requests.push(request.url()));
  await page.keyboard.press("i");
  await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
  await page.locator(`#m${id}`).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await page.locator(`#m${id}`).waitFor();
  expect(requests).toEqual([]);
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("i");
  await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
  await page.locator(`#m${id}`).waitFor({ state: "detached" });
  await until(
    async () => (await fixture.testServer.send("ada", `GET /messages/${id}`)).status !== 200,
  );
  expect(requests.length).toBe(1);
});

test("keeps an edit when another user was faster", async () => {
  const { id } = await fixture.post("ada", "First words");
  const page = await openAtMessage(id);
  await page.keyboard.press("e");
  const field = page.locator(`#m${id} .edit-box textarea`);
  await field.waitFor();
  expect(await field.inputValue()).toBe("First words");
  await field.fill("My words");
  await fixture.testServer.request("ada", `PATCH /messages/${id}`, { content: "Their words" });
  await page.keyboard.press("Control+Enter");
  const refused = page.locator(`#m${id}[data-state=refused]`);
  await refused.getByText("in the meantime").waitFor();
  await page.locator(`#m${id} .md`).getByText("Their words").waitFor();
  // The rejected edit remains after a reload, until the user decides.
  await page.reload();
  await refused.getByRole("button", { name: "Edit", exact: true }).press("Enter");
  await waitForValue(field, "My words");
  await field.fill("Last words");
  await page.keyboard.press("Control+Enter");
  await page.locator(`#m${id}`).getByText("Last words").waitFor();
  await page.locator(`#m${id}:focus-within`).waitFor();
  await page.keyboard.press("H");
  await page.getByRole("dialog").locator(".highlight_text_inserted").first().waitFor();
});

test("renders earlier versions like messages, each compared to the next", async () => {
  const { id } = await fixture.post("ada", "One\n\nTwo\n- a\n- b");
  await fixture.testServer.request("ada", `PATCH /messages/${id}`, {
    content: "One\n\nThree\n- a\n- b",
  });
  const page = await openAtMessage(id);
  await page.locator(`#m${id}`).press("H");
  const dialog = page.getByRole("dialog");
  await dialog.locator(".highlight_text_inserted").first().waitFor();
  const isDrawn = (within: Locator) =>
    within
      .locator(".md")
      .first()
      .evaluate((node) => {
        const all = [...node.querySelectorAll("p + p, ul, li")];
        const styles = all.map((item) => getComputedStyle(item));
        return styles.map(({ marginTop, borderTopWidth }) => [marginTop, borderTopWidth]);
      });
  expect(await isDrawn(dialog)).toEqual(await isDrawn(page.locator(`#m${id}`)));
});

test("offers the source instead of editing without permission", async () => {
  const { id } = await fixture.post("ada", "Mine");
  const page = await openAtMessage(id, "cy");
  await page.keyboard.press("i");
  await page.getByRole("menu").waitFor();
  const items = await page.getByRole("menuitem").allInnerTexts();
  expect(items.some((text) => /Delete|Edit/.test(text))).toBe(false);
  await page.keyboard.press("Escape");
  await page.keyboard.press("e");
  await page.getByRole("dialog").locator("textarea").waitFor();
  expect(await page.getByRole("dialog").locator("textarea").inputValue()).toBe("Mine");
});

test("follows a renamed or resolved topic that is open", async () => {
  const { id } = await fixture.testServer.request("bo", "POST /messages", {
    ...{ type: "channel", to: fixture.stream_id, topic: "old name", content: "Here I stay" },
  });
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(
    `/#narrow/channel/${fixture.stream_id}-design/topic/old.20name`,
  );
  await page.locator(`#m${id}`).waitFor();
  const rename = (params: object) =>
    fixture.testServer.request("ada", `PATCH /messages/${id}`, {
      propagate_mode: "change_all",
      ...params,
    });
  await rename({ topic: "new name", send_notification_to_new_thread: false });
  await page.waitForURL(/topic\/new\.20name/);
  await page.locator(`#m${id}`).waitFor();
  await rename({ topic: "✔ new name" });
  await page.waitForURL(/topic\/.E2.9C.94.20new\.20name/);
  await page.locator(`#m${id}`).waitFor();
  await page.getByRole("heading", { level: 1 }).getByText("new name").waitFor();
  expect(browserSession.faults).toEqual([]);
});

test("hides an open channel when access is lost", async () => {
  const { testServer } = fixture;
  const subscriptions = [{ name: "secret" }];
  const principals = [testServer.idOf("ada"), testServer.idOf("cy")];
  await testServer.request("ada", "POST /users/me/subscriptions", {
    ...{ subscriptions, principals, invite_only: true },
  });
  const { stream_id } = await testServer.request("ada", "GET /get_stream_id", { stream: "secret" });
  const { id } = await testServer.request("ada", "POST /messages", {
    ...{ type: "channel", to: stream_id, topic: "plans", content: "Nobody else may read this" },
  });
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(`/#narrow/channel/${stream_id}-secret/topic/plans`);
  await page.locator(`#m${id}`).focus();
  await testServer.request("ada", "DELETE /users/me/subscriptions", {
    ...{ subscriptions: ["secret"], principals: [testServer.idOf("cy")] },
  });
  await page.locator(`#m${id}`).waitFor({ state: "detached" });
  expect(await page.getByText("Nobody else may read this").count()).toBe(0);
  await page.reload();
  await page.locator("main[data-connection=live]").waitFor();
  expect(await page.getByText("Nobody else may read this").count()).toBe(0);
});

test("opens a message by its URL alone", async () => {
  const { id } = await fixture.post("bo", "Find me");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(`/m/${id}`);
  await page.locator(`#m${id}`).waitFor();
  // The channel's current name follows its id.
  const address = new RegExp(`/#narrow/channel/${fixture.stream_id}-\\w+/topic/logo/near/${id}$`);
  expect(page.url()).toMatch(address);
});

test("updates a channel's name above its messages", async () => {
  const { id } = await fixture.post("bo", "Under another name");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#feed");
  await page.locator(`#m${id}`).waitFor();
  await fixture.testServer.request("ada", `PATCH /streams/${fixture.stream_id}`, {
    new_name: "drawing",
  });
  await page.locator(".conv-bar").getByText("drawing").first().waitFor();
  expect(await page.locator(".conv-bar").getByText("design").count()).toBe(0);
  await page.locator(`#m${id}`).waitFor();
});
