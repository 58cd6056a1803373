// The client as an app: what is shared into it, its start without a network, and fingers on glass.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { faultsOf } from "./axe.ts";
import { BrowserSession, withWorkers } from "./browser-session.ts";
import { comesTrue, shows, BrowserFixture } from "./browser-fixture.ts";

withWorkers();

let fixture: BrowserFixture;
let browserSession: BrowserSession;
beforeAll(async () => {
  fixture = await BrowserFixture.open();
  browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#inbox");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.close();
});
afterAll(async () => {
  await fixture?.close();
});

/** As the system does it where another app shares: a form is sent. */
async function share(page: Page, fields: Record<string, string>, file?: string): Promise<void> {
  await page.evaluate(
    ([said, text]) => {
      const form = document.createElement("form");
      Object.assign(form, { method: "post", action: "/share", enctype: "multipart/form-data" });
      for (const [name, value] of Object.entries(said)) {
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

test("words and files that another app shares lead into the composer, and are sent", async () => {
  const page = await browserSession.tab("/#inbox");
  await page.locator(".rail").waitFor();
  await share(page, { title: "Leeks", text: "Leeks: how to", url: "https://a.example/" }, "dig");
  const text = page.locator("form.compose textarea");
  await text.waitFor();
  await page.waitForFunction(() =>
    document.querySelector<HTMLTextAreaElement>("form.compose textarea")?.value.includes("/user_"),
  );
  const words = await text.inputValue();
  expect(words.startsWith("Leeks: how to\nhttps://a.example/")).toBe(true);
  expect(words).toContain("[notes – 1.txt](/user_uploads/");
  await page.locator("input[name=channel]").fill("design");
  await page.keyboard.press("Enter");
  await page.locator("input[name=topic]").fill("logo");
  await page.keyboard.press("Enter");
  await page.locator("form.compose [type=submit]").click();
  while (!(await fixture.posted()).some(({ content }) => content.startsWith("Leeks"))) {
    await Bun.sleep(20);
  }
  // It is taken once.
  await page.goto("/#share");
  await page.getByText("Nothing was shared").waitFor();
  await page.close();
});

test("what a page starts with does not wait for the worker", async () => {
  const page = await browserSession.tab("/#inbox");
  const source = await page.evaluate(async () => {
    const { src } = document.querySelector<HTMLScriptElement>("script[type=module]")!;
    // The script itself may be in memory still.
    await (await fetch(src)).text();
    const asked = performance.getEntriesByName(src).at(-1);
    return (asked as { workerMatchedSourceType?: string }).workerMatchedSourceType;
  });
  expect(source).toBe("cache");
  await page.close();
});

test("the shortcut for a new message asks where it goes", async () => {
  const page = await browserSession.tab("/#new");
  await page.locator("input[name=channel]:focus").waitFor();
  expect(await page.evaluate(() => location.hash)).toBe("");
  // Also in a page that is open already; nobody is told that it leads nowhere.
  await page.goto("/#recent");
  await page.evaluate(() => void (location.hash = "#new"));
  await page.locator("input[name=channel]:focus").waitFor();
  expect(await page.locator(".toast").allTextContents()).toEqual([]);
  const manifest = await (await fetch(`${fixture.testServer.url}/manifest.webmanifest`)).json();
  expect(manifest).toMatchObject({
    display: "standalone",
    share_target: { action: "/share", method: "POST", enctype: "multipart/form-data" },
  });
  await page.close();
});

test("without a network all of it starts, also what was not shown before", async () => {
  await fixture.post("ada", "kept for later");
  const page = await browserSession.tab(fixture.place);
  await shows(page, "kept for later");
  await comesTrue(page, async () => {
    const [sw, cache] = await Promise.all([
      fetch("/sw.js").then((answer) => answer.text()),
      caches.open("skein-client"),
    ]);
    const wanted = new Set(sw.match(/\/assets\/[\w-]+\.js/g) ?? []);
    const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
    return wanted.size > 10 && [...wanted].every((path) => kept.has(path));
  });
  await page.close();
  await browserSession.context.setOffline(true);
  const later = await browserSession.tab("/#settings/security");
  await later.getByRole("heading", { name: "Security" }).waitFor();
  await later.goto("/#inbox");
  await later.locator(".rail").waitFor();
  await browserSession.context.setOffline(false);
  await later.close();
});

/** What is pressed and too small for a finger, with all that belongs to it by a label or a row. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate((least) => {
    const all = [...document.querySelectorAll<HTMLElement>("a, button, input, textarea, summary")];
    const around = (node: Element) => node.closest("label, .list-row") ?? node;
    // Words in a text, and who and when above it, are pressed where they stand.
    const isInText = (node: Element) =>
      node.closest(".md, .msg-head, .msg-time, .line, .skip, .vh") !== null;
    return all.flatMap((node) => {
      const { width, height, top } = around(node).getBoundingClientRect();
      const isSeen = node.checkVisibility({ visibilityProperty: true }) && width > 0 && top >= 0;
      if (!isSeen || isInText(node) || node.closest(".msg .av")) return [];
      const name = node.getAttribute("aria-label") ?? node.textContent;
      return Math.min(width, height) < least ? [`${name} ${width}x${height}`] : [];
    });
  }, 43.5);

test("fingers find what they press, and a long press on a message opens its menu", async () => {
  await fixture.post("ada", "@**Bo Member** press me");
  await fixture.testServer.ask("ada", "POST /messages", {
    ...{ type: "direct", to: [fixture.testServer.idOf("bo")], content: "psst" },
  });
  const phone = await BrowserSession.ofPhone(fixture.testServer, "bo");
  const page = await phone.tab("/#inbox");
  await page.locator(".list-row").first().waitFor();
  expect(await tooSmall(page)).toEqual([]);
  await page.getByRole("button", { name: "Channels" }).tap();
  await page.locator(".rail-find").waitFor();
  expect(await tooSmall(page)).toEqual([]);
  await page.goto("/#channels/all");
  await page.locator(".list-row, .split a").first().waitFor();
  await page.goto(fixture.place);
  await shows(page, "press me");
  await page.locator("form.compose textarea").waitFor();
  expect(await tooSmall(page)).toEqual([]);
  const row = page.locator(".msg .md").filter({ hasText: "press me" });
  const { x, y, width, height } = (await row.boundingBox())!;
  const session = await phone.context.newCDPSession(page);
  const at = { x: x + width - 12, y: y + height / 2 };
  const touch = (type: "touchStart" | "touchEnd", touchPoints: (typeof at)[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [at]);
  const react = page.getByRole("menuitem", { name: "Add a reaction" });
  await react.waitFor();
  await touch("touchEnd", []);
  expect(await tooSmall(page)).toEqual([]);
  expect(await faultsOf(page, undefined, ".pop")).toEqual([]);
  // The last of a menu that is longer than the screen is reached, too.
  await page.getByRole("menuitem").last().scrollIntoViewIfNeeded();
  await react.tap();
  await page.getByRole("dialog").or(page.locator(".emoji-pop")).first().waitFor();
  expect(phone.faults).toEqual([]);
  await phone.close();
});

test("nothing rests on a name where there are fingers, though browsers say so", async () => {
  const phone = await BrowserSession.ofPhone(fixture.testServer, "bo");
  const page = await phone.tab(fixture.place);
  await fixture.post("ada", "From Ada");
  await fixture.post("bo", "From Bo");
  await shows(page, "From Bo");
  await page.evaluate(async () => {
    const seen = () => {
      const label = document.querySelector(".people-card")?.getAttribute("aria-label");
      const { dataset } = document.body;
      if (label && !dataset["cards"]?.endsWith(label)) {
        dataset["cards"] = (dataset["cards"] ?? "") + label;
      }
    };
    new MutationObserver(seen).observe(document.body, { childList: true, subtree: true });
    const name = document.querySelector(".msg-name")!;
    name.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
    // Later than a card that is asked for by resting there.
    await new Promise((done) => setTimeout(done, 400));
  });
  await page.locator(".msg-name").last().tap();
  await page.locator(".people-card").waitFor();
  expect(await page.locator("body").getAttribute("data-cards")).toBe("Profile card of Bo Member");
  await phone.close();
});

test("above the messages of many conversations names have the room on a phone", async () => {
  await fixture.testServer.ask("bo", "POST /messages", {
    ...{ type: "channel", to: fixture.stream_id, topic: "Nights in the orchard", content: "Cold" },
  });
  await fixture.testServer.ask("ada", "PATCH /settings", { web_mark_read_on_scroll_policy: 3 });
  const phone = await BrowserSession.ofPhone(fixture.testServer, "ada");
  const page = await phone.tab("/#feed");
  const bar = page.locator(".conv-bar", { hasText: "Nights in the orchard" });
  const buttons = bar.getByRole("button");
  await bar.waitFor();
  // What the menu has, too, stands there alone.
  expect(await buttons.filter({ visible: true }).count()).toBe(1);
  await buttons.filter({ visible: true }).tap();
  await page.getByRole("menuitem", { name: "Mark as read" }).waitFor();
  await phone.close();
});

test("on its side, and on a tablet, a touch screen has room for the way to send", async () => {
  const phone = await BrowserSession.ofPhone(fixture.testServer, "bo");
  const page = await phone.tab(fixture.place);
  await page.locator("form.compose textarea").waitFor();
  for (const [width, height] of [
    [740, 360],
    [768, 1024],
    [1100, 700],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.waitForFunction((wide) => innerWidth === wide, width);
    const ends = ["form.compose", "form.compose [type=submit]"].map(
      async (part) => (await page.locator(part).boundingBox())!,
    );
    const [form, send] = await Promise.all(ends);
    expect(send!.x + send!.width).toBeLessThanOrEqual(form!.x + form!.width);
  }
  await phone.close();
});

test("where a keyboard lies over the page, the composer stays above it", async () => {
  const phone = await BrowserSession.ofPhone(fixture.testServer, "bo");
  await phone.context.addInitScript(() => {
    let [covered, up] = [0, 0];
    const { visualViewport } = window;
    Object.defineProperty(visualViewport, "offsetTop", { get: () => up });
    Object.defineProperty(visualViewport, "height", { get: () => innerHeight - covered });
    Object.assign(globalThis, {
      cover(by: number) {
        covered = by;
        visualViewport?.dispatchEvent(new Event("resize"));
      },
      moveUp(by: number) {
        up = by;
        visualViewport?.dispatchEvent(new Event("scroll"));
      },
    });
  });
  const page = await phone.tab(fixture.place);
  const box = page.locator("form.compose");
  await box.locator("textarea").waitFor();
  // Until the late parts, which hear of it, are there.
  const isAbove = (by: number) =>
    page.waitForFunction((covered) => {
      (globalThis as unknown as { cover(by: number): void }).cover(covered);
      const { bottom } = document.querySelector("form.compose")!.getBoundingClientRect();
      return covered === 0 ? bottom > innerHeight - 60 : bottom <= innerHeight - covered;
    }, by);
  await isAbove(300);
  // No gap is left where the browser has moved the page up by itself.
  await page.evaluate(() => (globalThis as unknown as { moveUp(by: number): void }).moveUp(120));
  await page.waitForFunction(() => {
    const { bottom } = document.querySelector("form.compose")!.getBoundingClientRect();
    return bottom <= innerHeight - 180 && bottom > innerHeight - 240;
  });
  await page.evaluate(() => (globalThis as unknown as { moveUp(by: number): void }).moveUp(0));
  await isAbove(0);
  await phone.close();
});
