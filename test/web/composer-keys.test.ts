// The composer names the key that sends, and clearly marks where to enter a new topic.
import { expect, test } from "bun:test";
import { accessibilityFaults } from "./axe.ts";
import { waitForMessage, waitForConnection, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const PHONE = { width: 390, height: 844 };

test("shows which keys send and start a line, as the setting has it", async () => {
  await fixture.post("ada", "Which logo?");
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const area = page.locator(".compose textarea:enabled");
  await area.click();
  await page.getByText("Ctrl+Enter to send, Enter for a new line").waitFor();
  expect(await area.getAttribute("enterkeyhint")).toBe("enter");
  await fixture.testServer.request("bo", "PATCH /settings", { enter_sends: true });
  const hint = page.getByText("Enter to send, Shift+Enter for a new line", { exact: true });
  await hint.waitFor();
  expect(await area.getAttribute("enterkeyhint")).toBe("send");
  await page.keyboard.type("The round");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("one");
  await page.setViewportSize(PHONE);
  await hint.waitFor();
  const described = await area.getAttribute("aria-describedby");
  expect(await page.locator(`[id="${described}"]`).innerText()).toContain("Enter to send");
  await page.keyboard.press("Enter");
  await fixture.untilPosted(page, "The round\none");
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("labels the field for a new topic, which a phone shows below the channel", async () => {
  await fixture.post("ada", "Which logo?");
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await page.locator(".feed").focus();
  await page.keyboard.press("c");
  const topic = page.locator("input[name=topic]:focus");
  await topic.waitFor();
  expect(await topic.getAttribute("placeholder")).toBe("Enter a topic (optional)");
  const label = page.locator(".compose-labelled > [aria-hidden]");
  expect(await label.innerText()).toBe("Topic");
  await page.getByRole("option", { name: "logo" }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  const heightOf = async (selector: string) => (await page.locator(selector).boundingBox())!;
  const channel = await heightOf(".compose-channel");
  const box = await heightOf("input[name=topic]");
  expect(box.y).toBeGreaterThan(channel.y + channel.height - 1);
  expect(box.height).toBeGreaterThanOrEqual(40);
  // A click on the label opens the field; the rest works by keyboard.
  await page.locator(".compose textarea").click();
  await label.click();
  await topic.waitFor();
  await page.keyboard.type("colors");
  await page.keyboard.press("Enter");
  await page.locator(".compose textarea:focus").waitFor();
  await page.keyboard.type("Blue?");
  await page.keyboard.press("Control+Enter");
  await waitForMessage(page, "Blue?");
  expect(browserSession.faults).toEqual([]);
});

test("takes the same room before the composer has loaded", async () => {
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/");
  // Holds the composer's script until the height without it is measured.
  let load = Promise.withResolvers<void>();
  await page.route(/\/assets\/loaded-/, async (route) => {
    await load.promise;
    await route.continue();
  });
  for (const width of [1280, PHONE.width]) {
    await page.setViewportSize({ width, height: 800 });
    load = Promise.withResolvers<void>();
    await page.goto(fixture.topicUrl);
    await page.reload();
    await page.locator(".compose[aria-busy]").waitFor();
    const heightOf = async () => (await page.locator(".compose-wrap").boundingBox())!.height;
    const before = await heightOf();
    load.resolve();
    await page.locator(".compose textarea").waitFor();
    expect([width, await heightOf()]).toEqual([width, before]);
  }
});
