// A user's alert words.
import Type from "typebox";
import { alertWordsTooMany } from "../../contract/errors/messages.ts";
import { list } from "../../contract/shapes/value-types.ts";
import { endpoint, json } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { foldedWord } from "../../text/alert-words.ts";
import { ALERT_WORD_LENGTH_MAX, ALERT_WORDS_MAX } from "./rules.ts";
import { alertWordsChanged, alertWordsOf } from "./wire.ts";

/** Existing words are kept, ignoring case. Returns all words. */
export function addAlertWords(tx: Writer, user: User, words: readonly string[]): string[] {
  const { user_id } = user;
  const addedWords = new Map<string, string>();
  for (const word of words.map((word) => word.trim())) {
    const folded = foldedWord(word);
    if (word === "" || addedWords.has(folded) || tx.alert_words.has(user_id, folded)) continue;
    addedWords.set(folded, word);
  }
  const count = tx.alert_words.countBy("user", user_id) + addedWords.size;
  if (count > ALERT_WORDS_MAX) throw alertWordsTooMany(ALERT_WORDS_MAX);

  for (const [folded, word] of addedWords) tx.alert_words.put({ user_id, folded, word });
  return emitAlertWords(tx, user, addedWords.size > 0);
}

/** Returns the remaining words. */
function removeAlertWords(tx: Writer, user: User, words: readonly string[]): string[] {
  const { user_id } = user;
  const existing = words
    .map((word) => foldedWord(word.trim()))
    .filter((folded) => tx.alert_words.has(user_id, folded));

  for (const folded of existing) tx.alert_words.delete(user_id, folded);
  return emitAlertWords(tx, user, existing.length > 0);
}

function emitAlertWords(tx: Writer, user: User, isChanged: boolean): string[] {
  const words = alertWordsOf(tx, user);
  if (isChanged) tx.emit(alertWordsChanged(words), { to: "people", user_ids: [user.user_id] });
  return words;
}

export const getAlertWords = endpoint({
  summary: "List your alert words",
  tag: "People",
  params: {},
  answer: Type.Object({ alert_words: list(Type.String()) }),
  run: ({ realm: { read }, user }) => ({ alert_words: alertWordsOf(read, user) }),
});

export const postAlertWords = endpoint({
  summary: "Add alert words",
  tag: "People",
  params: { alert_words: json(Type.Array(Type.String({ maxLength: ALERT_WORD_LENGTH_MAX }))) },
  answer: Type.Object({ alert_words: list(Type.String()) }),
  run: ({ realm, user }, { alert_words }) =>
    realm.write((tx) => ({ alert_words: addAlertWords(tx, user, alert_words) })),
});

export const deleteAlertWords = endpoint({
  summary: "Remove alert words",
  tag: "People",
  params: { alert_words: json(Type.Array(Type.String())) },
  answer: Type.Object({ alert_words: list(Type.String()) }),
  run: ({ realm, user }, { alert_words }) =>
    realm.write((tx) => ({ alert_words: removeAlertWords(tx, user, alert_words) })),
});
