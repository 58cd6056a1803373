// Suggested times for sending later.
import { MINUTE_MS } from "../../../contract/units.ts";
import { upcoming, daysToMonday, atHour } from "../../words/moments.ts";

const MORNING_HOUR = 9;
const AFTERNOON_HOUR = 14;
/** The server requires times to be at least this far in the future. */
export const AHEAD_MS = 5 * MINUTE_MS;

interface MomentPreset {
  readonly textKey: "later-today" | "tomorrow-morning" | "tomorrow-afternoon" | "monday-morning";
  /** The time in milliseconds since 1970. */
  readonly time: number;
}

/** Omits times that are nearly now. */
export function presets(from: number): MomentPreset[] {
  const all: MomentPreset[] = [
    { textKey: "later-today", time: atHour(from, 0, AFTERNOON_HOUR) },
    { textKey: "tomorrow-morning", time: atHour(from, 1, MORNING_HOUR) },
    { textKey: "tomorrow-afternoon", time: atHour(from, 1, AFTERNOON_HOUR) },
    // Sunday's tomorrow morning is Monday morning.
    { textKey: "monday-morning", time: atHour(from, daysToMonday(from), MORNING_HOUR) },
  ];
  return upcoming(all, from + AHEAD_MS);
}
