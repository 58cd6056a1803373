// How long a test may take before it counts as hanging: no busy machine is so slow.
import { setDefaultTimeout } from "bun:test";

export const HANG_MS = 15 * 60_000;

setDefaultTimeout(HANG_MS);
