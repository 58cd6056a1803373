// Participants of a crash test: a client and queue per user, and further queues.
import { chanceOf } from "../store/sample-schema.ts";
import { CLIENTS } from "../sync.ts";
import { Client } from "./client.ts";
import { COMMUTER, deliver, type ClientsByPerson, GENERAL } from "./load.ts";
import { Poller } from "./poller.ts";
import { type Account, PEOPLE, type Person, type Server } from "./server.ts";
import type { Send, History } from "./history.ts";

const WAIT_MS = 20;

export interface Participants {
  clients: ClientsByPerson;
  pollers: Poller[];
}

const MESSAGES = { event_types: ["message", "subscription"] };
const FORMS: Record<Person, object> = {
  olga: CLIENTS[0]!,
  ada: CLIENTS[1]!,
  bo: CLIENTS[0]!,
  cy: CLIENTS[0]!,
  di: MESSAGES,
};

export async function openParticipants(
  server: Server,
  accounts: Record<Person, Account>,
  seed: number,
): Promise<Participants> {
  const clientOf = (name: Person) => new Client(server.url, accounts[name]);
  const open = (name: Person, form: object) =>
    Poller.open(name, clientOf(name), { ...form }, chanceOf(seed));
  const browserSessions = PEOPLE.map(async (name) => {
    return [name, { client: clientOf(name), poller: await open(name, FORMS[name]) }] as const;
  });
  const clients = Object.fromEntries(await Promise.all(browserSessions)) as ClientsByPerson;
  const wide = await open(COMMUTER, { ...MESSAGES, all_public_streams: true });
  return { clients, pollers: [...PEOPLE.map((name) => clients[name].poller), wide] };
}

/** Maximum number of clients that poll only occasionally. */
const LATE_SENDS_MAX = 3;

/**
 * Adds another client of Bo that polls when the next one is added, and at the end. Since events of
 * an idle queue are stored and a queue can become full, the oldest of these clients leaves.
 */
export async function addLateClient(
  { clients, pollers }: Participants,
  seed: number,
): Promise<void> {
  const { client, poller } = clients.bo;
  const latePollers = pollers.filter(
    (item) => item.client === client && item !== poller && !item.isGone,
  );
  for (const item of latePollers) await item.catchUp(poller.last);
  if (latePollers.length === LATE_SENDS_MAX) await latePollers[0]!.leave();
  pollers.push(await Poller.open("bo", client, { ...FORMS.bo }, chanceOf(seed)));
}

/** Ends the polls with a message to everyone, and fetches the remaining events. */
export async function closeParticipants(
  { clients, pollers }: Participants,
  history: History,
  listening: readonly Promise<void>[],
): Promise<void> {
  history.isOver = true;
  const recipient = { stream_id: GENERAL.stream_id };
  const content = "[last] words";
  const send: Send = { sender: "olga", local_id: "last", content, recipient, id: undefined };
  history.sends.push(send);
  await deliver(clients, history, send, "lunch");
  await Promise.all(listening);
  const isLast = ({ message }: { message?: { id: number } }) => message?.id === send.id;
  await untilTrue(pollers, async () => {
    const activePollers = pollers.filter(({ isGone }) => !isGone);
    for (const poller of activePollers) await poller.drain();
    return activePollers.every(({ events }) => events.some(isLast));
  });
}

/** Waits, unless a poller has failed: its error then tells what is wrong. */
export async function untilTrue(
  pollers: readonly Poller[],
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const isLost = () => pollers.some(({ faults }) => faults.length > 0);
  while (!isLost() && !(await condition())) await Bun.sleep(WAIT_MS);
}
