// Formats times in the user's time zone, language and 12- or 24-hour format.
import { signal } from "@preact/signals";
import { DAY_SECONDS } from "../../contract/units.ts";

interface Clock {
  language: string;
  /** undefined: the browser's time zone. */
  zone: string | undefined;
  hour12: boolean;
}

const clock = signal<Clock>({ language: "en", zone: undefined, hour12: false });

/** Applies the user's settings; every displayed time is rendered again. */
export function setClock(settings: Clock): void {
  clock.value = settings;
  formats.clear();
}

/** The time zone of all displayed and entered times; undefined: the device's. */
export const ownTimeZone = (): string | undefined => clock.value.zone;

/** The user's language; views that call it are rendered again when it changes. */
export const ownLanguage = (): string => clock.value.language;

type FormatOptions = Intl.DateTimeFormatOptions;
const formats = new Map<FormatOptions, Intl.DateTimeFormat>();

function format(form: FormatOptions, seconds: number): string {
  let dateTimeFormat = formats.get(form);
  if (!dateTimeFormat) {
    dateTimeFormat = formatOf(form, clock.value.zone);
    formats.set(form, dateTimeFormat);
  }
  return dateTimeFormat.format(seconds * 1000);
}

/** 12-hour times look like `9:14 PM`, 24-hour times like `09:14`, with midnight as `00:00`. */
function formatOf(form: FormatOptions, timeZone: string | undefined): Intl.DateTimeFormat {
  const { language, hour12 } = clock.value;
  const hours: FormatOptions = { hourCycle: hour12 ? "h12" : "h23" };
  if (hour12 && form.hour) hours.hour = "numeric";
  return new Intl.DateTimeFormat(language, { ...form, ...hours, timeZone });
}

const TIME: FormatOptions = { hour: "2-digit", minute: "2-digit" };
const DAY: FormatOptions = { weekday: "long", day: "numeric", month: "long" };
const DAY_OF_YEAR: FormatOptions = { ...DAY, year: "numeric" };
const SHORT_DAY: FormatOptions = { day: "numeric", month: "short" };
const SHORT_DAY_OF_YEAR: FormatOptions = { ...SHORT_DAY, year: "numeric" };
const WEEKDAY: FormatOptions = { weekday: "short" };
const MOMENT: FormatOptions = { weekday: "short", day: "numeric", month: "short", ...TIME };
const MOMENT_OF_YEAR: FormatOptions = { ...MOMENT, year: "numeric" };
const ZONED: FormatOptions = { ...MOMENT_OF_YEAR, timeZoneName: "short" };
const KEY: FormatOptions = { year: "numeric", month: "2-digit", day: "2-digit" };
const WEEK_DAYS = 6;

/** `09:14`; parameters here and below are seconds since 1970. */
export const formatTime = (time: number): string => format(TIME, time);
/** With the year if it is not the current one. */
export const formatMoment = (time: number): string =>
  format(yearOf(time) === yearOf(Date.now() / 1000) ? MOMENT : MOMENT_OF_YEAR, time);
export const formatZoned = (time: number): string => format(ZONED, time);
/** Equal for all times of one day. */
export const dayKey = (time: number): string => format(KEY, time);

/**
 * `Today`, `Yesterday`, or else `Thursday, 20 November`, with the year if it is not the current
 * one.
 */
export function formatDay(time: number, now: number): string {
  const days = daysBetween(time, now);
  if (days === 0 || days === 1) return formatRelative(-days);
  return format(yearOf(time) === yearOf(now) ? DAY : DAY_OF_YEAR, time);
}

/** A shorter form: `20 Nov` for days before yesterday, with the year if it is not the current. */
export function formatShortDay(time: number, now: number): string {
  return daysBetween(time, now) > 1 ? shortDate(time, now) : formatDay(time, now);
}

const shortDate = (time: number, now: number): string =>
  format(yearOf(time) === yearOf(now) ? SHORT_DAY : SHORT_DAY_OF_YEAR, time);

/** For lists: the time for today, the weekday for the last six days, otherwise the date. */
export function formatBrief(time: number, now: number): string {
  const days = daysBetween(time, now);
  if (days === 0) return formatTime(time);
  return days > 0 && days <= WEEK_DAYS ? format(WEEKDAY, time) : shortDate(time, now);
}

const YEAR: FormatOptions = { year: "numeric" };
const yearOf = (time: number) => format(YEAR, time);

function daysBetween(time: number, now: number): number {
  for (let days = 0; days <= WEEK_DAYS; days++) {
    if (dayKey(now - days * DAY_SECONDS) === dayKey(time)) return days;
  }
  return Infinity;
}

function formatRelative(days: number): string {
  const { language } = clock.value;
  const text = new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(days, "day");
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

const DAY_FIELD: FormatOptions = { year: "numeric", month: "2-digit", day: "2-digit" };

/** Formats a day for form fields: `2026-11-22`. */
export function dateOf(time: number): string {
  const { zone: timeZone } = clock.value;
  return new Intl.DateTimeFormat("en-CA", { ...DAY_FIELD, timeZone }).format(time * 1000);
}

/** The time in another zone, or in the user's own if the browser does not know it. */
export function formatTimeIn(timeZone: string, time: number): string {
  try {
    return formatOf(TIME, timeZone).format(time * 1000);
  } catch {
    return formatTime(time);
  }
}
