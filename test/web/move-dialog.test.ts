// The dialog that moves messages: its defaults, and what it says about who can read them.
import { expect, test } from "bun:test";
import type { Json } from "../test-server.ts";
import { waitForMessage, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

test("suggests topics of the target, and counts guests who lose access", async () => {
  const { testServer } = fixture;
  const subscribers = [testServer.idOf("ada"), testServer.idOf("bo")];
  const { id: stream_id } = await testServer.request("ada", "POST /channels/create", {
    name: "prints",
    subscribers,
  });
  const to = { type: "channel", to: stream_id, topic: "first proof" };
  await testServer.request("ada", "POST /messages", { ...to, content: "here" });
  await testServer.request("ada", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "design" }],
    principals: [testServer.idOf("gus")],
  });
  await fixture.post("ada", "leek");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForMessage(page, "leek");
  await page.locator("article").filter({ hasText: "leek" }).press("m");
  const dialog = page.getByRole("dialog");
  const topic = dialog.getByRole("combobox", { name: "Topic" });
  const topics = dialog.getByRole("listbox", { name: "Topic" }).getByRole("option");
  await topic.waitFor();
  expect(await topics.count()).toBe(0);
  await topic.fill("");
  await topics.filter({ hasText: /^logo$/ }).waitFor();
  await dialog.getByLabel("Channel").selectOption({ label: "prints" });
  await topic.fill("f");
  await topics.filter({ hasText: /^first proof$/ }).waitFor();
  expect(await topics.allInnerTexts()).toEqual(["first proof", "New topic: f"]);
  await dialog.getByText("1 person will lose access because they are not in #prints.").waitFor();
  // The list takes the first Enter and the first Escape; the dialog the next.
  await topic.press("Escape");
  expect(await topics.count()).toBe(0);
  await topic.press("ArrowDown");
  await topics.first().waitFor();
  await topic.press("Enter");
  expect(await topic.inputValue()).toBe("first proof");
  await topic.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Moved to “first proof”").waitFor();
  expect(browserSession.faults).toEqual([]);
});

test("renames a topic from its menu, and the view follows", async () => {
  const { testServer, stream_id } = fixture;
  const to = { type: "channel", to: stream_id, topic: "old name" };
  for (const content of ["first", "second"])
    await testServer.request("ada", "POST /messages", { ...to, content });
  const browserSession = await fixture.sessionOf("ada");
  const address = fixture.topicUrl.replace("topic/logo", "topic/old.20name");
  const page = await browserSession.tab(address);
  await waitForMessage(page, "second");
  await page.locator(".bar").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Rename or move…" }).click();
  const dialog = page.getByRole("dialog", { name: "Rename or move topic" });
  await page.waitForFunction(() => getSelection()?.toString() === "old name");
  expect(await dialog.getByRole("radio").count()).toBe(0);
  await page.keyboard.type("new name");
  await dialog.getByRole("button", { name: "Move" }).click();
  await page.getByRole("heading", { level: 1, name: "new name" }).waitFor();
  for (const text of ["first", "second"]) await waitForMessage(page, text);
  // Users who may not move messages are not offered to.
  const { user_groups } = await testServer.request("ada", "GET /user_groups");
  const { id } = user_groups.find(({ name }: Json) => name === "role:administrators");
  await testServer.request("olga", "PATCH /realm", {
    can_move_messages_between_topics_group: { new: id },
    can_move_messages_between_channels_group: { new: id },
  });
  await testServer.request("ada", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "design" }],
    principals: [testServer.idOf("gus")],
  });
  const guest = await (await fixture.sessionOf("gus")).tab(address.replace("old", "new"));
  await waitForMessage(guest, "second");
  await guest.locator(".bar").getByRole("button", { name: "More" }).click();
  await guest.getByRole("menuitem", { name: "Copy link" }).waitFor();
  expect(await guest.getByRole("menuitem", { name: "Rename or move…" }).count()).toBe(0);
  expect(browserSession.faults).toEqual([]);
});

test("moves messages without a topic only where channels allow it", async () => {
  const { testServer } = fixture;
  for (const [name, topics_policy] of [
    ["one talk", "empty_topic_only"],
    ["with names", "disable_empty_topic"],
  ] as const) {
    const body = { name, subscribers: [testServer.idOf("ada")], topics_policy };
    await testServer.request("ada", "POST /channels/create", body);
  }
  await fixture.post("ada", "chard");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForMessage(page, "chard");
  await page.locator("article").filter({ hasText: "chard" }).press("m");
  const dialog = page.getByRole("dialog");
  const topic = dialog.getByRole("combobox", { name: "Topic" });
  const move = dialog.getByRole("button", { name: "Move", exact: true });
  const channel = dialog.getByLabel("Channel");
  await channel.selectOption({ label: "with names" });
  await topic.fill(" ");
  expect(await move.isDisabled()).toBe(true);
  await topic.fill("x");
  expect(await move.isDisabled()).toBe(false);
  await channel.selectOption({ label: "one talk" });
  await topic.waitFor({ state: "detached" });
  await move.click();
  await dialog.waitFor({ state: "detached" });
  await page.goto(`${browserSession.url}/#narrow/channel/one.20talk/topic/`);
  await waitForMessage(page, "chard");
  expect(browserSession.faults).toEqual([]);
});

test("says who sees messages moved to a protected history", async () => {
  const { testServer } = fixture;
  await testServer.request("ada", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "vault" }],
    principals: ["ada", "bo", "cy", "gus"].map((name) => testServer.idOf(name as "ada")),
    invite_only: true,
    history_public_to_subscribers: false,
  });
  await fixture.post("ada", "onion");
  const page = await (await fixture.sessionOf("ada")).tab(fixture.topicUrl);
  await waitForMessage(page, "onion");
  await page.locator("article").filter({ hasText: "onion" }).press("m");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Channel").selectOption({ label: "vault" });
  await dialog
    .getByText("In #vault, only members who had already received the messages will see them.")
    .waitFor();
});

test("accepts a fully typed topic, and Enter moves at once", async () => {
  for (const topic of ["felt", "felt and wool"]) {
    const to = { type: "channel", to: fixture.stream_id, topic };
    await fixture.testServer.request("ada", "POST /messages", { ...to, content: "here" });
  }
  await fixture.post("ada", "fennel");
  const page = await (await fixture.sessionOf("ada")).tab(fixture.topicUrl);
  await waitForMessage(page, "fennel");
  await page.locator("article").filter({ hasText: "fennel" }).press("m");
  const dialog = page.getByRole("dialog");
  const topics = dialog.getByRole("listbox", { name: "Topic" }).getByRole("option");
  await dialog.getByRole("combobox", { name: "Topic" }).fill("felt");
  await topics.first().waitFor();
  expect(await topics.allInnerTexts()).toEqual(["felt", "felt and wool"]);
  await page.keyboard.press("Enter");
  await page.getByText("Moved to “felt”").waitFor();
});

test("a resolved topic stays resolved when it is renamed", async () => {
  const { testServer, stream_id } = fixture;
  const to = { type: "channel", to: stream_id, topic: "✔ proof" };
  await testServer.request("ada", "POST /messages", { ...to, content: "approved" });
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(
    fixture.topicUrl.replace("topic/logo", "topic/.E2.9C.94.20proof"),
  );
  await waitForMessage(page, "approved");
  await page.locator(".bar").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Rename or move…" }).click();
  const dialog = page.getByRole("dialog", { name: "Rename or move topic" });
  await page.waitForFunction(() => getSelection()?.toString() === "proof");
  expect(await dialog.getByRole("button", { name: "Move" }).isDisabled()).toBe(true);
  await page.keyboard.type("final proof");
  await dialog.getByRole("button", { name: "Move" }).click();
  await page.getByRole("heading", { level: 1, name: "final proof" }).waitFor();
  await page.getByRole("button", { name: "Unresolve" }).waitFor();
});
