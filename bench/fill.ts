// Fills a realm with messages, many per transaction, using the action that sends one.
import { compose } from "../src/features/messages/content/compose.ts";
import { sendMessage } from "../src/features/messages/send/send.ts";
import { readEverything } from "../src/features/messages/unread/unread.ts";
import type { Realm } from "../src/realm.ts";
import type { Account } from "./requests.ts";

const MESSAGES_PER_WRITE = 500;
const WRITES_PER_WAIT = 8;
const TOPICS_PER_CHANNEL = 10;
export const TEXTS = [
  "Good morning! Has anybody looked at the numbers of last night already?",
  "I have, and they look **fine**: nothing failed, and the slow one took `41 s`, not `55 s`.",
  "Then let us try the next step today.\n\n* first the small site\n* then, if all is quiet, more",
  "ok :thumbs_up:",
  "The page about restarts says what to look at: https://example.com/notes/restarts. I would add " +
    "that the second step may take a while, and that nobody should press the button twice, which " +
    "happened last time. Otherwise I think that we are ready.",
];

interface FillOptions {
  messages: number;
  unread?: number;
  oneTopic?: number;
}

/** The topic of message `number` of a channel. */
export function topicAt(number: number): string {
  return `topic ${number % TOPICS_PER_CHANNEL}`;
}

/** Alternates between the channels; the first user has read all but the newest `unread`. */
export async function fill(
  realm: Realm,
  { messages, unread = 0, oneTopic }: FillOptions,
  people: readonly Account[],
  channels: readonly number[],
): Promise<void> {
  const senders = people.slice(1, 65).map(({ user_id }) => realm.read.users.get(user_id)!);
  const texts = TEXTS.map((text) => compose(realm.read, senders[0]!, text));
  await send(realm, 0, messages - unread);
  await realm.write((tx) => readEverything(tx, people[0]!.user_id));
  await send(realm, messages - unread, messages);

  async function send(realm: Realm, from: number, to: number): Promise<void> {
    let writes: Promise<void>[] = [];
    for (let first = from; first < to; first += MESSAGES_PER_WRITE) {
      const last = Math.min(to, first + MESSAGES_PER_WRITE);
      writes.push(
        realm.write((tx) => {
          for (let number = first; number < last; number++) {
            const stream_id = channels[oneTopic ? 0 : number % channels.length]!;
            const topic = topicAt(oneTopic ? 0 : Math.floor(number / channels.length));
            const sender = senders[number % senders.length]!;
            sendMessage(tx, sender, { stream_id, topic }, texts[number % texts.length]!);
          }
        }),
      );
      if (writes.length < WRITES_PER_WAIT) continue;
      await Promise.all(writes);
      writes = [];
    }
    await Promise.all(writes);
  }
}
