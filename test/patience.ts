// How long a test and a wait in it may take before they count as hanging: no machine is so slow.
import { setDefaultTimeout } from "bun:test";
import { IS_LONG } from "./long.ts";

export const HANG_MS = (IS_LONG ? 24 * 60 : 15) * 60_000;
/** For one thing to come to a page: less, so that what did not come is told by its name. */
export const PAGE_MS = 4 * 60_000;

setDefaultTimeout(HANG_MS);
