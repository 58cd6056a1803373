// Times, `<time:…>`, which are displayed in each reader's time zone.
import { element } from "../tree.ts";
import type { Passage } from "./patterns.ts";

const TIME = /<time:([^<>\u0002]{1,100})>/g;

export function times(text: string, context: Passage): string {
  if (!text.includes("<time:")) return text;
  return text.replace(TIME, (match, time: string) => {
    const datetime = utcOf(time.trim());
    if (datetime === undefined) return match;
    return context.placeholderFor(element("time", { datetime }, [{ literal: time }]));
  });
}

const YEAR_1_MS = Date.parse("0001-01-01T00:00:00Z");
const YEAR_10000_MS = Date.parse("+010000-01-01T00:00:00Z");

/** Formatted as `2031-03-04T08:30:00Z`; undefined if it is not a time of the years 1 to 9999. */
function utcOf(time: string): string | undefined {
  const ms = /^-?[0-9]{1,12}(?:\.[0-9]{1,9})?$/.test(time)
    ? Number(time) * 1000
    : (iso(time) ?? loose(time));
  if (ms === undefined || Number.isNaN(ms) || ms < YEAR_1_MS || ms >= YEAR_10000_MS)
    return undefined;
  return new Date(ms).toISOString().replace(/\.\d+/, "");
}

const DAY = /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})/;
const CLOCK = /^(?:[T ] *|, *)([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.,][0-9]+)?)? *([ap]m)?/i;

function iso(time: string): number | undefined {
  const day = DAY.exec(time);
  if (day === null) return undefined;
  const date = dayOf(Number(day[1]), Number(day[2]) - 1, Number(day[3]));
  return date === undefined ? undefined : withClock(date, time.slice(day[0].length));
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? +/i;
const DAY_MONTH_YEAR = /^([0-9]{1,2})(?:st|nd|rd|th)? +([a-z]{3,9})\.?,? +([0-9]{4})/i;
const MONTH_DAY_YEAR = /^([a-z]{3,9})\.? +([0-9]{1,2})(?:st|nd|rd|th)?,? +([0-9]{4})/i;

/** Parses times as people write them: "4 Mar 2031 9:30 am", "March 4, 2031". */
function loose(time: string): number | undefined {
  const text = time.replace(WEEKDAY, "");
  const dayFirst = DAY_MONTH_YEAR.exec(text);
  const match = dayFirst ?? MONTH_DAY_YEAR.exec(text);
  if (match === null) return undefined;
  const [day, month] = dayFirst === null ? [match[2]!, match[1]!] : [match[1]!, match[2]!];
  const date = dayOf(Number(match[3]), monthOf(month), Number(day));
  return date === undefined ? undefined : withClock(date, text.slice(match[0].length));
}

function monthOf(word: string): number {
  return MONTHS.indexOf(word.slice(0, 3).toLowerCase());
}

function dayOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  const isValid = date.getUTCMonth() === month && date.getUTCDate() === day;
  return isValid ? date.getTime() : undefined;
}

function withClock(date: number, rest: string): number | undefined {
  const clock = CLOCK.exec(rest);
  if (clock === null) return withZone(date, rest);
  const half = clock[4]?.toLowerCase();
  let hour = Number(clock[1]);
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  if (half !== undefined) hour = (hour % 12) + (half === "pm" ? 12 : 0);
  const minute = Number(clock[2]);
  const second = Number(clock[3] ?? 0);
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return withZone(date + ((hour * 60 + minute) * 60 + second) * 1000, rest.slice(clock[0].length));
}

const ZONE_HOURS: Readonly<Record<string, number>> = {
  z: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  west: 1,
  bst: 1,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  msk: 3,
  ist: 5.5,
  jst: 9,
  aest: 10,
  aedt: 11,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

/** UTC if there is no zone. */
function withZone(local: number, rest: string): number | undefined {
  const zone = rest.trim().toLowerCase();
  if (zone === "") return local;
  const zoneOffset = Object.hasOwn(ZONE_HOURS, zone) ? ZONE_HOURS[zone] : undefined;
  if (zoneOffset !== undefined) return local - zoneOffset * 3_600_000;
  const offset = /^(?:utc|gmt)?([+-])([0-9]{2}):?([0-9]{2})?$/.exec(zone);
  if (offset === null) return undefined;
  const [hours, minutes] = [Number(offset[2]), Number(offset[3] ?? 0)];
  if (hours > 23 || minutes > 59) return undefined;
  const ms = (hours * 60 + minutes) * 60_000;
  return offset[1] === "-" ? local + ms : local - ms;
}
