// A whole day by keyboard: no pointer is used from sign-in to the last reply.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { PASSWORD } from "../browser.ts";
import { emailOf } from "../users.ts";
import type { Json } from "../test-server.ts";
import { until } from "../wait-until.ts";
import { type BrowserSession, withWorkers } from "./browser-session.ts";
import { shows, BrowserFixture } from "./browser-fixture.ts";
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
  const exists = () => page.evaluate((item) => document.activeElement?.matches(item), selector);
  while (!(await exists())) await page.keyboard.press(key);
}

const keys = async (...names: string[]): Promise<void> => {
  for (const name of names) await page.keyboard.press(name);
};
const isIncluded = (tag: string) =>
  page.waitForFunction((expected) => document.activeElement?.tagName === expected, tag);
const isAt = (name: string) => page.locator("main h1").filter({ hasText: name }).waitFor();
const messageOf = async (id: number): Promise<Json> =>
  (await fixture.testServer.request("bo", `GET /messages/${id}`, { apply_markdown: false }))
    .message;
const own = async (): Promise<{ id: number; content: string; subject: string }[]> => {
  const around = { anchor: "newest", num_before: 20, num_after: 0, apply_markdown: false };
  const narrow = [{ operator: "sender", operand: fixture.testServer.idOf("bo") }];
  return (await fixture.testServer.request("bo", "GET /messages", { narrow, ...around })).messages;
};
const hasAnnounced = (text: string) =>
  until(async () => (await own()).some(({ content }) => content.includes(text)));

async function signIn(): Promise<void> {
  page = await browserSession.tab("/");
  await page.waitForURL(/\/login\//);
  await tabTo("input[name=username]");
  await page.keyboard.type(emailOf("bo"));
  await tabTo("input[name=password]");
  await page.keyboard.type(PASSWORD);
  await keys("Enter");
  await isAt("Inbox");
}

/** Opens the unread topics from the inbox, reads them, and replies with a mention and bold text. */
async function readAndAnswer(): Promise<void> {
  await page.locator(".list-row").first().waitFor();
  await keys("n");
  await page.locator("article").first().waitFor();
  await keys("n");
  await page.locator("article").first().waitFor();
  await keys("Control+k");
  await page.getByRole("combobox", { name: "Go to…" }).waitFor();
  await page.keyboard.type("logo");
  await page.getByRole("option").first().filter({ hasText: "logo" }).waitFor();
  await keys("Enter");
  await isAt("logo");
  await until(async () => (await messageOf(requestCount)).flags.includes("read"));
  await keys("r");
  await isIncluded("TEXTAREA");
  await page.keyboard.type("@ada ad");
  await page.getByRole("option").filter({ hasText: "Ada" }).first().waitFor();
  await keys("Enter");
  await page.keyboard.type("the ");
  await keys("Control+b");
  await page.keyboard.type("second");
  await keys("Control+Enter");
  await hasAnnounced("the **second**");
  expect((await own()).at(-1)!.content).toContain("@**Ada Admin**");
}

/** Moves from the composer to the feed; one Escape more would open the home view. */
async function leaveComposer(): Promise<void> {
  const isWriting = () => page.evaluate(() => document.activeElement?.tagName === "TEXTAREA");
  while (await isWriting()) await keys("Escape");
}

/** Moves from the composer to this message in the feed. */
async function toMessage(id: number): Promise<void> {
  await leaveComposer();
  const here = () =>
    page.evaluate(() => {
      const { tagName } = document.activeElement!;
      return { tagName, at: document.activeElement!.closest(".msg")?.id };
    });
  await keys("End");
  for (let now = await here(); now.at !== `m${id}`; now = await here()) {
    await keys(now.tagName === "TEXTAREA" ? "Escape" : "k");
  }
}

async function actOnMessages(): Promise<void> {
  const { id } = (await own()).at(-1)!;
  await page.locator(`#m${id}`).waitFor();
  await toMessage(requestCount);
  await keys("+", "Control+s");
  await until(async () => {
    const { reactions, flags } = await messageOf(requestCount);
    return reactions.length === 1 && flags.includes("starred");
  });
  await keys(">");
  await page.waitForFunction(() =>
    document.querySelector("textarea")?.value.includes("Which of the two"),
  );
  await page.keyboard.type("This one.");
  await keys("Control+Enter");
  await hasAnnounced("This one.");
  await page.locator(`#m${(await own()).at(-1)!.id}`).waitFor();
  await leaveComposer();
  await keys("End", "ArrowLeft");
  await page.locator(".edit-box textarea:focus").waitFor();
  await keys("Control+End");
  await page.keyboard.type(" Surely.");
  await keys("Control+Enter");
  await hasAnnounced("This one. Surely.");
}

/** Attaches a file with the toolbar's button; follows, mutes and resolves the topic. */
async function attachAndFile(): Promise<void> {
  await keys("r");
  await isIncluded("TEXTAREA");
  const chosen = page.waitForEvent("filechooser");
  await tabTo(".compose [type=submit]");
  await tabTo('.compose button[aria-label*="ttach"]', "ArrowRight");
  await keys("Enter");
  const file = { name: "sketch.txt", mimeType: "text/plain", buffer: Buffer.from("a sketch") };
  await (await chosen).setFiles(file);
  await chip(page, "sketch.txt", "done").waitFor();
  await page.locator("form textarea:enabled").first().press("Control+Enter");
  await hasAnnounced("sketch.txt");
  await leaveComposer();
  const { testServer, stream_id } = fixture;
  const policy = async () => {
    const { user_topics } = await testServer.request("bo", "POST /register", {
      fetch_event_types: ["user_topic"],
    });
    const here = user_topics.find((topic: Json) => topic.topic_name === "logo");
    return here?.visibility_policy ?? 0;
  };
  await keys("M");
  await until(async () => (await policy()) === 1);
  await keys("f");
  await until(async () => (await policy()) === 3);
  await keys("T");
  await page.waitForURL(/topic\/.E2.9C.94.20logo/);
  expect(stream_id).toBeGreaterThan(0);
}

/** Searches with pills, goes back, and writes a message offline. */
async function findAndWriteOffline(): Promise<void> {
  await keys("/");
  const field = page.getByRole("combobox", { name: "Search messages" });
  await field.waitFor();
  await page.keyboard.type("channel:design printer ");
  await page.locator(".pill").filter({ hasText: "design" }).waitFor();
  await keys("Enter");
  await shows(page, "at the printer");
  // The browser's own key for Back does not work in a browser without a window.
  await page.goBack();
  await isAt("logo");
  await browserSession.context.setOffline(true);
  await keys("c");
  await page.locator("input[name=topic]:focus").waitFor();
  await page.keyboard.type("tunnel");
  await keys("Enter");
  await isIncluded("TEXTAREA");
  await page.keyboard.type("Written in a tunnel");
  await keys("Control+Enter");
  await browserSession.context.setOffline(false);
  await hasAnnounced("Written in a tunnel");
  expect((await own()).filter(({ content }) => content.includes("tunnel"))).toHaveLength(1);
}

test("Bo works a day without a pointer: signs in, reads, replies, files and searches", async () => {
  await signIn();
  await readAndAnswer();
  await actOnMessages();
  await attachAndFile();
  await findAndWriteOffline();
});
