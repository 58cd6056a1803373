// Alert words as clients receive them: always the complete list.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { User } from "../../schema/records.ts";

export function alertWordsSnapshot(reader: Reader, user: User) {
  return { alert_words: alertWordsOf(reader, user) };
}

export function alertWordsChanged(alert_words: readonly string[]): PlainEvent {
  return { type: "alert_words", alert_words };
}

export function alertWordsOf(reader: Reader, { user_id }: Pick<User, "user_id">): string[] {
  const rows = reader.alert_words.listBy("user", user_id);
  return rows.sort((a, b) => (a.folded < b.folded ? -1 : 1)).map((row) => row.word);
}
