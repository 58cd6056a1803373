// Registers queues with waiting polls on Skein, and equivalent polls on the minimal server.
import type { FanoutOptions } from "./load.ts";
import type { Load, Server } from "./processes.ts";
import { type Account, getRequest, postRequest } from "./requests.ts";

const MESSAGES_ONLY = { event_types: ["message"], fetch_event_types: [], apply_markdown: true };
const SETTLE_MS = 500;

/** Registers a queue for each user. With more queues than users, users get several. */
export async function registerQueues(
  load: Load,
  { port }: Server,
  people: readonly Account[],
  count: number,
): Promise<FanoutOptions> {
  const owners = Array.from({ length: count }, (_, index) => people[index % people.length]!);
  const requests = owners.map((person) => postRequest(person, "/register", MESSAGES_ONLY));
  const responses = await load.ask("ask", { port, requests });
  const polls = responses.map((response, index) => {
    const { queue_id, last_event_id } = JSON.parse(response) as RegisteredQueue;
    return pollOf(owners[index]!, queue_id, last_event_id);
  });
  return { port, polls };
}

interface RegisteredQueue {
  queue_id: string;
  last_event_id: number;
}

/** Polls of the minimal server, which has no queues. */
export function deleteQueues({ port }: Server, someone: Account, count: number): FanoutOptions {
  const polls = Array.from({ length: count }, () => pollOf(someone, crypto.randomUUID(), 0));
  return { port, polls };
}

export async function park(load: Load, fanouts: FanoutOptions): Promise<void> {
  await load.ask("park", fanouts);
  await Bun.sleep(SETTLE_MS);
}

/** The last event id is appended at the end. */
function pollOf(person: Account, queue_id: string, last: number) {
  return { request: getRequest(person, `/events?queue_id=${queue_id}&last_event_id=`), last };
}
