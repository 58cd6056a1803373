// Not to be disturbed on this device: chosen here, known to all tabs and to the service worker.
import { effect } from "@preact/signals";
import { ofDevice } from "../../device.ts";
import {
  isQuietAt,
  isQuietSetting,
  NEVER_QUIET,
  type Quiet,
  QUIET_CACHE,
  QUIET_PATH,
} from "./quiet-hours.ts";

export const quiet = ofDevice<Quiet>("quiet", NEVER_QUIET, isQuietSetting);

export const isQuietNow = (): boolean => isQuietAt(quiet.peek(), new Date());

export function beQuiet(until: number): void {
  quiet.value = { ...quiet.peek(), until };
}

window.addEventListener("storage", ({ key, newValue }) => {
  if (key !== "skein:quiet") return;
  try {
    const value: unknown = JSON.parse(newValue ?? "null");
    quiet.value = isQuietSetting(value) ? value : NEVER_QUIET;
  } catch {
    // Somebody else wrote there.
  }
});

effect(() => {
  const text = JSON.stringify(quiet.value);
  if (!("caches" in globalThis)) return;
  const keep = async () => (await caches.open(QUIET_CACHE)).put(QUIET_PATH, new Response(text));
  keep().catch(() => undefined);
});
