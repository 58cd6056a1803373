// Channels and roles: the actions that each role is offered, and those that a permission removes.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Name } from "../users.ts";
import type { Json } from "../test-server.ts";
import { BrowserFixture } from "./browser-fixture.ts";

let fixture: BrowserFixture;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
});
afterEach(() => fixture.close());

const waitForHeading = (page: Page, name: string) =>
  page.locator("main h1").filter({ hasText: name }).waitFor();
const waitForToast = (page: Page, words: string | RegExp) =>
  page.locator(".toast").filter({ hasText: words }).waitFor();

/** Offered actions by role: in the list, the channel's page and the groups. */
const OFFERED_SETTINGS: Readonly<Partial<Record<Name, readonly string[]>>> = {
  olga: ["New channel", "Folders", "Name", "Retention", "Archive", "New group"],
  ada: ["New channel", "Folders", "Name", "Archive", "New group"],
  mo: ["New channel", "New group"],
  cy: ["New channel", "New group"],
  gus: [],
};

test.each(Object.keys(OFFERED_SETTINGS) as Name[])(
  "%s sees exactly the buttons of the role",
  async (name) => {
    const { testServer, stream_id } = fixture;
    await testServer.request("ada", "POST /users/me/subscriptions", {
      subscriptions: [{ name: "design" }],
      principals: [testServer.idOf(name)],
    });
    const page = await (await fixture.sessionOf(name)).tab("/#channels/all");
    await page.locator(".list-row", { hasText: "design" }).waitFor();
    const labels: string[] = [];
    const recordOffered = async (label: string, selector: string) => {
      if (await page.locator(selector).first().isVisible()) labels.push(label);
    };
    await recordOffered("New channel", ".bar-acts .btn[data-kind=primary]");
    await recordOffered("Folders", ".bar-acts .btn[data-kind=quiet]");
    await page.goto(`/#channels/${stream_id}`);
    await page.getByRole("heading", { name: "Permissions" }).waitFor();
    await recordOffered("Name", "input[maxlength='60']");
    await recordOffered("Retention", ".option-row:has-text('Keep messages for') select:enabled");
    await recordOffered("Archive", ".btn[data-kind=danger]");
    await page.goto("/#groups/all");
    await waitForHeading(page, "Groups");
    await recordOffered("New group", ".bar-acts .btn[data-kind=primary]");
    expect(labels).toEqual([...OFFERED_SETTINGS[name]!]);
  },
);

test("offers channel administrators what the server accepts, and explains limits", async () => {
  const { testServer, stream_id } = fixture;
  const groupOf = (name: Name) => ({
    new: { direct_members: [testServer.idOf(name)], direct_subgroups: [] },
  });
  await testServer.request("ada", "PATCH /realm", {
    can_set_topics_policy_group: groupOf("mo"),
    can_create_public_channel_group: groupOf("mo"),
    can_create_private_channel_group: groupOf("mo"),
  });
  await testServer.request("ada", `PATCH /streams/${stream_id}`, {
    can_administer_channel_group: groupOf("bo"),
    topics_policy: "disable_empty_topic",
    description: "Logos and type",
  });
  const page = await (await fixture.sessionOf("bo")).tab(`/#channels/${stream_id}`);
  const topics = page.getByLabel("Topics", { exact: true });
  await topics.waitFor();
  const labels = await topics.locator("option").allInnerTexts();
  expect(labels).toEqual(["Organization default", "Topic required"]);
  const locator = page.locator(".option-row");
  await locator.getByText("Your organization’s settings decide who can change this.").waitFor();
  await locator.getByText("Only owners can change this.").waitFor();
  await topics.selectOption(labels[0]!);
  await topics.and(page.locator(":disabled")).waitFor();
  const { streams } = await testServer.request("ada", "GET /streams", { include_all: true });
  const design = streams.find((stream: Json) => stream.name === "design");
  expect(design.topics_policy).toBe("inherit");

  const other = await (await fixture.sessionOf("cy")).tab(`/#channels/${stream_id}`);
  await other.locator(".desc").getByText("Logos and type").waitFor();
  await other.goto("/#channels/new");
  await other.getByText("1 person can create public channels: Mo Moderator.").waitFor();
  await other.goto("/#channels/folders");
  await other.getByText("No folders yet.").waitFor();
  await other.getByText("Only administrators can create and edit folders.").waitFor();
});

test("closes a page with a message when its permission is lost", async () => {
  const { testServer, stream_id } = fixture;
  const change = {
    can_administer_channel_group: {
      new: { direct_members: [testServer.idOf("cy")], direct_subgroups: [] },
    },
  };
  await testServer.request("ada", `PATCH /streams/${stream_id}`, change);
  const page = await (await fixture.sessionOf("cy")).tab(`/#channels/${stream_id}/design`);
  await page.getByLabel("Name", { exact: true }).fill("designs");
  await testServer.request("ada", `PATCH /streams/${stream_id}`, {
    can_administer_channel_group: { new: { direct_members: [], direct_subgroups: [] } },
  });
  // The field that disappears sends its text, and the refusal replaces the first notice.
  await waitForToast(page, /You (no longer|do not) have permission/);
  await page.getByLabel("Name", { exact: true }).waitFor({ state: "detached" });

  await page.goto("/#groups/new");
  await waitForHeading(page, "New group");
  const { user_groups } = await testServer.request("olga", "GET /user_groups");
  const owners = user_groups.find((group: Json) => group.name === "role:owners").id;
  await testServer.request("olga", "PATCH /realm", { can_create_groups: { new: owners } });
  await waitForToast(page, "You no longer have permission");
  await page.locator("#new-group").waitFor({ state: "detached" });
});
