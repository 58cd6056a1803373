// Times in time zones other than the device's.
import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { isDoNotDisturb } from "../../src/features/settings/do-not-disturb-rules.ts";
import { expiryOf } from "../../src/web/features/presence/status-presets.ts";
import { presets } from "../../src/web/features/editor/send-times.ts";
import {
  isDoNotDisturbAt,
  nextDoNotDisturbChange,
} from "../../src/web/features/notifications/do-not-disturb-rules.ts";
import { presetsAt } from "../../src/web/features/reminders/times.ts";
import { formatBrief, formatMoment, formatShortDay, setClock } from "../../src/web/words/dates.ts";
import { fieldOf, parseMoment, withOffset } from "../../src/web/words/moments.ts";
import { momentOf, toWallClock } from "../../src/web/words/zoned.ts";

const ZONES = ["Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Kiritimati", "UTC"];
const moment = fc.integer({ min: Date.UTC(1995, 0), max: Date.UTC(2060, 0) });
const zone = fc.constantFrom(...ZONES);
const wallTime = (wall: number) => new Date(wall).toISOString().slice(0, 16);

const beIn = (item: string | undefined) => setClock({ language: "en", zone: item, hour12: false });
afterAll(() => beIn(undefined));

test("a wall-clock time converts back, except ambiguous ones", () => {
  fc.assert(
    fc.property(moment, zone, (index, item) => {
      const moment = momentOf(toWallClock(index, item), item);
      expect(toWallClock(moment, item)).toBe(toWallClock(index, item));
      expect(moment).toBeLessThanOrEqual(index);
      expect(index - moment).toBeLessThanOrEqual(3_600_000);
    }),
  );
});

test("uses the device's zone without a known one", () => {
  fc.assert(
    fc.property(moment, fc.constantFrom(undefined, "Mars/Olympus"), (index, item) => {
      const day = new Date(index);
      const date = [day.getFullYear(), day.getMonth(), day.getDate()] as const;
      const time = [day.getHours(), day.getMinutes(), day.getSeconds()] as const;
      expect(toWallClock(index, item)).toBe(Date.UTC(...date, ...time, day.getMilliseconds()));
    }),
  );
});

test("moves a skipped hour forward, and takes the first of two", () => {
  const berlin = (wall: string) =>
    new Date(momentOf(Date.parse(wall), "Europe/Berlin")).toISOString().slice(0, 16);
  expect(berlin("2026-03-29T01:59Z")).toBe("2026-03-29T00:59");
  expect(berlin("2026-03-29T02:30Z")).toBe("2026-03-29T01:30");
  expect(berlin("2026-03-29T03:00Z")).toBe("2026-03-29T01:00");
  expect(berlin("2026-10-25T02:30Z")).toBe("2026-10-25T00:30");
  expect(berlin("2026-10-25T03:00Z")).toBe("2026-10-25T02:00");
});

test("short dates name the year if it is not the current one", () => {
  beIn("UTC");
  const at = (date: string) => Date.parse(date) / 1000;
  const now = at("2027-01-04T12:00Z");
  const dates = [
    "2027-01-04T09:14Z",
    "2026-12-31T09:14Z",
    "2026-12-28T09:14Z",
    "2018-01-20T09:14Z",
  ];
  expect(dates.map((date) => formatBrief(at(date), now))).toEqual([
    ...["09:14", "Thu", "Dec 28, 2026", "Jan 20, 2018"],
  ]);
  expect(formatShortDay(at("2026-12-31T09:14Z"), now)).toBe("Dec 31, 2026");
  expect(formatShortDay(at("2027-01-01T09:14Z"), now)).toBe("Jan 1");
  expect(formatBrief(at("2027-11-20T09:14Z"), at("2027-12-20T09:14Z"))).toBe("Nov 20");
});

test("times use the account's zone, wherever the device is", () => {
  // Sunday evening in Lisbon is Monday morning in this time zone.
  const now = Date.UTC(2026, 10, 22, 19, 15);
  beIn("Pacific/Kiritimati");
  expect(fieldOf(now)).toBe("2026-11-23T09:15");
  expect(withOffset(now)).toBe("2026-11-23T09:15+14:00");
  expect(parseMoment("2026-11-23T09:15")).toBe(now);
  expect(parseMoment("2026-11-23")).toBe(Date.UTC(2026, 10, 22, 10));
  expect(parseMoment("")).toBeNaN();
  expect(presets(now).map(({ textKey, time }) => [textKey, fieldOf(time)])).toEqual([
    ["later-today", "2026-11-23T14:00"],
    ["tomorrow-morning", "2026-11-24T09:00"],
    ["tomorrow-afternoon", "2026-11-24T14:00"],
    ["monday-morning", "2026-11-30T09:00"],
  ]);
  expect(presetsAt(now).map(({ textKey, time }) => [textKey, fieldOf(time)])).toEqual([
    ["in-an-hour", "2026-11-23T10:15"],
    ["this-evening", "2026-11-23T18:00"],
    ["tomorrow-morning", "2026-11-24T09:00"],
    ["monday-morning", "2026-11-30T09:00"],
  ]);
  const ends = (["today", "week", "at", "never"] as const).map((end) =>
    expiryOf(end, now, "2026-11-23T10:00"),
  );
  expect(ends.map((end) => end && fieldOf(end * 1000))).toEqual([
    "2026-11-24T00:00",
    "2026-11-30T00:00",
    "2026-11-23T10:00",
    undefined,
  ]);
  beIn("America/St_Johns");
  expect(withOffset(now)).toBe("2026-11-22T15:45-03:30");
});

test("quiet hours are the same here and on the server", () => {
  const minutes = fc
    .integer({ min: 0, max: 1439 })
    .map((minute) => wallTime(minute * 60_000).slice(11));
  fc.assert(
    fc.property(moment, zone, minutes, minutes, (index, item, from, to) => {
      const quiet = { until: 0, hours: { from, to } };
      const hours = `${from}-${to}`;
      const exists = isDoNotDisturb({ until: 0, hours, zone: item }, index / 1000);
      expect(isDoNotDisturbAt(quiet, { time: index, zone: item })).toBe(exists);
      const next = nextDoNotDisturbChange(quiet, { time: index, zone: item })!;
      expect(next).toBeGreaterThan(from === to ? 0 : index);
    }),
  );
});

test("shows the year of a moment if it differs, in the same zone", () => {
  beIn("UTC");
  const year = new Date().getUTCFullYear();
  const read = (item: number) => formatMoment(Date.UTC(item, 5, 9, 12) / 1000);
  expect(read(year)).not.toContain(`${year}`);
  for (const other of [year - 1, year + 1]) expect(read(other)).toContain(`${other}`);
});
