// The page for imports: an owner uploads, checks, imports and undoes an archive.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { currentOf, forgetUpload, uploadPath } from "../../src/features/moving/uploaded/state.ts";
import { setPassword } from "../../src/features/passwords/actions.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { PASSWORD } from "../browser.ts";
import {
  entries as mattermostEntries,
  LINES as MATTERMOST_LINES,
  post,
} from "../moving/mattermost-fixture.ts";
import { slackEntries } from "../moving/slack-fixture.ts";
import { zipOf } from "../moving/zip.ts";
import { tarOf } from "../moving/zulip-fixture.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";
import { APPEARANCES, applyLook, accessibilityFaults } from "./axe.ts";
import { BrowserSession } from "./browser-session.ts";

let testServer: TestServer;
let page: Page;

beforeAll(async () => {
  testServer = await startTestServer();
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => setPassword(tx, testServer.idOf("olga"), hash));
  page = await (await BrowserSession.of(testServer, "olga")).tab("/#organization/import");
});
afterAll(() => testServer.close());

const button = (name: string) => page.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog");

async function hasNoFaults(): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
  await applyLook(page, APPEARANCES[0]!);
}

async function choose(name: string, bytes: Uint8Array): Promise<void> {
  const file = { name, mimeType: "application/zip", buffer: Buffer.from(bytes) };
  await page.locator("input[type=file]").setInputFiles(file);
}

async function upload(bytes: Uint8Array, name = "slack.zip"): Promise<void> {
  await button("Choose archive…").waitFor();
  await choose(name, bytes);
  await page.getByText(`“${name}” was uploaded.`).waitFor();
}

async function expectInGerman(words: string | RegExp): Promise<void> {
  const set = (language: string) =>
    testServer.request("olga", "PATCH /settings", { default_language: language });
  await set("de");
  await page.getByText(words).waitFor();
  await set("en");
  await page.getByText(words).waitFor({ state: "detached" });
}

test("uploads, checks, maps, imports, reports and undoes a Slack export", async () => {
  await upload(zipOf(slackEntries()).subarray(0, -30));
  await button("Check archive").click();
  await page.getByText("The archive was rejected. Nothing was imported.").waitFor();
  await page.getByText(/^slack\.zip: not a whole zip file/).waitFor();
  await expectInGerman(/^slack\.zip: keine vollständige zip-Datei/);

  await upload(zipOf(slackEntries()));
  await button("Check archive").click();
  await page.getByText("“slack.zip” was checked. Nothing has been imported yet.").waitFor();
  await page.getByRole("row", { name: /^Messages \d+$/ }).waitFor();
  await page.getByText("A huddle is left out.").waitFor();
  await expectInGerman("Ein Huddle wird ausgelassen.");
  const address = page.getByLabel("Address of Nina New");
  await address.waitFor();
  expect(await address.inputValue()).toBe("nina@example.com");
  await hasNoFaults();
  await address.fill("nina@example.org");
  await address.press("Tab");
  await page.getByLabel("Role of Nina New").selectOption("moderator");
  const mapped = { source: "U0NEW", email: "nina@example.org", role: "moderator" };
  await until(() => Bun.deepEquals(currentOf(testServer.realm).stored.mapped, [mapped]));
  await page.reload();
  await until(async () => (await address.inputValue()) === "nina@example.org");
  expect(await page.getByLabel("Role of Nina New").inputValue()).toBe("moderator");

  await button("Import…").click();
  await dialog().getByLabel("Your password").fill("wrong");
  await dialog().getByRole("button", { name: "Import", exact: true }).click();
  await dialog().getByRole("alert").waitFor();
  await dialog().getByLabel("Your password").fill(PASSWORD);
  await dialog().getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("The import is complete.", { exact: true }).waitFor();
  await page
    .locator(".settings-list")
    .getByText(/^Slack, /)
    .waitFor();
  const nina = testServer.realm.read.users.findBy("email", "nina@example.org");
  expect(nina).toMatchObject({ role: 300 });
  await hasNoFaults();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download report" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("skein-import-report.json");

  await button("Undo import").click();
  await dialog().getByLabel("Your password").fill(PASSWORD);
  await dialog().getByRole("button", { name: "Undo import", exact: true }).click();
  await page.getByText("The import was undone.").waitFor();
  const slack = page.getByRole("listitem").filter({ hasText: "Slack" });
  await slack.getByText("Undone", { exact: true }).waitFor();
  expect(testServer.realm.read.users.findBy("email", "nina@example.org")).toBeUndefined();
});

test("rewrites links to the URL of the old server that the owner enters", async () => {
  const linking = post(600, "bo", "see https://old.example/acme/channels/town-square");
  await page.goto("/#organization/import");
  await page.reload();
  await upload(zipOf(mattermostEntries([...MATTERMOST_LINES, linking])), "mattermost.zip");
  const url = page.getByLabel("URL of the old server");
  await expectInGerman("URL des alten Servers");
  await url.fill("old.example");
  await button("Check archive").click();
  await page
    .getByRole("alert")
    .getByText(/^Enter the URL of the old server/)
    .waitFor();
  await url.fill("https://old.example");
  await button("Check archive").click();
  await button("Import…").waitFor();
  await hasNoFaults();
  await url.fill("");
  await button("Check archive").waitFor();
  await page.reload();
  await button("Import…").waitFor();
  expect(await url.inputValue()).toBe("https://old.example");

  await button("Import…").click();
  await dialog().getByLabel("Your password").fill(PASSWORD);
  await dialog().getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("The import is complete.", { exact: true }).waitFor();
  const imported = [...testServer.realm.read.messages.range()].map(({ content }) => content);
  expect(imported).toContainEqual(expect.stringMatching(/^see \[#Town Square\]\(\/#narrow/));
  await button("Undo import").first().click();
  await dialog().getByLabel("Your password").fill(PASSWORD);
  await dialog().getByRole("button", { name: "Undo import", exact: true }).click();
  await page.getByText("The import was undone.").waitFor();
});

test("shows the command for an archive that creates an organization", async () => {
  await page.goto("/#organization/import");
  await page.reload();
  const commands = page.locator("pre");
  const command = (file: string) => `skein import run --data /var/lib/skein-new --from ${file}`;
  await commands.filter({ hasText: command("FILE") }).waitFor();
  await upload(tarOf({ "realm.json": "{}" }), "zulip.tar.gz");
  await button("Check archive").click();
  await page.getByText(/^This archive keeps the IDs of its accounts/).waitFor();
  await commands.filter({ hasText: command("zulip.tar.gz") }).waitFor();
  await hasNoFaults();
});

test("continues an upload with the same file, and deletes the archive", async () => {
  const { realm } = testServer;
  const bytes = zipOf(slackEntries());
  const about = { key: "begun", name: "slack.zip", file: "slack.zip" };
  const started = { ...about, size: bytes.length, created: realm.read.now };
  mkdirSync(dirname(uploadPath(realm, started)), { recursive: true });
  writeFileSync(uploadPath(realm, started), bytes.subarray(0, 100));
  forgetUpload(realm, { upload: started, report: null });
  await page.goto("about:blank");
  await page.goto("/#organization/import");
  await page.getByText("The upload of “slack.zip” is incomplete").waitFor();
  await choose("other.zip", bytes);
  await page.getByRole("alert").getByText("This is a different file.").waitFor();
  await choose("slack.zip", bytes);
  await page.getByText("“slack.zip” was uploaded.").waitFor();
  await button("Delete archive").click();
  await button("Choose archive…").waitFor();
});

test("forgets the mapped roles after another owner has replaced the archive", async () => {
  await page.goto("/#organization/import");
  await page.reload();
  await upload(zipOf(slackEntries()));
  await button("Check archive").click();
  await page.getByLabel("Role of Nina New").selectOption("owner");
  const { realm } = testServer;
  await until(() => currentOf(realm).stored.mapped.length === 1);
  await page.goto("/#inbox");
  await page.locator("main h1").filter({ hasText: "Inbox" }).waitFor();
  // The id of Nina New in this archive could be another user's in the next one.
  const { stored } = currentOf(realm);
  renameSync(dirname(uploadPath(realm, stored.upload!)), join(realm.config.data, "imports/other"));
  const replaced = { ...stored.upload!, key: "other" };
  currentOf(realm).stored = { ...stored, upload: replaced, mapped: [] };
  await page.goto("/#organization/import");
  const role = page.getByLabel("Role of Nina New");
  await role.waitFor();
  await until(async () => (await role.inputValue()) === "");
  await button("Delete archive").click();
  await button("Choose archive…").waitFor();
});
