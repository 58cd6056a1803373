// The rule of saving on settings pages: each change at once, with undo, errors beside the field.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { until } from "../wait-until.ts";
import { accessibilityFaults } from "./axe.ts";
import { BrowserFixture } from "./browser-fixture.ts";
import { routeUntilEnd } from "./failing-network.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer } = fixture;
let index = 0;

const createChannel = async (): Promise<number> => {
  const params = { name: `saved ${(index += 1)}`, subscribers: [testServer.idOf("ada")] };
  return (await testServer.request("ada", "POST /channels/create", params)).id;
};
const createGroup = async (): Promise<number> => {
  const members = [testServer.idOf("bo")];
  const params = { name: `makers ${(index += 1)}`, description: "Who makes things", members };
  return (await testServer.request("ada", "POST /user_groups/create", params)).group_id;
};
const channelOf = (id: number) => testServer.realm.read.channels.get(id)!;
const membersOf = (id: number): readonly number[] => {
  const setting = channelOf(id).can_send_message_group;
  return typeof setting === "object" ? setting.direct_members : [];
};
const groupOf = (id: number) => testServer.realm.read.groups.get(id)!;

async function open(address: string, session = fixture.sessionOf("ada")): Promise<Page> {
  const page = await (await session).tab(`/${address}`);
  await page.setViewportSize({ width: 1360, height: 900 });
  await page.locator(".page-body input").first().waitFor();
  return page;
}

const nameField = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });
const savedIndicator = (page: Page | Locator) => page.locator(".settings-saved");
const undoButton = (page: Page | Locator) =>
  savedIndicator(page).getByRole("button", { name: "Undo" });

test("a channel's name is saved by leaving the field, and taken back by keyboard", async () => {
  const id = await createChannel();
  const { name } = channelOf(id);
  const page = await open(`#channels/${id}/x/general`);
  await nameField(page).fill(`${name} renamed`);
  await page.keyboard.press("Tab");
  await savedIndicator(page).waitFor();
  expect(channelOf(id).name).toBe(`${name} renamed`);
  await undoButton(page).focus();
  await page.keyboard.press("Enter");
  await page.locator("main h1").filter({ hasText: name }).waitFor();
  await until(() => channelOf(id).name === name);
  await savedIndicator(page).getByRole("button").waitFor({ state: "detached" });
});

test("a refused name stays as typed with the error beside it, and is saved by Enter", async () => {
  const [id, usedName] = [await createChannel(), channelOf(await createChannel()).name];
  const page = await open(`#channels/${id}/x/general`);
  await nameField(page).fill(usedName);
  await page.keyboard.press("Enter");
  await page.locator(".page-body .wrong[role=alert]").waitFor();
  expect(await nameField(page).inputValue()).toBe(usedName);
  expect(await nameField(page).getAttribute("aria-invalid")).toBe("true");
  await nameField(page).fill(`${usedName} again`);
  await page.keyboard.press("Enter");
  await savedIndicator(page).waitFor();
  expect(channelOf(id).name).toBe(`${usedName} again`);
});

test("a text is saved when the page is left for another", async () => {
  const id = await createChannel();
  const page = await open(`#channels/${id}/x/general`);
  await page.getByRole("textbox", { name: "Description" }).fill("For the garden");
  await page.evaluate(() => (location.hash = "#inbox"));
  await page.locator("main h1").filter({ hasText: "Inbox" }).waitFor();
  await until(() => channelOf(id).description === "For the garden");
});

/** Holds the changes of a channel until `release` is called. */
async function blockSaving(page: Page) {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const requests: string[] = [];
  await page.route(/\/json\/streams\/\d+$/, async (route) => {
    requests.push(route.request().postData() ?? "");
    await promise;
    await route.continue();
  });
  return { asked: requests, release };
}

test("saves a text that is typed while an earlier one is being saved", async () => {
  const id = await createChannel();
  const page = await open(`#channels/${id}/x/general`);
  const { asked: requests, release } = await blockSaving(page);
  const field = page.getByRole("textbox", { name: "Description" });
  await field.fill("First");
  await page.keyboard.press("Tab");
  await until(() => requests.length === 1);
  await field.fill("Second");
  await page.keyboard.press("Tab");
  release();
  await until(() => channelOf(id).description === "Second");
  expect(requests.length).toBe(2);
});

test("saves the original text that is typed again while another is being saved", async () => {
  const id = await createChannel();
  const page = await open(`#channels/${id}/x/general`);
  const { asked: requests, release } = await blockSaving(page);
  const field = page.getByRole("textbox", { name: "Description" });
  await field.fill("First");
  await page.keyboard.press("Tab");
  await until(() => requests.length === 1);
  await field.fill("");
  await page.keyboard.press("Tab");
  release();
  await until(() => requests.length === 2 && channelOf(id).description === "");
});

test("reports a refused text after its page was left, and sends it once", async () => {
  const [id, usedName] = [await createChannel(), channelOf(await createChannel()).name];
  const page = await open(`#channels/${id}/x/general`);
  const { asked: requests, release } = await blockSaving(page);
  await nameField(page).fill(usedName);
  await page.keyboard.press("Tab");
  await until(() => requests.length === 1);
  await page.evaluate(() => (location.hash = "#inbox"));
  await page.locator("main h1").filter({ hasText: "Inbox" }).waitFor();
  release();
  await page.locator(".toast").filter({ hasText: "Channel name is already in use." }).waitFor();
  expect(requests.length).toBe(1);
});

test("saves a text that is typed while an undo is being saved", async () => {
  const id = await createChannel();
  const page = await open(`#channels/${id}/x/general`);
  await page.getByRole("textbox", { name: "Description" }).fill("First");
  await page.keyboard.press("Tab");
  await undoButton(page).waitFor();
  const { asked: requests, release } = await blockSaving(page);
  await undoButton(page).click();
  await until(() => requests.length === 1);
  await page.getByRole("textbox", { name: "Description" }).fill("Second");
  await page.keyboard.press("Tab");
  release();
  await until(() => channelOf(id).description === "Second");
});

test("quick choices of a channel's permission are all saved, in their order", async () => {
  const id = await createChannel();
  const page = await open(`#channels/${id}/x/permissions`);
  const right = page.locator(".permission:has(.permission)").filter({ hasText: "Who can post" });
  const field = right.getByRole("combobox");
  for (const name of ["Bo Member", "Cy Member"]) {
    await field.fill(name);
    await right.getByRole("option", { name }).click();
  }
  await right.getByRole("button", { name: /Remove Everyone/ }).click();
  const expected = [testServer.idOf("bo"), testServer.idOf("cy")].toSorted((a, b) => a - b);
  await until(() => {
    const setting = channelOf(id).can_send_message_group;
    return (
      typeof setting === "object" &&
      JSON.stringify([...setting.direct_members].toSorted((a, b) => a - b)) ===
        JSON.stringify(expected) &&
      setting.direct_subgroups.length === 0
    );
  });
  await savedIndicator(right).waitFor();
  expect(await right.getByRole("button", { name: "Save" }).count()).toBe(0);
});

test("a choice stays until its event arrives, and the next choice adds to it", async () => {
  const id = await createChannel();
  const session = fixture.sessionOf("ada");
  let delivered = Promise.resolve();
  const end = await routeUntilEnd((await session).context, "**/json/events*", async (route) => {
    const response = await route.fetch();
    await delivered;
    return route.fulfill({ response });
  });
  const page = await open(`#channels/${id}/x/permissions`, session);
  const { promise, resolve } = Promise.withResolvers<void>();
  delivered = promise;
  const right = page.locator(".permission:has(.permission)").filter({ hasText: "Who can post" });
  for (const [at, name] of ["Bo Member", "Cy Member"].entries()) {
    await right.getByRole("combobox").fill(name);
    await right.getByRole("option", { name }).click();
    await until(() => membersOf(id).length === at + 1);
    await savedIndicator(right).waitFor();
    await right.locator(".pill").filter({ hasText: name }).waitFor();
  }
  resolve();
  end();
  expect(membersOf(id).toSorted()).toEqual(
    [testServer.idOf("bo"), testServer.idOf("cy")].toSorted(),
  );
  expect(await right.getByRole("alert").count()).toBe(0);
});

test("a group's text and permission are saved at once and taken back by pointer", async () => {
  const id = await createGroup();
  const page = await open(`#groups/${id}`);
  await page.getByRole("textbox", { name: "Description" }).fill("Who repairs things");
  await page.keyboard.press("Tab");
  await undoButton(page).click();
  await until(() => groupOf(id).description === "Who makes things");
  const right = page.locator(".permission:has(.permission)").filter({ hasText: "mention" }).first();
  const before = groupOf(id).can_mention_group;
  await right.getByRole("button", { name: /^Remove / }).click();
  await until(() => groupOf(id).can_mention_group !== before);
  await undoButton(right).click();
  await until(() => groupOf(id).can_mention_group === before);
});

test("who can manage a group is saved only after it is confirmed", async () => {
  const id = await createGroup();
  const page = await open(`#groups/${id}`);
  const right = page
    .locator(".permission:has(.permission)")
    .filter({ has: page.getByRole("combobox", { name: "Who can manage the group" }) });
  const before = groupOf(id).can_manage_group;
  await right.getByRole("combobox").fill("Bo Member");
  await right.getByRole("option", { name: "Bo Member" }).click();
  await right.getByRole("button", { name: "Save" }).waitFor();
  expect(groupOf(id).can_manage_group).toEqual(before);
  await right.getByRole("button", { name: "Save" }).click();
  await undoButton(right).click();
  await until(() => JSON.stringify(groupOf(id).can_manage_group) === JSON.stringify(before));
});

test("a saved channel page has no accessibility faults, and fits a phone", async () => {
  const id = await createChannel();
  const page = await open(`#channels/${id}/x/general`);
  await nameField(page).fill(`${channelOf(id).name} on a phone`);
  await page.keyboard.press("Tab");
  await undoButton(page).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await undoButton(page).click();
  await until(() => !channelOf(id).name.includes("phone"));
});

test("a profile's name shows that it was saved, and is taken back beside the field", async () => {
  const page = await (await fixture.sessionOf("cy")).tab("/#settings/profile");
  const getCy = () => testServer.realm.read.users.get(testServer.idOf("cy"))!;
  await nameField(page).fill("Cy the Second");
  await page.keyboard.press("Tab");
  await undoButton(page).waitFor();
  expect(getCy().full_name).toBe("Cy the Second");
  await undoButton(page).click();
  await until(() => getCy().full_name === "Cy Member");
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>(".settings-field input")?.value === "Cy Member",
  );
});

test("removes two users of a profile field in quick succession", async () => {
  const field = { name: "Mentors", field_type: 6, hint: "" };
  const { id } = await testServer.request("olga", "POST /realm/profile_fields", field);
  const mentors = [testServer.idOf("ada"), testServer.idOf("bo")];
  const data = [{ id, value: mentors }];
  await testServer.request("mo", "PATCH /users/me/profile_data", { data });
  const page = await (await fixture.sessionOf("mo")).tab("/#settings/profile");
  const { promise, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/json\/users\/me\/profile_data$/, async (route) => {
    await promise;
    await route.continue();
  });
  const group = page.getByRole("group", { name: "Mentors" });
  await group.getByRole("button", { name: /^Remove Ada/ }).click();
  await group.getByRole("button", { name: /^Remove Bo/ }).click();
  await group.getByRole("listitem").first().waitFor({ state: "detached" });
  release();
  const readStored = async () => {
    const { user } = await testServer.request("ada", `GET /users/${testServer.idOf("mo")}`, {
      include_custom_profile_fields: true,
    });
    return user.profile_data[id]?.value ?? [];
  };
  await until(async () => (await readStored()).length === 0);
});

for (const [title, name, request, shownBy] of [
  ["profile", "gus", /\/json\/settings$/, ".sidebar-user"],
  ["organization", "olga", /\/json\/realm$/, ".settings-group"],
] as const) {
  test(`keeps the text of the ${title}'s name typed while an earlier is saved`, async () => {
    const page = await (
      await fixture.sessionOf(name)
    ).tab(`/#${title === "profile" ? "settings" : title}/profile`);
    const { promise, resolve: release } = Promise.withResolvers<void>();
    const requests: string[] = [];
    await page.route(request, async (route) => {
      requests.push(route.request().postData() ?? "");
      await promise;
      await route.continue();
    });
    await nameField(page).fill("First");
    await page.keyboard.press("Enter");
    await until(() => requests.length === 1);
    await page.keyboard.type(" and second");
    release();
    await savedIndicator(page).waitFor();
    await page.locator(shownBy).getByText("First", { exact: true }).waitFor();
    expect(await nameField(page).inputValue()).toBe("First and second");
    await page.keyboard.press("Tab");
    await page.locator(shownBy).getByText("First and second", { exact: true }).waitFor();
    expect(requests.length).toBe(2);
  });
}
