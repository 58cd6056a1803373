// Spectators read in the browser's language and time format while content is public.
import { afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { waitForMessage, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer } = fixture;
/** The channel that is open to everyone. */
let help: number;
beforeAll(async () => {
  await testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
  const params = { name: "help", is_web_public: true, subscribers: [testServer.idOf("bo")] };
  ({ id: help } = await testServer.request("olga", "POST /channels/create", params));
  const news = { name: "news", is_web_public: true, subscribers: [] };
  await testServer.request("olga", "POST /channels/create", news);
});
beforeEach(async () => {
  await testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
  await testServer.request("olga", `PATCH /streams/${help}`, { is_web_public: true });
});
afterEach(async () => {
  for (const browserSession of fixture.testServer.browserSessions.splice(0))
    await browserSession.close();
});

const post = async (topic: string, content: string): Promise<number> =>
  (await testServer.request("bo", "POST /messages", { type: "channel", to: help, topic, content }))
    .id;
const topicUrl = (topic: string) => `/#narrow/channel/${help}-help/topic/${topic}`;

test("uses German and its time format in a German browser", async () => {
  const id = await post("Clocks", "How late is it?");
  const browserSession = await fixture.emptySession();
  const useGerman = () => Object.defineProperty(navigator, "language", { get: () => "de-AT" });
  await browserSession.context.addInitScript(useGerman);
  const page = await browserSession.tab("/#inbox");
  await page.getByRole("heading", { name: "Nur für Mitglieder" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  await page.goto("/#");
  await page.getByText("Du liest als Besucher.").waitFor();
  const browser = await browserSession.context.newCDPSession(page);
  await browser.send("Emulation.setLocaleOverride", { locale: "de-AT" });
  await page.goto(topicUrl("Clocks"));
  await page.reload();
  await waitForMessage(page, "How late is it?");
  expect(await page.locator(`#m${id} .msg-time`).innerText()).toMatch(/^\d\d:\d\d$/);
});

test("removes a channel that is no longer public; without any, only sign-in", async () => {
  await post("Doors", "Still open");
  const browserSession = await fixture.emptySession();
  const page = await browserSession.tab(topicUrl("Doors"));
  await waitForMessage(page, "Still open");
  // Simulates that half a minute has passed.
  const lookAgain = () => page.evaluate(() => dispatchEvent(new Event("online")));
  await testServer.request("olga", `PATCH /streams/${help}`, { is_web_public: false });
  await lookAgain();
  await page.getByRole("heading", { name: "For members only" }).waitFor();
  expect(await page.locator("body").innerText()).not.toContain("help");
  await testServer.request("olga", "PATCH /realm", { enable_spectator_access: false });
  await lookAgain();
  await page.waitForURL(/\/login\/\?next=/);
  expect(decodeURIComponent(page.url())).toContain("topic/Doors");
  const notice = page.getByText("There are no public channels here anymore.");
  await notice.waitFor();
  await testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
  await page.reload();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  expect(await notice.count()).toBe(0);
});
