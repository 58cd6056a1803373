// A user signs in, reads, replies, files and searches without a pointer.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { PASSWORD } from "../browser.ts";
import { emailOf } from "../users.ts";
import type { Json } from "../test-server.ts";
import { until } from "../wait-until.ts";
import { type BrowserSession, withWorkers } from "./browser-session.ts";
import { waitForMessage, BrowserFixture } from "./browser-fixture.ts";
import { chip } from "./composer-content.ts";

withWorkers();

let fixture: BrowserFixture;
let browserSession: BrowserSession;
let page: Page;
let requestCount: number;
beforeAll(async () => {
  fixture = await BrowserFixture.open();
  const { testServer } = fixture;
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => tx.passwords.put({ user_id: testServer.idOf("bo"), hash }));
  ({ id: requestCount } = await fixture.post("ada", "Which of the two do you like?"));
  const to = { type: "channel", to: fixture.stream_id, topic: "poster" };
  await testServer.request("ada", "POST /messages", {
    ...to,
    content: "The poster is at the printer",
  });
  browserSession = await fixture.emptySession();
});
afterAll(async () => {
  await fixture?.close();
});

/** Presses Tab, or another key, until the element has the focus. */
async function tabTo(selector: string, key = "Tab"): Promise<void> {
  await page.locator(selector).first().waitFor();
  const isFocused = () => page.evaluate((item) => document.activeElement?.matches(item), selector);
  while (!(await isFocused())) await page.keyboard.press(key);
}

const pressKeys = async (...names: string[]): Promise<void> => {
  for (const name of names) await page.keyboard.press(name);
};
const isIncluded = (tag: string) =>
  page.waitForFunction((expected) => document.activeElement?.tagName === expected, tag);
const waitForHeading = (name: string) =>
  page.locator("main h1").filter({ hasText: name }).waitFor();
const messageOf = async (id: number): Promise<Json> =>
  (await fixture.testServer.request("bo", `GET /messages/${id}`, { apply_markdown: false }))
    .message;
const ownMessages = async (): Promise<{ id: number; content: string; subject: string }[]> => {
  const params = { anchor: "newest", num_before: 20, num_after: 0, apply_markdown: false };
  const narrow = [{ operator: "sender", operand: fixture.testServer.idOf("bo") }];
  return (await fixture.testServer.request("bo", "GET /messages", { narrow, ...params })).messages;
};
const hasAnnounced = (text: string) =>
  until(async () => (await ownMessages()).some(({ content }) => content.includes(text)));

async function signIn(): Promise<void> {
  page = await browserSession.tab("/");
  await page.waitForURL(/\/login\//);
  await tabTo("input[name=username]");
  await page.keyboard.type(emailOf("bo"));
  await tabTo("input[name=password]");
  await page.keyboard.type(PASSWORD);
  await pressKeys("Enter");
  await waitForHeading("Inbox");
}

/** Opens the unread topics from the inbox, reads them, and replies with a mention and bold text. */
async function readAndAnswer(): Promise<void> {
  await page.locator(".list-row").first().waitFor();
  await pressKeys("n");
  await page.locator("article").first().waitFor();
  await pressKeys("n");
  await page.locator("article").first().waitFor();
  await pressKeys("Control+k");
  await page.getByRole("combobox", { name: "Go to…" }).waitFor();
  await page.keyboard.type("logo");
  await page.getByRole("option").first().filter({ hasText: "logo" }).waitFor();
  await pressKeys("Enter");
  await waitForHeading("logo");
  await until(async () => (await messageOf(requestCount)).flags.includes("read"));
  await pressKeys("r");
  await isIncluded("TEXTAREA");
  await page.keyboard.type("@ada ad");
  await page.getByRole("option").filter({ hasText: "Ada" }).first().waitFor();
  await pressKeys("Enter");
  await page.keyboard.type("the ");
  await pressKeys("Control+b");
  await page.keyboard.type("second");
  await pressKeys("Control+Enter");
  await hasAnnounced("the **second**");
  expect((await ownMessages()).at(-1)!.content).toContain("@**Ada Admin**");
}

/** Moves from the composer to the feed; one Escape more would open the home view. */
async function leaveComposer(): Promise<void> {
  const isWriting = () => page.evaluate(() => document.activeElement?.tagName === "TEXTAREA");
  while (await isWriting()) await pressKeys("Escape");
}

/** Moves from the composer to this message in the feed. */
async function toMessage(id: number): Promise<void> {
  await leaveComposer();
  const focusedPlace = () =>
    page.evaluate(() => {
      const { tagName } = document.activeElement!;
      return { tagName, at: document.activeElement!.closest(".msg")?.id };
    });
  await pressKeys("End");
  for (let now = await focusedPlace(); now.at !== `m${id}`; now = await focusedPlace()) {
    await pressKeys(now.tagName === "TEXTAREA" ? "Escape" : "k");
  }
}

async function actOnMessages(): Promise<void> {
  const { id } = (await ownMessages()).at(-1)!;
  await page.locator(`#m${id}`).waitFor();
  await toMessage(requestCount);
  await pressKeys("+", "Control+s");
  await until(async () => {
    const { reactions, flags } = await messageOf(requestCount);
    return reactions.length === 1 && flags.includes("starred");
  });
  await pressKeys(">");
  await page.waitForFunction(() =>
    document.querySelector("textarea")?.value.includes("Which of the two"),
  );
  await page.keyboard.type("This one.");
  await pressKeys("Control+Enter");
  await hasAnnounced("This one.");
  await page.locator(`#m${(await ownMessages()).at(-1)!.id}`).waitFor();
  await leaveComposer();
  await pressKeys("End", "ArrowLeft");
  await page.locator(".edit-box textarea:focus").waitFor();
  await pressKeys("Control+End");
  await page.keyboard.type(" Surely.");
  await pressKeys("Control+Enter");
  await hasAnnounced("This one. Surely.");
}

/** Attaches a file with the toolbar's button; follows, mutes and resolves the topic. */
async function attachAndFile(): Promise<void> {
  await pressKeys("r");
  await isIncluded("TEXTAREA");
  const chosen = page.waitForEvent("filechooser");
  await tabTo(".compose [type=submit]");
  await tabTo('.compose button[aria-label*="ttach"]', "ArrowRight");
  await pressKeys("Enter");
  const file = { name: "sketch.txt", mimeType: "text/plain", buffer: Buffer.from("a sketch") };
  await (await chosen).setFiles(file);
  await chip(page, "sketch.txt", "done").waitFor();
  await page.locator("form textarea:enabled").first().press("Control+Enter");
  await hasAnnounced("sketch.txt");
  await leaveComposer();
  const { testServer, stream_id } = fixture;
  const topicPolicy = async () => {
    const { user_topics } = await testServer.request("bo", "POST /register", {
      fetch_event_types: ["user_topic"],
    });
    const topicPolicy = user_topics.find((topic: Json) => topic.topic_name === "logo");
    return topicPolicy?.visibility_policy ?? 0;
  };
  await pressKeys("M");
  await until(async () => (await topicPolicy()) === 1);
  await pressKeys("f");
  await until(async () => (await topicPolicy()) === 3);
  await pressKeys("T");
  await page.waitForURL(/topic\/.E2.9C.94.20logo/);
  expect(stream_id).toBeGreaterThan(0);
}

/** Searches with pills, goes back, and writes a message offline. */
async function findAndWriteOffline(): Promise<void> {
  await pressKeys("/");
  const field = page.getByRole("combobox", { name: "Search messages" });
  await field.waitFor();
  await page.keyboard.type("channel:design printer ");
  await page.locator(".pill").filter({ hasText: "design" }).waitFor();
  await pressKeys("Enter");
  await waitForMessage(page, "at the printer");
  // The browser's own key for Back does not work in a browser without a window.
  await page.goBack();
  await waitForHeading("logo");
  await browserSession.context.setOffline(true);
  await pressKeys("c");
  await page.locator("input[name=topic]:focus").waitFor();
  await page.keyboard.type("tunnel");
  await pressKeys("Enter");
  await isIncluded("TEXTAREA");
  await page.keyboard.type("Written in a tunnel");
  await pressKeys("Control+Enter");
  await browserSession.context.setOffline(false);
  await hasAnnounced("Written in a tunnel");
  expect((await ownMessages()).filter(({ content }) => content.includes("tunnel"))).toHaveLength(1);
}

test("Bo signs in, reads, replies, files and searches with the keyboard alone", async () => {
  await signIn();
  await readAndAnswer();
  await actOnMessages();
  await attachAndFile();
  await findAndWriteOffline();
});
