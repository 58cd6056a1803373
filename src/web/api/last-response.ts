// When the server last responded, stored so that an offline start knows it too.
import { deviceSetting } from "../device-storage.ts";

const MINUTE_MS = 60_000;

/** The time in milliseconds, rounded to the minute; 0 if there was no response yet. */
export const lastResponseAt = deviceSetting(
  "as-of",
  0,
  (value): value is number => typeof value === "number",
);

export function setServerTime(now: number): void {
  if (Math.abs(now - lastResponseAt.peek()) >= MINUTE_MS) lastResponseAt.value = now;
}
