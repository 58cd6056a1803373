// Times that one may mean: for a sentence, and for sending later.
import { MINUTE_MS, HOUR_MS } from "../../../contract/units.ts";

const MORNING_HOUR = 9;
const AFTERNOON_HOUR = 14;
const MONDAY = 1;
/** The server takes what is at least so far ahead. */
export const AHEAD_MS = 5 * MINUTE_MS;

const two = (number: number) => `${number}`.padStart(2, "0");

/** As a field of a form has it, in the zone of this device; the next whole hour. */
export function nextHour(from: number): string {
  const at = new Date(Math.ceil((from + 1) / HOUR_MS) * HOUR_MS);
  return fieldMoment(at);
}

export function fieldMoment(at: Date): string {
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The next whole hour with its offset from UTC, so that all see it in their own time. */
export function localMoment(from = Date.now()): string {
  const at = new Date(Math.ceil((from + 1) / HOUR_MS) * HOUR_MS);
  const offset = -at.getTimezoneOffset();
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `${fieldMoment(at)}${offset < 0 ? "-" : "+"}${two(hours)}:${two(minutes)}`;
}

export interface Preset {
  readonly words: "later-today" | "tomorrow-morning" | "tomorrow-afternoon" | "monday-morning";
  /** When it begins, in milliseconds since 1970. */
  readonly at: number;
}

/** In this device's zone; none that is as good as now. */
export function presets(from: number): Preset[] {
  const day = (days: number, hour: number) => {
    const at = new Date(from);
    at.setDate(at.getDate() + days);
    at.setHours(hour, 0, 0, 0);
    return at.getTime();
  };
  const weekday = new Date(from).getDay();
  const toMonday = (MONDAY - weekday + 7) % 7 || 7;
  const all: Preset[] = [
    { words: "later-today", at: day(0, AFTERNOON_HOUR) },
    { words: "tomorrow-morning", at: day(1, MORNING_HOUR) },
    { words: "tomorrow-afternoon", at: day(1, AFTERNOON_HOUR) },
    { words: "monday-morning", at: day(toMonday, MORNING_HOUR) },
  ];
  // Sunday's tomorrow morning is Monday morning.
  return all.filter(
    ({ at }, index) => at > from + AHEAD_MS && all.findIndex((one) => one.at === at) === index,
  );
}
