// Time-based work on queues: heartbeats for held polls, and deletion of queues that are not polled.
import { heartbeat } from "./response.ts";
import type { Hub } from "./hub.ts";
import type { Queue } from "./queue.ts";

/** Interval of the single timer for all queues. */
const SWEEP_MS = 1_000;

/** Sweeps the queues until the hub stops. */
export function startSweep(hub: Hub) {
  hub.every(SWEEP_MS, () => sweep(hub));
}

export function sweep(hub: Hub) {
  const now = hub.clock.now();
  const due: Queue[] = [];
  for (const queue of hub.listeners.all()) {
    if (queue.parked !== undefined) {
      if (now >= queue.beatAt) due.push(queue);
    } else if (now - queue.lastActive >= queue.record.idle_timeout_secs * 1000) {
      hub.close(queue.record.queue_id);
    }
  }
  if (due.length > 0) sendHeartbeats(hub, due);
}

/** All due heartbeats share one event number. If none is available, the next sweep retries. */
function sendHeartbeats(hub: Hub, due: readonly Queue[]) {
  const seq = hub.nextSeq();
  if (seq === undefined) return;
  for (const queue of due) queue.beatAt = Infinity;
  hub.sendTo(heartbeat(seq), due);
}
