// Channels are found, joined, created, opened and closed by keyboard.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import type { Name } from "../users.ts";
import type { Json } from "../test-server.ts";
import { accessibilityFaults, faultsOf } from "./axe.ts";
import { BrowserFixture } from "./browser-fixture.ts";
import { routeOnce } from "./failing-network.ts";

let fixture: BrowserFixture;
let makers: number;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
  const { testServer } = fixture;
  const members = [testServer.idOf("bo"), testServer.idOf("mo")];
  const params = { name: "makers", description: "Who makes things", members };
  makers = (await testServer.request("ada", "POST /user_groups/create", params)).group_id;
});
afterEach(() => fixture.close());

const waitForHeading = (page: Page, name: string) =>
  page.locator("main h1").filter({ hasText: name }).waitFor();
const waitForToast = (page: Page, text: string) =>
  page.locator(".toast").filter({ hasText: text }).waitFor();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const channelNamed = async (name: string): Promise<Json> => {
  const { streams } = await fixture.testServer.request("ada", "GET /streams", {
    include_all: true,
  });
  return streams.find((stream: Json) => stream.name === name);
};
const membersOf = async (stream_id: number): Promise<number[]> =>
  (await fixture.testServer.request("ada", `GET /streams/${stream_id}/members`)).subscribers;

test("channel pages have no accessibility faults in any look", async () => {
  const { testServer, stream_id } = fixture;
  await testServer.request("ada", "POST /channel_folders/create", {
    name: "Product",
    description: "",
  });
  const page = await (await fixture.sessionOf("olga")).tab("/#channels/all");
  await waitForHeading(page, "Channels");
  const faults: string[] = [];
  const views: [string, string][] = [
    ["#channels/all", "Channels"],
    ["#channels/new", "New channel"],
    [`#channels/${stream_id}/design`, "design"],
    ["#channels/folders", "Folders"],
  ];
  for (const [address, heading] of views) {
    await page.goto(`/${address}`);
    await waitForHeading(page, heading);
    await page.keyboard.press("j");
    for (const more of await page.locator("details:not([open]) > summary").all()) {
      await more.click();
    }
    faults.push(...(await accessibilityFaults(page)).map((fault) => `${address}  ${fault}`));
  }
  expect(faults).toEqual([]);
});

test("finds, joins, opens and creates a channel with the keyboard", async () => {
  const { testServer } = fixture;
  await testServer.request("bo", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "soup" }],
  });
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#channels/available");
  await page.locator(".list-row", { hasText: "soup" }).waitFor();
  await page.getByRole("searchbox", { name: "Filter channels" }).focus();
  await page.keyboard.type("sou");
  await page.keyboard.press("Enter");
  await page.keyboard.press("j");
  await page.locator(".list-row[data-selected]", { hasText: "soup" }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".sidebar-row", { hasText: "soup" }).waitFor();

  await page.keyboard.press("n");
  await waitForHeading(page, "New channel");
  await page.locator("main input:focus").waitFor();
  await page.keyboard.type("soup");
  await page.keyboard.press("Enter");
  await page.getByText("A channel named “soup” already exists").waitFor();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("soup");
  await page.keyboard.type(" trial");
  await page.getByRole("radio", { name: /Private, shared history/ }).press("Space");
  await page.getByRole("combobox", { name: "Members" }).focus();
  await page.keyboard.type("mak");
  await page.getByRole("option", { name: /makers/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("2 people will be added.").waitFor();
  await page.keyboard.press("Tab");
  await page.getByLabel("Name", { exact: true }).press("Enter");
  await waitForHeading(page, "soup trial");
  const created = await channelNamed("soup trial");
  expect(created).toMatchObject({ invite_only: true, history_public_to_subscribers: true });
  const ids = ["ada", "bo", "mo"].map((name) => testServer.idOf(name as Name));
  expect((await membersOf(created.stream_id)).sort()).toEqual(ids.sort());
  expect(browserSession.faults).toEqual([]);
});

test("says who loses access before a channel becomes private", async () => {
  const { testServer, stream_id } = fixture;
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(`/#channels/${stream_id}/design/general`);
  await waitForHeading(page, "design");
  await page.getByRole("radio", { name: /Private, hidden history/ }).check();
  const note = page.locator(".shift");
  await note.getByText(/2 people will lose access: .*Mo Moderator/).waitFor();
  await note.getByText("1 person will no longer see the channel: Mo Moderator.").waitFor();
  expect((await channelNamed("design")).invite_only).toBe(false);
  await button(page, "Save").click();
  await waitForToast(page, "Channel privacy changed");
  expect(await channelNamed("design")).toMatchObject({
    invite_only: true,
    history_public_to_subscribers: false,
  });

  const right = page.locator(".permission:has(.permission)", {
    hasText: "Who can join without an invitation",
  });
  await page.getByText("Members, moving and deleting").click();
  await right.getByRole("combobox").fill("mak");
  await right.getByRole("option", { name: /makers/ }).click();
  await right.getByText("2 people can join and read messages: 2 through makers").waitFor();
  await right.getByText("1 person will gain access: Mo Moderator").waitFor();
  await right.getByRole("button", { name: "Save" }).click();
  await right.getByText("Saved").waitFor();
  expect((await channelNamed("design")).can_subscribe_group).toBe(makers);
  // Another admin changed it first; the selection made here stays for review.
  await right.getByRole("button", { name: "Remove makers" }).click();
  const change = {
    can_subscribe_group: { new: { direct_members: [testServer.idOf("cy")], direct_subgroups: [] } },
  };
  const changeBefore = async (route: Route) => {
    await testServer.request("ada", `PATCH /streams/${stream_id}`, change);
    await route.continue();
  };
  await routeOnce(page, "**/json/streams/*", changeBefore);
  await right.getByRole("button", { name: "Save" }).click();
  await right.getByText("Someone else changed this").waitFor();
});

test("adds members by group, removes them, and unarchives a channel", async () => {
  const { testServer, stream_id } = fixture;
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(`/#channels/${stream_id}/design/subscribers`);
  await waitForHeading(page, "design");
  await page.getByRole("combobox", { name: "Add people" }).fill("maker");
  await page.getByRole("option", { name: /makers/ }).click();
  await button(page, "Add 1 person").click();
  await waitForToast(page, "1 person was added");
  expect(await membersOf(stream_id)).toContain(testServer.idOf("mo"));
  await button(page, "Remove Mo Moderator").click();
  await waitForToast(page, "Mo Moderator was removed");
  expect(await membersOf(stream_id)).not.toContain(testServer.idOf("mo"));
  await button(page, "Undo").click();
  await button(page, "Remove Mo Moderator").waitFor();

  await button(page, "Archive").click();
  const dialog = page.getByRole("dialog", { name: "Archive design?" });
  expect(await faultsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Archive" }).click();
  await waitForToast(page, "design was archived");
  await page.goto("/#channels/archived");
  await page.locator(".list-row a", { hasText: "design" }).click();
  await page.getByRole("link", { name: "Channel settings" }).click();
  await button(page, "Unarchive").click();
  await waitForToast(page, "design was unarchived");
  await page.locator(".sidebar-row", { hasText: "design" }).waitFor();
});

test("creates, moves and archives folders", async () => {
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#channels/folders");
  const make = async (name: string) => {
    await button(page, "New folder").click();
    await page.getByLabel("Name").fill(name);
    await page.keyboard.press("Enter");
  };
  await make("Product");
  await page.locator(".folder-rows li", { hasText: "Product" }).waitFor();
  await make("product");
  await page.getByRole("alert").filter({ hasText: "already exists" }).waitFor();
  expect(await page.getByLabel("Name").inputValue()).toBe("product");
  await page.getByLabel("Name").fill("Field");
  await page.keyboard.press("Enter");
  await page.locator(".folder-rows li", { hasText: "Field" }).waitFor();
  await button(page, "Move Field up").click();
  await page.locator(".folder-rows li:first-child", { hasText: "Field" }).waitFor();
  // The first row cannot move up, so the focus moves to the button that moves it back down.
  await page.locator("[aria-label='Move Field down']:focus").waitFor();
  await button(page, "Archive Product").click();
  await page.getByRole("heading", { name: "Archived" }).waitFor();
  const { channel_folders } = await fixture.testServer.request("bo", "GET /channel_folders");
  expect(channel_folders.map(({ name }: Json) => name)).toEqual(["Field"]);
});
