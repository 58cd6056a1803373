// Units of time for limits.

export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 24 * HOUR_SECONDS;
/** The latest time that dates with years of four digits can express. */
export const YEAR_9999_END_SECONDS = 253_402_300_799;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
