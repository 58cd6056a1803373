// Do Not Disturb: can be set on any device, and applies to all tabs and the service worker.
import { effect, signal } from "@preact/signals";
import { deviceSetting } from "../../device-storage.ts";
import { ownTimeZone } from "../../words/dates.ts";
import {
  isDoNotDisturbAt,
  isDoNotDisturbSetting,
  type Moment,
  DO_NOT_DISTURB_OFF,
  type DoNotDisturb,
  DO_NOT_DISTURB_CACHE,
  DO_NOT_DISTURB_PATH,
} from "./do-not-disturb-rules.ts";

export const doNotDisturb = deviceSetting<DoNotDisturb>(
  "quiet",
  DO_NOT_DISTURB_OFF,
  isDoNotDisturbSetting,
);

/** Returns the current time in the time zone that the server uses. */
export const doNotDisturbClock = (): Moment => ({ time: Date.now(), zone: ownTimeZone() });

export const isDoNotDisturbOn = (): boolean =>
  isDoNotDisturbAt(doNotDisturb.peek(), doNotDisturbClock());

/** Chosen in this tab and not yet stored by the server. */
export const chosenDoNotDisturb = signal<DoNotDisturb | undefined>(undefined);

export function setDoNotDisturb(until: number): void {
  chooseDoNotDisturb({ ...doNotDisturb.peek(), until });
}

export function chooseDoNotDisturb(next: DoNotDisturb): void {
  doNotDisturb.value = next;
  chosenDoNotDisturb.value = next;
}

window.addEventListener("storage", ({ key, newValue }) => {
  if (key !== "skein:quiet") return;
  try {
    const value: unknown = JSON.parse(newValue ?? "null");
    doNotDisturb.value = isDoNotDisturbSetting(value) ? value : DO_NOT_DISTURB_OFF;
  } catch {
    // Another script wrote to the cache.
  }
});

effect(() => {
  const text = JSON.stringify({ ...doNotDisturb.value, zone: ownTimeZone() });
  if (!("caches" in globalThis)) return;
  const keep = async () =>
    (await caches.open(DO_NOT_DISTURB_CACHE)).put(DO_NOT_DISTURB_PATH, new Response(text));
  keep().catch(() => undefined);
});
