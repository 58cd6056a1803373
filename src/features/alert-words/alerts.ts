// Flags messages that contain a user's alert words, when sent and when edited.
import type { Reader, Writer } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { alertWordsIn } from "../../text/alert-words.ts";
import { FLAG_HAS_ALERT_WORD } from "../messages/rules.ts";

/**
 * Flags the message for the receivers whose alert words it contains. Returns whether it contains
 * any.
 */
export function markAlerts(
  tx: Writer,
  { id, content }: Pick<Message, "id" | "content">,
  receives: (user: User) => boolean,
): boolean {
  let isAlerting = false;
  for (const user_id of alertedBy(tx, content)) {
    const user = tx.users.get(user_id);
    if (!user || !receives(user)) continue;
    tx.flags.add([user_id, FLAG_HAS_ALERT_WORD], id);
    isAlerting = true;
  }
  return isAlerting;
}

/** After an edit, removes the flag if the word is gone. */
export function recomputeAlertFlags(
  tx: Writer,
  message: Pick<Message, "id" | "content">,
  content_before: string,
  receives: (user: User) => boolean,
): void {
  for (const user_id of alertedBy(tx, content_before)) {
    tx.flags.remove([user_id, FLAG_HAS_ALERT_WORD], message.id);
  }
  markAlerts(tx, message, receives);
}

/** Users with an alert word in the content. */
function alertedBy(reader: Reader, content: string): Set<number> {
  const { alert_words } = reader;
  const people = new Set<number>();
  if (alert_words.count() === 0) return people;
  const words = alertWordsIn(content, (beginning) =>
    alert_words.listBy("beginning", beginning).map((row) => row.folded),
  );
  for (const word of words) {
    for (const { user_id } of alert_words.listBy("word", word)) people.add(user_id);
  }
  return people;
}
