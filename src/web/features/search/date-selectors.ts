// Dates in the search field: words and parts of dates that stand for days.
import { Calendar, daysOf, operandOfDays } from "../../../text/search/dates.ts";
import { matchesWords, folded } from "../../matching.ts";
import type { State } from "../../store/state.ts";
import { t, type TextKey } from "../../words/words.ts";

type DayRange = readonly [first: number, last: number];

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
/** 1970-01-01 was a Thursday. */
const DAYS_FROM_MONDAY = 3;

interface Period {
  /** Understood in every language. */
  english: string;
  label: TextKey;
  daysAt: (today: number) => DayRange;
}

/** DayRange are counted from 1970-01-01. Weeks begin on Monday. */
const PERIODS: readonly Period[] = [
  { english: "today", label: "search-today", daysAt: (today) => [today, today] },
  { english: "yesterday", label: "search-yesterday", daysAt: (today) => [today - 1, today - 1] },
  { english: "this week", label: "search-this-week", daysAt: weekOf },
  {
    english: "last week",
    label: "search-last-week",
    daysAt: (today) => weekOf(today - WEEK_DAYS),
  },
  { english: "this month", label: "search-this-month", daysAt: (today) => monthOf(today, 0) },
  { english: "last month", label: "search-last-month", daysAt: (today) => monthOf(today, -1) },
];

/** The time zone in which the server reads dates of this user. */
export const searchZone = ({ settings }: State): string =>
  String(settings.settings["timezone"] || "UTC");

export const todayIn = (zone: string): number => new Calendar(zone).dayAt(Date.now() / 1000);

/** The operand that the typed text means; undefined if it means no date. */
export function parseDate(operator: string, input: string, today: number): string | undefined {
  const days = daysOf(input) ?? partialDays(input) ?? parseDayName(input, today);
  return days ? operandFor(operator, days) : undefined;
}

/** Dates that match the typed digits, or periods whose names match the typed words. */
export function suggestDates(
  operator: string,
  input: string,
  today: number,
): { operator: string; operand: string; label?: string }[] {
  // No message is newer than a period that has not ended.
  const isUseful = ([, last]: DayRange) => operator !== "after" || last < today;
  if (/^\d/.test(input)) {
    const exact = parseDate(operator, input, today);
    if (exact !== undefined) return [{ operator, operand: exact }];
    const dates = datesBegunBy(input, today).filter(isUseful);
    return dates.map((days) => ({ operator, operand: operandFor(operator, days) }));
  }
  const isNamed = ({ english, label }: Period) =>
    matchesWords(input, t(label)) || matchesWords(input, english);
  const periods = PERIODS.filter((period) => isNamed(period) && isUseful(period.daysAt(today)));
  return periods.map(({ label, daysAt }) => {
    return { operator, operand: operandFor(operator, daysAt(today)), label: t(label) };
  });
}

const MONTHS = 12;
const MONTH_DAYS_MAX = 31;
const YEARS = 5;

/** Days, months or years until today, newest first: `2026-1` begins 2026-12, 2026-11 and others. */
function datesBegunBy(typed: string, today: number): DayRange[] {
  const year = new Date(today * DAY_MS).getUTCFullYear();
  const [, ofMonth] = /^(\d{4}-\d\d)-\d?$/.exec(typed) ?? [];
  const [, ofYear] = /^(\d{4})-\d?$/.exec(typed) ?? [];
  const dates =
    ofMonth !== undefined
      ? numbered(ofMonth, MONTH_DAYS_MAX)
      : ofYear !== undefined
        ? numbered(ofYear, MONTHS)
        : Array.from({ length: YEARS }, (_, ago) => `${year - ago}`);
  return dates
    .filter((date) => date.startsWith(typed))
    .map((date) => daysOf(date) ?? partialDays(date))
    .filter((days): days is DayRange => days !== undefined && days[0] <= today);
}

const numbered = (before: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${before}-${`${count - index}`.padStart(2, "0")}`);

/** Shorter words begin too many others. */
const PERIOD_LENGTH_MIN = 3;

/** Periods that the end of a text without an operator begins, such as `plan last we`. */
export function periodsAtEnd(
  text: string,
  today: number,
): { before: string; dates: ReturnType<typeof suggestDates> } | undefined {
  for (const { index } of text.matchAll(/(?<=^|\s)\S/gu)) {
    const input = folded(text.slice(index));
    if (input.length < PERIOD_LENGTH_MIN) return undefined;
    const begins = (name: string) => folded(name).startsWith(input);
    const periods = PERIODS.filter(({ english, label }) => begins(english) || begins(t(label)));
    const dates = periods.flatMap(({ english }) => suggestDates("on", english, today));
    if (dates.length > 0) return { before: text.slice(0, index), dates };
  }
  return undefined;
}

/** `before` and `after` take one day: the one at which the period begins or ends. */
function operandFor(operator: string, [first, last]: DayRange): string {
  if (operator === "on") return operandOfDays(first, last);
  return operator === "before" ? operandOfDays(first, first) : operandOfDays(last, last);
}

/** In the user's language, or in English. */
function parseDayName(input: string, today: number): DayRange | undefined {
  const plain = folded(input);
  return PERIODS.find(
    ({ english, label }) => english === plain || folded(t(label)) === plain,
  )?.daysAt(today);
}

/** A year, or a month as `2026-05`. */
function partialDays(input: string): DayRange | undefined {
  const [, year, month] = /^(\d{4})(?:-(\d\d))?$/.exec(input) ?? [];
  if (year === undefined) return undefined;
  const first = daysOf(`${year}-${month ?? "01"}-01`)?.[0];
  if (first === undefined) return undefined;
  return [first, monthOf(first, month === undefined ? 11 : 0)[1]];
}

function weekOf(day: number): DayRange {
  const monday = day - ((day + DAYS_FROM_MONDAY) % WEEK_DAYS);
  return [monday, monday + WEEK_DAYS - 1];
}

function monthOf(day: number, months: number): DayRange {
  const date = new Date(day * DAY_MS);
  const startOf = (month: number) =>
    new Date(day * DAY_MS).setUTCFullYear(date.getUTCFullYear(), month, 1) / DAY_MS;
  const month = date.getUTCMonth() + months;
  return [startOf(month), startOf(month + 1) - 1];
}

/** Formats days for a sentence: `Nov 16 – 22, 2026`. */
export function formatDays(operand: string): string {
  const days = daysOf(operand);
  if (!days) return operand;
  const language = document.documentElement.lang || "en";
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  return format.formatRange(days[0] * DAY_MS, days[1] * DAY_MS);
}
