// Limits of exports that users request of their own data.
import { DAY_SECONDS } from "../../../contract/units.ts";

/** Minimum time between a successful export and the next request. */
export const PERSON_EXPORT_INTERVAL_SECONDS = DAY_SECONDS;
/** A finished export is deleted after this time. */
export const PERSON_EXPORT_KEPT_SECONDS = 7 * DAY_SECONDS;
