// Users who join by a form are signed in to the client, unless the form was on another site.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { PASSWORD } from "../browser.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { LAN_HOST, BrowserSession } from "./browser-session.ts";

let testServer: TestServer;
let link: string;
beforeAll(async () => {
  testServer = await startTestServer();
  link = (await testServer.request("ada", "POST /invites/multiuse")).invite_link;
});
afterAll(() => testServer.close());

async function join(page: Page, name: string): Promise<void> {
  await page.getByLabel("Your email address").fill(`${name.toLowerCase()}@example.com`);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Join" }).click();
}

const inboxHeading = (page: Page) => page.getByRole("heading", { level: 1, name: "Inbox" });
const sessionsOf = (email: string) => {
  const { user_id } = testServer.realm.read.users.findBy("email", email)!;
  return testServer.realm.read.sessions.countBy("user", user_id);
};

test("a user who joins with a shared link can read and write at once", async () => {
  const browserSession = await BrowserSession.empty(testServer);
  const page = await browserSession.tab(link);
  await join(page, "Nia");
  await inboxHeading(page).waitFor();
  await page.goto("/account/");
  await page.getByText("nia@example.com").first().waitFor();
  expect(sessionsOf("nia@example.com")).toBe(1);
  expect(browserSession.faults).toEqual([]);
});

test("keeps a signed-in user, and says that the account was created", async () => {
  const browserSession = await BrowserSession.of(testServer, "bo");
  const page = await browserSession.tab(link);
  await join(page, "Kim");
  await page.getByRole("heading", { name: "Welcome to Town" }).waitFor();
  await page.goto("/account/");
  await page.getByText("bo@example.com").first().waitFor();
  expect(sessionsOf("kim@example.com")).toBe(0);
});

test.each([
  ["site", LAN_HOST],
  ["origin", "127.0.0.1"],
])("does not sign in through a form on a page of another %s", async (kind, host) => {
  const fields = { full_name: `Mal ${kind}`, email: `${kind}@example.com`, password: PASSWORD };
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input name=${name} value="${value}">`,
  );
  const text = `<form method=post action="${link}">${inputs.join("")}<button>Win</button></form>`;
  const headers = { "Content-Type": "text/html" };
  const foreign = Bun.serve({ port: 0, fetch: () => new Response(text, { headers }) });
  const browserSession = await BrowserSession.empty(testServer);
  const page = await browserSession.tab(`http://${host}:${foreign.port}/`);
  await page.getByRole("button", { name: "Win" }).click();
  await page.getByRole("heading", { name: "Welcome to Town" }).waitFor();
  expect(await browserSession.context.cookies(testServer.url)).toEqual([]);
  await page.goto(testServer.url);
  await page.locator("input[name=username]").waitFor();
  expect(sessionsOf(fields.email)).toBe(0);
  await browserSession.close();
  await foreign.stop(true);
});
