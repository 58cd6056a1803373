// The text of a poll's answer, put together from texts that the queues share.
import { type EventRouter, HEARTBEAT, lastIdOf, type QueuedEvent } from "./event-router.ts";
import type { Queue } from "./queue.ts";

/** What is beyond waits for the next poll, which comes at once. */
const ANSWER_CHARS_MAX = 8 << 20;

/** All that waits in the queue, up to a bound. */
export class Answers {
  /** Of the answer with one event that was given last, all but the queue's id. */
  #start = "";
  #told: QueuedEvent | undefined;
  #texts: readonly string[] | undefined;
  #personal = "";

  constructor(readonly router: EventRouter) {}

  /** Most queues have one event to tell, and most of those that hear it tell it alike. */
  of(queue: Queue): string {
    const { ring, record } = queue;
    const told = ring.oldest;
    if (ring.count !== 1 || told === undefined || told.width !== 1) return this.#whole(queue);
    const texts = textsFor(queue, told, this.router);
    const personal = isHeartbeat(told) ? "" : this.router.personal(told, record);
    if (told !== this.#told || texts !== this.#texts || personal !== this.#personal) {
      this.#told = told;
      this.#texts = texts;
      this.#personal = personal;
      this.#start = startOf(texts.length === 0 ? "" : eventOf(texts[0]!, personal, told.seq));
    }
    return ended(this.#start, queue);
  }

  #whole(queue: Queue): string {
    return ended(startOf(eventsOf(queue, this.router)), queue);
  }
}

function eventsOf(queue: Queue, router: EventRouter): string {
  let events = "";
  for (let index = 0; index < queue.ring.count; index++) {
    const told = queue.ring.at(index)!;
    const personal = isHeartbeat(told) ? "" : router.personal(told, queue.record);
    const texts = textsFor(queue, told, router);
    // Fewer texts than ids take the last ones, so that "has it all" is the same id for everyone.
    let id = lastIdOf(told) - texts.length;
    for (const text of texts) {
      id += 1;
      if (id <= queue.acknowledged) continue;
      events += (events === "" ? "" : ",") + eventOf(text, personal, id);
    }
    if (events.length > ANSWER_CHARS_MAX) break;
  }
  return events;
}

export function emptyAnswer(queue: Queue) {
  return ended(startOf(""), queue);
}

/** The texts of the event as this queue needs it, rendered once per variant. */
export function textsFor(queue: Queue, told: QueuedEvent, router: EventRouter): readonly string[] {
  const variant = isHeartbeat(told) ? 0 : router.variant(queue.record, told);
  const known = told.variants?.[variant];
  if (known !== undefined) return known;
  const texts = router.render(told, variant);
  if (texts.length > told.width) throw new Error(`${told.event.type} is wider than it said`);
  told.variants ??= [];
  told.variants[variant] = texts;
  return texts;
}

export function heartbeat(seq: number): QueuedEvent {
  const event = { type: HEARTBEAT };
  const variants = [[`{"type":"${HEARTBEAT}"`]];
  return { seq, width: 1, event, audience: null, durable: false, variants };
}

export function isHeartbeat(told: QueuedEvent) {
  return told.event.type === HEARTBEAT;
}

function eventOf(text: string, personal: string, id: number) {
  return text + personal + ',"id":' + id + "}";
}

function startOf(events: string) {
  return `{"result":"success","msg":"","events":[${events}],"queue_id":`;
}

function ended(start: string, { record }: Queue) {
  // A name of our own, with no sign in it that JSON would write otherwise.
  return start + '"' + record.queue_id + '"}';
}
