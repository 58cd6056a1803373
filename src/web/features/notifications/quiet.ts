// Do Not Disturb: can be set on any device, and applies to all tabs and the service worker.
import { effect, signal } from "@preact/signals";
import { deviceSetting } from "../../device-storage.ts";
import { ownTimeZone } from "../../words/dates.ts";
import {
  isQuietAt,
  isQuietSetting,
  type Moment,
  NEVER_QUIET,
  type Quiet,
  QUIET_CACHE,
  QUIET_PATH,
} from "./quiet-hours-rules.ts";

export const quiet = deviceSetting<Quiet>("quiet", NEVER_QUIET, isQuietSetting);

/** In the time zone that the server uses. */
export const quietClock = (): Moment => ({ time: Date.now(), zone: ownTimeZone() });

export const isQuietNow = (): boolean => isQuietAt(quiet.peek(), quietClock());

/** Chosen in this tab and not yet stored by the server. */
export const chosenQuiet = signal<Quiet | undefined>(undefined);

export function setQuiet(until: number): void {
  chooseQuiet({ ...quiet.peek(), until });
}

export function chooseQuiet(next: Quiet): void {
  quiet.value = next;
  chosenQuiet.value = next;
}

window.addEventListener("storage", ({ key, newValue }) => {
  if (key !== "skein:quiet") return;
  try {
    const value: unknown = JSON.parse(newValue ?? "null");
    quiet.value = isQuietSetting(value) ? value : NEVER_QUIET;
  } catch {
    // Another script wrote to the cache.
  }
});

effect(() => {
  const text = JSON.stringify({ ...quiet.value, zone: ownTimeZone() });
  if (!("caches" in globalThis)) return;
  const keep = async () => (await caches.open(QUIET_CACHE)).put(QUIET_PATH, new Response(text));
  keep().catch(() => undefined);
});
