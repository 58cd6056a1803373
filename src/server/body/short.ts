// Short bodies, read at once: whose connection falls silent is cut off, without a clock for each.
import type { Peers } from "../asker/proxies.ts";
import { PACE } from "./arriving.ts";

/** At the slowest pace that is waited for, so many come within the silence that is. */
export const SHORT_BYTES_MAX = (PACE.bytes_per_second * PACE.silence_ms) / 1_000;
/** Looked at so often in that time: who is silent is cut within a fourth of it more. */
export const LOOKS = 4;
const CUT_SECONDS = 1;

/** Who brings what, where it is not given along. */
const connections = new WeakMap<Request, Peers>();
/** Requests whose bodies have not come whole, by the look before which they began. */
const waiting = new Map<Request, number>();
let look = 0;
let looking: Timer | undefined;

export function noteConnection(request: Request, peers: Peers): void {
  connections.set(request, peers);
}

export async function shortBody(request: Request): Promise<Uint8Array> {
  looking ??= setInterval(cutSilent, PACE.silence_ms / LOOKS).unref();
  waiting.set(request, look);
  try {
    return await request.bytes();
  } finally {
    waiting.delete(request);
  }
}

/** How many have not come whole. */
export const waitingBodies = () => waiting.size;

/** Cuts whom several looks have found waiting for the same body. */
export function cutSilent(): void {
  look += 1;
  for (const [request, since] of waiting) {
    if (look - since <= LOOKS) return;
    waiting.delete(request);
    connections.get(request)?.timeout(request, CUT_SECONDS);
  }
}
