// The long poll: acknowledges events, then responds at once or waits for the next event.
import { badEventQueueId } from "../contract/errors/general.ts";
import { emptyResponse } from "./response.ts";
import type { Hub } from "./hub.ts";
import type { Queue, HeldPoll } from "./queue.ts";

/** A held poll receives a heartbeat after 45 to 55 seconds. */
const HEARTBEAT_MS = 45_000;
const HEARTBEAT_SPREAD_MS = 10_000;

/** Returns the response, or undefined if the poll is held and `later` receives it. */
export function poll(
  hub: Hub,
  queue: Queue,
  last_event_id: number,
  dont_block: boolean,
  later: HeldPoll,
  asked_with: number,
): string | undefined {
  if (queue.isClosed) throw badEventQueueId(queue.record.queue_id);
  const { clock, random } = hub;
  if (queue.acknowledge(last_event_id, hub.newest)) hub.noteAcknowledged(queue);
  hub.release(queue);
  queue.lastActive = clock.now();
  if (queue.ring.count > 0) return hub.take(queue);
  if (dont_block || hub.isStopping) return emptyResponse(queue);
  queue.beatAt = queue.lastActive + HEARTBEAT_MS + random() * HEARTBEAT_SPREAD_MS;
  queue.askedWith = asked_with;
  queue.parked = later;
  return undefined;
}
