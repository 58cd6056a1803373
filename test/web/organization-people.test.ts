/** Administration of users: roles, deactivation and reactivation. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { createUser } from "../../src/features/accounts/actions.ts";
import type { Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";
import { accessibilityFaults, faultsOf, TWO_LOOKS } from "./axe.ts";
import { BrowserSession } from "./browser-session.ts";

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
  return browserSession.tab(`/#${address}`);
}
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const rowOf = (page: Page, name: string) =>
  page.locator(".org-person").filter({ has: page.getByRole("link", { name, exact: true }) });
const userOf = (name: Name) => testServer.realm.read.users.get(testServer.idOf(name))!;

test("gives and removes a role, offered only to permitted users", async () => {
  const page = await pageOf("ada", "organization/people");
  const other = await pageOf("bo", "organization/people");
  await rowOf(other, "Gus Guest").getByText("Guest", { exact: true }).waitFor();
  expect(await other.locator(".org-person button").count()).toBe(0);
  expect(await button(other, "Deactivated").count()).toBe(0);

  await rowOf(page, "Gus Guest").waitFor();
  // Others may change an owner's name, but not the role.
  expect(await rowOf(page, "Olga Owner").getByRole("button").count()).toBe(1);
  await button(page, "Role of Gus Guest: Guest").click();
  await page.getByRole("menuitemradio", { name: "Administrator" }).waitFor();
  expect(await page.getByRole("menuitemradio", { name: "Owner" }).count()).toBe(0);
  await page.getByRole("menuitemradio", { name: "Moderator" }).click();
  // Users without a password confirm with a recent sign-in.
  await button(page, "Change role").click();
  await rowOf(other, "Gus Guest").getByText("Moderator", { exact: true }).waitFor();
  expect(userOf("gus").role).toBe(300);
  await button(page, "Role of Gus Guest: Moderator").click();
  await page.getByRole("menuitemradio", { name: "Guest" }).click();
  await button(page, "Change role").click();
  await rowOf(other, "Gus Guest").getByText("Guest", { exact: true }).waitFor();

  const owner = await pageOf("olga", "organization/people");
  await button(owner, "Role of Ada Admin: Administrator").click();
  await owner.getByRole("menuitemradio", { name: "Owner" }).click();
  await button(owner, "Change role").click();
  await rowOf(page, "Olga Owner")
    .getByRole("button", { name: /Role of/ })
    .waitFor();
  const guest = await pageOf("gus", "organization/profile");
  await guest.getByRole("link", { name: "Organization profile" }).waitFor();
  expect(await guest.getByRole("link", { name: "Users", exact: true }).count()).toBe(0);
});

test("deactivates an account after a summary, and reactivates it", async () => {
  const page = await pageOf("ada", "organization/people");
  await button(page, "Actions for Bo Member").click();
  await page.getByRole("menuitem", { name: "Deactivate…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Their bot is deactivated too: Botty.").waitFor();
  expect(userOf("bo").is_active).toBe(true);
  await button(page, "Deactivate").click();
  await rowOf(page, "Bo Member").waitFor({ state: "detached" });
  await until(() => !userOf("bo").is_active && !userOf("bot").is_active);
  await page.getByRole("button", { name: /^Deactivated/ }).click();
  await button(page, "Reactivate Bo Member").click();
  await rowOf(page, "Bo Member").waitFor({ state: "detached" });
  await until(() => userOf("bo").is_active);
  await testServer.request("olga", `DELETE /users/${testServer.idOf("bo")}`);
  await button(page, "Reactivate Botty").click();
  await page.getByText("You are its owner now, and it has a new key.").waitFor();
  await until(() => userOf("bot").bot_owner_id === testServer.idOf("ada"));
  await button(page, "Reactivate Bo Member").click();
  await until(() => userOf("bo").is_active);

  await page.getByRole("button", { name: /^People/ }).click();
  await button(page, "Actions for Bo Member").click();
  await page.getByRole("menuitem", { name: "Change name" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Bo Builder");
  await page.keyboard.press("Enter");
  await rowOf(page, "Bo Builder").waitFor();
  await until(() => userOf("bo").full_name === "Bo Builder");
});

test("transfers a bot to another user", async () => {
  const page = await pageOf("olga", "organization/people/bots");
  await rowOf(page, "Botty").getByText("Owner: Bo Member").waitFor();
  await button(page, "Actions for Botty").click();
  await page.getByRole("menuitem", { name: "Change owner" }).click();
  await page.getByRole("combobox", { name: "New owner" }).fill("ada");
  await page.getByRole("option", { name: /Ada/ }).click();
  await button(page, "Transfer").click();
  await rowOf(page, "Botty").getByText("Owner: Ada Admin").waitFor();
  await until(() => userOf("bot").bot_owner_id === testServer.idOf("ada"));
});

test("renders visible users of many, and finds any by name or address", async () => {
  await testServer.realm.write((tx) => {
    for (let index = 0; index < 600; index++) {
      const expected = { email: `p${index}@example.org`, full_name: `Person ${index}`, role: 400 };
      createUser(tx, { ...expected, stream_ids: [] });
    }
    for (const full_name of ["Zoe Abel", "Zoe Ziegler"]) {
      const email = `${full_name.slice(4)}@example.org`;
      createUser(tx, { email, full_name, role: 400, stream_ids: [] });
    }
  });
  const page = await pageOf("olga", "organization/people");
  await rowOf(page, "Ada Admin").waitFor();
  expect(await page.locator(".org-person").count()).toBeLessThan(120);
  const field = page.getByRole("searchbox", { name: "Filter people" });
  await field.fill("zoe z");
  await page.locator(".org-person").first().filter({ hasText: "Zoe Ziegler" }).waitFor();
  expect(await page.locator(".org-person").allTextContents()).toEqual([
    expect.stringContaining("Zoe Ziegler"),
    expect.stringContaining("Zoe Abel"),
  ]);
  await field.fill("p599@");
  await rowOf(page, "Person 599").waitFor();
  expect(await page.locator(".org-person").count()).toBe(1);
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.locator(".org-person a:focus", { hasText: "Person 599" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("p599@example.org").waitFor();
});

test("creates, copies and revokes a link; sends emails if configured", async () => {
  const page = await pageOf("olga", "invite");
  const dialog = page.getByRole("dialog");
  // Links come first if there is no mail server.
  await button(page, "Create link").waitFor();
  await button(page, "Email addresses").click();
  await dialog.locator("textarea:focus").waitFor();
  await page.keyboard.type("nobody; ines@example.org");
  await dialog.getByRole("button", { name: "Invite" }).click();
  await dialog.getByText("nobody: Bad name or username").waitFor();
  await dialog.locator("textarea[aria-invalid=true]:focus").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Ines <ines@example.org> bo@example.com, bo@example.com");
  await dialog.getByRole("button", { name: "Invite" }).click();
  await dialog.getByText("bo@example.com: Already has an account.").waitFor();
  const character = await dialog.getByLabel("ines@example.org", { exact: true }).inputValue();
  expect((await fetch(character)).status).toBe(200);
  await dialog.getByRole("button", { name: "Done" }).click();
  await dialog.waitFor({ state: "detached" });

  await page.goto("/#organization/invitations");
  await page.getByText("ines@example.org").waitFor();
  await page.getByRole("button", { name: "Invite people" }).click();
  await dialog.getByLabel("Join as").selectOption({ label: "Guest" });
  await dialog.getByLabel("Expires after").selectOption({ label: "Never" });
  await button(page, "Create link").click();
  await dialog.getByText("This link opens only on this computer").waitFor();
  const port = new URL(testServer.url).port;
  await dialog.getByText(`--listen 0.0.0.0:${port} --url http://YOUR-IP:${port}`).waitFor();
  expect(await button(page, "Save as image").count()).toBe(0);
  expect(await dialog.locator(".settings-qr").count()).toBe(0);
  const link = await dialog.getByLabel("Link that never expires").inputValue();
  expect((await fetch(link)).status).toBe(200);
  await button(page, "Done").click();
  const [invitation] = [...testServer.realm.read.invitations.range()].filter(
    ({ kind }) => kind === "link",
  );
  expect(invitation).toMatchObject({ invited_as: 600, expiry_date: null, stream_ids: [] });
  await page.getByRole("button", { name: /Revoke: Link/ }).click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("button", { name: /Revoke: Link/ }).waitFor({ state: "detached" });
  expect((await fetch(link)).status).not.toBe(200);
});

test("offers links at the local address where the server listens there", async () => {
  const { config } = testServer.realm;
  const lan = "http://192.0.2.7:9400";
  config.local_network = { urls: [lan], is_listening: true };
  const page = await pageOf("olga", "invite");
  const dialog = page.getByRole("dialog");
  await button(page, "Create link").click();
  await dialog.getByText("This link opens on devices in the local network").waitFor();
  expect(await dialog.getByRole("textbox").inputValue()).toStartWith(`${lan}/join/`);
  await dialog.getByRole("img", { name: "QR code for the link" }).waitFor();
  expect(await faultsOf(page, undefined, ".dialog")).toEqual([]);
  delete config.local_network;
});

test("user pages have no accessibility faults", async () => {
  await testServer.request("olga", "POST /invites/multiuse", {});
  await testServer.request("olga", "POST /invites", {
    invitee_emails: "i@example.org",
    stream_ids: [],
  });
  const page = await pageOf("olga", "organization/people");
  await page.route("**/json/invites", async (route) => {
    const text = await (await route.fetch()).text();
    const body = text.replaceAll(testServer.url, "https://chat.example.org");
    await route.fulfill({ contentType: "application/json", body });
  });
  const faults: string[] = [];
  const shown = { people: ".org-person", invitations: ".org-row" };
  for (const [address, row] of Object.entries(shown)) {
    await page.goto(`/#organization/${address}`);
    await page.locator(row).first().waitFor();
    const found = await accessibilityFaults(page, "html", TWO_LOOKS);
    faults.push(...found.map((fault) => `${address}  ${fault}`));
  }
  await page.getByRole("button", { name: "Show Link 1" }).click();
  await page.getByRole("img", { name: "QR code for the link" }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    button(page, "Save as image").click(),
  ]);
  expect(file.suggestedFilename()).toBe("invitation.png");
  faults.push(...(await accessibilityFaults(page, "html", TWO_LOOKS)));
  expect(faults).toEqual([]);
});

/** Elements that are truncated or overflow their container. */
const cutIn = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((nodes) =>
      nodes
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
        .map(({ textContent }) => textContent),
    );

test("shows whole addresses and dates on a phone, with large text", async () => {
  const params = { default_language: "de", web_font_size_px: 20 };
  await testServer.request("ada", "POST /bots", { full_name: "Kettle", short_name: "kettle" });
  await testServer.request("bo", `POST /users/me/muted_users/${testServer.idOf("mo")}`);
  const browserSession = await BrowserSession.forPhone(testServer, "ada");
  const other = await BrowserSession.forPhone(testServer, "bo");
  browserSessions.push(browserSession, other);
  const page = await browserSession.tab("/#organization/people");
  await rowOf(page, "Bo Member").getByText("bo@example.com").waitFor();
  expect(await cutIn(page, ".org-person .pre")).toEqual([]);
  const height = async (name: string) => (await rowOf(page, name).boundingBox())!.height;
  expect(await height("Ada Admin")).toBe(await height("Bo Member"));
  await page.goto("/#organization/people/bots");
  await rowOf(page, "Kettle").getByText("Owner: Ada Admin").waitFor();
  expect(await cutIn(page, ".org-person .pre")).toEqual([]);

  await testServer.request("bo", "PATCH /settings", params);
  const theirs = await other.tab("/#settings/notifications");
  await theirs.locator(".settings-grid").waitFor();
  expect(await cutIn(theirs, ".settings-body, .settings-grid")).toEqual([]);
  const words = theirs.locator(".tabbar > * > span:not(.badge, .vh)");
  const heights = await words.evaluateAll((all) => all.map((item) => item.clientHeight));
  expect(new Set(await words.allTextContents())).toContain("Erwähnungen");
  expect(new Set(heights).size).toBe(1);
  await theirs.goto("/#settings/lists");
  const muted = theirs.locator("li bdi", { hasText: "Mo Moderator" });
  expect(await muted.evaluate((node) => node.getClientRects().length)).toBe(1);
  expect(await faultsOf(theirs)).toEqual([]);
});
