// Rows of lists in settings: errors are displayed in the row, and deleted rows disappear.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { startSession } from "../../src/features/sessions/actions.ts";
import { striped, upload } from "../features/upload-fixture.ts";
import { faultsOf, applyLook } from "./axe.ts";
import type { BrowserSession } from "./browser-session.ts";
import { waitForConnection, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer } = fixture;

const refusal = { result: "error", code: "BAD_REQUEST", msg: "Not today" };
const REMOVED = "This was removed in the meantime.";
const rowOf = (page: Page, text: string) =>
  page.locator(".settings-list > li").filter({ hasText: text });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const confirmInDialog = (page: Page) =>
  page.getByRole("dialog").locator("footer button").last().click();
const toast = (page: Page) => page.locator(".toast");

/** Returns a function; from its call on, the server rejects all changes. */
async function refuseRequests({ context }: BrowserSession): Promise<() => void> {
  let isOn = false;
  // Adds the route at the start, because a request that is sent while a route is added may hang.
  await context.route(/\/(json|account)\/(?!events|register|presence)/, (route) =>
    isOn && route.request().method() !== "GET"
      ? route.fulfill({ status: 400, json: refusal })
      : route.continue(),
  );
  return () => (isOn = true);
}

/** [the page, the user or object of a row, the button, whether a dialog asks for confirmation] */
type ButtonPress = readonly [address: string, row: string, button: string, isAsked?: boolean];

async function areRefused(page: Page, all: readonly ButtonPress[]): Promise<void> {
  for (const [address, text, button, isRequested] of all) {
    await page.goto(`/#${address}`);
    const row = rowOf(page, text);
    await row.waitFor();
    await row.getByRole("button", { name: button }).click();
    if (isRequested) await confirmInDialog(page);
    await row.getByRole("alert").getByText("Not today").waitFor();
    expect(await page.locator(".settings-refused").count()).toBe(1);
    expect(await toast(page).count()).toBe(0);
    for (const scheme of ["light", "dark"] as const) {
      await applyLook(page, { scheme, width: 320 });
      expect(await faultsOf(page, ["color-contrast", "list", "listitem"])).toEqual([]);
      const body = page.locator(".settings-body");
      expect(await body.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0);
    }
  }
}

test("a row of personal lists shows the server's error", async () => {
  await testServer.request("cy", "POST /users/me/alert_words", { alert_words: ["kettle"] });
  await upload(testServer, "cy", { name: "plan.png", bytes: striped(8, 8) });
  await testServer.request("cy", "POST /bots", { full_name: "Helper", short_name: "helper" });
  await testServer.realm.write((tx) => {
    const user = tx.users.get(testServer.idOf("cy"))!;
    startSession(tx, user, { user_agent: "Firefox/150.0", method: "Email" });
  });
  const browserSession = await fixture.sessionOf("cy");
  const refuse = await refuseRequests(browserSession);
  const page = await browserSession.tab("/#settings/lists");
  await waitForConnection(page, "live");
  refuse();
  await areRefused(page, [
    ["settings/lists", "kettle", "Remove kettle"],
    ["settings/files", "plan.png", "Delete plan.png", true],
    ["settings/bots", "Helper", "Deactivate Helper", true],
    ["settings/bots", "Helper", "New API key for Helper", true],
    ["settings/security", "Firefox", "Sign out Firefox"],
  ]);
});

test("a row of organization lists shows the server's error", async () => {
  const request = (line: string, params: object) => testServer.request("olga", line, { ...params });
  const filter = { pattern: "T(?P<n>[0-9]+)", url_template: "https://example.org/{n}" };
  await request("POST /realm/filters", filter);
  await request("POST /realm/filters", { ...filter, pattern: "U(?P<n>[0-9]+)" });
  const playground = { name: "Test", pygments_language: "rust" };
  await request("POST /realm/playgrounds", {
    ...playground,
    url_template: "https://e.example/{code}",
  });
  await request("POST /realm/profile_fields", { name: "Size", field_type: 1 });
  await request("POST /realm/domains", { domain: "example.org", allow_subdomains: false });
  await request("POST /default_streams", { stream_id: fixture.stream_id });
  await request("POST /invites", { invitee_emails: "new@example.org", stream_ids: [] });
  const browserSession = await fixture.sessionOf("olga");
  const refuse = await refuseRequests(browserSession);
  const page = await browserSession.tab("/#organization/linkifiers");
  await waitForConnection(page, "live");
  refuse();
  await areRefused(page, [
    ["organization/linkifiers", filter.pattern, `Remove ${filter.pattern}`, true],
    ["organization/linkifiers", filter.pattern, `Move ${filter.pattern} down`],
    ["organization/playgrounds", "Test", "Remove Test", true],
    ["organization/fields", "Size", "Remove Size", true],
    ["organization/domains", "example.org", "Remove example.org", true],
    ["organization/channels", "design", "Remove design"],
    ["organization/invitations", "new@example.org", "Revoke: new@example.org", true],
  ]);
  await page.goto("/#organization/domains");
  const row = rowOf(page, "example.org");
  await row.getByRole("switch").click();
  await row.getByRole("alert").waitFor();
  expect(await row.getByRole("switch").isChecked()).toBe(false);
});

test("removes a row that another device removed, with a message", async () => {
  const user_agent = "Firefox/150.0";
  const user = testServer.realm.read.users.get(testServer.idOf("bo"))!;
  await testServer.realm.write((tx) => startSession(tx, user, { user_agent, method: "Email" }));
  const browserSession = await fixture.sessionOf("bo");
  const refuse = await refuseRequests(browserSession);
  const page = await browserSession.tab("/#settings/security");
  await rowOf(page, "Firefox").waitFor();
  const own = testServer.realm.read.sessions.listBy("user", user.user_id);
  const { session_id } = own.find((session) => session.user_agent.includes("Firefox"))!;
  await testServer.realm.write((tx) => tx.sessions.delete(session_id));
  await page.getByRole("button", { name: "Sign out Firefox" }).click();
  await toast(page).getByText(REMOVED).waitFor();
  expect(await rowOf(page, "Firefox").count()).toBe(0);
  expect(await page.locator(".settings-refused").count()).toBe(0);

  // An event removes the object while the confirmation is open.
  await testServer.request("bo", "POST /bots", { full_name: "Gone", short_name: "gone" });
  await page.goto("/#settings/bots");
  await press(page, "Deactivate Gone");
  await page.getByRole("dialog").waitFor();
  const bot = [...testServer.realm.read.users.range()].find(
    ({ full_name }) => full_name === "Gone",
  )!;
  await testServer.request("ada", `DELETE /bots/${bot.user_id}`);
  await rowOf(page, "Gone").getByText("deactivated").waitFor();
  await confirmInDialog(page);
  await toast(page).getByText(REMOVED).waitFor();

  // Or the event arrives after the error; if the user has left the page, there is no notice.
  await page.getByText(REMOVED).waitFor({ state: "detached" });
  const words = { alert_words: ["pot", "pan"] };
  await testServer.request("bo", "POST /users/me/alert_words", words);
  await page.goto("/#settings/lists");
  refuse();
  for (const word of words.alert_words) {
    await press(page, `Remove ${word}`);
    await rowOf(page, word).getByRole("alert").getByText("Not today").waitFor();
    if (word === "pan") await page.goto("/#feed");
    await testServer.request("bo", "DELETE /users/me/alert_words", { alert_words: [word] });
    if (word === "pot") await toast(page).getByText(REMOVED).waitFor();
    await page.getByText(REMOVED).waitFor({ state: "detached" });
  }
});
