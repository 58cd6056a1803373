// The installed client: content shared to it, its start offline, and touch.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { faultsOf } from "./axe.ts";
import { BrowserSession, withWorkers } from "./browser-session.ts";
import { waitUntilTrue, waitForMessage, BrowserFixture } from "./browser-fixture.ts";
import { chip } from "./composer-content.ts";

withWorkers();

let fixture: BrowserFixture;
let browserSession: BrowserSession;
beforeAll(async () => {
  fixture = await BrowserFixture.open();
  browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#inbox");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
});
afterAll(async () => {
  await fixture?.close();
});

/** Like the system when another app shares: submits a form. */
async function share(page: Page, fields: Record<string, string>, file?: string): Promise<void> {
  await page.evaluate(
    ([fields, text]) => {
      const form = document.createElement("form");
      Object.assign(form, { method: "post", action: "/share", enctype: "multipart/form-data" });
      for (const [name, value] of Object.entries(fields)) {
        const field = document.createElement("input");
        Object.assign(field, { name, value });
        form.append(field);
      }
      if (text !== undefined) {
        const field = document.createElement("input");
        Object.assign(field, { type: "file", name: "files" });
        const moved = new DataTransfer();
        moved.items.add(new File([text], "notes – 1.txt", { type: "text/plain" }));
        field.files = moved.files;
        form.append(field);
      }
      document.body.append(form);
      form.submit();
    },
    [fields, file] as const,
  );
}

test("shared texts and files open in the composer, and are sent", async () => {
  const page = await browserSession.tab("/#inbox");
  await page.locator(".sidebar").waitFor();
  await share(page, { title: "Leeks", text: "Leeks: how to", url: "https://a.example/" }, "dig");
  const text = page.locator("form.compose textarea");
  await text.waitFor();
  await chip(page, "notes – 1.txt", "done").waitFor();
  expect((await text.inputValue()).trim()).toBe("Leeks: how to\nhttps://a.example/");
  await page.locator("input[name=channel]").fill("design");
  await page.keyboard.press("Enter");
  await page.locator("input[name=topic]").fill("logo");
  await page.keyboard.press("Enter");
  await page.locator("form.compose [type=submit]").click();
  while (!(await fixture.listPosted()).some(({ content }) => content.startsWith("Leeks"))) {
    await Bun.sleep(20);
  }
  // Shared content is taken only once.
  await page.goto("/#share");
  await page.getByText("Nothing was shared").waitFor();
});

test("the start does not wait for the service worker", async () => {
  const page = await browserSession.tab("/#inbox");
  const source = await page.evaluate(async () => {
    const { src } = document.querySelector<HTMLScriptElement>("script[type=module]")!;
    // Fetches the script again, because the page's script may come from memory.
    await (await fetch(src)).text();
    const entry = performance.getEntriesByName(src).at(-1);
    return (entry as { workerMatchedSourceType?: string }).workerMatchedSourceType;
  });
  expect(source).toBe("cache");
});

test("the shortcut for a new message asks for a recipient", async () => {
  const page = await browserSession.tab("/#new");
  await page.locator("input[name=channel]:focus").waitFor();
  expect(await page.evaluate(() => location.hash)).toBe("");
  // The shortcut also works in an open page, without a toast about an unknown address.
  await page.goto("/#recent");
  await page.evaluate(() => void (location.hash = "#new"));
  await page.locator("input[name=channel]:focus").waitFor();
  expect(await page.locator(".toast").allTextContents()).toEqual([]);
  const manifest = await (await fetch(`${fixture.testServer.url}/manifest.webmanifest`)).json();
  expect(manifest).toMatchObject({
    display: "standalone",
    share_target: { action: "/share", method: "POST", enctype: "multipart/form-data" },
  });
});

test("starts offline with all parts, even those not shown before", async () => {
  await fixture.post("ada", "kept for later");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForMessage(page, "kept for later");
  await waitUntilTrue(page, async () => {
    const [sw, cache] = await Promise.all([
      fetch("/sw.js").then((response) => response.text()),
      caches.open("skein-client"),
    ]);
    const expected = new Set(sw.match(/\/assets\/[\w-]+\.js/g) ?? []);
    const retained = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
    return expected.size > 10 && [...expected].every((path) => retained.has(path));
  });
  await page.close();
  await browserSession.context.setOffline(true);
  const later = await browserSession.tab("/#settings/security");
  await later.getByRole("heading", { name: "Security" }).waitFor();
  await later.goto("/#inbox");
  await later.locator(".sidebar").waitFor();
  await browserSession.context.setOffline(false);
  await later.close();
});

/** Returns targets that are too small for a finger, including their label or row. */
const smallTouchTargets = (page: Page): Promise<string[]> =>
  page.evaluate((min) => {
    const all = [...document.querySelectorAll<HTMLElement>("a, button, input, textarea, summary")];
    const touchTarget = (node: Element) => node.closest("label, .list-row") ?? node;
    // Links in a text, and the name and time above it, are inline and need no minimum size.
    const isInText = (node: Element) =>
      node.closest(".md, .msg-head, .msg-time, .line, .skip, .vh") !== null;
    return all.flatMap((node) => {
      const { width, height, top } = touchTarget(node).getBoundingClientRect();
      const isSeen = node.checkVisibility({ visibilityProperty: true }) && width > 0 && top >= 0;
      if (!isSeen || isInText(node) || node.closest(".msg .av")) return [];
      const name = node.getAttribute("aria-label") ?? node.textContent;
      return Math.min(width, height) < min ? [`${name} ${width}x${height}`] : [];
    });
  }, 43.5);

test("controls hit their target, and a long press opens the message menu", async () => {
  await fixture.post("ada", "@**Bo Member** press me");
  await fixture.testServer.request("ada", "POST /messages", {
    ...{ type: "direct", to: [fixture.testServer.idOf("bo")], content: "psst" },
  });
  const phone = await BrowserSession.forPhone(fixture.testServer, "bo");
  const page = await phone.tab("/#inbox");
  await page.locator(".list-row").first().waitFor();
  expect(await smallTouchTargets(page)).toEqual([]);
  await page.getByRole("button", { name: "Channels" }).tap();
  await page.locator(".sidebar-search").waitFor();
  expect(await smallTouchTargets(page)).toEqual([]);
  await page.goto("/#channels/all");
  await page.locator(".list-row, .split a").first().waitFor();
  await page.goto(fixture.topicUrl);
  await waitForMessage(page, "press me");
  await page.locator("form.compose textarea").waitFor();
  expect(await smallTouchTargets(page)).toEqual([]);
  const row = page.locator(".msg .md").filter({ hasText: "press me" });
  const { x, y, width, height } = (await row.boundingBox())!;
  const session = await phone.context.newCDPSession(page);
  const at = { x: x + width - 12, y: y + height / 2 };
  const touch = (type: "touchStart" | "touchEnd", touchPoints: (typeof at)[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [at]);
  const react = page.getByRole("menuitem", { name: "Add a reaction" });
  await react.waitFor();
  // The menu is complete while the finger still rests.
  expect(await page.getByRole("menuitem", { name: /^Quote/ }).count()).toBe(1);
  await touch("touchEnd", []);
  expect(await smallTouchTargets(page)).toEqual([]);
  expect(await faultsOf(page, undefined, ".pop")).toEqual([]);
  // The last item of a menu longer than the screen can be reached as well.
  await page.getByRole("menuitem").last().scrollIntoViewIfNeeded();
  await react.tap();
  await page.getByRole("dialog").or(page.locator(".emoji-pop")).first().waitFor();
  expect(phone.faults).toEqual([]);
});

test("shows no hover tooltips on touch screens", async () => {
  const phone = await BrowserSession.forPhone(fixture.testServer, "bo");
  const page = await phone.tab(fixture.topicUrl);
  await fixture.post("ada", "From Ada");
  await fixture.post("bo", "From Bo");
  await waitForMessage(page, "From Bo");
  await page.evaluate(async () => {
    const recordCard = () => {
      const label = document.querySelector(".people-card")?.getAttribute("aria-label");
      const { dataset } = document.body;
      if (label && !dataset["cards"]?.endsWith(label)) {
        dataset["cards"] = (dataset["cards"] ?? "") + label;
      }
    };
    new MutationObserver(recordCard).observe(document.body, { childList: true, subtree: true });
    const name = document.querySelector(".msg-name")!;
    name.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
    // Waits longer than the delay after which hovering opens a card.
    await new Promise((done) => setTimeout(done, 400));
  });
  await page.locator(".msg-name").last().tap();
  await page.locator(".people-card").waitFor();
  expect(await page.locator("body").getAttribute("data-cards")).toBe("Profile card of Bo Member");
});

test("names have space above many conversations on a phone", async () => {
  await fixture.testServer.request("bo", "POST /messages", {
    ...{ type: "channel", to: fixture.stream_id, topic: "Nights in the orchard", content: "Cold" },
  });
  await fixture.testServer.request("ada", "PATCH /settings", { web_mark_read_on_scroll_policy: 3 });
  const phone = await BrowserSession.forPhone(fixture.testServer, "ada");
  const page = await phone.tab("/#feed");
  const bar = page.locator(".conv-bar", { hasText: "Nights in the orchard" });
  const buttons = bar.getByRole("button");
  await bar.waitFor();
  // Only one button remains; the menu has the others.
  expect(await buttons.filter({ visible: true }).count()).toBe(1);
  await buttons.filter({ visible: true }).tap();
  await page.getByRole("menuitem", { name: "Mark as read" }).waitFor();
});

test("shows Send on landscape phones and tablets", async () => {
  const phone = await BrowserSession.forPhone(fixture.testServer, "bo");
  const page = await phone.tab(fixture.topicUrl);
  await page.locator("form.compose textarea").waitFor();
  for (const [width, height] of [
    [740, 360],
    [768, 1024],
    [1100, 700],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.waitForFunction((wide) => innerWidth === wide, width);
    const ends = ["form.compose", "form.compose [type=submit]"].map(
      async (selector) => (await page.locator(selector).boundingBox())!,
    );
    const [form, send] = await Promise.all(ends);
    expect(send!.x + send!.width).toBeLessThanOrEqual(form!.x + form!.width);
  }
});

test("keeps the composer above an on-screen keyboard", async () => {
  const phone = await BrowserSession.forPhone(fixture.testServer, "bo");
  await phone.context.addInitScript(() => {
    let [covered, up] = [0, 0];
    const { visualViewport } = window;
    Object.defineProperty(visualViewport, "offsetTop", { get: () => up });
    Object.defineProperty(visualViewport, "height", { get: () => innerHeight - covered });
    Object.assign(globalThis, {
      cover(pixels: number) {
        covered = pixels;
        visualViewport?.dispatchEvent(new Event("resize"));
      },
      moveUp(pixels: number) {
        up = pixels;
        visualViewport?.dispatchEvent(new Event("scroll"));
      },
    });
  });
  const page = await phone.tab(fixture.topicUrl);
  const box = page.locator("form.compose");
  await box.locator("textarea").waitFor();
  // Repeats the event until the late parts, which listen to it, have loaded.
  const isAbove = (pixels: number) =>
    page.waitForFunction((covered) => {
      (globalThis as unknown as { cover(distance: number): void }).cover(covered);
      const { bottom } = document.querySelector("form.compose")!.getBoundingClientRect();
      return covered === 0 ? bottom > innerHeight - 60 : bottom <= innerHeight - covered;
    }, pixels);
  await isAbove(300);
  // No gap is left where the browser has moved the page up by itself.
  await page.evaluate(() =>
    (globalThis as unknown as { moveUp(pixels: number): void }).moveUp(120),
  );
  await page.waitForFunction(() => {
    const { bottom } = document.querySelector("form.compose")!.getBoundingClientRect();
    return bottom <= innerHeight - 180 && bottom > innerHeight - 240;
  });
  await page.evaluate(() => (globalThis as unknown as { moveUp(pixels: number): void }).moveUp(0));
  await isAbove(0);
});
