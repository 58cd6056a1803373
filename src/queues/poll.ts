// The long poll: acknowledges, then answers at once or holds until there is something to say.
import { badEventQueueId } from "../errors.ts";
import { emptyAnswer } from "./answer.ts";
import type { Hub } from "./hub.ts";
import type { Queue, Waiting } from "./queue.ts";

/** A held poll gets a heartbeat after 45 to 55 seconds. */
const HEARTBEAT_MS = 45_000;
const HEARTBEAT_SPREAD_MS = 10_000;

/** The whole text of the answer; nothing when the poll is held, and `later` will be told. */
export function poll(
  hub: Hub,
  queue: Queue,
  last_event_id: number,
  dont_block: boolean,
  later: Waiting,
): string | undefined {
  if (queue.isClosed) throw badEventQueueId(queue.record.queue_id);
  const { clock, random } = hub;
  if (queue.acknowledge(last_event_id, hub.newest)) hub.moved(queue);
  release(hub, queue);
  queue.lastActive = clock.now();
  if (queue.ring.count > 0) return take(hub, queue);
  if (dont_block || hub.isStopping) return emptyAnswer(queue);
  queue.beatAt = queue.lastActive + HEARTBEAT_MS + random() * HEARTBEAT_SPREAD_MS;
  queue.parked = later;
  return undefined;
}

/** Ends the held poll, if there is one, with no events. */
export function release(hub: Hub, queue: Queue) {
  if (queue.parked !== undefined) finish(hub, queue, emptyAnswer(queue));
}

/** Answers the held poll, if there is one, with what waits. */
export function wake(hub: Hub, queue: Queue) {
  if (queue.parked !== undefined && queue.ring.count > 0) finish(hub, queue, take(hub, queue));
}

function finish(hub: Hub, queue: Queue, answer: string) {
  const { parked } = queue;
  queue.parked = undefined;
  queue.lastActive = hub.clock.now();
  parked?.tell(answer);
}

/** A queue whose events cannot be told is closed, so that its client starts from a snapshot. */
function take(hub: Hub, queue: Queue): string {
  try {
    return hub.answers.of(queue);
  } catch (error) {
    hub.fail(queue, error);
    return emptyAnswer(queue);
  }
}
