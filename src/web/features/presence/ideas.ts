// What a status often says, and when it may end.
import { dateOf } from "../../words/dates.ts";
import { say, type Word } from "../../words/words.ts";

export interface Idea {
  words: Word;
  emoji_name: string;
  emoji_code: string;
  ends: End;
}

export const ENDS = ["never", "half-hour", "hour", "four-hours", "today", "week"] as const;
export type End = (typeof ENDS)[number] | "at";

export const IDEAS: readonly Idea[] = [
  { words: "status-meeting", emoji_name: "calendar", emoji_code: "1f4c5", ends: "hour" },
  { words: "status-focus", emoji_name: "headphones", emoji_code: "1f3a7", ends: "four-hours" },
  { words: "status-lunch", emoji_name: "fork_and_knife", emoji_code: "1f374", ends: "half-hour" },
  { words: "status-travel", emoji_name: "train", emoji_code: "1f686", ends: "hour" },
  { words: "status-ill", emoji_name: "hurt", emoji_code: "1f915", ends: "today" },
  { words: "status-holiday", emoji_name: "palm_tree", emoji_code: "1f334", ends: "week" },
];

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Seconds since 1970; undefined: it stays until it is cleared. */
export function endOf(end: End, now: number, at: string): number | undefined {
  if (end === "half-hour") return now + 30 * MINUTE;
  if (end === "hour") return now + HOUR;
  if (end === "four-hours") return now + 4 * HOUR;
  // With the day that one is in.
  if (end === "today") return startOfDay(now) + DAY;
  if (end === "week") return startOfDay(now) + 7 * DAY;
  if (end !== "at") return undefined;
  const seconds = Math.floor(new Date(at).getTime() / 1000);
  return Number.isFinite(seconds) ? seconds : undefined;
}

function startOfDay(now: number): number {
  return Math.floor(new Date(`${dateOf(now)}T00:00:00`).getTime() / 1000);
}

const WORDS: Readonly<Record<End, Word>> = {
  never: "ends-never",
  "half-hour": "ends-half-hour",
  hour: "ends-hour",
  "four-hours": "ends-four-hours",
  today: "ends-today",
  week: "ends-week",
  at: "ends-at",
};

export const endWords = (end: End): string => say(WORDS[end]);
