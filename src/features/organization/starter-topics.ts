// The first topics of a new organization, which explain channels and topics by example.
import type { Writer } from "../../realm.ts";
import { sendNoticeToChannel } from "../messages/send/notices.ts";
import { visitorTranslator } from "../i18n/negotiate-language.ts";
import type { Word } from "../i18n/translations.ts";
import { WELCOME_CHANNEL } from "./actions.ts";

/** Topic and text; the first is the newest, and is listed first. */
const TOPICS: readonly (readonly [Word, Word])[] = [
  ["starter-keys", "starter-keys-more"],
  ["starter-own-topic", "starter-own-topic-more"],
  ["starter-topics", "starter-topics-more"],
];

export function postStarterTopics(tx: Writer): void {
  const { translate } = visitorTranslator(tx);
  const channel = tx.channels.findBy("name", WELCOME_CHANNEL.toLowerCase())!;
  for (const [topic, words] of TOPICS) {
    sendNoticeToChannel(tx, channel, translate(topic), translate(words));
  }
}
