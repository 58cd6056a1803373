// Clients that keep a crashing server busy: they send, flag, subscribe and type concurrently.
import type { RandomChance } from "../store/sample-schema.ts";
import { chanceOf } from "../store/sample-schema.ts";
import type { Params } from "../test-server.ts";
import type { Client } from "./client.ts";
import type { Poller } from "./poller.ts";
import { PEOPLE, type Person } from "./server.ts";
import type { Recipient, Send, History } from "./history.ts";

/** Channels that `skein init` creates. No user leaves the general channel. */
export const GENERAL = { stream_id: 1, name: "general" };
export const SANDBOX = { stream_id: 3, name: "sandbox" };
/** Joins and leaves the sandbox continuously. */
export const COMMUTER: Person = "cy";

const SENDERS_PER_PERSON = 4;
const TOPICS = ["lunch", "weather", "Ärger"];
/** Pause between two requests, so that senders get most of the time. */
const PAUSE_MS = 3;

/** Event queue of each user's sending client. */
export type ClientsByPerson = Record<Person, { client: Client; poller: Poller }>;

/** Resolves when the run is over and each client has its last response. */
export async function generateLoad(
  clients: ClientsByPerson,
  history: History,
  seed: number,
): Promise<void> {
  const loops: Promise<void>[] = [];
  const start = (step: (random: RandomChance) => Promise<void>) => {
    const random = chanceOf(seed + loops.length + 1);
    loops.push(repeat(step, random, history));
  };
  for (const name of PEOPLE) {
    for (let index = 0; index < SENDERS_PER_PERSON; index++) {
      let count = 0;
      start((random) =>
        sendSomething(clients, history, name, `${name}.${index}.${++count}`, random),
      );
    }
  }
  start((random) => flagSomething(clients, history, "bo", random));
  start((random) => flagSomething(clients, history, "olga", random));
  start(() => toggleSubscription(clients, history));
  start((random) => type(clients, history, random));
  await Promise.all(loops);
}

async function repeat(
  step: (random: RandomChance) => Promise<void>,
  rng: RandomChance,
  history: History,
) {
  try {
    while (!history.isOver) await step(rng);
  } catch (error) {
    history.faults.push(String(error));
  }
}

async function sendSomething(
  clients: ClientsByPerson,
  history: History,
  sender: Person,
  local_id: string,
  random: RandomChance,
): Promise<void> {
  const text = random.once(20) ? "hello @**Bo**" : "x".repeat(random.below(200));
  const content = `[${local_id}] ${text}`.trimEnd();
  const recipient = recipientBy(sender, random);
  const send: Send = { sender, local_id, content, recipient, id: undefined };
  history.sends.push(send);
  await deliver(clients, history, send, random.pick(TOPICS));
}

function recipientBy(sender: Person, random: RandomChance): Recipient {
  const kind = random.below(10);
  if (kind < 4) return { stream_id: GENERAL.stream_id };
  if (kind < 7) return { stream_id: SANDBOX.stream_id };
  const others = PEOPLE.filter((name) => name !== sender && random.once(2));
  return { people: [...others, sender] };
}

/** Sends until the server acknowledges the message. */
export async function deliver(
  clients: ClientsByPerson,
  history: History,
  send: Send,
  topic: string,
) {
  const { client } = clients[send.sender];
  const { body, losses } = await client.requestUntilSuccess(
    "POST /messages",
    sendParams(clients, send, topic),
  );
  history.losses += losses;
  send.id = body.id;
}

/** Parameters of the send request. */
export function sendParams(clients: ClientsByPerson, send: Send, topic: string): Params {
  const { sender, recipient, content, local_id } = send;
  const own = { content, local_id, queue_id: clients[sender].poller.queue_id };
  if ("stream_id" in recipient) return { ...own, type: "channel", to: recipient.stream_id, topic };
  const to = recipient.people.map((name) => clients[name].client.account.user_id);
  return { ...own, type: "direct", to };
}

/** Adds or removes a flag on a message that the user has just received. */
async function flagSomething(
  clients: ClientsByPerson,
  history: History,
  person: Person,
  random: RandomChance,
) {
  await Bun.sleep(PAUSE_MS);
  const { client, poller } = clients[person];
  const events = poller.events.slice(-200).filter(({ type }) => type === "message");
  if (events.length === 0) return;
  const { id } = random.pick(events).message;
  const flag = random.pick(["starred", "read"]);
  const isOn = !random.once(3);
  const op = isOn ? "add" : "remove";
  const { losses } = await client.requestUntilSuccess("POST /messages/flags", {
    messages: [id],
    op,
    flag,
  });
  history.losses += losses;
  history.flags.set(`${person} ${id} ${flag}`, { person, id, flag, isOn });
}

async function toggleSubscription(clients: ClientsByPerson, history: History): Promise<void> {
  await Bun.sleep(2 * PAUSE_MS);
  const { client } = clients[COMMUTER];
  const comes = history.commuting.get(COMMUTER) === false;
  const subscriptions = comes ? [{ name: SANDBOX.name }] : [SANDBOX.name];
  const line = `${comes ? "POST" : "DELETE"} /users/me/subscriptions`;
  const { losses } = await client.requestUntilSuccess(line, { subscriptions });
  history.losses += losses;
  history.commuting.set(COMMUTER, comes);
}

/** Typing events are not stored, but take numbers between those of stored events. */
async function type(
  clients: ClientsByPerson,
  history: History,
  random: RandomChance,
): Promise<void> {
  await Bun.sleep(PAUSE_MS);
  const to = [clients.bo.client.account.user_id];
  const op = random.pick(["start", "stop"]);
  const { losses } = await clients.ada.client.requestUntilSuccess("POST /typing", {
    type: "direct",
    op,
    to,
  });
  history.losses += losses;
}
