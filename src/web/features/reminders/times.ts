// Times that one is likely to want to be reminded at, in the person's own day.
import { HOUR_MS } from "../../../contract/units.ts";

export interface Preset {
  word: "in-an-hour" | "this-evening" | "tomorrow-morning" | "monday-morning";
  /** Seconds since 1970. */
  at: number;
}

const MORNING = 9;
const EVENING = 18;
const WEEK_DAYS = 7;

/** Those that are still to come, in their order. */
export function presetsAt(now: Date): Preset[] {
  const at = (days: number, hour: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour).getTime() / 1000;
  const toMonday = (WEEK_DAYS + 1 - now.getDay()) % WEEK_DAYS || WEEK_DAYS;
  const presets: Preset[] = [
    { word: "in-an-hour", at: Math.floor((now.getTime() + HOUR_MS) / 1000) },
    { word: "this-evening", at: at(0, EVENING) },
    { word: "tomorrow-morning", at: at(1, MORNING) },
    { word: "monday-morning", at: at(toMonday, MORNING) },
  ];
  const isComing = (one: Preset) => one.at * 1000 > now.getTime() + HOUR_MS / 2;
  return presets
    .filter(isComing)
    .filter((one, index, all) => all.findIndex((other) => other.at === one.at) === index)
    .sort((a, b) => a.at - b.at);
}
