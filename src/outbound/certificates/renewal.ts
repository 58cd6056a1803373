// Decides when a certificate is renewed, and how long to wait after a failure.
import { MINUTE_MS, HOUR_MS } from "../../contract/units.ts";

const WAIT_MS_MIN = MINUTE_MS;
const WAIT_MS_MAX = 12 * HOUR_MS;
/**
 * With this growth, at most five attempts fall into the first hour: authorities accept five
 * failures an hour.
 */
const WAIT_GROWTH = 3;
/** Random spread, so that servers that started together do not renew together. */
const JITTER = 1 / 30;
/** If less than this fraction of the validity is left, the operator is warned. */
const RENEWAL_FRACTION = 1 / 3;

export interface ValidityPeriod {
  readonly from_ms: number;
  readonly until_ms: number;
}

/** At two thirds of the validity or slightly before; `random` is from 0 to 1. */
export function renewalTime({ from_ms, until_ms }: ValidityPeriod, random: number): number {
  const life = until_ms - from_ms;
  return until_ms - life * RENEWAL_FRACTION - random * life * JITTER;
}

/** Returns a time within the authority's suggestion. */
export function timeIn({ from_ms, until_ms }: ValidityPeriod, random: number): number {
  return from_ms + random * Math.max(0, until_ms - from_ms);
}

export function isLate({ from_ms, until_ms }: ValidityPeriod, now: number): boolean {
  return until_ms - now < (until_ms - from_ms) * RENEWAL_FRACTION;
}

/** Returns the wait after this number of consecutive failures. */
export function waitAfter(failures: number): number {
  return Math.min(WAIT_MS_MAX, WAIT_MS_MIN * WAIT_GROWTH ** (failures - 1));
}
