// Pages of users and groups: members, profiles and the user's own profile.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { createUser } from "../../src/features/accounts/actions.ts";
import { signUp } from "../../src/features/invitations/join.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import type { Json } from "../test-server.ts";
import { until } from "../wait-until.ts";
import { accessibilityFaults, faultsOf, applyLook, APPEARANCES } from "./axe.ts";
import { BrowserFixture } from "./browser-fixture.ts";

let fixture: BrowserFixture;
let makers: number;
let team: number;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
  const { testServer } = fixture;
  const make = async (requested: object) =>
    (await testServer.request("ada", "POST /user_groups/create", { description: "", ...requested }))
      .group_id;
  makers = await make({ name: "makers", members: [testServer.idOf("bo")] });
  team = await make({ name: "field team", members: [testServer.idOf("cy")], subgroups: [makers] });
  await fixture.post("bo", "The mark is drawn");
  await testServer.request("bo", "POST /users/me/status", { status_text: "In the workshop" });
});
afterEach(() => fixture.close());

const waitForHeading = (page: Page, name: string) =>
  page.locator("main h1").filter({ hasText: name }).waitFor();
const waitForToast = (page: Page, text: string) =>
  page.locator(".toast").filter({ hasText: text }).waitFor();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const panelOf = (page: Page) => page.getByRole("complementary", { name: "People" });

test("user pages have no accessibility faults in any look", async () => {
  const { testServer, topicUrl: fragment } = fixture;
  const page = await (await fixture.sessionOf("ada")).tab("/#groups/all");
  await waitForHeading(page, "Groups");
  const faults: string[] = [];
  const recordFaults = async (location: string, looks = APPEARANCES) => {
    const found = await accessibilityFaults(page, "html", looks);
    faults.push(...found.map((fault) => `${location}  ${fault}`));
  };
  await recordFaults("groups");
  await page.goto("/#groups/new");
  await waitForHeading(page, "New group");
  await recordFaults("new group");
  await page.goto(`/#groups/${team}`);
  await waitForHeading(page, "field team");
  await recordFaults("group");
  await page.goto(fragment);
  await page.locator("article").first().waitFor();
  // Wide screens show the panel beside the feed, and narrow ones when a button is pressed.
  const [wide, narrow] = [APPEARANCES.slice(0, 2), APPEARANCES.slice(2)];
  await applyLook(page, wide[0]!);
  await panelOf(page).getByText("In the workshop").waitFor();
  await recordFaults("panel", wide);
  await applyLook(page, narrow[0]!);
  await button(page, "People").click();
  await panelOf(page).getByText("In the workshop").waitFor();
  await recordFaults("panel", narrow);
  await page.goto(`/#user/${testServer.idOf("bo")}`);
  await page.getByRole("dialog", { name: "Profile" }).getByText("field team").waitFor();
  await recordFaults("profile");
  expect(faults).toEqual([]);
});

test("lists users of a topic, with card and profile by keyboard", async () => {
  const { testServer, topicUrl: fragment } = fixture;
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fragment);
  const panel = panelOf(page);
  await panel.getByRole("heading", { name: "In this topic 1" }).waitFor();
  await panel.getByRole("heading", { name: "Also in design 2" }).waitFor();
  await page.keyboard.press("w");
  await panel.locator("input:focus").waitFor();
  await page.keyboard.type("mod");
  await panel.locator(".person", { hasText: "Mo Moderator" }).waitFor();
  await page.keyboard.press("Enter");
  const card = page.getByRole("dialog", { name: "Profile card of Mo Moderator" });
  await card.getByText("mo@example.com").waitFor();
  expect(await faultsOf(page, undefined, "[role=dialog]")).toEqual([]);
  await card.getByRole("link", { name: "Profile" }).click();
  const profile = page.getByRole("dialog", { name: "Profile" });
  await profile.getByText("mo@example.com").waitFor();
  expect(new URL(page.url()).hash).toBe(`#user/${testServer.idOf("mo")}`);
  await profile.getByRole("button", { name: "Mute" }).click();
  await profile.getByRole("button", { name: "Unmute" }).waitFor();
  const mutedRow = () =>
    testServer.realm.read.muted_users.get(testServer.idOf("ada"), testServer.idOf("mo"));
  await until(mutedRow);
  await page.keyboard.press("Escape");
  await page.locator("article", { hasText: "The mark is drawn" }).waitFor();
  expect(browserSession.faults).toEqual([]);
});

test("sets a status with an emoji and an end, and hides presence", async () => {
  const { testServer, topicUrl: fragment } = fixture;
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fragment);
  const theirs = await (await fixture.sessionOf("cy")).tab(fragment);
  const own = page.locator(".sidebar-user");
  await own.click();
  await page.getByRole("menuitem", { name: "Set a status" }).click();
  await page.getByRole("dialog", { name: "Set a status" }).waitFor();
  expect(await faultsOf(page, undefined, "[role=dialog]")).toEqual([]);
  await page.getByRole("button", { name: /In a meeting/ }).click();
  await page.getByRole("dialog", { name: "Set a status" }).locator("[type=submit]").click();
  await waitForToast(page, "Clears");
  await panelOf(theirs).locator(".person", { hasText: "In a meeting" }).waitFor();
  testServer.clock.passSeconds(3700);
  testServer.realm.onDue();
  await panelOf(theirs)
    .locator(".person", { hasText: "In a meeting" })
    .waitFor({ state: "detached" });

  await own.click();
  await page.getByRole("menuitemcheckbox", { name: "Go invisible" }).click();
  await waitForToast(page, "You now appear offline");
  const isShown = () =>
    testServer.realm.read.users.get(testServer.idOf("ada"))!.settings["presence_enabled"] !== false;
  await until(() => !isShown());
  expect(browserSession.faults).toEqual([]);
});

test("lets only administrators set statuses of others", async () => {
  const { testServer, topicUrl: fragment } = fixture;
  const bo = testServer.idOf("bo");
  const member = await (await fixture.sessionOf("cy")).tab(`/#user/${bo}`);
  await member.getByRole("dialog", { name: "Profile" }).getByText("In the workshop").waitFor();
  expect(await button(member, "Set a status").count()).toBe(0);
  await member.goto(fragment);

  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(`/#user/${bo}`);
  await button(page, "Set a status").press("Enter");
  const dialog = page.getByRole("dialog", { name: "Edit status of Bo Member" });
  const field = dialog.getByRole("textbox");
  expect(await field.inputValue()).toBe("In the workshop");
  expect(await dialog.getByRole("combobox").count()).toBe(0);
  expect(await faultsOf(page, undefined, "[role=dialog]")).toEqual([]);
  await field.fill("On vacation until Monday");
  await field.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await panelOf(member).locator(".person", { hasText: "On vacation until Monday" }).waitFor();
  expect(browserSession.faults).toEqual([]);
});

test("a group shows indirect members, and where it is used", async () => {
  const { testServer } = fixture;
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(`/#groups/${team}`);
  await page.getByRole("heading", { name: "2 members" }).waitFor();
  await page.locator(".people-rows li", { hasText: "Bo Member" }).getByText("via makers").waitFor();
  await page.getByRole("combobox", { name: "Add people" }).fill("mo");
  await page.getByRole("option", { name: /Mo Moderator/ }).click();
  await button(page, "Add").click();
  await page.getByRole("heading", { name: "3 members" }).waitFor();
  await page.getByRole("link", { name: "makers" }).click();
  await waitForHeading(page, "makers");
  await button(page, "Deactivate").click();
  const dialog = page.getByRole("dialog", { name: "Deactivate makers?" });
  await dialog.getByRole("button", { name: "Deactivate" }).click();
  await dialog.getByText("It is a subgroup of field team. Remove it there first.").waitFor();
  expect(await faultsOf(page, undefined, "[role=dialog]")).toEqual([]);
  await page.keyboard.press("Escape");
  await page.goto(`/#groups/${team}`);
  await button(page, "Remove makers").click();
  await page.getByRole("heading", { name: "2 members" }).waitFor();
  await page.goto(`/#groups/${makers}`);
  await button(page, "Deactivate").click();
  await dialog.getByRole("button", { name: "Deactivate" }).click();
  await waitForToast(page, "makers was deactivated");
  const { user_groups } = await testServer.request("ada", "GET /user_groups", {
    include_deactivated_groups: true,
  });
  expect(user_groups.find(({ id }: Json) => id === makers).deactivated).toBe(true);
});

test("creates a group by keyboard, and joins and leaves it", async () => {
  const page = await (await fixture.sessionOf("bo")).tab("/#groups/new");
  await waitForHeading(page, "New group");
  await page.keyboard.type("makers");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "already exists" }).waitFor();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("makers");
  await page.keyboard.type(" of soup");
  await page.keyboard.press("Enter");
  await waitForHeading(page, "makers of soup");
  await page.getByText("Only people who can manage the group can remove members.").waitFor();
  await page
    .getByText(/can add members: Bo Member. Anyone who can manage the group can too./)
    .waitFor();
  await button(page, "Leave").click();
  await waitForToast(page, "You left makers of soup");
  await page.getByText("No members.").waitFor();
  await button(page, "Join").click();
  await page.getByRole("heading", { name: "1 member" }).waitFor();
});

test("renders visible users of a large list, and finds all", async () => {
  const { testServer } = fixture;
  await testServer.realm.write((tx) => {
    for (let index = 0; index < 400; index++) {
      const full_name = `Person ${index}`;
      createUser(tx, { email: `person${index}@example.com`, full_name, role: 400 });
    }
  });
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#feed");
  const panel = panelOf(page);
  await panel.getByRole("heading", { name: /Everyone 40\d/ }).waitFor();
  expect(await panel.locator(".person").count()).toBeLessThan(120);
  await page.keyboard.press("w");
  await panel.locator("input:focus").waitFor();
  await page.keyboard.type("person 399");
  await panel.locator(".person", { hasText: "Person 399" }).waitFor();
  expect(await panel.locator(".person").count()).toBe(1);
});

const goTo = (page: Page, hash: string) => page.evaluate((to) => void (location.hash = to), hash);

/** Opens a profile and checks that it has no menu to manage the account. */
async function isNotOffered(page: Page, user_id: number): Promise<void> {
  const { full_name } = fixture.testServer.realm.read.users.get(user_id)!;
  await goTo(page, `#user/${user_id}`);
  const profile = page.getByRole("dialog", { name: "Profile" }).filter({ hasText: full_name });
  await profile.getByRole("button", { name: "Copy link", exact: true }).waitFor();
  expect(await page.getByRole("button", { name: /Manage account/ }).count()).toBe(0);
}

test("deletes a spammer's account and messages, after a summary", async () => {
  const { testServer } = fixture;
  await testServer.request("olga", "PATCH /realm", { invite_required: false });
  const conversation = { stream_id: fixture.stream_id, topic: "logo" };
  const cheap = await testServer.realm.write((tx) =>
    signUp(tx, { email: "spam@example.com", full_name: "Cheap Watches" }),
  );
  const spam = await testServer.realm.write((tx) =>
    sendMessage(tx, tx.users.get(cheap.user_id)!, conversation, "Buy"),
  );
  // Only Mo is offered to manage the account, and only the spammer's.
  for (const [name, others] of [
    ["bo", [cheap.user_id]],
    ["ada", [testServer.idOf("olga"), testServer.idOf("ada")]],
  ] as const) {
    const page = await (await fixture.sessionOf(name)).tab("/#inbox");
    for (const user_id of others) await isNotOffered(page, user_id);
  }
  const browserSession = await fixture.sessionOf("mo");
  const page = await browserSession.tab("/#inbox");
  await isNotOffered(page, testServer.idOf("ada"));
  // A user who was just invited looks like a new sign-up, but the server does not report one.
  const answered = page.waitForResponse(
    // Excludes other requests about the user, and users whose id has the same prefix.
    (response) => new URL(response.url()).pathname === `/json/users/${testServer.idOf("bo")}`,
  );
  await goTo(page, `#user/${testServer.idOf("bo")}`);
  expect((await (await answered).json()).user.signed_up).toBeUndefined();
  await isNotOffered(page, testServer.idOf("bo"));
  await goTo(page, `#user/${cheap.user_id}`);
  await page.getByRole("button", { name: /Manage account/ }).click();
  await page.getByRole("menuitem", { name: /and delete messages/ }).click();
  const dialog = page.getByRole("dialog", { name: /Deactivate Cheap Watches/ });
  await dialog.getByText("cannot be undone").waitFor();
  expect(await faultsOf(page, undefined, "[role=dialog]")).toEqual([]);
  await dialog.getByRole("button", { name: "Deactivate and delete" }).click();
  await waitForToast(page, "Cheap Watches was deactivated");
  await until(() => !testServer.realm.read.messages.has(spam.id));
  await page.getByRole("dialog", { name: "Profile" }).getByText("Deactivated").waitFor();
});

test("starts the same from a card", async () => {
  const page = await (await fixture.sessionOf("ada")).tab(fixture.topicUrl);
  const written = page.locator("article").filter({ hasText: "The mark is drawn" });
  await written.locator(".msg-name").click();
  const card = page.getByRole("dialog", { name: "Profile card of Bo Member" });
  await card.getByRole("button", { name: /Manage account/ }).click();
  await page.getByRole("menuitem", { name: /and delete messages/ }).click();
  const dialog = page.getByRole("dialog", { name: "Deactivate Bo Member?" });
  await button(page, "Deactivate and delete").click({ trial: true });
  expect(await card.count()).toBe(0);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(fixture.testServer.realm.read.users.get(fixture.testServer.idOf("bo"))!.is_active).toBe(
    true,
  );
});
