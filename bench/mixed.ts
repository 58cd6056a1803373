// Fills a realm with every kind of message that narrows search for.
import { addAlertWords } from "../src/features/alert-words/actions.ts";
import { compose } from "../src/features/messages/content/compose.ts";
import { updateFlags } from "../src/features/messages/flags/flags.ts";
import { sendMessage } from "../src/features/messages/send/send.ts";
import { readEverything } from "../src/features/messages/unread/unread.ts";
import { addReaction } from "../src/features/reactions/actions.ts";
import { trimLog } from "../src/features/register/checkpoint.ts";
import { setTopicPolicy } from "../src/features/topics/actions.ts";
import { FOLLOWED, MUTED } from "../src/contract/policies.ts";
import type { Realm, Writer } from "../src/realm.ts";
import type { User } from "../src/schema/records.ts";
import type { Account } from "./requests.ts";
import { Texts } from "./words.ts";

const BYTES = 200;
const TOPICS_PER_CHANNEL = 5;
const ALERT_WORD = "alarm";
/** In a round of this many messages, one is of each kind. */
const ROUND_MESSAGES = 50;
/** A user who sends so few messages that they are far apart in a long history. */
const QUIET_PERSON = 5;
const QUIET_MESSAGES = 200;
const PER_WRITE = 500;
const WRITES_PER_TRIM = 100;

/**
 * Topic `number` of a channel; the first is resolved, and the viewer has muted one and follows one.
 */
export function mixedTopicAt(number: number): string {
  const index = number % TOPICS_PER_CHANNEL;
  return index === 0 ? "✔ topic 0" : `topic ${index}`;
}

const [MUTED_TOPIC, FOLLOWED_TOPIC] = [mixedTopicAt(1), mixedTopicAt(2)];

/** The first user is the viewer, who has read all but the newest `unread`. */
export async function fillMixed(
  realm: Realm,
  { messages, unread = 0 }: { messages: number; unread?: number },
  people: readonly Account[],
  channels: readonly number[],
): Promise<void> {
  const users = people.map(({ user_id }) => realm.read.users.get(user_id)!);
  const [viewer] = users as [User];
  await realm.write((tx) => {
    addAlertWords(tx, viewer, [ALERT_WORD]);
    for (const stream_id of channels) {
      setTopicPolicy(tx, viewer, { stream_id }, MUTED_TOPIC, MUTED);
      setTopicPolicy(tx, viewer, { stream_id }, FOLLOWED_TOPIC, FOLLOWED);
    }
  });
  const texts = new Texts();
  const quietRounds = Math.max(1, Math.floor(messages / QUIET_MESSAGES));
  for (let first = 0, writes = 0; first < messages; first += PER_WRITE, writes++) {
    const last = Math.min(messages, first + PER_WRITE);
    const numbers = Array.from({ length: last - first }, (_, index) => first + index);
    const composed = numbers.map((number) => {
      return compose(
        realm.read,
        viewer,
        texts.text(BYTES) + extraOf(viewer, number % ROUND_MESSAGES),
      );
    });
    await realm.write((tx) => {
      for (const [index, number] of numbers.entries()) {
        const isQuiet = number % quietRounds === 0;
        const sender = users[isQuiet ? QUIET_PERSON : 1 + (number % (QUIET_PERSON - 1))]!;
        const to = recipientOf(users, channels, number);
        const { id } = sendMessage(tx, sender, to, composed[index]!);
        mark(tx, viewer, id, number % ROUND_MESSAGES);
        if (number === messages - unread) readEverything(tx, viewer.user_id);
      }
    });
    if (writes % WRITES_PER_TRIM === 0) await trimLog(realm);
  }
}

/** Two messages of a round are direct: one to the viewer alone, one to two users. */
function recipientOf(users: readonly User[], channels: readonly number[], number: number) {
  const [viewer, , , other] = users as [User, User, User, User];
  if (number % ROUND_MESSAGES === 10) return { user_ids: [viewer.user_id] };
  if (number % ROUND_MESSAGES === 30) return { user_ids: [viewer.user_id, other.user_id] };
  const stream_id = channels[number % channels.length]!;
  return { stream_id, topic: mixedTopicAt(Math.floor(number / channels.length)) };
}

function extraOf(viewer: User, index: number): string {
  if (index === 1) return ` @**${viewer.full_name}**`;
  if (index === 2) return " https://example.com/notes";
  if (index === 3) return " https://example.com/notes/picture.png";
  return index === 4 ? ` ${ALERT_WORD}` : "";
}

function mark(tx: Writer, viewer: User, id: number, index: number): void {
  if (index === 5) addReaction(tx, viewer, id, { emoji_name: "tada" });
  if (index === 6) updateFlags(tx, viewer, "add", "starred", [id]);
}
