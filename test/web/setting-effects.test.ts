// Every setting takes effect at once, on whichever device it was changed.
import { beforeEach, expect, test } from "bun:test";
import { movingGif, upload } from "../features/upload-fixture.ts";
import { faultsOf, applyLook } from "./axe.ts";
import { BrowserFixture, waitForConnection } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer } = fixture;
const set = (settings: Record<string, string | number | boolean>) =>
  testServer.request("ada", "PATCH /settings", settings);
beforeEach(async () => {
  await set({ emojiset: "google", display_emoji_reaction_users: true });
});

const react = (name: "ada" | "bo" | "cy", id: number, emoji_name: string) =>
  testServer.request(name, `POST /messages/${id}/reactions`, { emoji_name });

test("shows names of few reactions, and emoji as symbols or text", async () => {
  const { id } = await fixture.post("bo", "soup :tada:");
  const large = await fixture.post("bo", ":octopus:");
  await react("ada", id, "tada");
  await react("bo", id, "tada");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  const row = page.locator(`#m${id}`);
  await row.getByRole("button", { name: "You and Bo Member" }).getByText("🎉").waitFor();
  await react("cy", id, "heart");
  await row.getByRole("button", { name: "Cy Member" }).getByText("Cy Member").waitFor();
  await testServer.request("cy", "PATCH /settings", { full_name: "Cyrus" });
  await row.getByText("Cyrus").waitFor();
  expect(await faultsOf(page, undefined, ".feed")).toEqual([]);

  await set({ emojiset: "text" });
  await row.getByText("soup :tada:").waitFor();
  await row.getByRole("button", { name: ":heart: Cyrus" }).waitFor();
  const only = page.locator(`#m${large.id} .md`);
  expect(await only.innerText()).toBe(":octopus:");
  expect(await only.getAttribute("data-large")).toBeNull();
  await row.locator("[data-add]").click();
  const options = page.getByRole("option");
  await options.getByText(":+1:", { exact: true }).first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.locator("#emoji-2[data-active]").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("form textarea").fill("");
  await page.locator("form textarea").pressSequentially(":tad");
  await options.getByText(":tada:").first().waitFor();
  expect(await options.locator(".emoji").count()).toBe(0);
  await page.locator("form textarea").fill("");

  await react("ada", id, "octopus");
  await row.getByRole("button", { name: ":tada: 2" }).waitFor();
  await set({ emojiset: "google" });
  await row.getByRole("button", { name: "tada" }).getByText("🎉").waitFor();
  await page.locator(`#m${large.id} .md[data-large]`).waitFor();
  await page.goto("/#recent");
  const preview = page.locator(".list-row .pre");
  await preview.getByText("Bo: 🐙").waitFor();
  await set({ emojiset: "text" });
  await preview.getByText("Bo: :octopus:").waitFor();
  expect(browserSession.faults).toEqual([]);
});

test("plays animations always, on hover and by keyboard, or never", async () => {
  await set({ web_animate_image_previews: "on_hover" });
  const path = await upload(testServer, "bo", { name: "dance.gif", bytes: movingGif() });
  const { id } = await fixture.post("bo", `[dance](${path})`);
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  const picture = page.locator(`#m${id} .shot img`);
  const isMoving = (condition: boolean) =>
    page.locator(`#m${id} .shot img[src$="${condition ? "-anim" : "0"}.webp"]`).waitFor();
  await isMoving(false);
  await picture.hover();
  await isMoving(true);
  await page.locator("form textarea").hover();
  await isMoving(false);
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("Tab");
  while (!(await page.evaluate(() => document.activeElement?.matches(".shot button")))) {
    await page.keyboard.press("Tab");
  }
  await isMoving(true);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+Tab");
  await isMoving(false);

  await set({ web_animate_image_previews: "always" });
  await isMoving(true);
  await set({ web_animate_image_previews: "never" });
  await isMoving(false);
  await picture.hover();
  await page.locator(`#m${id} .msg-tools`).waitFor();
  await isMoving(false);
  await picture.click();
  await page.locator(".lightbox img[src*='dance.gif']").waitFor();
  expect(browserSession.faults).toEqual([]);
});

/** Creates a channel with Ada and Bo. */
async function newChannel(name: string): Promise<number> {
  const principals = [testServer.idOf("ada"), testServer.idOf("bo")];
  const subscriptions = [{ name }];
  await testServer.request("ada", "POST /users/me/subscriptions", { subscriptions, principals });
  return (await testServer.request("ada", "GET /get_stream_id", { stream: name })).stream_id;
}

const setOfChannel = (stream_id: number, property: string, value: boolean) =>
  testServer.request("ada", "POST /users/me/subscriptions/properties", {
    subscription_data: [{ stream_id, property, value }],
  });

test("shows numbers or dots at channels", async () => {
  const alpha = await newChannel("alpha");
  const beta = await newChannel("beta");
  for (const to of [alpha, beta]) {
    for (const content of ["one", "two"]) {
      const message = { type: "channel", to, topic: "t", content };
      await testServer.request("bo", "POST /messages", message);
    }
  }
  await setOfChannel(beta, "is_muted", true);
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#inbox");
  const countOf = (name: string) =>
    page.locator(".sidebar-row", { has: page.getByText(name, { exact: true }) }).locator(".count");
  const badge = (name: string, text: string) => countOf(name).getByText(text, { exact: true });
  const linkNamed = (name: string) => page.getByRole("link", { name, exact: true });

  await set({ web_stream_unreads_count_display_policy: 1 });
  await badge("alpha", "2").waitFor();
  await badge("beta", "2").waitFor();
  // The accessible name says what the number counts.
  await linkNamed("alpha 2 Unread").waitFor();
  await linkNamed("beta 2 Unread").waitFor();
  await set({ web_stream_unreads_count_display_policy: 2 });
  await badge("beta", "Unread").waitFor();
  await badge("alpha", "2").waitFor();
  await set({ web_stream_unreads_count_display_policy: 3 });
  await badge("alpha", "Unread").waitFor();
  await testServer.request("bo", "POST /messages", {
    ...{ type: "channel", to: alpha, topic: "t", content: "@**Ada Admin** three" },
  });
  await badge("alpha", "@").waitFor();
  await linkNamed("alpha @ Mentions").waitFor();
  await linkNamed("Drafts").waitFor();
  expect(await faultsOf(page)).toEqual([]);
  expect(browserSession.faults).toEqual([]);
});

test("groups channels by folder if enabled, and counts the inbox", async () => {
  const { channel_folder_id } = await testServer.request("ada", "POST /channel_folders/create", {
    name: "Workshop",
    description: "",
  });
  const chisel = await newChannel("chisel");
  await testServer.request("ada", `PATCH /streams/${chisel}`, { folder_id: channel_folder_id });
  const message = { type: "channel", to: chisel, topic: "edge", content: "It is blunt" };
  await testServer.request("bo", "POST /messages", message);
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#inbox");
  const inRail = page.locator(".sidebar-head", { hasText: "Workshop" });
  const inInbox = page.locator('.list-head h2[aria-level="2"]', { hasText: "Workshop" });
  const besideName = page.locator(".list-head > small", { hasText: "Workshop" });
  await inRail.waitFor();
  await inInbox.waitFor();
  await page.locator('.list-head h2[aria-level="3"]', { hasText: "chisel" }).waitFor();
  expect(await besideName.count()).toBe(0);
  for (const width of [1360, 320]) {
    await applyLook(page, { scheme: "light", width });
    expect(await faultsOf(page, undefined, "main")).toEqual([]);
  }
  await applyLook(page, { scheme: "light", width: 1360 });
  await set({ web_inbox_show_channel_folders: false });
  await besideName.waitFor();
  await inInbox.waitFor({ state: "detached" });
  await set({ web_left_sidebar_show_channel_folders: false });
  await inRail.waitFor({ state: "detached" });
  await page.locator(".sidebar-row", { hasText: "chisel" }).waitFor();

  const count = page.locator('.sidebar-row[href="#inbox"] .count');
  await count.waitFor();
  await page.evaluate(() => (location.hash = "#recent"));
  await page.getByRole("heading", { name: "Recent", level: 1 }).waitFor();
  await count.waitFor();
  await set({ web_left_sidebar_unreads_count_summary: false });
  await count.waitFor({ state: "detached" });
  await page.evaluate(() => (location.hash = "#inbox"));
  await count.waitFor();
  await set({
    web_inbox_show_channel_folders: true,
    web_left_sidebar_show_channel_folders: true,
    web_left_sidebar_unreads_count_summary: true,
  });
  await inInbox.waitFor();
  await inRail.waitFor();
  expect(browserSession.faults).toEqual([]);
});

test("shows inactive channels below others, unless they are pinned", async () => {
  await newChannel("keen");
  const quiet = await newChannel("aloof");
  await testServer.realm.write((tx) => {
    tx.channels.put({ ...tx.channels.get(quiet)!, is_recently_active: false });
  });
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#inbox");
  const order = () =>
    page
      .locator(".sidebar-row bdi.t")
      .evaluateAll((all) =>
        all
          .map((item) => item.textContent ?? "")
          .filter((name) => /^(aloof|design|keen)$/.test(name)),
      );
  const waitForOrder = async (...names: string[]) => {
    while (`${await order()}` !== `${names}`) await Bun.sleep(20);
  };
  await waitForOrder("aloof", "design", "keen");
  await set({ demote_inactive_streams: 2 });
  await waitForOrder("design", "keen", "aloof");
  await set({ demote_inactive_streams: 3 });
  await waitForOrder("aloof", "design", "keen");
  await set({ demote_inactive_streams: 2 });
  await waitForOrder("design", "keen", "aloof");
  await setOfChannel(quiet, "pin_to_top", true);
  await waitForOrder("aloof", "design", "keen");
  expect(browserSession.faults).toEqual([]);
});

test("lists users by name, with status, or with avatar", async () => {
  await fixture.post("bo", "here");
  await testServer.request("bo", "POST /users/me/status", {
    ...{ status_text: "at lunch", emoji_name: "apple" },
  });
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  const person = page.locator(`.panel .person[data-user="${testServer.idOf("bo")}"]`);
  await person.locator(".av").waitFor();
  await person.getByText("at lunch").waitFor();
  await set({ user_list_style: 2 });
  await person.locator(".av").waitFor({ state: "detached" });
  await person.getByText("at lunch").waitFor();
  await set({ user_list_style: 1 });
  await person.getByText("at lunch").waitFor({ state: "detached" });
  await person.getByText("🍎").waitFor();
  expect((await person.boundingBox())!.height).toBe(28);
  expect(await faultsOf(page)).toEqual([]);
  await set({ user_list_style: 3 });
  await person.locator(".av").waitFor();
  expect(browserSession.faults).toEqual([]);
});

test('offers to change the time zone, and stops after "Not now"', async () => {
  const zoneOf = () =>
    testServer.realm.read.users.get(testServer.idOf("ada"))!.settings["timezone"];
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#inbox");
  const browserZone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const offer = page.getByText("Your account uses Asia/Tokyo time");
  await set({ timezone: "Asia/Tokyo", web_suggest_update_timezone: false });
  await set({ web_suggest_update_timezone: true });
  await offer.waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Change" }).click();
  await offer.waitFor({ state: "detached" });
  while (zoneOf() !== browserZone) await Bun.sleep(20);
  await page.getByRole("button", { name: "Undo" }).click();
  await offer.waitFor();
  await set({ web_suggest_update_timezone: false });
  await offer.waitFor({ state: "detached" });
  await set({ web_suggest_update_timezone: true });
  await page.getByRole("button", { name: "Not now" }).click();
  await offer.waitFor({ state: "detached" });
  while (zoneOf() !== "Asia/Tokyo") await Bun.sleep(20);
  await set({ timezone: "Asia/Kolkata" });
  await page.getByText("Your account uses Asia/Kolkata time").waitFor();
  await set({ timezone: "Asia/Tokyo" });
  await page.getByText("Your account uses Asia/Kolkata time").waitFor({ state: "detached" });
  expect(await offer.count()).toBe(0);
  expect(browserSession.faults).toEqual([]);
});

test("says offline that a setting is saved later", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab("/#settings/preferences");
  await browserSession.context.setOffline(true);
  await waitForConnection(page, "unreached");
  const toggle = page.getByRole("switch").first();
  await toggle.click();
  const note = page.locator(".settings-saved");
  await note.getByText("Saves when you are online again.").waitFor();
  await browserSession.context.setOffline(false);
  await note.getByText("Saved.", { exact: false }).waitFor();
  await note.getByRole("button", { name: "Undo" }).click();
});
