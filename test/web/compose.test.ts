// Writing by keyboard: no text is lost or sent by mistake, and no foreign script runs.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { BrowserSession } from "./browser-session.ts";
import { NetworkFailure, routeOnce } from "./failing-network.ts";
import { waitForMessage, waitForConnection, BrowserFixture } from "./browser-fixture.ts";
import { chip } from "./composer-content.ts";
import { until } from "../wait-until.ts";

let fixture: BrowserFixture;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
});
afterEach(() => fixture.close());

const textField = (page: Page) => page.locator(".compose textarea");
const textOf = (page: Page) => textField(page).inputValue();
const postedContents = async () => (await fixture.listPosted()).map(({ content }) => content);
const options = (page: Page) => page.locator(".compose [role=option]");

async function openComposer(
  browserSession: BrowserSession,
  fragment = fixture.topicUrl,
): Promise<Page> {
  const page = await browserSession.tab(fragment);
  await waitForConnection(page, "live");
  await textField(page).click();
  return page;
}

const waitForText = (page: Page, text: string) =>
  page.waitForFunction(
    (expected) =>
      document.querySelector<HTMLTextAreaElement>(".compose textarea")?.value === expected,
    text,
  );

const waitForSaved = (page: Page) =>
  page.locator(".compose [role=status]", { hasText: "saved" }).waitFor();

test("shows a sent message at once, as the server will render it", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await openComposer(browserSession);
  const network = await NetworkFailure.of(browserSession.context, "**/json/messages");
  await page.keyboard.type("- **bold** @**Cy Member**");
  await page.keyboard.press("Control+Enter");
  const row = page.locator("article[data-state]");
  await row.locator("li strong").waitFor();
  await page.locator(".send-state", { hasText: "Not sent yet" }).waitFor();
  const before = await row.locator(".md").innerHTML();
  await row.evaluate((node) => node.setAttribute("data-probe", ""));
  expect(await textOf(page)).toBe("");
  network.stopFailing();
  await page.locator("[data-act=unsent-retry]").press("Enter");
  await page.locator("article[data-probe]:not([data-state])").waitFor();
  const { id } = await page.locator("article[data-probe]").evaluate(({ id }) => ({ id }));
  expect(id).toMatch(/^m\d{1,9}$/);
  expect(await page.locator("article[data-probe] .md").innerHTML()).toBe(before);
  expect(await page.locator("article.msg").count()).toBe(1);
  expect(await postedContents()).toEqual(["- **bold** @**Cy Member**"]);
});

test("loses no text through a stray key, another view or a reload", async () => {
  const browserSession = await fixture.sessionOf("bo");
  await fixture.post("ada", "hello");
  // The test may press Escape once too often; with this setting it does not leave the view.
  const setting = { web_escape_navigates_to_home_view: false };
  await fixture.testServer.request("bo", "PATCH /settings", setting);
  const page = await openComposer(browserSession);
  await page.keyboard.type("half a thought");
  for (const key of ["Escape", "c", "Escape", "Escape", "x", "Escape", "Escape", "r"])
    await page.keyboard.press(key);
  await waitForText(page, "half a thought");
  await waitForSaved(page);
  await page.goto("/#narrow/dm/" + fixture.testServer.idOf("ada"));
  await waitForText(page, "");
  await textField(page).fill("for Ada");
  await page.goto(fixture.topicUrl);
  await waitForText(page, "half a thought");
  // Reloads before the draft could be stored.
  await textField(page).press("End");
  await page.keyboard.type(" more");
  await page.reload();
  await waitForText(page, "half a thought more");
  await page.keyboard.press("Escape");
  await page.locator(".feed").focus();
  await page.keyboard.press("c");
  await page.locator("input[name=topic]:focus").waitFor();
  await page.keyboard.type("aside");
  await page.keyboard.press("Enter");
  await waitForText(page, "half a thought more");
  await page.goto("/#narrow/dm/" + fixture.testServer.idOf("ada"));
  await waitForText(page, "for Ada");
  await page.goto(`/#narrow/channel/${fixture.stream_id}-design/topic/aside`);
  await waitForText(page, "half a thought more");
  for (;;) {
    const { drafts } = await fixture.testServer.request("bo", "GET /drafts");
    if (drafts.length === 2) break;
    await Bun.sleep(50);
  }
  expect(await postedContents()).toEqual(["hello"]);
  expect(browserSession.faults).toEqual([]);
});

test("sends nothing while an input method is composing", async () => {
  const browserSession = await fixture.sessionOf("bo");
  await fixture.testServer.request("bo", "PATCH /settings", { enter_sends: true });
  const page = await openComposer(browserSession);
  const ime = await browserSession.context.newCDPSession(page);
  const composed = { text: "に", selectionStart: 1, selectionEnd: 1 };
  await ime.send("Input.imeSetComposition", composed);
  await page.keyboard.press("Enter");
  await ime.send("Input.insertText", { text: "日本" });
  expect(await textOf(page)).toContain("日本");
  expect(await page.locator("article.msg").count()).toBe(0);
  await textField(page).fill("日本");
  await page.keyboard.press("Enter");
  await waitForMessage(page, "日本");
  expect(await textOf(page)).toBe("");
});

test("shows hostile names as text, and selects them by keyboard", async () => {
  const topic = "<img src=x onerror=alert(1)>";
  const to = { type: "channel", to: fixture.stream_id, topic };
  await fixture.testServer.request("ada", "POST /messages", { ...to, content: "hi" });
  await fixture.testServer.request("cy", "PATCH /settings", { full_name: "Cy <b onx=1" });
  const browserSession = await fixture.sessionOf("bo");
  const page = await openComposer(browserSession);
  await page.keyboard.type("ask @cy");
  await options(page).filter({ hasText: "<b" }).waitFor();
  await page.keyboard.press("Tab");
  await waitForText(page, "ask @**Cy <b onx=1** ");
  await page.keyboard.type("in #img");
  await options(page).filter({ hasText: "onerror" }).waitFor();
  await page.keyboard.press("Escape");
  expect(await options(page).count()).toBe(0);
  await page.keyboard.type(" #design>");
  await options(page).filter({ hasText: "onerror" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Alt+p");
  await page.locator(".compose-preview .mention").waitFor();
  expect(browserSession.faults).toEqual([]);
});

test("adds a mark around the selection, and undo removes it", async () => {
  const page = await openComposer(await fixture.sessionOf("bo"));
  await page.keyboard.type("so bold");
  await page.keyboard.press("Control+Shift+ArrowLeft");
  await page.keyboard.press("Control+b");
  expect(await textOf(page)).toBe("so **bold**");
  await page.keyboard.press("Control+z");
  expect(await textOf(page)).toBe("so bold");
  await page.getByRole("button", { name: "Italic" }).click();
  expect(await textOf(page)).toBe("so *bold*");
});

/** Requests that upload a piece of a file, or ask how much of it the server has. */
const TUS_UPLOAD = /\/json\/tus\/./;

test("continues an upload after a reload, at its place in the text", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await openComposer(browserSession);
  await page.keyboard.type("look at this");
  const network = await NetworkFailure.of(browserSession.context, TUS_UPLOAD);
  const file = { name: "notes [1].txt", mimeType: "text/plain", buffer: Buffer.from("kept") };
  await page.locator(".compose input[type=file]").setInputFiles(file);
  await chip(page, "notes (1).txt", "uploading").waitFor();
  await waitForSaved(page);
  await page.reload();
  await chip(page, "notes (1).txt", "uploading").waitFor();
  await textField(page).click();
  await page.keyboard.press("Control+Enter");
  await page.getByText("Sends when the uploads finish").waitFor();
  network.stopFailing();
  await page.locator("article.msg a.card[href*=user_uploads]").waitFor();
  await page.locator("article.msg:not([data-state])").waitFor();
  const [content = ""] = await postedContents();
  expect(content).toStartWith("look at this\n[notes (1).txt]");
  expect(content).toContain("/user_uploads/");
  expect(content).not.toContain("uploading");
});

test("starts a topic, quotes and schedules with the keyboard alone", async () => {
  const { id } = await fixture.post("ada", "what do you think?");
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#feed");
  await waitForConnection(page, "live");
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press(">");
  await page.waitForFunction(() =>
    /quote\nwhat do/.test(document.querySelector("textarea")?.value ?? ""),
  );
  expect(await textOf(page)).toMatch(/^@_\*\*Ada Admin\|\d+\*\* \[said\]\(http/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await page.locator("input[name=topic]:focus").waitFor();
  await page.keyboard.type("A new one");
  await options(page).filter({ hasText: "New topic: A new one" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("better here");
  await page.keyboard.press("Control+Enter");
  await waitForMessage(page, "better here");
  await page.locator("article.msg[data-state]").waitFor({ state: "detached" });
  const narrow = [{ operator: "topic", operand: "A new one" }];
  const { messages } = await fixture.testServer.request("ada", "GET /messages", {
    narrow,
    anchor: "newest",
    num_before: 1,
    num_after: 0,
  });
  expect(messages[0].content).toContain("better here");

  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("r");
  await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
  await page.keyboard.type("not now");
  await page.getByRole("button", { name: "Send later" }).press("Enter");
  await page.getByRole("menuitem", { name: "Tomorrow morning" }).press("Enter");
  await waitForText(page, "");
  const { scheduled_messages } = await fixture.testServer.request("bo", "GET /scheduled_messages");
  expect(scheduled_messages).toMatchObject([{ content: "not now", topic: "logo" }]);
  expect(browserSession.faults).toEqual([]);
});

test("schedules a text once, and sends others meanwhile", async () => {
  const page = await openComposer(await fixture.sessionOf("bo"));
  const response = Promise.withResolvers<void>();
  await routeOnce(page, /scheduled_messages/, async (route) => {
    await response.promise;
    await route.fallback();
  });
  await page.keyboard.type("not now");
  const later = page.getByRole("button", { name: "Send later" });
  await later.press("Enter");
  await page.getByRole("menuitem", { name: "Tomorrow morning" }).press("Enter");
  await page.getByText("Scheduling…").waitFor();
  for (const button of [later, page.getByRole("button", { name: "Send", exact: true })])
    expect(await button.getAttribute("aria-disabled")).toBe("true");
  await later.press("Enter");
  expect(await page.getByRole("menu").count()).toBe(0);
  await textField(page).press("Control+Enter");
  await page.goto(`/#narrow/channel/${fixture.stream_id}-design/topic/meanwhile`);
  await waitForText(page, "");
  await textField(page).click();
  await page.keyboard.type("sent meanwhile");
  await page.keyboard.press("Control+Enter");
  await waitForMessage(page, "sent meanwhile");
  await page.keyboard.type("and the next");
  response.resolve();
  const list = async () =>
    (await fixture.testServer.request("bo", "GET /scheduled_messages")).scheduled_messages;
  await until(async () => (await list()).length > 0);
  await page.goto(fixture.topicUrl);
  await waitForText(page, "");
  expect(await list()).toMatchObject([{ content: "not now", topic: "logo" }]);
  expect(await postedContents()).toEqual([]);
});

test("shows others who is typing, and that typing stopped", async () => {
  const ada = await openComposer(await fixture.sessionOf("ada"));
  const bo = await openComposer(await fixture.sessionOf("bo"));
  await bo.keyboard.type("I think");
  await ada.locator(".typing", { hasText: "Bo Member is typing" }).waitFor();
  await bo.keyboard.press("Control+Enter");
  await waitForMessage(ada, "I think");
  await ada.locator(".typing").waitFor({ state: "detached" });
});

test("names a resolved topic without its prefix, and sends to it", async () => {
  const { id } = await fixture.post("ada", "The mark is drawn");
  const renamed = { topic: "✔ logo", propagate_mode: "change_all" };
  await fixture.testServer.request("ada", `PATCH /messages/${id}`, renamed);
  const fragment = fixture.topicUrl.replace("logo", encodeURIComponent("✔ logo"));
  const page = await openComposer(await fixture.sessionOf("bo"), fragment);
  expect(await textField(page).getAttribute("placeholder")).toBe("Message logo");
  const recipient = page.locator(".compose-to");
  await recipient.locator("svg use[href$='#i-resolve']").waitFor();
  expect(await recipient.innerText()).not.toContain("✔");

  // The topic field, and its suggestions.
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  const topic = page.getByRole("combobox", { name: "Topic" });
  await topic.fill("log");
  const suggestion = page.getByRole("option", { name: "logo resolved" });
  await suggestion.click();
  await suggestion.waitFor({ state: "detached" });
  expect(await topic.inputValue()).toBe("logo");
  await recipient.locator("svg use[href$='#i-resolve']").waitFor();
  // A click on a suggestion leads on to the text.
  await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
  await page.keyboard.type("It stays resolved");
  await page.keyboard.press("Control+Enter");
  await waitForMessage(page, "It stays resolved");
  const narrow = [{ operator: "topic", operand: "✔ logo" }];
  const window = { anchor: "newest", num_before: 1, num_after: 0, narrow, apply_markdown: false };
  await page.waitForFunction(() => document.querySelector("[data-state]") === null);
  const { messages } = await fixture.testServer.request("bo", "GET /messages", window);
  expect(messages).toMatchObject([{ content: "It stays resolved" }]);

  await page.goto("/#feed");
  const bar = page.locator(".conv-bar");
  await bar.locator("use[href$='#i-resolve']").first().waitFor();
  expect(await bar.first().getByRole("heading").innerText()).not.toContain("✔");
});
