// When Do Not Disturb ends, updated as time passes.
import { effect, signal } from "@preact/signals";
import { quiet, quietClock } from "./quiet.ts";
import { isQuietAt, nextQuietChange } from "./quiet-hours-rules.ts";

/** Milliseconds since 1970; undefined if Do Not Disturb is off. */
export const quietEnd = signal<number | undefined>(undefined);

let timer: ReturnType<typeof setTimeout> | undefined;
/** Timers can be late after a device slept, so the state is checked at least this often. */
const LOOK_MS_MAX = 60 * 60_000;

function update(): void {
  const now = quietClock();
  const next = nextQuietChange(quiet.peek(), now);
  quietEnd.value = isQuietAt(quiet.peek(), now) ? next : undefined;
  clearTimeout(timer);
  if (next === undefined) return;
  timer = setTimeout(update, Math.min(next - now.time, LOOK_MS_MAX));
}

effect(() => {
  void quiet.value;
  update();
});
addEventListener("visibilitychange", update);
