// When a certificate is to be renewed, and how long to wait when that failed.
import { MINUTE_MS, HOUR_MS } from "../../contract/units.ts";

export const WAIT_MS_MIN = MINUTE_MS;
export const WAIT_MS_MAX = 12 * HOUR_MS;
/** At most five tries in the first hour, which is what authorities let fail. */
const WAIT_GROWTH = 3;
/** So that not all servers of one day come in one minute. */
const JITTER = 1 / 30;
/** Less than that of its life left: somebody has to look. */
const LATE = 1 / 3;

export interface Life {
  readonly from_ms: number;
  readonly until_ms: number;
}

/** At two thirds of its life, or a little before; `chance` is from 0 to 1. */
export function renewalTime({ from_ms, until_ms }: Life, chance: number): number {
  const life = until_ms - from_ms;
  return until_ms - life * LATE - chance * life * JITTER;
}

/** A time in what the authority suggests. */
export function timeIn({ from_ms, until_ms }: Life, chance: number): number {
  return from_ms + chance * Math.max(0, until_ms - from_ms);
}

export function isLate({ from_ms, until_ms }: Life, now: number): boolean {
  return until_ms - now < (until_ms - from_ms) * LATE;
}

/** After so many failures, one after the other. */
export function waitAfter(failures: number): number {
  return Math.min(WAIT_MS_MAX, WAIT_MS_MIN * WAIT_GROWTH ** (failures - 1));
}
