// The first topics, which teach how conversations are held here by being some.
import type { Writer } from "../../realm.ts";
import { sendNoticeToChannel } from "../messages/send/notices.ts";
import { speechHere } from "../speech/choose.ts";
import type { Word } from "../speech/speech.ts";
import { TEACHING_CHANNEL } from "./actions.ts";

/** Each a topic and its words; the first is the newest, and stands on top. */
const TOPICS: readonly (readonly [Word, Word])[] = [
  ["teach-keys", "teach-keys-more"],
  ["teach-own", "teach-own-more"],
  ["teach-topics", "teach-topics-more"],
];

export function teach(tx: Writer): void {
  const { say } = speechHere(tx);
  const channel = tx.channels.one("name", TEACHING_CHANNEL.toLowerCase())!;
  for (const [topic, words] of TOPICS) {
    sendNoticeToChannel(tx, channel, say(topic), say(words));
  }
}
