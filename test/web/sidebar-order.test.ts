// The user's own order of channels and folders: by menu, keyboard and drag, on all devices.
import { beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { faultsOf } from "./axe.ts";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer } = fixture;
const principals = [testServer.idOf("ada"), testServer.idOf("bo")];
const ids = new Map<string, number>();
for (const name of ["apple", "birch", "cedar", "date"]) {
  const subscribers = principals;
  const { id } = await testServer.request("ada", "POST /channels/create", { name, subscribers });
  ids.set(name, id);
}
const folders: number[] = [];
for (const name of ["Garden", "Workshop"]) {
  const created = await testServer.request("ada", "POST /channel_folders/create", {
    name,
    description: "",
  });
  folders.push(created.channel_folder_id);
  const { id } = await testServer.request("ada", "POST /channels/create", {
    ...{ name: `of ${name}`, subscribers: principals, folder_id: created.channel_folder_id },
  });
  ids.set(`of ${name}`, id);
}

beforeEach(async () => {
  for (const name of ["ada", "bo"] as const)
    await testServer.request(name, "PUT /skein_sidebar_order", { channels: [], folders: [] });
});

const TREES = ["apple", "birch", "cedar", "date"];
const rowOf = (page: Page, name: string) =>
  page.locator(".sidebar-list .sidebar-row").filter({ hasText: name }).first();
const headOf = (page: Page, name: string) =>
  page.locator(".sidebar-head").filter({ hasText: name });

/** Waits until the sidebar lists these in this order. */
const waitForRows = (page: Page, ...names: string[]) =>
  page.waitForFunction((expected) => {
    const all = [
      ...document.querySelectorAll(".sidebar-list :is(.sidebar-row .t, .sidebar-head h2)"),
    ];
    const names = all.map((item) => item.textContent).filter((name) => expected.includes(name));
    return JSON.stringify(names) === JSON.stringify(expected);
  }, names);

async function open(name: "ada" | "bo" = "bo"): Promise<Page> {
  const page = await (await fixture.sessionOf(name)).tab("/#inbox");
  await page.setViewportSize({ width: 1360, height: 900 });
  await page.getByRole("button", { name: "Menu for Garden" }).waitFor({ state: "attached" });
  await waitForRows(page, ...TREES);
  return page;
}

const choose = async (page: Page, item: string) => {
  await page.getByRole("menuitem", { name: item }).click();
  await page.getByRole("menu").waitFor({ state: "detached" });
};

test("moves a channel by its menu, on another device too, and restores the default", async () => {
  const page = await open();
  const other = await open();
  await rowOf(page, "cedar").click({ button: "right" });
  await choose(page, "Move up");
  await waitForRows(page, "apple", "cedar", "birch", "date");
  await waitForRows(other, "apple", "cedar", "birch", "date");
  expect(testServer.realm.read.sidebar_orders.get(testServer.idOf("bo"))?.channels).toContain(
    ids.get("cedar")!,
  );
  await headOf(other, "Channels").click({ button: "right" });
  await choose(other, "Restore default order");
  await waitForRows(other, ...TREES);
  await waitForRows(page, ...TREES);
});

test("moves a channel and a folder by keys, and keeps the focus on them", async () => {
  const page = await open();
  await rowOf(page, "birch").focus();
  await page.keyboard.press("Control+Shift+ArrowDown");
  await waitForRows(page, "apple", "cedar", "birch", "date");
  await page.locator(".sidebar-row:focus").filter({ hasText: "birch" }).waitFor();
  await page.keyboard.press("Control+Shift+ArrowDown");
  await waitForRows(page, "apple", "cedar", "date", "birch");
  await page.getByRole("status").filter({ hasText: "birch: position" }).waitFor({
    state: "attached",
  });
  await headOf(page, "Workshop").getByRole("button", { name: "Workshop", exact: true }).focus();
  await page.keyboard.press("Control+Shift+ArrowUp");
  await waitForRows(page, "Workshop", "Garden");
  await headOf(page, "Workshop").locator("button:focus").waitFor();
});

test("moves a channel and a folder by dragging", async () => {
  const page = await open();
  const under = { targetPosition: { x: 60, y: 27 } };
  await rowOf(page, "apple").dragTo(rowOf(page, "cedar"), under);
  await waitForRows(page, "birch", "cedar", "apple", "date");
  await headOf(page, "Workshop").dragTo(headOf(page, "Garden"), {
    sourcePosition: { x: 150, y: 30 },
    targetPosition: { x: 150, y: 6 },
  });
  await waitForRows(page, "Workshop", "Garden");
  expect(await page.locator("[data-drop], [data-dragged]").count()).toBe(0);
});

test("a channel that is dropped on another section stays in its own", async () => {
  const page = await open();
  await rowOf(page, "apple").dragTo(rowOf(page, "of Garden"));
  await rowOf(page, "birch").dragTo(rowOf(page, "apple"), { targetPosition: { x: 60, y: 3 } });
  await waitForRows(page, "of Garden", "birch", "apple", "cedar", "date");
});

test("an administrator moves a channel to a folder for everyone, and takes it back", async () => {
  const page = await open("ada");
  await rowOf(page, "date").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Move to folder…" }).click();
  await page.getByRole("menuitemradio", { name: "Garden" }).click();
  await waitForRows(page, "Garden", "date", "of Garden", "apple");
  await page.getByRole("button", { name: "Undo" }).click();
  await waitForRows(page, "Garden", "of Garden", "apple", "birch", "cedar", "date");
  const members = await open("bo");
  await rowOf(members, "date").click({ button: "right" });
  await members.getByRole("menuitem", { name: "Move up" }).waitFor();
  expect(await members.getByRole("menuitem", { name: "Move to folder…" }).count()).toBe(0);
});

test("moves a channel in a phone's drawer by its menu, without accessibility faults", async () => {
  const page = await open();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator(".tabbar").getByRole("button", { name: "Channels" }).click();
  await rowOf(page, "birch").dispatchEvent("contextmenu");
  await page.getByRole("menuitem", { name: "Move up" }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await choose(page, "Move up");
  await waitForRows(page, "birch", "apple", "cedar", "date");
});
