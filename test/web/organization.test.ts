/** The organization settings: all that the server accepts, changed by users with permission. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { realmParams } from "../../src/features/organization/parameters.ts";
import { REALM_PERMISSIONS } from "../../src/features/rights/permission-rules.ts";
import type { OrganizationRow } from "../../src/web/features/organization/rows/kinds.ts";
import { ALL_ROWS, ELSEWHERE, LEFT_OUT } from "../../src/web/features/organization/rows/table.ts";
import type { Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { withTimeout, until } from "../wait-until.ts";
import { accessibilityFaults, faultsOf, TWO_LOOKS } from "./axe.ts";
import { BrowserSession } from "./browser-session.ts";
import { waitForValue } from "./browser-fixture.ts";

const ROWS = ALL_ROWS.flatMap(({ rows }) => rows);

let testServer: TestServer;
const browserSessions: BrowserSession[] = [];
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(async () => {
  await Promise.all(browserSessions.splice(0).map((browserSession) => browserSession.close()));
  await testServer.close();
});

async function pageOf(name: Name, address: string): Promise<Page> {
  const browserSession = await BrowserSession.of(testServer, name);
  browserSessions.push(browserSession);
  return browserSession.tab(`/#organization/${address}`);
}
const settings = () => testServer.realm.read.settings;

test("every setting is on one page, or has a reason to be on none", () => {
  const paths = [...ROWS.map(({ name }) => name), ...ELSEWHERE, ...Object.keys(LEFT_OUT)];
  const all = [...Object.keys(realmParams), ...Object.keys(REALM_PERMISSIONS)];
  expect(paths.sort()).toEqual(all.sort());
});

/** Values that the row offers, as a request writes them. */
function offeredValues({ name, control }: OrganizationRow): unknown[] {
  if (control.kind === "switch") return [true, false];
  if (control.kind === "choice") return control.options.map(({ value }) => value);
  if (control.kind === "channel") return [-1];
  if (control.kind === "limit") {
    const noLimit = control.none.value === 0 ? 0 : "unlimited";
    return [...control.options, control.each, noLimit];
  }
  if (control.kind === "text") return name === "jitsi_server_url" ? ['"default"'] : ["x"];
  return [];
}

test("each row sets its setting to accepted values", async () => {
  const { registered } = await testServer.listen("olga");
  for (const row of ROWS) {
    expect([row.name, `realm_${row.name}` in registered]).toEqual([row.name, true]);
    for (const value of offeredValues(row))
      await testServer.request("olga", "PATCH /realm", { [row.name]: value });
    if (row.control.kind !== "text" || row.name === "jitsi_server_url") continue;
    const most = "x".repeat(row.control.max);
    await testServer.request("olga", "PATCH /realm", { [row.name]: most });
    const more = { [row.name]: `${most}x` };
    expect((await testServer.refused("olga", "PATCH /realm", more)).code).toBe("BAD_REQUEST");
  }
});

test("does not show a second choice as saved before it was", async () => {
  const page = await pageOf("olga", "messages");
  const selectOf = (name: string) => page.locator(`select#setting-${name}`);
  const edits = selectOf("message_content_edit_limit_seconds");
  const deletions = selectOf("message_content_delete_limit_seconds");
  const histories = selectOf("message_edit_history_visibility_policy");
  const before = await deletions.inputValue();
  const polled = Promise.withResolvers<void>();
  const saved = Promise.withResolvers<void>();
  await page.route("**/json/events?**", async (route) => {
    polled.resolve();
    await saved.promise;
    await route.continue();
  });
  const second = Promise.withResolvers<void>();
  const refuse = Promise.withResolvers<void>();
  await page.route("**/json/realm", async (route) => {
    if (!route.request().postData()!.includes("delete_limit")) return route.continue();
    second.resolve();
    await refuse.promise;
    const json = { result: "error", code: "BAD_REQUEST", msg: "Not today" };
    await route.fulfill({ status: 400, json });
  });
  // This event ends the poll in flight, so that the route holds the next one.
  await testServer.request("ada", "PATCH /realm", { allow_message_editing: false });
  await withTimeout(polled.promise, "the next poll");
  await edits.selectOption({ label: "1 hour" });
  await deletions.selectOption({ label: "1 hour" });
  await withTimeout(second.promise, "the request of the second choice");
  await testServer.request("ada", "PATCH /realm", {
    message_edit_history_visibility_policy: "none",
  });
  saved.resolve();
  await histories.locator("option:checked", { hasText: "None" }).waitFor({ state: "attached" });
  refuse.resolve();
  await page.getByRole("alert").filter({ hasText: "Not today" }).waitFor();
  expect(await deletions.inputValue()).toBe(before);
  expect(await edits.locator("option:checked").textContent()).toBe("1 hour");
});

test("saves choices at once, shows errors at fields, and undoes", async () => {
  const page = await pageOf("olga", "profile/name");
  const other = await pageOf("ada", "profile");
  await page.locator("#setting-name:focus").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.press("Enter");
  await page.locator("#setting-name-refused").waitFor();
  expect(settings().name).toBe("Town");
  await page.keyboard.type("Village");
  await page.keyboard.press("Enter");
  await other.locator(".settings-group").getByText("Village").waitFor();
  await page.locator("#setting-name-refused").waitFor({ state: "detached" });
  const field = other.getByLabel("Name", { exact: true });
  await waitForValue(field, "Village");
  await page.getByRole("button", { name: "Undo" }).click();
  await other.locator(".settings-group").getByText("Town").waitFor();

  await page.goto("/#organization/messages");
  const limit = page.getByLabel("Time limit for editing messages");
  await limit.selectOption({ label: "1 hour" });
  await until(() => settings().message_content_edit_limit_seconds === 3600);
  await limit.selectOption({ label: "Custom time…" });
  await page.getByLabel("minutes", { exact: true }).fill("45");
  await page.keyboard.press("Enter");
  await until(() => settings().message_content_edit_limit_seconds === 2700);
  await limit.selectOption({ label: "No limit" });
  await until(() => settings().message_content_edit_limit_seconds === null);

  await page.goto("/#organization/profile");
  const channelField = page.getByRole("combobox", { name: "Announce new users in" });
  await channelField.fill("gen");
  await page.getByRole("option", { name: /general/ }).click();
  await until(() => settings().signup_announcements_stream_id > 0);
  await page.goto("/#organization/newcomers");
  await page.getByLabel("Enter sends").check();
  await until(() => testServer.realm.read.setting_defaults.get("enter_sends")?.value === true);
  await page.route("**/json/realm/user_settings_defaults", (route) =>
    route.fulfill({ status: 400, json: { result: "error", code: "BAD_REQUEST", msg: "Not now" } }),
  );
  const drafts = page.locator(".settings-row", { hasText: "Sync drafts" });
  await drafts.getByRole("switch").click();
  await drafts.getByRole("alert").getByText("Not now").waitFor();
  expect(await drafts.getByRole("switch").isChecked()).toBe(true);
  expect(browserSessions[0]!.faults.filter((fault) => !fault.includes("400"))).toEqual([]);
});

test("shows, describes, saves and undoes a permission", async () => {
  const page = await pageOf("olga", "permissions");
  const right = page.locator(".settings-row", { hasText: "Who can add custom emoji" });
  await right.getByRole("button", { name: "Remove Everyone except guests" }).click();
  await right.getByText("Nobody can add custom emoji").waitFor();
  // Each choice is saved separately.
  await right.getByText("Saved").waitFor();
  const before = settings().can_add_custom_emoji_group;
  await right.getByRole("combobox").fill("mod");
  await page.getByRole("option", { name: /Moderators/ }).click();
  await right.getByText("Moderators can add custom emoji: 3 people.").waitFor();
  await until(() => settings().can_add_custom_emoji_group !== before);
  await right.getByText("Saved").waitFor();
  await right.getByRole("button", { name: "Undo" }).click();
  await until(() => settings().can_add_custom_emoji_group === before);
});

test("shows settings read-only without permission, and explains", async () => {
  const openSetting = async (name: Name, address: string, label: string) => {
    const page = await pageOf(name, address);
    await page.getByLabel(label).waitFor();
    return { page, isOff: await page.getByLabel(label).isDisabled() };
  };
  const label = "Require an invitation to join";
  const owner = await openSetting("olga", "joining", label);
  expect(owner.isOff).toBe(false);
  const administrator = await openSetting("ada", "joining", label);
  expect(administrator.isOff).toBe(true);
  await administrator.page.locator("#setting-invite_required-why").waitFor();
  const unique = "Require unique names";
  expect(await administrator.page.getByLabel(unique).isDisabled()).toBe(false);
  const member = await openSetting("bo", "joining", unique);
  expect(member.isOff).toBe(true);
  await member.page.locator("#setting-invite_required-why").waitFor();
  await member.page.getByText("Only administrators can change these settings").waitFor();
  const guest = await openSetting("gus", "profile", "Description");
  expect(guest.isOff).toBe(true);
  expect(await guest.page.getByRole("link", { name: "Joining" }).count()).toBe(0);

  await testServer.request("olga", `PATCH /users/${testServer.idOf("bo")}`, { role: 200 });
  await member.page.getByLabel(unique).and(member.page.locator(":enabled")).waitFor();
  await member.page.getByRole("searchbox").fill("disposable");
  await member.page.getByLabel("Block disposable email addresses").waitFor();
});

test("shows pictures beside the name; the last sign-in method stays enabled", async () => {
  const page = await pageOf("olga", "profile");
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Upload image", exact: true }).click(),
  ]);
  const buffer = await page.screenshot();
  await chooser.setFiles({ name: "icon.png", mimeType: "image/png", buffer });
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".mark img").waitFor();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.locator(".mark img").waitFor({ state: "detached" });

  const logo = page.locator(".sidebar-organization img:visible");
  const choose = async (button: string) => {
    const [wide] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: button, exact: true }).click(),
    ]);
    await wide.setFiles({ name: "wide.png", mimeType: "image/png", buffer });
  };
  await choose("Wide logo: Upload image");
  await logo.waitFor();
  expect(await page.locator(".sidebar-organization").innerText()).toBe("");
  const day = await logo.getAttribute("src");
  await choose("Wide logo for dark theme: Upload image");
  await page.locator(".sidebar-logo[data-night]").waitFor({ state: "attached" });
  expect(await logo.getAttribute("src")).toBe(day);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await logo.getAttribute("src")).not.toBe(day);
  expect(await page.getByRole("button", { name: "Town" }).count()).toBe(1);
  expect(await faultsOf(page)).toEqual([]);
  for (const item of ["Wide logo", "Wide logo for dark theme"]) {
    await page.getByRole("button", { name: `${item}: Remove`, exact: true }).click();
  }
  await page.locator(".sidebar-organization .mark").waitFor();

  await page.goto("/#organization/sign-in");
  await page.getByLabel("Email and password").click();
  await page.getByRole("alert").waitFor();
  expect(await page.getByLabel("Email and password").isChecked()).toBe(true);
});

const PAGES = ["profile", "permissions", "messages", "joining", "sign-in", "newcomers"];

test("organization pages have no accessibility faults", async () => {
  const page = await pageOf("olga", "profile");
  const faults: string[] = [];
  for (const address of PAGES) {
    await page.goto(`/#organization/${address}`);
    await page.locator(".settings-body section .settings-row").first().waitFor();
    faults.push(
      ...(await accessibilityFaults(page, "html", TWO_LOOKS)).map(
        (fault) => `${address}  ${fault}`,
      ),
    );
  }
  expect(faults).toEqual([]);
});
