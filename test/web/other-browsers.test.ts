// Behavior of other browsers, simulated in Chromium.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { striped } from "../features/upload-fixture.ts";
import { BrowserSession, withWorkers } from "./browser-session.ts";
import { waitForMessage, waitForConnection, BrowserFixture } from "./browser-fixture.ts";

withWorkers();

const fixture = await BrowserFixture.forTestFile();

test("ignores the key that ends a composition in Safari", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#inbox");
  await waitForConnection(page, "live");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("design");
  await page.locator(".palette [role=option]").first().waitFor();
  const field = page.locator(".palette input");
  for (const key of ["Enter", "Escape", "ArrowDown"]) {
    await field.dispatchEvent("keydown", { key, keyCode: 229, bubbles: true, cancelable: true });
  }
  expect(await field.inputValue()).toBe("design");
  expect(new URL(page.url()).hash).toBe("#inbox");
  await field.press("Enter");
  await page.waitForFunction(() => location.hash !== "#inbox");
  expect(browserSession.faults).toEqual([]);
});

/** Rejects history entries as Safari does, but permanently. */
function takeNoEntries(): void {
  const refuse = (): never => {
    throw new DOMException("Attempt to use history too often", "SecurityError");
  };
  Object.assign(history, { pushState: refuse, replaceState: refuse });
}

test("continues when the history accepts no more entries, and goes back", async () => {
  await fixture.post("ada", "for the list");
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab("/#inbox");
  await waitForConnection(page, "live");
  await page.evaluate(takeNoEntries);
  for (const key of ["ArrowDown", "ArrowDown", "ArrowUp"]) await page.keyboard.press(key);
  await page.keyboard.press("t");
  await page.getByRole("heading", { name: "Recent", level: 1 }).waitFor();
  await page.evaluate((to) => (location.hash = to), fixture.topicUrl.slice(1));
  await waitForMessage(page, "for the list");
  await page.goBack();
  await page.getByRole("heading", { name: "Recent", level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
  expect(browserSession.faults).toEqual([]);
});

/** Blocks audio until a click; `resume()` stays pending and reports no error. */
function soundByTouch(): void {
  if (!isSecureContext) return;
  let isAllowed = false;
  const { resume } = AudioContext.prototype;
  const { get } = Object.getOwnPropertyDescriptor(BaseAudioContext.prototype, "state")!;
  Object.defineProperty(AudioContext.prototype, "state", {
    get() {
      return isAllowed ? get!.call(this) : "suspended";
    },
  });
  AudioContext.prototype.resume = function () {
    isAllowed ||= globalThis.event?.type === "click";
    return isAllowed ? resume.call(this) : new Promise(() => undefined);
  };
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (index) {
    document.documentElement.dataset["heard"] = "";
    start.call(this, index);
  };
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  ServiceWorkerRegistration.prototype.showNotification = (_, { body = "" } = {}) => {
    document.documentElement.dataset["shown"] = body;
    return Promise.resolve();
  };
}

test("notifies without sound if autoplay is blocked, and plays the next", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const first = await browserSession.tab("/#inbox");
  await first.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await first.close();
  await browserSession.context.addInitScript(soundByTouch);
  const page = await browserSession.tab("/#inbox");
  await waitForConnection(page, "live");
  const touch = () => page.locator("main").click({ position: { x: 5, y: 300 } });
  await touch();
  await fixture.post("ada", "@**Bo Member** unheard");
  await page.locator("html[data-shown$=unheard]").waitFor();
  expect(await page.locator("html[data-heard]").count()).toBe(0);
  await touch();
  await fixture.post("ada", "@**Bo Member** aloud");
  await page.locator("html[data-shown$=aloud]").waitFor();
  await page.locator("html[data-heard]").waitFor();
  expect(browserSession.faults).toEqual([]);
});

/** Drags a file from outside the page. */
function dispatchDrag(page: Page, kind: string): Promise<void> {
  return page.evaluate((type) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["notes"], "notes.txt"));
    const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector(".feed")!.dispatchEvent(event);
  }, kind);
}

test("keeps the drop marker, whatever the drag source", async () => {
  await fixture.post("ada", "drop it here");
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForMessage(page, "drop it here");
  await page.locator(".compose textarea:enabled").waitFor();
  await dispatchDrag(page, "dragenter");
  const mark = await page.waitForSelector(".compose .compose-drop");
  // When the drag moves to another element of the page, the mark stays.
  await dispatchDrag(page, "dragenter");
  await dispatchDrag(page, "dragleave");
  await dispatchDrag(page, "dragover");
  expect(await mark.evaluate((node) => node.isConnected)).toBe(true);
  await dispatchDrag(page, "dragleave");
  await page.locator(".compose-drop").waitFor({ state: "detached" });
  expect(browserSession.faults).toEqual([]);
});

test("a finger drags the avatar by the distance it moved", async () => {
  const phone = await BrowserSession.forPhone(fixture.testServer, "cy");
  await phone.context.addInitScript(() =>
    Object.defineProperty(MouseEvent.prototype, "movementX", { get: () => 0 }),
  );
  const page = await phone.tab("/#settings/profile");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload image" }).click();
  const buffer = Buffer.from(striped(60, 30));
  await (await chooser).setFiles({ name: "wide.png", mimeType: "image/png", buffer });
  const canvas = page.locator("canvas");
  const { x, y, width } = (await canvas.boundingBox())!;
  const across = page.locator(".settings-slider input").nth(1);
  await across.waitFor();
  const before = Number(await across.inputValue());
  const finger = await phone.context.newCDPSession(page);
  const touch = (type: string, ...touchPoints: { x: number; y: number }[]) =>
    finger.send("Input.dispatchTouchEvent", { type, touchPoints } as never);
  await touch("touchStart", { x: x + width / 2, y: y + 20 });
  await touch("touchMove", { x: x + width / 2 + 40, y: y + 20 });
  await touch("touchMove", { x: x + width / 2 + 60, y: y + 20 });
  await touch("touchEnd");
  await page.waitForFunction(
    (was) =>
      Number(document.querySelectorAll<HTMLInputElement>(".settings-slider input")[1]?.value) < was,
    before,
  );
});

test("no field is small enough for Safari to zoom on a phone", async () => {
  await fixture.testServer.request("cy", "PATCH /settings", { web_font_size_px: 13 });
  const phone = await BrowserSession.forPhone(fixture.testServer, "cy");
  const small: string[] = [];
  for (const fragment of ["#channels/new", "#settings/preferences", fixture.topicUrl.slice(1)]) {
    const page = await phone.tab(`/${fragment}`);
    await page.locator("main :is(input, textarea, select)").first().waitFor();
    small.push(
      ...(await page.evaluate(() =>
        [...document.querySelectorAll("input:not([hidden]), textarea, select")]
          .filter((node) => parseFloat(getComputedStyle(node).fontSize) < 16)
          .map((node) => `${location.hash} ${node.outerHTML.slice(0, 80)}`),
      )),
    );
    await page.close();
  }
  expect(small).toEqual([]);
});
