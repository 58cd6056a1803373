// Registered queues with their polls parked, on Skein and, looking the same, on the least server.
import type { Fanouts } from "./load.ts";
import type { Load, Server } from "./processes.ts";
import { type Account, getting, posting } from "./requests.ts";

const MESSAGES_ONLY = { event_types: ["message"], fetch_event_types: [], apply_markdown: true };
const SETTLE_MS = 500;

/** One queue for each of the people; more queues than people: round and round. */
export async function registered(
  load: Load,
  { port }: Server,
  people: readonly Account[],
  count: number,
): Promise<Fanouts> {
  const owners = Array.from({ length: count }, (_, at) => people[at % people.length]!);
  const requests = owners.map((person) => posting(person, "/register", MESSAGES_ONLY));
  const answers = await load.ask("ask", { port, requests });
  const polls = answers.map((answer, at) => {
    const { queue_id, last_event_id } = JSON.parse(answer) as Registered;
    return pollOf(owners[at]!, queue_id, last_event_id);
  });
  return { port, polls };
}

interface Registered {
  queue_id: string;
  last_event_id: number;
}

/** Polls of the least server, which knows no queues. */
export function unregistered({ port }: Server, someone: Account, count: number): Fanouts {
  const polls = Array.from({ length: count }, () => pollOf(someone, crypto.randomUUID(), 0));
  return { port, polls };
}

export async function park(load: Load, fanouts: Fanouts): Promise<void> {
  await load.ask("park", fanouts);
  await Bun.sleep(SETTLE_MS);
}

/** The number of the last event goes to the end. */
function pollOf(person: Account, queue_id: string, last: number) {
  return { request: getting(person, `/events?queue_id=${queue_id}&last_event_id=`), last };
}
