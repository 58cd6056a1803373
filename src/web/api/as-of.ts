// When the server last said something, which a start without a network knows too.
import { ofDevice } from "../device.ts";

const MINUTE_MS = 60_000;

/** In milliseconds, to the minute; 0 where nothing has been heard yet. */
export const asOf = ofDevice("as-of", 0, (value): value is number => typeof value === "number");

export function noteHeard(now: number): void {
  if (Math.abs(now - asOf.peek()) >= MINUTE_MS) asOf.value = now;
}
