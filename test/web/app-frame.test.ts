// The frame around views: the user's menu, other menus, and their loading.
import { expect, test } from "bun:test";
import { withTimeout, until } from "../wait-until.ts";
import {
  nextDoNotDisturbChange,
  OPEN_END,
} from "../../src/web/features/notifications/do-not-disturb-rules.ts";
import { faultsOf, applyLook } from "./axe.ts";
import { BrowserSession } from "./browser-session.ts";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const SIGN = /Do Not Disturb until (.*, )?\d+:\d\d [AP]M$/;

test("combines pauses of notifications to the longest", () => {
  const timeAt = (hours: number, day = 23) => new Date(2026, 10, day, hours).getTime();
  const hours = { from: "22:00", to: "07:00" };
  const nextChange = (until: number, now: number, daily: typeof hours | null = hours) =>
    nextDoNotDisturbChange({ until, hours: daily }, { time: now, zone: undefined });
  expect(nextChange(0, timeAt(12), null)).toBeUndefined();
  expect(nextChange(timeAt(13), timeAt(12), null)).toBe(timeAt(13));
  expect(nextChange(0, timeAt(12))).toBe(timeAt(22));
  expect(nextChange(timeAt(13), timeAt(12))).toBe(timeAt(13));
  expect(nextChange(0, timeAt(23))).toBe(timeAt(7, 24));
  expect(nextChange(timeAt(23), timeAt(12))).toBe(timeAt(7, 24));
  expect(nextChange(timeAt(8, 24), timeAt(23))).toBe(timeAt(8, 24));
  expect(nextChange(0, timeAt(6))).toBe(timeAt(7));
  expect(nextChange(OPEN_END, timeAt(6))).toBeGreaterThanOrEqual(OPEN_END);
});

test("scrolls containers, and never the page itself", async () => {
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab("/#inbox");
  await page.locator("body > [role=status]").waitFor({ state: "attached" });
  const beyond = await page.evaluate(() => {
    const { scrollHeight, scrollWidth, clientHeight, clientWidth } = document.documentElement;
    return { below: scrollHeight - clientHeight, beside: scrollWidth - clientWidth };
  });
  expect(beyond).toEqual({ below: 0, beside: 0 });
});

test("translates texts that were shown before the language was loaded", async () => {
  await fixture.testServer.request("bo", "PATCH /settings", { default_language: "de" });
  await fixture.post("ada", "Joined this morning");
  const browserSession = await fixture.sessionOf("bo");
  const isAllowed = Promise.withResolvers<void>();
  const requested = Promise.withResolvers<void>();
  await browserSession.context.route(/\/assets\/de-/, async (route) => {
    requested.resolve();
    await isAllowed.promise;
    await route.continue();
  });
  const page = await browserSession.context.newPage();
  await page.goto(fixture.topicUrl);
  await page.locator("[data-new]", { hasText: "New" }).waitFor();
  await withTimeout(requested.promise, "the request of the German words");
  isAllowed.resolve();
  await page.locator("[data-new]", { hasText: "Neu" }).waitFor();
  await fixture.testServer.request("bo", "PATCH /settings", { default_language: "en" });
  await page.locator("[data-new]", { hasText: "New" }).waitFor();
});

test("shows Do Not Disturb beside the avatar", async () => {
  const browserSession = await fixture.sessionOf("ada");
  const [page, other] = [await browserSession.tab("/#inbox"), await browserSession.tab("/#recent")];
  const own = page.locator(".sidebar-user");
  await own.click();
  await page.getByRole("menuitem", { name: "Do Not Disturb…" }).click();
  await page.getByRole("menuitem", { name: "30 minutes" }).click();
  await page
    .locator(".toast", { hasText: /until .*\d+:\d\d [AP]M, on all your devices/ })
    .waitFor();
  for (const tab of [page, other]) await tab.getByRole("button", { name: SIGN }).waitFor();
  expect(await own.locator("small").getAttribute("title")).toMatch(SIGN);
  for (const scheme of ["light", "dark"] as const) {
    await applyLook(page, { scheme, width: 1360 });
    expect(await faultsOf(page, undefined, ".sidebar")).toEqual([]);
  }
  await own.click();
  await page.getByRole("menuitem", { name: /Turn off Do Not Disturb.*until/ }).click();
  await own.locator("small").waitFor({ state: "detached" });
  await other.locator(".sidebar-user small").waitFor({ state: "detached" });
  // The tabs show the change before the server has stored it.
  const getAda = () => fixture.testServer.realm.read.users.get(fixture.testServer.idOf("ada"))!;
  await until(() => !getAda().settings["do_not_disturb_until"]);

  // The pause also ends by itself, on every device.
  const pauseFor = (seconds: number) =>
    fixture.testServer.request("ada", "PATCH /settings", {
      do_not_disturb_until: Math.floor(Date.now() / 1000) + seconds,
    });
  await pauseFor(3_600);
  await own.locator("small").waitFor();
  await pauseFor(2);
  await own.locator("small").waitFor({ state: "detached" });
  expect(browserSession.faults).toEqual([]);
});

test("offers several durations of Do Not Disturb, by keyboard", async () => {
  const browserSession = await fixture.sessionOf("mo");
  const page = await browserSession.tab("/#inbox");
  const { testServer } = fixture;
  const getMo = () => testServer.realm.read.users.get(testServer.idOf("mo"))!;
  const endsAt = () => getMo().settings["do_not_disturb_until"];
  const hour_s = 3600;
  const beginAndEnd = async (index: number, words: RegExp, isEnd: (seconds: number) => boolean) => {
    const own = page.locator(".sidebar-user");
    await own.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Do Not Disturb…" }).focus();
    await page.keyboard.press("Enter");
    const choices = page.getByRole("menu", { name: "Do Not Disturb" });
    await choices.waitFor();
    for (let step = 0; step < index; step++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await choices.waitFor({ state: "detached" });
    await own.locator("small", { hasText: words }).waitFor();
    await until(() => Number(endsAt()) > 0);
    expect(isEnd(Number(endsAt()) - Date.now() / 1000)).toBe(true);
    await own.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Turn off Do Not Disturb" }).focus();
    await page.keyboard.press("Enter");
    await until(() => !endsAt());
    await own.locator("small").waitFor({ state: "detached" });
  };
  const isAbout = (hours: number) => (seconds: number) => Math.abs(seconds - hours * hour_s) < 600;
  await beginAndEnd(1, SIGN, isAbout(1));
  await beginAndEnd(2, SIGN, isAbout(4));
  await beginAndEnd(3, SIGN, (seconds) => seconds > 0 && seconds <= 24 * hour_s);
  await beginAndEnd(4, /until you turn it off$/, (seconds) => seconds > 1e9);
  await page.goto("/#settings/notifications");
  // The choices stand below the name of the setting, which keeps its line.
  const name = (await page.getByText("Pause notifications").boundingBox())!;
  const choice = (await page.getByRole("button", { name: "4 hours" }).boundingBox())!;
  expect(name.height).toBeLessThan(30);
  expect(choice.y).toBeGreaterThan(name.y + name.height);
  await page.getByRole("button", { name: "Until I turn it off" }).click();
  await page.getByText("Until you turn it off, on all your devices.").waitFor();
  await page.getByRole("button", { name: "Turn off Do Not Disturb" }).click();
  await page.getByRole("button", { name: "4 hours" }).waitFor();
  expect(browserSession.faults).toEqual([]);
});

test("shows when daily quiet hours end, even within a pause", async () => {
  const hourFromNow = (hours: number) =>
    `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 14)}00`;
  const hours = `${hourFromNow(-1)}-${hourFromNow(3)}`;
  await fixture.testServer.request("cy", "PATCH /settings", {
    timezone: "UTC",
    do_not_disturb_hours: hours,
  });
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab("/#settings/notifications");
  const locator = page.getByText(/^Until .*, on all your devices/);
  await locator.waitFor();
  await page.getByRole("button", { name: "30 minutes" }).click();
  await page.getByRole("button", { name: "Turn off Do Not Disturb" }).click();
  await page.getByRole("button", { name: "30 minutes" }).waitFor();
  await locator.waitFor();
  await page.getByRole("button", { name: "Until tomorrow" }).click();
  await page.goto("/#inbox");
  await page.locator(".sidebar-user").click();
  await page.getByRole("menuitem", { name: /Turn off Do Not Disturb/ }).click();
  // The schedule still applies, so the menu opens the page where it can be changed.
  await page.waitForURL(/#settings\/notifications/);
  await locator.waitFor();
  expect(await page.locator(".toast").count()).toBe(0);
  await page.getByLabel("Do Not Disturb schedule").click();
  await locator.waitFor({ state: "detached" });
  expect(browserSession.faults).toEqual([]);
});

test("shows it at the profile button on a phone", async () => {
  const phone = await BrowserSession.forPhone(fixture.testServer, "bo");
  const page = await phone.tab("/#inbox");
  const own = page.locator(".tabbar button", { hasText: "You" });
  await own.tap();
  await page.getByRole("menuitem", { name: "Do Not Disturb…" }).tap();
  await page.getByRole("menuitem", { name: "30 minutes" }).tap();
  await own.locator(".badge svg").waitFor();
  expect(await own.textContent()).toMatch(SIGN);
  expect(await faultsOf(page, undefined, ".tabbar")).toEqual([]);
  expect(phone.faults).toEqual([]);
});

test("arrow keys lead from the main menu to the user menu and help", async () => {
  await fixture.post("bo", "A menu, please");
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  const row = page.locator("article", { hasText: "A menu, please" }).last();
  await row.focus();
  const focusedMenuItem = (name: string) =>
    page.locator("[role=menuitem]:focus", { hasText: name });
  await page.keyboard.press("g");
  await focusedMenuItem("Organization").waitFor();
  for (const [key, name] of [
    ["ArrowRight", "Set a status"],
    ["ArrowLeft", "Organization"],
    ["ArrowLeft", "Help"],
    ["ArrowDown", "Message formatting"],
    ["ArrowLeft", "Set a status"],
    ["ArrowRight", "Help"],
  ] as const) {
    await page.keyboard.press(key);
    await focusedMenuItem(name).waitFor();
    expect(await page.getByRole("menu").count()).toBe(1);
  }
  expect(await faultsOf(page, undefined, ".pop")).toEqual([]);
  await page.keyboard.press("Escape");
  await page.locator("article:focus", { hasText: "A menu, please" }).waitFor();

  await page.keyboard.press("?");
  const keys = page.locator(".shortcuts li");
  for (const line of ["Personal menu", "Help menu"]) await keys.getByText(line).waitFor();
  const lines = (await keys.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
  expect(lines).toContain("Personal menu g →");
  expect(lines).toContain("Help menu g ←");
  expect(browserSession.faults).toEqual([]);
});

test("opens layers with a short animation, or none if reduced motion is set", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab("/#inbox");
  await page.setViewportSize({ width: 800, height: 700 });
  const open = async (come: (...expected: string[]) => Promise<unknown>) => {
    await page.getByRole("button", { name: "Sidebar" }).click();
    await come("sidebar left 0.2", "sidebar-backdrop opacity 0.16");
    await page.locator(".sidebar-user").click();
    await come("pop opacity 0.16", "pop translate 0.16");
    await page.getByRole("menuitem", { name: "Set a status" }).click();
    await come("backdrop opacity 0.16", "dialog translate 0.16");
    await page.getByRole("dialog").getByRole("textbox").waitFor();
  };
  await page.emulateMedia({ reducedMotion: "reduce" });
  const started = await page.evaluateHandle(() => {
    const all: string[] = [];
    document.addEventListener("transitionrun", ({ target, propertyName }) => {
      all.push(`${(target as Element).className} ${propertyName}`);
    });
    return all;
  });
  await open(async () => {});
  expect(await page.locator(".dialog").evaluate((node) => getComputedStyle(node).opacity)).toBe(
    "1",
  );
  expect(await started.jsonValue()).toEqual([]);
  for (const layer of [".dialog", ".sidebar-backdrop"]) {
    await page.keyboard.press("Escape");
    await page.locator(layer).waitFor({ state: "detached" });
  }

  // The dialog's script has loaded by now, so no placeholder interrupts the animation.
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.evaluate(() => {
    const moved: string[] = [];
    Object.assign(globalThis, { moved });
    document.addEventListener("transitionend", ({ target, propertyName, elapsedTime }) => {
      moved.push(`${(target as Element).className.trim()} ${propertyName} ${elapsedTime}`);
    });
  });
  await open((...expected) =>
    page.waitForFunction((all) => {
      const { moved } = globalThis as unknown as { moved: string[] };
      return all.every((item) => moved.includes(item));
    }, expected),
  );
  expect(browserSession.faults).toEqual([]);
});

test("a dialog with a URL leaves the view behind it unchanged", async () => {
  await fixture.post("bo", "leek");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.setViewportSize({ width: 1360, height: 860 });
  await page.locator(".panel").getByText("In this topic").waitFor();
  const currentRow = page
    .locator(".sidebar-topics [aria-current=page]")
    .filter({ hasText: "logo" });
  await currentRow.waitFor();
  const width = () => page.locator("main").evaluate((node) => node.clientWidth);
  const before = await width();
  for (const address of ["keyboard-shortcuts", `user/${fixture.testServer.idOf("bo")}`]) {
    await page.evaluate((fragment) => (location.hash = fragment), address);
    await page.getByRole("dialog").waitFor();
    expect(await currentRow.count()).toBe(1);
    expect(await page.locator(".panel").count()).toBe(1);
    expect(await width()).toBe(before);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  expect(browserSession.faults).toEqual([]);
});
