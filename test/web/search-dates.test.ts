// Search by date in the client: input, suggestions, and which new messages match.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { loadDates } from "../../src/web/store/match-dates.ts";
import { matchesNarrow } from "../../src/web/store/narrow.ts";
import {
  parseDate,
  suggestDates,
  periodsAtEnd,
} from "../../src/web/features/search/date-selectors.ts";
import type { Message } from "../../src/web/contract/message.ts";
import type { Snapshot } from "../../src/web/contract/snapshot.ts";
import { hydrate } from "../../src/web/store/state.ts";
import { faultsOf } from "./axe.ts";
import { waitForMessage, BrowserFixture } from "./browser-fixture.ts";

/** Saturday, 2026-11-28. */
const TODAY = Date.UTC(2026, 10, 28) / 86_400_000;

test.each([
  ["on", "2026-05-04", "2026-05-04"],
  ["on", "2026-05-04..2026-05-10", "2026-05-04..2026-05-10"],
  ["on", "2026-05", "2026-05-01..2026-05-31"],
  ["on", "2028-02", "2028-02-01..2028-02-29"],
  ["before", "2026", "2026-01-01"],
  ["after", "2026", "2026-12-31"],
  ["on", "today", "2026-11-28"],
  ["on", "Yesterday", "2026-11-27"],
  ["on", "last week", "2026-11-16..2026-11-22"],
  ["on", "this week", "2026-11-23..2026-11-29"],
  ["before", "last week", "2026-11-16"],
  ["after", "last week", "2026-11-22"],
  ["on", "this month", "2026-11-01..2026-11-30"],
  ["on", "last month", "2026-10-01..2026-10-31"],
  ["on", "2026-02-30", undefined],
  ["on", "2026-13", undefined],
  ["before", "2026-05-04..2026-05-10", "2026-05-04"],
  ["on", "soon", undefined],
])("%s:%s means %p", (operator, input, operand) => {
  expect(parseDate(operator, input, TODAY)).toBe(operand);
});

test("suggests the periods whose names begin so", () => {
  const labels = (input: string) => suggestDates("on", input, TODAY).map(({ label }) => label);
  expect(labels("")).toHaveLength(6);
  expect(labels("last")).toEqual(["Last week", "Last month"]);
  expect(labels("we")).toEqual(["This week", "Last week"]);
  expect(suggestDates("on", "2026-05", TODAY)).toEqual([
    { operator: "on", operand: "2026-05-01..2026-05-31" },
  ]);
  const operands = (operator: string, typed: string) =>
    suggestDates(operator, typed, TODAY).map(({ operand }) => operand);
  expect(operands("on", "20")).toHaveLength(5);
  expect(operands("on", "2026-1")).toEqual(["2026-11-01..2026-11-30", "2026-10-01..2026-10-31"]);
  expect(operands("on", "2026-11-2")[0]).toBe("2026-11-28");
  expect(operands("before", "2026-02-3")).toEqual([]);
  // This month has not ended.
  expect(operands("after", "2026-1")).toEqual(["2026-10-31"]);
  const after = suggestDates("after", "", TODAY).map(({ label }) => label);
  expect(after).toEqual(["Yesterday", "Last week", "Last month"]);
});

test.each([
  ["last we", "", ["Last week"]],
  ["plan last", "plan ", ["Last week", "Last month"]],
  ["yester", "", ["Yesterday"]],
  ["to", undefined, []],
  ["the blast week", undefined, []],
  ["today soon", undefined, []],
])("without an operator, %p suggests periods", (text, before, labels) => {
  const periods = periodsAtEnd(text, TODAY);
  expect(periods?.before).toBe(before);
  expect((periods?.dates ?? []).map(({ label }) => label!)).toEqual(labels);
});

beforeAll(loadDates);

const stateIn = (timezone: string) =>
  hydrate({ user_id: 1, realm_users: [], user_settings: { timezone } } as unknown as Snapshot);

test.each([
  ["Europe/Berlin", "2026-10-24T22:00Z", { on: true, before: false, after: false }],
  ["Europe/Berlin", "2026-10-25T22:59Z", { on: true, before: false, after: false }],
  ["Europe/Berlin", "2026-10-25T23:00Z", { on: false, before: false, after: true }],
  ["Europe/Berlin", "2026-10-24T21:59Z", { on: false, before: true, after: false }],
  ["", "2026-10-25T23:30Z", { on: true, before: false, after: false }],
])("in the zone %p, a message of %s matches as on the server", (zone, time, expected) => {
  const message = { timestamp: Date.parse(time) / 1000 } as Message;
  const state = stateIn(zone);
  for (const [operator, isIncluded] of Object.entries(expected)) {
    for (const negated of [false, true]) {
      const term = { operator, operand: "2026-10-25", negated };
      expect(matchesNarrow([term], message, state)).toBe(isIncluded !== negated);
    }
  }
});

test("leaves an invalid date to the server", () => {
  const term = { operator: "on", operand: "yesterday", negated: false };
  expect(matchesNarrow([term], { timestamp: 0 } as Message, stateIn(""))).toBeUndefined();
});

let fixture: BrowserFixture;
let page: Page;
beforeAll(async () => {
  fixture = await BrowserFixture.open();
  await fixture.post("bo", "Sent before the search");
  const session = await fixture.sessionOf("ada");
  page = await session.tab("/#inbox");
  await page.locator(".list-row").first().waitFor();
});
afterAll(() => fixture.close());

/** Leaves what another test has typed or opened, because new terms would be added to it. */
async function leaveSearch(): Promise<void> {
  // The page may already have the address of the inbox.
  for (const [address, heading] of [
    ["/#channels/all", "Channels"],
    ["/#inbox", "Inbox"],
  ] as const) {
    await page.goto(address);
    await page.locator("main h1", { hasText: heading }).waitFor();
  }
}

test("takes a suggested period by keyboard and shows new messages of its days", async () => {
  await leaveSearch();
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: "Search messages" });
  await field.pressSequentially("on:to");
  const option = page.locator("#search-suggestions [role=option]");
  await option.filter({ hasText: "Today" }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  const today = new Date(fixture.testServer.realm.read.now * 1000).toISOString().slice(0, 10);
  await page.waitForFunction((day) => location.hash === `#narrow/on/${day}`, today);
  await waitForMessage(page, "Sent before the search");
  await fixture.post("bo", "Sent while it is open");
  await waitForMessage(page, "Sent while it is open");
  await page.locator(".says").filter({ hasText: "Messages sent " }).waitFor();
});

test("adds no new messages to the results of earlier days", async () => {
  await page.goto("/#narrow/before/2001-01-01");
  await page.getByText("No results").waitFor();
  await fixture.post("bo", "Sent much later");
  await page.goto("/#feed");
  await waitForMessage(page, "Sent much later");
  await page.goBack();
  await page.getByText("No results").waitFor();
  expect(await page.getByText("Sent much later").count()).toBe(0);
});

test("takes a period typed without an operator, and replaces all its words", async () => {
  await leaveSearch();
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: "Search messages" });
  await field.pressSequentially("last week");
  await page
    .locator("#search-suggestions [role=option]")
    .filter({ hasText: "Last week" })
    .waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator(".pill").filter({ hasText: "on:" }).waitFor();
  expect(await field.inputValue()).toBe("");
});
