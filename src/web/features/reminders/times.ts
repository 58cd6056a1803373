// Suggested times for reminders, in the user's time zone.
import { HOUR_MS } from "../../../contract/units.ts";
import { upcoming, daysToMonday, atHour } from "../../words/moments.ts";

export interface ReminderPreset {
  textKey: "in-an-hour" | "this-evening" | "tomorrow-morning" | "monday-morning";
  /** Milliseconds since 1970. */
  time: number;
}

const MORNING = 9;
const EVENING = 18;

/** The presets in the future, in order. */
export function presetsAt(now: number): ReminderPreset[] {
  const presets: ReminderPreset[] = [
    { textKey: "in-an-hour", time: now + HOUR_MS },
    { textKey: "this-evening", time: atHour(now, 0, EVENING) },
    { textKey: "tomorrow-morning", time: atHour(now, 1, MORNING) },
    { textKey: "monday-morning", time: atHour(now, daysToMonday(now), MORNING) },
  ];
  return upcoming(presets, now + HOUR_MS / 2).sort((a, b) => a.time - b.time);
}
