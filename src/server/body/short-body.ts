// Reads short bodies at once and closes connections that stall, without a timer per request.
import type { Peers } from "../caller/proxies.ts";
import { PACE } from "./body-timeouts.ts";

/** The number of bytes that arrive at the minimum rate within the allowed silence. */
export const SHORT_BYTES_MAX = (PACE.bytes_per_second * PACE.silence_ms) / 1_000;
/**
 * Number of checks within the allowed silence; a stalled connection is closed at most a quarter of
 * it later.
 */
export const CHECKS = 4;
const CUT_SECONDS = 1;

/** The connections of requests, where they are not passed as an argument. */
const connections = new WeakMap<Request, Peers>();
/** Requests with incomplete bodies, and the number of the check before which they started. */
const waiting = new Map<Request, number>();
let nextLook = 0;
let looking: Timer | undefined;

export function noteConnection(request: Request, peers: Peers): void {
  connections.set(request, peers);
}

export async function shortBody(request: Request): Promise<Uint8Array> {
  looking ??= setInterval(cutSilent, PACE.silence_ms / CHECKS).unref();
  waiting.set(request, nextLook);
  try {
    return await request.bytes();
  } finally {
    waiting.delete(request);
  }
}

/** Returns the number of incomplete bodies. */
export const waitingBodies = () => waiting.size;

/** Closes connections that several checks have found waiting for the same body. */
export function cutSilent(): void {
  nextLook += 1;
  for (const [request, since] of waiting) {
    if (nextLook - since <= CHECKS) return;
    waiting.delete(request);
    connections.get(request)?.timeout(request, CUT_SECONDS);
  }
}
