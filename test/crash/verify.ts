// Compares the server's data after all crashes with what it acknowledged and sent.
import type { Json } from "../test-server.ts";
import type { Client } from "./client.ts";
import { COMMUTER, type ClientsByPerson, GENERAL, SANDBOX } from "./load.ts";
import type { Poller } from "./poller.ts";
import { PEOPLE } from "./server.ts";
import type { Send, History } from "./history.ts";

const PAGE_MESSAGES = 1_000;
const FETCHES_AT_ONCE = 16;

/** Returns acknowledged messages that are missing, or differ in content or flags. */
export async function missingSends(clients: ClientsByPerson, history: History): Promise<string[]> {
  const wrong: string[] = [];
  const sends = history.sends.values();
  const check = async () => {
    for (const { id, sender, content, local_id } of sends) {
      const response = await clients[sender].client.request(`GET /messages/${id}`);
      const { raw_content, message, msg } = response?.body ?? {};
      if (raw_content === content && message.sender_email === `${sender}@example.com`) continue;
      wrong.push(`message ${id} (${local_id}) is ${JSON.stringify(raw_content ?? msg)}`);
    }
  };
  await Promise.all(Array.from({ length: FETCHES_AT_ONCE }, check));
  for (const { person, id, flag, isOn } of history.flags.values()) {
    const { body } = await clients[person].client.requestUntilSuccess(`GET /messages/${id}`);
    if (body.message.flags.includes(flag) === isOn) continue;
    wrong.push(`message ${id} is${isOn ? " not" : ""} ${flag} for ${person}`);
  }
  return wrong;
}

/** Returns messages that a narrow contains twice: a retry must not create a second message. */
export async function duplicatedSends(
  clients: ClientsByPerson,
  history: History,
): Promise<string[]> {
  const messages: Json[] = [];
  for (const { name } of [GENERAL, SANDBOX]) {
    messages.push(...(await messagesIn(clients.olga.client, [["channel", name]])));
  }
  const direct = new Map<number, Json>();
  for (const name of PEOPLE) {
    const own = await messagesIn(clients[name].client, [["is", "dm"]]);
    for (const message of own) direct.set(message.id, message);
  }
  messages.push(...direct.values());
  const sends = new Map(history.sends.map((send) => [send.content, send]));
  const wrong: string[] = [];
  const ids = new Set<number>();
  for (const { id, content, sender_email } of messages) {
    const send = sends.get(content);
    sends.delete(content);
    if (ids.has(id)) wrong.push(`a narrow holds message ${id} twice`);
    ids.add(id);
    if (send?.id === id || /welcome|notification/.test(sender_email)) continue;
    wrong.push(`${id} holds what ${send ? `${send.id} is` : "no send, or another message,"} for`);
  }
  for (const { id, local_id } of sends.values()) wrong.push(`no narrow holds ${id} (${local_id})`);
  return wrong;
}

async function messagesIn(client: Client, narrow: string[][]): Promise<Json[]> {
  const messages: Json[] = [];
  for (let anchor = "oldest"; ; anchor = String(messages.at(-1).id)) {
    const { body } = await client.requestUntilSuccess("GET /messages", {
      anchor,
      include_anchor: anchor === "oldest",
      num_after: PAGE_MESSAGES,
      narrow,
      apply_markdown: false,
    });
    messages.push(...body.messages);
    if (body.found_newest) return messages;
  }
}

/** Each queue must receive each message of its audience exactly once, and no other. */
export function wrongEvents(
  clients: ClientsByPerson,
  history: History,
  pollers: readonly Poller[],
): string[] {
  const numbers = eventNumbers(pollers);
  return pollers.flatMap((poller) => {
    const received = new Map<number, Json>();
    const wrong = [...poller.faults];
    for (const event of poller.events) {
      if (event.type !== "message") continue;
      if (received.has(event.message.id)) wrong.push(`heard message ${event.message.id} twice`);
      received.set(event.message.id, event);
    }
    const isActiveHere = isSubscribedAt(poller);
    for (const send of history.sends) {
      const event = received.get(send.id!);
      const number = numbers.get(send.id!) ?? 0;
      const isPast = number <= poller.registered.last_event_id;
      const isLater = poller.isGone && number > poller.last;
      const isExpected = !isPast && !isLater && isReceiverOf(poller, send, isActiveHere(number));
      if (isExpected !== (event !== undefined)) {
        const path = `event ${number}, ${send.local_id}`;
        wrong.push(`${isExpected ? "missed" : "overheard"} message ${send.id} (${path})`);
      } else if (event) wrong.push(...wrongMessageFields(event, send, poller, clients));
    }
    return wrong.map((label) => `${poller.name}'s queue: ${label}`);
  });
}

/** Event number of each message. It is the same in all queues, as `reused` checks. */
function eventNumbers(pollers: readonly Poller[]): Map<number, number> {
  const events = pollers.flatMap((poller) => poller.events);
  const received = events.filter(({ type }) => type === "message");
  return new Map(received.map((event) => [event.message.id, event.id]));
}

/** Whether the queue's user was in the sandbox at an event, according to the same queue. */
function isSubscribedAt({ name, events }: Poller): (event_id: number) => boolean {
  if (name !== COMMUTER) return () => true;
  const subscriptionEvents = events.filter(
    ({ type, op }) => type === "subscription" && /^(add|remove)$/.test(op),
  );
  return (event_id) => subscriptionEvents.findLast(({ id }) => id < event_id)?.op !== "remove";
}

function isReceiverOf({ name, form }: Poller, { recipient }: Send, isHere: boolean): boolean {
  if ("people" in recipient) return recipient.people.includes(name);
  return recipient.stream_id === GENERAL.stream_id || isHere || form["all_public_streams"] === true;
}

function wrongMessageFields(
  event: Json,
  send: Send,
  poller: Poller,
  clients: ClientsByPerson,
): string[] {
  const { message, local_message_id } = event;
  const own = clients[send.sender].poller === poller ? send.local_id : undefined;
  if (local_message_id !== own) return [`${send.id} had the local id ${local_message_id}`];
  const isSame = message.content.includes(`[${send.local_id}]`);
  return isSame ? [] : [`${send.id} was told as ${message.content}`];
}

/** Returns event numbers of all queues, and message ids, that were used twice. */
export function reusedIds(history: History, pollers: readonly Poller[]): string[] {
  const wrong: string[] = [];
  const expectedContents = new Map<number, string>();
  for (const event of pollers.flatMap((poller) => poller.events)) {
    const { id: _id, flags: _own, local_message_id: _also, message, ...rest } = event;
    const text = JSON.stringify({ ...rest, message: message?.id });
    const before = expectedContents.get(event.id);
    if (before !== undefined && before !== text) {
      wrong.push(`event ${event.id} is ${before}, and ${text}`);
    }
    expectedContents.set(event.id, text);
  }
  const bySend = Map.groupBy(history.sends, (send) => send.id);
  for (const [id, sends] of bySend) {
    if (sends.length > 1) wrong.push(`${id} is ${sends.map((send) => send.local_id).join(", ")}`);
  }
  return wrong;
}
