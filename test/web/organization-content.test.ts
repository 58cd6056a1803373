/** Custom content of an organization: emoji, linkifiers, fields, channels and domains. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { accessibilityFaults, TWO_LOOKS } from "./axe.ts";
import { until } from "../wait-until.ts";
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
  return browserSession.tab(`/#organization/${address}`);
}
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const dialogOf = (page: Page) => page.getByRole("dialog");
/** Returns the error message of a field, if it has one. */
async function errorOf(page: Page, label: string): Promise<string | null> {
  const field = page.getByLabel(label, { exact: true });
  await field.and(page.locator("[aria-invalid=true]:focus")).waitFor();
  return page.locator(`#${await field.getAttribute("aria-describedby")}`).textContent();
}
const waitUntilSaved = (page: Page) => dialogOf(page).waitFor({ state: "detached" });

test("lets members add an emoji, and its creator or an administrator remove it", async () => {
  const page = await pageOf("bo", "emoji");
  const other = await pageOf("cy", "emoji");
  await other.getByText("No custom emoji yet.").waitFor();
  expect(await other.getByRole("searchbox", { name: "Find an emoji" }).count()).toBe(0);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    button(page, "Upload image").click(),
  ]);
  const buffer = await page.locator(".mark").screenshot();
  await chooser.setFiles({ name: "Party Parrot.png", mimeType: "image/png", buffer });
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("party_parrot");
  await page.getByLabel("Name", { exact: true }).fill("Parrot!");
  await button(page, "Add emoji").click();
  expect(await errorOf(page, "Name")).toContain("lowercase English letters");
  await page.getByLabel("Name", { exact: true }).fill("kettle_dance");
  await button(page, "Add emoji").click();
  await other.locator(".org-row", { hasText: ":kettle_dance:" }).locator("img").waitFor();
  expect(await button(other, "Remove :kettle_dance:").count()).toBe(0);
  await other.getByRole("searchbox", { name: "Find an emoji" }).fill("zebra");
  await other.getByText("No results for “zebra”.").waitFor();
  await other.getByRole("searchbox", { name: "Find an emoji" }).fill("kettle");
  await other.locator(".org-row", { hasText: ":kettle_dance:" }).waitFor();
  await button(page, "Remove :kettle_dance:").click();
  await dialogOf(page).getByRole("button", { name: "Remove" }).click();
  await other.locator(".org-row").waitFor({ state: "detached" });

  const guest = await pageOf("gus", "emoji");
  await guest.getByText("You don’t have permission to add emoji").waitFor();
  expect(await button(guest, "Add emoji").count()).toBe(0);
});

test("tests a linkifier before it is saved, reordered and removed", async () => {
  const page = await pageOf("ada", "linkifiers");
  const other = await pageOf("bo", "linkifiers");
  await other.getByText("Only administrators can change").waitFor();
  expect(await button(other, "New linkifier").count()).toBe(0);
  await button(page, "New linkifier").click();
  await page.getByLabel("Pattern").fill("#(?P<id>[0-9]+");
  await page.getByLabel("URL template").fill("https://example.com/{id}");
  const wrong = dialogOf(page).getByText("Bad regular expression");
  await wrong.waitFor();
  await button(page, "Save").click();
  expect(await errorOf(page, "Pattern")).toContain("Bad regular expression");
  expect(await wrong.count()).toBe(1);
  await page.getByLabel("Pattern").fill("#(?P<id>[0-9]+)");
  await wrong.waitFor({ state: "detached" });
  await page.getByLabel("Test text").fill("see #12 and x#3");
  await dialogOf(page).getByText("https://example.com/12").waitFor();
  expect(await dialogOf(page).locator(".org-test-result a").allTextContents()).toEqual(["#12"]);
  await button(page, "Save").click();
  await other.getByText("#(?P<id>[0-9]+)").waitFor();
  const second = { pattern: "T(?P<n>[0-9]+)", url_template: "https://example.org/{n}" };
  await testServer.request("ada", "POST /realm/filters", second);
  await button(page, `Move ${second.pattern} up`).click();
  await other.locator("ol > li:first-child", { hasText: second.pattern }).waitFor();
  await button(page, `Remove ${second.pattern}`).click();
  await dialogOf(page).getByRole("button", { name: "Remove" }).click();
  await other.getByText(second.pattern).waitFor({ state: "detached" });
  expect((await testServer.request("bo", "GET /realm/linkifiers")).linkifiers).toHaveLength(1);
});

test("keeps choices of fields, and shows errors of playgrounds at fields", async () => {
  const page = await pageOf("olga", "fields");
  await button(page, "New field").click();
  await page.getByLabel("Field type").selectOption({ label: "List of options" });
  await button(page, "Save").click();
  const name = page.getByLabel("Name", { exact: true });
  const description = page.locator(`#${await name.getAttribute("aria-describedby")}`);
  expect(await description.textContent()).toBe("Enter a name.");
  await name.fill("Shirt");
  await description.waitFor({ state: "detached" });
  await button(page, "Save").click();
  expect(await errorOf(page, "Options, one per line")).toContain("at least one choice");
  await page.getByLabel("Options, one per line").fill("S\nM");
  await button(page, "Save").click();
  await waitUntilSaved(page);
  const fieldOf = () => [...testServer.realm.read.profile_fields.range()][0]!;
  const { id } = fieldOf();
  await testServer.request("bo", "PATCH /users/me/profile_data", { data: [{ id, value: "1" }] });
  await button(page, "Edit Shirt").click();
  await page.getByLabel("Options, one per line").fill("XS\nM\nL");
  await button(page, "Save").click();
  await waitUntilSaved(page);
  const received = (await testServer.request("bo", "GET /realm/profile_fields")).custom_fields[0];
  const choices = JSON.parse(received.field_data) as Record<
    string,
    { text: string; order: string }
  >;
  expect(choices["1"]).toEqual({ text: "M", order: "2" });
  expect(
    Object.values(choices)
      .map(({ text }) => text)
      .sort(),
  ).toEqual(["L", "M", "XS"]);

  await page.goto("/#organization/playgrounds");
  await page.getByLabel("Language").fill("Rust");
  await page.getByLabel("Name", { exact: true }).fill("Play");
  await page.getByLabel("URL template").fill("https://example.com/");
  await button(page, "Add").click();
  expect(await errorOf(page, "URL template")).toContain("Missing the required variable");
  await page.getByLabel("URL template").fill("https://example.com/{code}");
  await button(page, "Add").click();
  await page.getByText("Play (Rust)").waitFor();
  // The response to the previous addition empties the fields.
  await until(async () => (await page.getByLabel("Language").inputValue()) === "");
  await page.getByLabel("Language").fill("Rust");
  await page.getByLabel("Name", { exact: true }).fill("Play");
  await page.getByLabel("URL template").fill("https://example.org/{code}");
  await button(page, "Add").click();
  expect(await errorOf(page, "Name")).toContain("already has a playground");
  expect(await page.getByLabel("URL template").inputValue()).toBe("https://example.org/{code}");
  await page.getByLabel("Language").fill("Rust!");
  await button(page, "Add").click();
  expect(await errorOf(page, "Language")).toContain("Invalid characters");
  expect(await page.getByRole("alert").count()).toBe(1);
});

test("sets default channels and domains with permission", async () => {
  for (const name of ["soup", "pans"]) {
    await testServer.request("bo", "POST /users/me/subscriptions", { subscriptions: [{ name }] });
  }
  const page = await pageOf("ada", "channels");
  const other = await pageOf("bo", "channels");
  await other.getByText("general", { exact: true }).last().waitFor();
  expect(await other.getByRole("combobox", { name: "Add channel" }).count()).toBe(0);
  await page.getByRole("combobox", { name: "Add channel" }).fill("soup");
  await page.getByRole("option", { name: /soup/ }).click();
  await other.locator(".org-row", { hasText: "soup" }).waitFor();
  await button(page, "Remove soup").click();
  await other.locator(".org-row", { hasText: "soup" }).waitFor({ state: "detached" });
  await button(page, "Undo").click();
  await other.locator(".org-row", { hasText: "soup" }).waitFor();
  await button(page, "New channel group").click();
  await page.getByLabel("Name", { exact: true }).fill("Kitchen");
  await dialogOf(page).getByRole("combobox", { name: "Channels" }).fill("pan");
  await page.getByRole("option", { name: /pans/ }).click();
  await button(page, "Save").click();
  await other.getByText("#pans").waitFor();

  await page.goto("/#organization/domains");
  await page.getByText("Only owners can change this.").waitFor();
  expect(await button(page, "Add").count()).toBe(0);
  const owner = await pageOf("olga", "domains");
  await owner.getByLabel("Domain", { exact: true }).fill("exa mple");
  await button(owner, "Add").click();
  expect(await errorOf(owner, "Domain")).toContain("at least one dot");
  await owner.getByLabel("Domain", { exact: true }).fill("example.com");
  await button(owner, "Add").click();
  await page.getByText("example.com", { exact: true }).waitFor();
  await owner.getByLabel("Include subdomains of example.com").check();
  await page.locator('[aria-label="Include subdomains of example.com"]:checked').waitFor();
});

test("lists have no accessibility faults", async () => {
  const rule = { pattern: "#(?P<id>[0-9]+)", url_template: "https://example.com/{id}" };
  await testServer.request("olga", "POST /realm/filters", rule);
  await testServer.request("olga", "POST /realm/profile_fields", { field_type: 1, name: "Team" });
  await testServer.request("olga", "POST /realm/domains", {
    domain: "example.com",
    allow_subdomains: true,
  });
  const page = await pageOf("olga", "channels");
  const faults: string[] = [];
  for (const address of ["channels", "domains", "linkifiers", "fields"]) {
    await page.goto(`/#organization/${address}`);
    await page.locator(".org-row").first().waitFor();
    faults.push(
      ...(await accessibilityFaults(page, "html", TWO_LOOKS)).map(
        (fault) => `${address}  ${fault}`,
      ),
    );
  }
  await button(page, "Edit Team").click();
  faults.push(...(await accessibilityFaults(page, "html", TWO_LOOKS)));
  expect(faults).toEqual([]);
});
