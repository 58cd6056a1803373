// Until when one is not to be disturbed, as of now, and as time goes on.
import { effect, signal } from "@preact/signals";
import { quiet, quietClock } from "./quiet.ts";
import { isQuietAt, nextQuietChange } from "./quiet-hours.ts";

/** Milliseconds since 1970; undefined: one may be disturbed. */
export const quietEnd = signal<number | undefined>(undefined);

let timer: ReturnType<typeof setTimeout> | undefined;
/** A timer may be late by as long as a device sleeps, and none is longer than this. */
const LOOK_MS_MAX = 60 * 60_000;

function look(): void {
  const now = quietClock();
  const next = nextQuietChange(quiet.peek(), now);
  quietEnd.value = isQuietAt(quiet.peek(), now) ? next : undefined;
  clearTimeout(timer);
  if (next === undefined) return;
  timer = setTimeout(look, Math.min(next - now.at, LOOK_MS_MAX));
}

effect(() => {
  void quiet.value;
  look();
});
addEventListener("visibilitychange", look);
