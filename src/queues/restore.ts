// Saves queues at a clean stop, and restores them at the next start or after a crash.
import type { QueueRecord } from "../schema/records.ts";
import { isHeartbeat } from "./response.ts";
import { lastIdOf, type QueuedEvent } from "./event-router.ts";
import type { Hub } from "./hub.ts";
import type { Queue } from "./queue.ts";

/** A durable event by its number, or a complete event that no log contains. */
type WaitingEvent = number | Pick<QueuedEvent, "seq" | "width" | "event" | "audience">;

/**
 * The value of `pending`: first the number up to which the list is complete, then the undelivered
 * events. Later events come from the log, so an outdated list is harmless.
 */
type Pending = [through: number, ...waiting: WaitingEvent[]];

type RestoredQueue = { queue: Queue; through: number; waiting: WaitingEvent[] };

/** Returns the records for a clean stop: all queues with their undelivered events. */
export function freeze(hub: Hub): QueueRecord[] {
  hub.appendAll();
  return [...hub.listeners.all()].map((queue) => {
    const pending: Pending = [hub.newest];
    for (let index = 0; index < queue.ring.count; index++) {
      const queuedEvent = queue.ring.at(index)!;
      const { seq, width, event, audience } = queuedEvent;
      if (queuedEvent.durable) pending.push(seq);
      else if (!isHeartbeat(queuedEvent)) pending.push({ seq, width, event, audience });
    }
    return { ...queue.record, acknowledged: queue.acknowledged, pending };
  });
}

/**
 * Restores the queues. Must run before anything is published. `lastSeq` is the highest event number
 * in use; it may be higher than the last number in the log.
 *
 * Reads `log` once, from its beginning. A queue joins when the log passes the number up to which
 * its saved list is complete; from there it receives its events from the log.
 */
export function restore(
  hub: Hub,
  records: Iterable<QueueRecord>,
  log: Iterable<QueuedEvent>,
  lastSeq: number,
) {
  const restored = [...records].map((record) => restoredFrom(hub, record));
  restored.sort((a, b) => a.through - b.through);
  const neededSeqs = new Set(restored.flatMap(({ waiting }) => waiting.map(seqOf)));
  const restoredEvents = new Map<number, QueuedEvent>();
  let joinedCount = 0;
  for (const queuedEvent of log) {
    if (neededSeqs.has(queuedEvent.seq)) restoredEvents.set(queuedEvent.seq, queuedEvent);
    for (
      ;
      joinedCount < restored.length && restored[joinedCount]!.through < lastIdOf(queuedEvent);
      joinedCount++
    ) {
      join(hub, restored[joinedCount]!, restoredEvents);
    }
    for (let index = 0; index < joinedCount; index++) {
      const { queue, through } = restored[index]!;
      if (through >= lastIdOf(queuedEvent) || queue.isClosed) continue;
      if (hub.listeners.receives(queue, queuedEvent)) hub.append(queue, queuedEvent);
    }
    hub.raiseNewest(lastIdOf(queuedEvent));
  }
  for (; joinedCount < restored.length; joinedCount++)
    join(hub, restored[joinedCount]!, restoredEvents);
  hub.raiseNewest(lastSeq);
}

function restoredFrom(hub: Hub, record: QueueRecord): RestoredQueue {
  const queue = hub.open(record);
  const [through, ...waiting] = (record.pending as Pending | null) ?? [record.acknowledged];
  hub.raiseNewest(through);
  return { queue, through, waiting };
}

/**
 * The log is trimmed only up to the oldest event that any queue needs, so events that it lacks were
 * acknowledged.
 */
function join(
  hub: Hub,
  { queue, waiting }: RestoredQueue,
  restoredEvents: Map<number, QueuedEvent>,
) {
  for (const item of waiting) {
    const seq = seqOf(item);
    if (typeof item !== "number" && !restoredEvents.has(seq))
      restoredEvents.set(seq, { ...item, durable: false });
    const queuedEvent = restoredEvents.get(seq);
    if (queuedEvent !== undefined && !queue.isClosed) hub.append(queue, queuedEvent);
  }
}

function seqOf(item: WaitingEvent) {
  return typeof item === "number" ? item : item.seq;
}
