// When Do Not Disturb ends, updated as time passes.
import { effect, signal } from "@preact/signals";
import { doNotDisturb, doNotDisturbClock } from "./do-not-disturb.ts";
import { isDoNotDisturbAt, nextDoNotDisturbChange } from "./do-not-disturb-rules.ts";

/** Milliseconds since 1970; undefined if Do Not Disturb is off. */
export const doNotDisturbEnd = signal<number | undefined>(undefined);

let timer: ReturnType<typeof setTimeout> | undefined;
/** Timers can be late after a device slept, so the state is checked at least this often. */
const LOOK_MS_MAX = 60 * 60_000;

function update(): void {
  const now = doNotDisturbClock();
  const next = nextDoNotDisturbChange(doNotDisturb.peek(), now);
  doNotDisturbEnd.value = isDoNotDisturbAt(doNotDisturb.peek(), now) ? next : undefined;
  clearTimeout(timer);
  if (next === undefined) return;
  timer = setTimeout(update, Math.min(next - now.time, LOOK_MS_MAX));
}

effect(() => {
  void doNotDisturb.value;
  update();
});
addEventListener("visibilitychange", update);
