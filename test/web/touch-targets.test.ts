// Touch targets measure at least 44 pixels in each direction.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { upload } from "../features/upload-fixture.ts";
import { BrowserSession } from "./browser-session.ts";
import { until } from "../wait-until.ts";
import { waitForMessage, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

/** Returns targets smaller than that; a label and its control count as one. */
const smallTargets = (page: Page, within: string, min = 44): Promise<string[]> =>
  page.evaluate(
    ([selector, pixels]) => {
      const isIncluded = (node: Element, x: number, y: number) => {
        const element = document.elementFromPoint(x, y);
        return (
          element !== null &&
          (node.contains(element) || element.closest("label")?.contains(node) === true)
        );
      };
      const all = document.querySelectorAll<HTMLElement>(
        `:is(${selector}) :is(a[href], button, input, select, textarea, summary)`,
      );
      return [...all].flatMap((node) => {
        if (node.closest(".md") || !node.checkVisibility({ visibilityProperty: true })) return [];
        node.scrollIntoView({ block: "center" });
        const { left, top, width, height } = node.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        if (!isIncluded(node, x, y)) return [];
        const measureReach = (dx: number, dy: number) => {
          let steps = 0;
          while (steps < pixels && isIncluded(node, x + dx * (steps + 1), y + dy * (steps + 1)))
            steps++;
          return steps;
        };
        const [wide, high] = [
          1 + measureReach(-1, 0) + measureReach(1, 0),
          1 + measureReach(0, -1) + measureReach(0, 1),
        ];
        const name = node.getAttribute("aria-label") ?? node.textContent;
        // The last pixel may be cut by half.
        return Math.min(wide, high) < pixels - 1 ? [`${name} ${wide}x${high}`] : [];
      });
    },
    [within, min] as const,
  );

test("controls are large enough for a finger: symbols, colors, options and names", async () => {
  const { testServer } = fixture;
  const file = await upload(testServer, "ada", { name: "plan.pdf", bytes: "%PDF" });
  const { id } = await fixture.post("ada", `A plan: [plan.pdf](${file})`);
  await testServer.request("ada", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  const phone = await BrowserSession.forPhone(testServer, "ada");
  const page = await phone.tab(fixture.topicUrl);
  await waitForMessage(page, "A plan");
  expect(await smallTargets(page, ".react, .line")).toEqual([]);
  // The header of a message is smaller, because the area below it belongs to the text.
  expect(await smallTargets(page, ".msg-head", 38)).toEqual([]);
  await page.locator(".bar").getByRole("button", { name: "People" }).tap();
  await page.locator(".panel .shared-it").waitFor();
  expect(await smallTargets(page, ".panel")).toEqual([]);

  await page.goto("/#keyboard-shortcuts");
  await page.locator(".single-keys").waitFor();
  expect(await smallTargets(page, ".single-keys, .dialog header")).toEqual([]);
  await page.goto(`/#user/${testServer.idOf("bo")}`);
  await page.getByRole("dialog", { name: "Profile" }).locator(".chips a").first().waitFor();
  expect(await smallTargets(page, "[role=dialog] :is(.chips, .acts, dl)")).toEqual([]);
  await page.goto("/#settings/device");
  await page.locator("li.settings-fact").first().waitFor();
  expect(await smallTargets(page, ".settings-fact")).toEqual([]);
  await page.goto("/#narrow/search/plan");
  await page.locator(".conv-bar").first().waitFor();
  expect(await smallTargets(page, ".conv-bar, .search-field")).toEqual([]);
  await page.goto(`/#channels/${fixture.stream_id}/design/personal`);
  await page.locator(".swatches button").first().waitFor();
  expect(await smallTargets(page, ".swatches")).toEqual([]);
  await page.goto(`/#channels/${fixture.stream_id}/design/subscribers`);
  await page.locator("button.name").first().waitFor();
  expect(await smallTargets(page, ".page-body")).toEqual([]);
  expect(phone.faults).toEqual([]);
});

test("emoji are large enough for a finger, and arrow keys follow the rows", async () => {
  const { id } = await fixture.post("ada", "React to this");
  await fixture.testServer.request("ada", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  const phone = await BrowserSession.forPhone(fixture.testServer, "bo");
  const page = await phone.tab(fixture.topicUrl);
  await waitForMessage(page, "React to this");
  for (const [width, columns] of [
    [390, 8],
    [360, 7],
    [820, 7],
  ] as const) {
    await page.setViewportSize({ width, height: 780 });
    await page.locator(`#m${id} .react`).getByRole("button", { name: "Add a reaction" }).tap();
    const all = page.locator(".emoji-pop [role=option]");
    await all.first().waitFor();
    expect(await smallTargets(page, ".emoji-section:nth-child(-n + 2)")).toEqual([]);
    expect(await page.locator(".emoji-section").first().locator("[role=option]").count()).toBe(
      columns,
    );
    const isAt = () =>
      all.evaluateAll((nodes) => nodes.findIndex((node) => node.matches("[data-active]")));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await until(async () => (await isAt()) === 2 * columns);
    await page.keyboard.press("Escape");
    await page.locator(".emoji-pop").waitFor({ state: "detached" });
  }
  expect(phone.faults).toEqual([]);
});

test("controls are large enough: channel, folders, pictures, and notifications", async () => {
  const { testServer, stream_id } = fixture;
  const { channel_folder_id } = await testServer.request("olga", "POST /channel_folders/create", {
    ...{ name: "Drawing board", description: "" },
  });
  await testServer.request("olga", `PATCH /streams/${stream_id}`, { folder_id: channel_folder_id });
  await fixture.post("ada", "In a folder");
  const phone = await BrowserSession.forPhone(testServer, "cy");
  const page = await phone.tab("/#inbox");
  await page.locator(".list-head small").first().waitFor();
  expect(await smallTargets(page, ".list-head")).toEqual([]);
  await page.goto(fixture.topicUrl);
  await waitForMessage(page, "In a folder");
  expect(await smallTargets(page, ".bar")).toEqual([]);
  // The picture may be smaller, because the name beside it has the same effect.
  expect(await smallTargets(page, ".msg", 36)).toEqual([]);
  const picture = page.locator(".msg > .av").last();
  const { width, height } = (await picture.boundingBox())!;
  expect([width, height]).toEqual([44, 44]);
  expect(await picture.evaluate((node) => node.clientWidth)).toBe(36);
  await page.goto("/#settings/notifications");
  await page.locator(".settings-grid").waitFor();
  expect(await smallTargets(page, ".settings-grid")).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  const isWithin = () => document.documentElement.scrollWidth <= innerWidth;
  expect(await page.evaluate(isWithin)).toBe(true);
  expect(phone.faults).toEqual([]);
});

test("shows the whole editor of a message on a phone", async () => {
  const { id } = await fixture.post("ada", "To be changed");
  const phone = await BrowserSession.forPhone(fixture.testServer, "ada");
  const page = await phone.tab(fixture.topicUrl);
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("e");
  const box = page.locator(".edit-box");
  const rightEdgeOf = async (node: typeof box) => {
    const { x, width } = (await node.boundingBox())!;
    return x + width;
  };
  const save = box.getByRole("button", { name: "Save" });
  await save.waitFor();
  // Simulates the wider letters of some languages and phones.
  await box.evaluate((node) => (node.style.letterSpacing = "1px"));
  expect(await rightEdgeOf(save)).toBeLessThan(await rightEdgeOf(box));
  expect(await smallTargets(page, ".edit-box")).toEqual([]);
});

test("moves only tools without space behind the plus", async () => {
  await fixture.post("ada", "Tools, please");
  const phone = await BrowserSession.forPhone(fixture.testServer, "bo");
  const page = await phone.tab(fixture.topicUrl);
  await waitForMessage(page, "Tools, please");
  const poll = page.getByRole("toolbar").getByRole("button", { name: "Poll" });
  const behind = page.getByRole("menuitem", { name: "Poll" });
  for (const [width, height] of [
    [360, 740],
    [740, 360],
    [820, 1180],
    [1360, 860],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.getByRole("button", { name: "More tools" }).tap();
    await page.getByRole("menuitem", { name: "Snippets" }).waitFor();
    const methods = [await poll.isVisible(), (await behind.count()) > 0];
    expect([width, methods.filter(Boolean).length]).toEqual([width, 1]);
    await page.keyboard.press("Escape");
  }
});

test("a long press on a reaction shows who reacted, and removes none", async () => {
  const { id } = await fixture.post("ada", "React, all of you");
  const names = ["ada", "bo", "cy", "olga"] as const;
  const react = (name: (typeof names)[number]) =>
    fixture.testServer.request(name, `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  for (const name of names) await react(name);
  const phone = await BrowserSession.forPhone(fixture.testServer, "bo");
  const page = await phone.tab(fixture.topicUrl);
  const button = page.locator(`#m${id} .react [aria-pressed=true]`);
  // Checks that the button no longer moves.
  await button.tap({ trial: true });
  const { x, y } = (await button.boundingBox())!;
  const session = await phone.context.newCDPSession(page);
  const at = { x: x + 8, y: y + 8 };
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
  await page.locator(".toast", { hasText: "Olga" }).waitFor();
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await button.waitFor();
  expect(await page.locator(".pop").count()).toBe(0);
});

test("controls on other pages are large enough for a finger, too", async () => {
  const { testServer } = fixture;
  await testServer.request("olga", "PATCH /realm", {
    enable_spectator_access: true,
    invite_required: false,
  });
  const params = { name: "square", is_web_public: true, subscribers: [testServer.idOf("bo")] };
  const { id } = await testServer.request("olga", "POST /channels/create", params);
  const to = { type: "channel", to: id, topic: "masts" };
  await testServer.request("bo", "POST /messages", { ...to, content: "```spoiler Why\nWind\n```" });
  const phone = await BrowserSession.forPhone(testServer, "bo");
  const page = await phone.tab("/help/");
  const short: string[] = [];
  const recordSmallTargets = async (within: string) => {
    for (const item of await smallTargets(page, within)) short.push(`${page.url()} ${item}`);
  };
  await recordSmallTargets("header, main > ul");
  await page.setViewportSize({ width: 320, height: 640 });
  const boxOfLink = (name: string) => page.getByRole("link", { name, exact: true }).boundingBox();
  expect((await boxOfLink("Open Skein"))!.y).toBe((await boxOfLink("Help"))!.y);
  await page.goto("/help/topics/");
  await recordSmallTargets("header, .near");
  await page.getByRole("combobox").fill("mute");
  await page.getByRole("option").first().waitFor();
  await recordSmallTargets("[role=option]");
  await page.goto("/public/");
  await recordSmallTargets("body");
  for (const name of ["square", "masts"]) {
    await page.getByRole("link", { name }).tap();
    await page.locator("h1", { hasText: name }).waitFor();
    await recordSmallTargets("body");
  }
  await phone.context.clearCookies();
  for (const path of ["/login/", "/register/", "/accounts/find/", "/nowhere/"]) {
    await page.goto(path);
    await recordSmallTargets("body");
  }
  expect(short).toEqual([]);
});

test("has folders and an order of channels on a phone, and separate settings", async () => {
  const { testServer, stream_id } = fixture;
  await testServer.request("olga", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "design" }],
  });
  const phone = await BrowserSession.forPhone(testServer, "olga");
  const page = await phone.tab("/#channels");
  await page.getByRole("combobox", { name: "Sort" }).selectOption({ label: "By name" });
  expect(await smallTargets(page, ".bar, .filters")).toEqual([]);
  await page.getByRole("button", { name: "Folders" }).tap();
  await page.waitForURL(/#channels\/folders$/);
  await page.goto(`/#narrow/channel/${stream_id}-design`);
  await page.locator(".bar").getByRole("button", { name: "More" }).tap();
  await page.getByRole("menuitem", { name: "Personal settings" }).tap();
  const edges = await page
    .locator(".channel-panel select")
    .evaluateAll((all) => all.map((item) => item.getBoundingClientRect()));
  expect(edges.length).toBeGreaterThan(1);
  for (const [index, { top }] of edges.entries()) {
    if (index > 0) expect(top - edges[index - 1]!.bottom).toBeGreaterThanOrEqual(8);
  }
});
