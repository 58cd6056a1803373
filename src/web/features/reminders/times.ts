// Suggested times for reminders, in the user's time zone.
import { HOUR_MS } from "../../../contract/units.ts";
import { comingIn, daysToMonday, hourOf } from "../../words/moments.ts";

export interface ReminderPreset {
  word: "in-an-hour" | "this-evening" | "tomorrow-morning" | "monday-morning";
  /** Milliseconds since 1970. */
  at: number;
}

const MORNING = 9;
const EVENING = 18;

/** The presets in the future, in order. */
export function presetsAt(now: number): ReminderPreset[] {
  const presets: ReminderPreset[] = [
    { word: "in-an-hour", at: now + HOUR_MS },
    { word: "this-evening", at: hourOf(now, 0, EVENING) },
    { word: "tomorrow-morning", at: hourOf(now, 1, MORNING) },
    { word: "monday-morning", at: hourOf(now, daysToMonday(now), MORNING) },
  ];
  return comingIn(presets, now + HOUR_MS / 2).sort((a, b) => a.at - b.at);
}
