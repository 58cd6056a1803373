// Dates in searches: the seconds that they mean in a zone.
import { expect, test } from "bun:test";
import { Calendar, timeRangeOf } from "../../src/text/search/dates.ts";

const HOUR_SECONDS = 3600;
const seconds = (iso: string) => Date.parse(iso) / 1000;

test.each([
  ["an ordinary day", "2026-05-01", "UTC", "2026-05-01T00:00Z", 24],
  ["a day of 23 hours", "2026-03-29", "Europe/Berlin", "2026-03-28T23:00Z", 23],
  ["a day of 25 hours", "2026-10-25", "Europe/Berlin", "2026-10-24T22:00Z", 25],
  ["a day that begins at one", "2022-03-27", "Asia/Beirut", "2022-03-26T22:00Z", 23],
  ["a day with two midnights", "2026-11-01", "America/Havana", "2026-11-01T04:00Z", 25],
  ["a day ahead of UTC", "2026-01-01", "Pacific/Kiritimati", "2025-12-31T10:00Z", 24],
  ["a day of a zone with half hours", "2026-07-01", "America/St_Johns", "2026-07-01T02:30Z", 24],
  ["a day that the zone left out", "2011-12-30", "Pacific/Apia", "2011-12-30T10:00Z", 0],
  ["a leap day", "2028-02-29", "Asia/Kathmandu", "2028-02-28T18:15Z", 24],
  ["a day in an unknown zone", "2026-05-01", "Mars/Olympus", "2026-05-01T00:00Z", 24],
])("on: %s is from its midnight to the next", (_, date, zone, start, hours) => {
  const from = seconds(start);
  expect(timeRangeOf("on", date, zone)).toEqual({ from, to: from + hours * HOUR_SECONDS });
});

test("after: excludes its day, before: ends where its day begins", () => {
  const zone = "Europe/Berlin";
  const day = timeRangeOf("on", "2026-10-25", zone)!;
  expect(timeRangeOf("after", "2026-10-25", zone)).toEqual({ from: day.to, to: Infinity });
  expect(timeRangeOf("before", "2026-10-25", zone)).toEqual({ from: -Infinity, to: day.from });
});

test("on: accepts a range that includes both its days", () => {
  const week = timeRangeOf("on", "2026-10-19..2026-10-25", "Europe/Berlin")!;
  expect(week.to - week.from).toBe((7 * 24 + 1) * HOUR_SECONDS);
  const day = timeRangeOf("on", "2026-10-19..2026-10-19", "Europe/Berlin");
  expect(day).toEqual(timeRangeOf("on", "2026-10-19", "Europe/Berlin"));
});

test.each([
  ["on", ""],
  ["on", "yesterday"],
  ["on", "2026-02-29"],
  ["on", "2026-02-30"],
  ["on", "2026-13-01"],
  ["on", "2026-5-1"],
  ["on", " 2026-05-01"],
  ["on", "2026-05-01T00:00"],
  ["on", "2026-05-02..2026-05-01"],
  ["on", "2026-05-01.."],
  ["on", "2026-05-01..2026-05-02..2026-05-03"],
  ["before", "2026-05-01..2026-05-02"],
  ["after", "2026-05-01..2026-05-02"],
  ["constructor", "2026-05-01"],
])("%s:%s is no date", (operator, operand) => {
  expect(timeRangeOf(operator, operand, "UTC")).toBeNull();
});

test("accepts the first and the last year that ISO dates have", () => {
  expect(timeRangeOf("after", "9999-12-31", "UTC")!.from).toBe(seconds("+010000-01-01T00:00Z"));
  expect(timeRangeOf("after", "0000-01-01", "UTC")!.from).toBe(seconds("0000-01-02T00:00Z"));
});

test("the day of a second is the one whose range includes it", () => {
  const calendar = new Calendar("America/St_Johns");
  const day = calendar.dayAt(seconds("2026-11-01T12:00Z"));
  expect(calendar.dayAt(calendar.startOf(day))).toBe(day);
  expect(calendar.dayAt(calendar.startOf(day) - 1)).toBe(day - 1);
});
