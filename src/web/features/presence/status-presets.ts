// Suggestions for a status, with their expiry.
import { HOUR_MS, MINUTE_MS } from "../../../contract/units.ts";
import { atHour, parseMoment } from "../../words/moments.ts";
import { t, type TextKey } from "../../words/words.ts";

export interface StatusPreset {
  textKey: TextKey;
  emoji_name: string;
  emoji_code: string;
  ends: StatusExpiry;
}

export const STATUS_EXPIRIES = [
  "never",
  "half-hour",
  "hour",
  "four-hours",
  "today",
  "week",
] as const;
export type StatusExpiry = (typeof STATUS_EXPIRIES)[number] | "at";

export const STATUS_PRESETS: readonly StatusPreset[] = [
  { textKey: "status-meeting", emoji_name: "calendar", emoji_code: "1f4c5", ends: "hour" },
  { textKey: "status-focus", emoji_name: "headphones", emoji_code: "1f3a7", ends: "four-hours" },
  { textKey: "status-lunch", emoji_name: "fork_and_knife", emoji_code: "1f374", ends: "half-hour" },
  { textKey: "status-travel", emoji_name: "train", emoji_code: "1f686", ends: "hour" },
  { textKey: "status-ill", emoji_name: "hurt", emoji_code: "1f915", ends: "today" },
  { textKey: "status-holiday", emoji_name: "palm_tree", emoji_code: "1f334", ends: "week" },
];

/** Seconds since 1970; undefined: until it is cleared. */
export function expiryOf(end: StatusExpiry, now_ms: number, clockTime: string): number | undefined {
  const end_ms = endIn(end, now_ms, clockTime);
  return Number.isFinite(end_ms) ? Math.floor(end_ms / 1000) : undefined;
}

/** In milliseconds. */
function endIn(end: StatusExpiry, now: number, clockTime: string): number {
  if (end === "half-hour") return now + 30 * MINUTE_MS;
  if (end === "hour") return now + HOUR_MS;
  if (end === "four-hours") return now + 4 * HOUR_MS;
  // At the end of the current day.
  if (end === "today") return atHour(now, 1, 0);
  if (end === "week") return atHour(now, 7, 0);
  return end === "at" ? parseMoment(clockTime) : NaN;
}

export const expiryLabel = (end: StatusExpiry): string => t(`ends-${end}`);
