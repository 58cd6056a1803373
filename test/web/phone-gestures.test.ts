// On a phone: bottom sheets, swipes, and the offers to install the client and to turn on push.
import { expect, test } from "bun:test";
import type { CDPSession, Locator, Page } from "playwright-core";
import { faultsOf } from "./axe.ts";
import { BrowserFixture, waitForMessage } from "./browser-fixture.ts";
import { BrowserSession } from "./browser-session.ts";

const fixture = await BrowserFixture.forTestFile();
const SIZE = { width: 390, height: 844 };

async function phoneAt(name: "ada" | "bo", path: string): Promise<[Page, CDPSession]> {
  const phone = await BrowserSession.forPhone(fixture.testServer, name);
  const page = await phone.tab("/#settings/device");
  await page.setViewportSize(SIZE);
  await page.goto(path);
  return [page, await phone.context.newCDPSession(page)];
}

async function middleOf(row: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await row.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

/** Moves a finger horizontally by this many pixels, in steps; a negative value moves it left. */
async function swipe(finger: CDPSession, from: { x: number; y: number }, distance: number) {
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", x?: number) =>
    finger.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: x === undefined ? [] : [{ x, y: from.y }],
    });
  await touch("touchStart", from.x);
  for (let step = 1; step <= 6; step++) await touch("touchMove", from.x + (distance * step) / 6);
  await touch("touchEnd");
}

test("opens the message menu as a sheet that begins with six quick reactions", async () => {
  const { id } = await fixture.post("bo", "React quickly");
  const [page] = await phoneAt("ada", fixture.topicUrl);
  await waitForMessage(page, "React quickly");
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("i");
  const menu = page.getByRole("menu", { name: "Message actions" });
  const quick = menu.getByRole("menuitem", { name: /^React with/ });
  await quick.nth(5).waitFor();
  expect(await quick.count()).toBe(6);
  const { x, y, width, height } = (await menu.boundingBox())!;
  expect([x, width, y + height]).toEqual([0, SIZE.width, SIZE.height]);
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    expect(await faultsOf(page, undefined, ".pop")).toEqual([]);
  }
  // The reactions are a row, along which the arrow keys move.
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  const second = quick.nth(1);
  await second.and(page.locator(":focus")).waitFor();
  const label = await second.getAttribute("aria-label");
  await page.keyboard.press("Enter");
  await menu.waitFor({ state: "detached" });
  await page.locator(`#m${id} .react [aria-pressed=true]`).waitFor();
  // A tap removes the reaction again.
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("i");
  await menu.getByRole("menuitem", { name: label!, exact: true }).tap();
  await page.locator(`#m${id} .react [aria-pressed=true]`).waitFor({ state: "detached" });
});

test("replies to a message that is swiped to the left, and not from the edge", async () => {
  const { id } = await fixture.post("bo", "Swipe me");
  const [page, finger] = await phoneAt("ada", "/#feed");
  await waitForMessage(page, "Swipe me");
  const row = page.locator(`#m${id}`);
  const field = page.locator(".compose textarea");
  // Unread messages of other tests may leave it below the composer.
  await row.evaluate((node) => node.scrollIntoView({ block: "center" }));
  const at = await middleOf(row);
  // Not a reply: a swipe from the edge, which means Back, a short one, or one to the right.
  await swipe(finger, { x: SIZE.width - 4, y: at.y }, -200);
  await swipe(finger, at, -30);
  await swipe(finger, at, 150);
  expect(await page.locator(".compose textarea:focus").count()).toBe(0);
  await swipe(finger, at, -150);
  await field.and(page.locator(":focus")).waitFor();
  await page.locator(".compose-to", { hasText: "logo" }).waitFor();
  expect(await page.locator("[data-swiped], .swipe-icon").count()).toBe(0);
});

test("marks a conversation as read that is swiped in the inbox, with an undo", async () => {
  await fixture.testServer.request("bo", "POST /messages", {
    ...{ type: "channel", to: fixture.stream_id, topic: "swiped", content: "Unread" },
  });
  const [page, finger] = await phoneAt("ada", "/#inbox");
  const row = page.locator(".list-row[data-unread]", { hasText: "swiped" });
  await row.waitFor();
  await page.getByText("Swipe a conversation to the left to mark it as read.").waitFor();
  await swipe(finger, await middleOf(row), -150);
  const undo = page.locator(".toast").getByRole("button", { name: "Undo" });
  await undo.waitFor();
  await row.waitFor({ state: "detached" });
  // Right after a swipe, the browser takes a tap for the end of a fling.
  await undo.click();
  await row.waitFor();
});

test("offers to install the client once, after the first message from a phone", async () => {
  const [page] = await phoneAt("ada", fixture.topicUrl);
  const countPrompts = () =>
    page.evaluate(() => {
      const prompt = () => {
        document.body.dataset["prompted"] = "";
        return Promise.resolve({ outcome: "accepted" });
      };
      dispatchEvent(Object.assign(new Event("beforeinstallprompt"), { prompt }));
    });
  const send = async (text: string) => {
    await page.locator(".compose textarea").fill(text);
    await page.getByRole("button", { name: "Send", exact: true }).tap();
    await fixture.untilPosted(page, text);
  };
  const install = page.locator(".toast").getByRole("button", { name: "Install Skein" });
  await countPrompts();
  expect(await install.count()).toBe(0);
  await send("From my phone");
  await install.waitFor();
  expect(await faultsOf(page, undefined, ".toast")).toEqual([]);
  // The text keeps the width, and the button is below.
  const boxOf = async (selector: string) =>
    (await page.locator(`.toast${selector}`).boundingBox())!;
  const [toast, text] = [await boxOf(""), await boxOf(" > span")];
  expect(text.width).toBeGreaterThan(toast.width * 0.7);
  expect((await install.boundingBox())!.y).toBeGreaterThanOrEqual(text.y + text.height - 1);
  await install.tap();
  await page.locator("body[data-prompted]").waitFor();
  await install.waitFor({ state: "detached" });
  await countPrompts();
  await send("Once more");
  expect(await install.count()).toBe(0);
});

test("offers push after the first message from a phone, and the settings if denied", async () => {
  const phone = await BrowserSession.forPhone(fixture.testServer, "bo");
  await phone.context.addInitScript(() => {
    const requestPermission = () => {
      document.body.dataset["asked"] = "";
      return Promise.resolve("denied");
    };
    Object.assign(globalThis, { Notification: { permission: "default", requestPermission } });
  });
  const page = await phone.tab(fixture.topicUrl);
  const send = async (text: string) => {
    await page.locator(".compose textarea").fill(text);
    await page.getByRole("button", { name: "Send", exact: true }).tap();
    await fixture.untilPosted(page, text);
  };
  const turnOn = page.locator(".toast").getByRole("button", { name: "Turn on" });
  expect(await turnOn.count()).toBe(0);
  await send("First from this phone");
  await turnOn.waitFor();
  expect(await page.locator("body[data-asked]").count()).toBe(0);
  expect(await faultsOf(page, undefined, ".toast")).toEqual([]);
  await turnOn.tap();
  await page.locator("body[data-asked]").waitFor({ state: "attached" });
  await page.locator(".toast").getByText("This browser blocks notifications.").waitFor();
  await page.locator(".toast").getByRole("button", { name: "Settings" }).tap();
  await page.locator("#setting-push-here").waitFor();
  await page.goto(fixture.topicUrl);
  await send("Second from this phone");
  expect(await turnOn.count()).toBe(0);
});

test("opens the message menu by a long press on its name or time", async () => {
  await fixture.testServer.request("bo", "POST /messages", {
    ...{ type: "channel", to: fixture.stream_id, topic: "long press", content: "Press me" },
  });
  const [page, finger] = await phoneAt("ada", fixture.topicUrl.replace("logo", "long.20press"));
  await waitForMessage(page, "Press me");
  const menu = page.getByRole("menu", { name: "Message actions" });
  for (const selector of [".msg-time", ".msg-name"]) {
    const point = await middleOf(page.locator(`article ${selector}`).first());
    await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
    await menu.waitFor();
    await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
  }
});

test("a row without a header is as high as its text", async () => {
  const to = { type: "channel", to: fixture.stream_id, topic: "two lines" };
  for (const content of ["First", "Second"]) {
    await fixture.testServer.request("bo", "POST /messages", { ...to, content });
  }
  const [page] = await phoneAt("ada", fixture.topicUrl.replace("logo", "two.20lines"));
  await waitForMessage(page, "Second");
  const row = page.locator("article[data-follow]").filter({ hasText: "Second" });
  const [box, text] = [await row.boundingBox(), await row.locator(".md").boundingBox()];
  expect(box!.height - text!.height).toBeLessThan(8);
});
