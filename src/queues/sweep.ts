// What time does to queues: heartbeats for held polls, and the end of those that nobody polls.
import { heartbeat } from "./answer.ts";
import type { Hub } from "./hub.ts";
import type { Queue } from "./queue.ts";

/** One timer for all queues. */
const SWEEP_MS = 1_000;

/** Looks after the queues until the hub stops. */
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
  if (due.length > 0) beat(hub, due);
}

/** All that are due share a number; without one, the next sweep tries again. */
function beat(hub: Hub, due: readonly Queue[]) {
  const seq = hub.nextSeq();
  if (seq === undefined) return;
  for (const queue of due) queue.beatAt = Infinity;
  hub.tell(heartbeat(seq), due);
}
