// Layout: full names, dialogs, suggestions above a keyboard, and focus outlines.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { faultsOf } from "./axe.ts";
import { BrowserSession } from "./browser-session.ts";
import { waitForMessage, BrowserFixture } from "./browser-fixture.ts";

const LONG_WORD = "Qualitätssicherungsbeauftragtenversammlungsprotokolle 2026";
const TOPIC = "A topic whose name goes on until nothing is left of the room";

const fixture = await BrowserFixture.forTestFile();
const { testServer } = fixture;
const description = "Description is told at more length than any line of a list has room for";
const principals = [testServer.idOf("ada"), testServer.idOf("bo")];
await testServer.request("ada", "POST /users/me/subscriptions", {
  subscriptions: [{ name: LONG_WORD }, { name: "enclosure", description }],
  principals,
});
const { stream_id: long } = await testServer.request("ada", "GET /get_stream_id", {
  stream: LONG_WORD,
});
const post = (topic: string, content: string) =>
  testServer.request("bo", "POST /messages", { type: "channel", to: long, topic, content });
await post(TOPIC, "In a long place");
await fixture.post("bo", "To be handed on");

const openOnPhone = async (path: string) =>
  (await BrowserSession.forPhone(testServer, "ada")).tab(path);

const boxOf = (locator: Locator) =>
  locator.evaluate((node) => {
    const { left, right, top, bottom, width, height } = node.getBoundingClientRect();
    return { left, right, top, bottom, width, height };
  });

/** Elements whose text is truncated with an ellipsis. */
const truncatedTexts = (all: Locator) =>
  all.evaluateAll((nodes) =>
    nodes
      .filter((node) => node.scrollWidth > node.clientWidth)
      .map((node) => node.textContent ?? ""),
  );

const isWide = (page: Page, label: string) =>
  page.locator(label).evaluate((node) => node.scrollWidth > node.clientWidth);

test("truncates a channel's long name before the topic, without overlap", async () => {
  const page = await openOnPhone("/#recent");
  const row = page.locator(".list-row", { hasText: TOPIC });
  await row.waitFor();
  expect(await isWide(page, ".sheet .scroll")).toBe(false);
  const [topic, channel, end] = await Promise.all([
    boxOf(row.locator(".top b")),
    boxOf(row.locator(".top small")),
    boxOf(row.locator(".end")),
  ]);
  expect(topic.width).toBeGreaterThan(channel.width);
  expect(topic.right).toBeLessThanOrEqual(channel.left);
  expect(channel.right).toBeLessThanOrEqual(end.left);
});

test("truncates descriptions before names in the channel picker", async () => {
  const page = await openOnPhone("/#inbox");
  await page.locator(".list-row").first().waitFor();
  await page.keyboard.press("c");
  const field = page.locator("input[name=channel]");
  await field.waitFor();
  expect((await boxOf(field)).height).toBeGreaterThanOrEqual(44);
  await field.fill("encl");
  const option = page.getByRole("option", { name: /enclosure/ });
  await option.waitFor();
  expect(await truncatedTexts(option.locator("small"))).toEqual([description]);
  expect(await truncatedTexts(option.locator(".t"))).toEqual([]);
});

test("fits a dialog to the viewport, however long its names", async () => {
  const page = await openOnPhone(fixture.topicUrl);
  await waitForMessage(page, "To be handed on");
  await page.locator("article").first().focus();
  await page.keyboard.press("<");
  const dialog = page.getByRole("dialog");
  await dialog.locator("select").waitFor();
  expect(await dialog.locator("option", { hasText: LONG_WORD }).count()).toBe(1);
  expect(await isWide(page, ".dialog")).toBe(false);
});

test("shows suggestions from their first line above a keyboard", async () => {
  const page = await openOnPhone(fixture.topicUrl);
  await waitForMessage(page, "To be handed on");
  await page.setViewportSize({ width: 360, height: 400 });
  const text = page.locator("form.compose textarea");
  await text.fill("one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
  await text.press("End");
  await page.keyboard.type("@");
  const list = page.locator(".compose-pop");
  await list.waitFor();
  expect((await boxOf(list)).top).toBeGreaterThanOrEqual(0);
  await text.fill("");
});

test("fits the largest text into a 320 px viewport", async () => {
  await testServer.request("ada", "PATCH /settings", {
    web_font_size_px: 20,
    default_language: "de",
  });
  const page = await openOnPhone("/#inbox");
  await page.setViewportSize({ width: 320, height: 640 });
  const main = page.locator("main");
  const views = [
    [fixture.topicUrl.slice(1), "form.compose [type=submit]"],
    ["#narrow/search/handed", ".search-field"],
    ["#feed", ".compose-closed"],
    ["#channels", ".filters .field"],
    ["#channels/new", ".foot-bar"],
    ["#groups", ".filters .seg"],
    ["#recent", ".filters .seg"],
    ["#organization/people", ".org-filters"],
  ] as const;
  for (const [address, selector] of views) {
    await page.goto(`/${address}`);
    const element = main.locator(selector).first();
    await element.waitFor();
    const { right, height } = await boxOf(element);
    expect({ address, isInside: right <= 320, isLow: height < 200 }).toEqual({
      address,
      isInside: true,
      isLow: true,
    });
    // The text of the buttons is not truncated either.
    expect(await truncatedTexts(element.locator("button"))).toEqual([]);
  }
  await page.close();
  await testServer.request("ada", "PATCH /settings", {
    web_font_size_px: 16,
    default_language: "en",
  });
});

test("separates pictures in the settings from what is above", async () => {
  const page = await (await fixture.sessionOf("ada")).tab("/#organization/profile");
  const heads = page.locator(".settings-picture h3");
  await heads.nth(2).waitFor();
  const above = await heads.evaluateAll((nodes) =>
    nodes.map((node) => {
      const before = node.parentElement!.previousElementSibling!;
      return node.getBoundingClientRect().top - before.getBoundingClientRect().bottom;
    }),
  );
  expect(above.filter((space) => space < 20)).toEqual([]);
});

test("a list without a selection uses the whole width", async () => {
  const page = await (await fixture.sessionOf("bo")).tab("/#channels");
  await page.setViewportSize({ width: 1000, height: 700 });
  const list = page.locator(".channel-list");
  await list.waitFor();
  const [{ width }, { width: all }] = await Promise.all([boxOf(list), boxOf(page.locator("main"))]);
  expect(width).toBe(all);
});

test("shows the focus ring of scroll containers on all sides", async () => {
  const page = await (await fixture.sessionOf("bo")).tab("/#channels/new");
  const region = page.locator(".page-body[role=region]");
  await region.waitFor();
  await page.keyboard.press("Tab");
  await region.focus();
  const [offset, width] = await region.evaluate((node) => {
    const { outlineOffset, outlineWidth } = getComputedStyle(node);
    return [Number.parseFloat(outlineOffset), Number.parseFloat(outlineWidth)];
  });
  // The outline is inside the element, because adjacent elements would cover it outside.
  expect(offset).toBe(-width!);
  expect(width).toBeGreaterThan(0);
});

test("moves the focus into channel settings, without a ring around the whole page", async () => {
  const page = await (await fixture.sessionOf("ada")).tab("/#channels/all");
  await page.goto(`/#channels/${fixture.stream_id}/design/general`);
  await page.getByRole("button", { name: "Open", exact: true }).waitFor();
  await page.getByRole("button", { name: "Close", exact: true }).focus();
  await page.keyboard.press("Tab");
  await page
    .getByRole("button", { name: "Open", exact: true })
    .and(page.locator(":focus"))
    .waitFor();
  expect(await faultsOf(page)).toEqual([]);
});

test("fits results and tokens on a small phone", async () => {
  const bo = testServer.idOf("bo");
  const page = await openOnPhone(`/#narrow/channel/${long}-x/sender/${bo}/search/place`);
  await page.setViewportSize({ width: 320, height: 568 });
  await waitForMessage(page, "In a long place");
  await page.locator(".end-of").waitFor();
  const field = await boxOf(page.locator(".search-field"));
  for (const pill of await page.locator(".search-field .pill").all()) {
    expect((await boxOf(pill)).right).toBeLessThan(field.right);
  }
  expect((await boxOf(page.locator("main .messages"))).height).toBeGreaterThan(180);
  // The icon is beside the first pill, and the sentence shows the names in bold.
  const sign = await boxOf(page.locator(".search-field > .i"));
  const first = await boxOf(page.locator(".search-field .pill").first());
  expect(first.left).toBeGreaterThan(sign.right);
  expect(sign.top).toBeGreaterThan(first.top);
  expect(await page.locator(".says b").allTextContents()).toEqual([LONG_WORD, "Bo Member"]);
  await page.goto(page.url().replace("/place", "/nowhere"));
  await page.locator(".end-of .btn").nth(1).waitFor();
  for (const button of await page.locator(".end-of .btn").all()) {
    expect((await boxOf(button)).right).toBeLessThanOrEqual(field.right);
  }
});

test("fits settings into a 320 px viewport", async () => {
  const page = await openOnPhone("/#settings/preferences");
  await page.setViewportSize({ width: 320, height: 568 });
  for (const address of ["settings/preferences", "settings/notifications"]) {
    await page.goto(`/#${address}`);
    await page.locator(".settings-row .field").first().waitFor();
    const beyond = await page
      .locator(".settings-row .field")
      .evaluateAll((all) => all.filter((node) => node.getBoundingClientRect().right > 304).length);
    expect({ address, beyond }).toEqual({ address, beyond: 0 });
  }
});

test("shows a channel's whole name beside a short topic, also on a phone", async () => {
  const page = await openOnPhone(fixture.topicUrl);
  await page.setViewportSize({ width: 320, height: 568 });
  await waitForMessage(page, "To be handed on");
  expect(await truncatedTexts(page.locator(".bar h1 :is([data-c]:has(.crumb), .tp)"))).toEqual([]);
});

test("fits large text beside messages and in the sidebar", async () => {
  const characters = (web_font_size_px: number) =>
    testServer.request("ada", "PATCH /settings", { web_font_size_px });
  await characters(24);
  await testServer.request("ada", "POST /users/me/status", {
    status_text: "In the workshop, for a while yet",
  });
  const page = await (await fixture.sessionOf("ada")).tab(fixture.topicUrl);
  await page.setViewportSize({ width: 1360, height: 860 });
  const rows = page.locator(".panel .person");
  await rows.locator("small").first().waitFor();
  const small = await rows.evaluateAll((nodes) =>
    nodes.filter((node) => node.scrollHeight > node.clientHeight).map((node) => node.textContent),
  );
  expect(small).toEqual([]);
  await page.locator(".sidebar-user-text small").waitFor();
  const [{ right }, top] = await Promise.all([
    boxOf(page.locator(".sidebar")),
    boxOf(page.locator(".sidebar-top")),
  ]);
  expect(top.right).toBe(right);
  await post("large letters", "Unread");
  await page.setViewportSize({ width: 390, height: 780 });
  await page.goto("/#inbox");
  const badge = page.locator(".tabbar .badge").first();
  expect(await badge.evaluate((node) => getComputedStyle(node).fontSize)).toBe("14px");
  await characters(16);
});

test("shows the whole focus ring of Send", async () => {
  const page = await (await fixture.sessionOf("bo")).tab(fixture.topicUrl);
  const send = page.locator("form.compose [type=submit]");
  await send.waitFor();
  const overflows = await send.evaluate((node) => {
    const all: string[] = [];
    for (
      let element = node.parentElement!;
      element.tagName !== "FORM";
      element = element.parentElement!
    ) {
      all.push(getComputedStyle(element).overflow);
    }
    return all;
  });
  expect(new Set(overflows)).toEqual(new Set(["visible"]));
});

test("places a folder heading close to its channel on touch screens", async () => {
  const { channel_folder_id: folder_id } = await testServer.request(
    "ada",
    "POST /channel_folders/create",
    {
      ...{ name: "Fields", description: "" },
    },
  );
  const subscriptions = [{ name: "orchard" }];
  await testServer.request("ada", "POST /users/me/subscriptions", {
    subscriptions,
    principals,
    folder_id,
  });
  const sent = { type: "channel", to: "orchard", topic: "frost", content: "Unread" };
  await testServer.request("bo", "POST /messages", sent);
  const page = await openOnPhone("/#inbox");
  const head = (name: string) => page.locator(".list-head h2").getByRole("button", { name });
  const [folder, channel] = [await boxOf(head("Fields")), await boxOf(head("orchard"))];
  expect(folder.height).toBeGreaterThanOrEqual(44);
  expect(channel.top).toBeGreaterThanOrEqual(folder.bottom);
  expect(channel.top - folder.bottom).toBeLessThan(4);
});

test("shows the offline banner first, and Send with its corners", async () => {
  const page = await openOnPhone(fixture.topicUrl);
  await waitForMessage(page, "To be handed on");
  const send = page.locator(".compose .send .btn").first();
  const corners = await send.evaluate((node) => getComputedStyle(node).borderRadius.split(" "));
  expect(corners).toHaveLength(1);
  await page.context().setOffline(true);
  const strip = page.locator(".status-banner");
  await strip.getByText("Your messages are saved.").waitFor();
  expect(await strip.locator("b").innerText()).toStartWith("Offline, last updated");
  await page.context().setOffline(false);
  await strip.waitFor({ state: "detached" });
});

test("lists the pages of settings on tablets, and stacks choices on phones", async () => {
  const page = await openOnPhone("/#settings/profile");
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.getByRole("link", { name: "Notifications", exact: true }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/#channels/new");
  await page.locator(".page-body details > summary").click();
  const row = page.locator(".page-body .option-row:has(select)").first();
  const [outer, field] = [await boxOf(row), await boxOf(row.locator(".field:has(select)"))];
  expect(field.width).toBe(outer.width);
});
