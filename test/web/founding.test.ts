// The first steps of an owner, each of which can be skipped or resumed.
import { expect, test } from "bun:test";
import { openSetUp } from "../../src/features/organization/set-up.ts";
import { startEmptyTestServer, startTestServer } from "../test-server.ts";
import { faultsOf, LOOKS, look } from "./axe.ts";
import { BrowserSession } from "./browser-session.ts";

test("the owner names, invites and chooses, and is not asked again", async () => {
  const testServer = await startEmptyTestServer();
  const link = await testServer.realm.write(openSetUp);
  const browserSession = await BrowserSession.empty(testServer);
  const page = await browserSession.tab(link);
  await page.getByLabel("Organization name").fill("Larkspur");
  await page.getByLabel("Your name").fill("Olga Owner");
  await page.getByLabel("Your email address").fill("olga@example.com");
  await page.getByLabel("Your password").fill("correct horse battery");
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByRole("heading", { name: "Name and icon" }).waitFor();
  for (const looked of LOOKS) {
    await look(page, looked);
    expect(await faultsOf(page)).toEqual([]);
  }
  await look(page, LOOKS[0]!);
  const name = page.getByLabel("Organization name");
  await name.fill(" ");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("alert").getByText("Enter a name.").waitFor();
  await name.fill("Larkspur & friends");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Invite people" }).waitFor();
  expect(testServer.realm.read.settings.name).toBe("Larkspur & friends");
  await page.getByRole("button", { name: "Create link" }).click();
  const invitation = page.getByRole("textbox", { name: "Invitation link" });
  await invitation.waitFor();
  expect(await invitation.inputValue()).toStartWith(`${testServer.url}/join/`);
  // Another device cannot open an address of this computer, so there is no QR code.
  await page.getByText("This link opens only on this computer").waitFor();
  expect(await page.locator(".settings-qr").count()).toBe(0);
  expect(await faultsOf(page)).toEqual([]);

  await page.getByRole("button", { name: "Later" }).click();
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  await page.reload();
  await page.goto("/#first-steps");
  await page.getByRole("heading", { name: "Invite people" }).waitFor();
  await page.getByRole("button", { name: "Skip" }).click();
  await page.getByRole("heading", { name: "Appearance" }).waitFor();
  await page.getByText("Dark", { exact: true }).click();
  await page.locator("html[data-scheme=dark]").waitFor();
  await page.getByRole("button", { name: "Start chatting" }).click();
  await page.getByText("what are topics?").first().waitFor();
  const [seen] = [...testServer.realm.read.onboarding_seen.range()];
  expect(seen!.steps).toEqual(["founder_name", "founder_people", "founder_look"]);
  expect(browserSession.faults).toEqual([]);
  await browserSession.close();
  await testServer.close();
});

test("nobody else is led anywhere", async () => {
  const testServer = await startTestServer();
  const { onboarding_steps } = await testServer.ask("olga", "POST /register", {
    fetch_event_types: ["onboarding_steps"],
  });
  const names = (onboarding_steps as { name: string }[]).map(({ name }) => name);
  expect(names.filter((name) => name.startsWith("founder"))).toEqual([]);
  await testServer.close();
});
