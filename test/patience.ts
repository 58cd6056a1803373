// Time limits of tests and waits, long enough for the slowest machine.
import { setDefaultTimeout } from "bun:test";
import { IS_LONG_RUN } from "./repetitions.ts";

export const HANG_MS = (IS_LONG_RUN ? 24 * 60 : 15) * 60_000;
/**
 * Limit for one change of a page. It is shorter than the test's limit, so the error names the
 * missing change.
 */
export const PAGE_MS = 4 * 60_000;

setDefaultTimeout(HANG_MS);
