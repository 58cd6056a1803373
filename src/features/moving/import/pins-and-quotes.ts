// Writes pins, followed topics and the quote of a reply together with an imported message.
import { FOLLOWED } from "../../../contract/policies.ts";
import type { Reader, Writer } from "../../../realm.ts";
import { isSubscribed } from "../../channels/access.ts";
import { silentMention } from "../../channels/bot-messages.ts";
import { urlOf } from "../../messages/content/quoting.ts";
import { MESSAGE_LENGTH_MAX } from "../../messages/rules.ts";
import { PINS_PER_CHANNEL_MAX } from "../../pins/rules.ts";
import { canAddPolicy } from "../../topics/actions.ts";
import type { MovedMessage } from "../write-message.ts";
import { MESSAGES_STEP } from "./steps.ts";
import { firstLine } from "./thread-topics.ts";

const QUOTE_LENGTH_MAX = 80;
/** The quote at the start of a message that is itself a reply. */
const ANSWER = /^@_\*\*.*\n> .*\n\n/;
/** The id of a user in a mention. */
const NUMBERED = /(@_?\*\*[^*|\n]{1,200})\|\d+\*\*/g;

/**
 * Uses the sender and time of the message, because the source does not say who pinned it, or when.
 * The survey has counted pins above the limit.
 */
export function pin(tx: Writer, message_id: number, stream_id: number, moved: MovedMessage): void {
  if (tx.message_pins.countBy("channel", stream_id) >= PINS_PER_CHANNEL_MAX) return;
  const { sender_id, timestamp } = moved;
  tx.message_pins.put({ message_id, stream_id, pinned_by: sender_id, pinned_at: timestamp });
}

interface FollowedPin {
  readonly stream_id: number;
  readonly topic: string;
  readonly timestamp: number;
}

/** Follows the topic only for subscribers, since they can read it. */
export function follow(
  tx: Writer,
  user_ids: readonly number[],
  { stream_id, topic, timestamp }: FollowedPin,
): void {
  const folded = topic.toLowerCase();
  for (const user_id of user_ids) {
    const isKnown = tx.user_topics.has(user_id, stream_id, folded);
    if (isKnown || !isSubscribed(tx, user_id, stream_id)) continue;
    if (!canAddPolicy(tx, { user_id })) continue;
    const row = { user_id, stream_id, folded, topic_name: topic };
    tx.user_topics.put({ ...row, visibility_policy: FOLLOWED, last_updated: timestamp });
  }
}

/** Returns undefined if the message was not imported, and "" if there is no room for a quote. */
export function quoteOf(
  reader: Reader,
  import_id: number,
  message_key: string,
  length: number,
): string | undefined {
  const mark = reader.imported.get(import_id, MESSAGES_STEP, message_key);
  const answered = mark && reader.messages.get(...mark.row_key);
  const author = answered && reader.users.get(answered.sender_id);
  if (!author) return undefined;
  const content = answered.content.replace(ANSWER, "").replaceAll(NUMBERED, "$1**");
  const line = firstLine(content, QUOTE_LENGTH_MAX);
  const head = `${silentMention(author)} [said](${urlOf(reader, answered)}):\n> ${line}\n\n`;
  return head.length + length > MESSAGE_LENGTH_MAX ? "" : head;
}
