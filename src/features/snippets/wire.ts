// A user's snippets for the user's clients.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { SavedSnippet } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";

function snippetObject(snippet: SavedSnippet) {
  const { saved_snippet_id, title, content, date_created } = snippet;
  return { id: saved_snippet_id, title, content, date_created };
}

export const snippetsOf = (reader: Reader, user_id: number): SavedSnippet[] => [
  ...reader.saved_snippets.range({ from: [user_id], to: [user_id + 1] }),
];

export function snippetsSnapshot(reader: Reader, { user_id }: User) {
  return { saved_snippets: snippetsOf(reader, user_id).map(snippetObject) };
}

export const snippetAdded = (snippet: SavedSnippet): PlainEvent => ({
  type: "saved_snippets",
  op: "add",
  saved_snippet: snippetObject(snippet),
});

export const snippetUpdated = (snippet: SavedSnippet): PlainEvent => ({
  type: "saved_snippets",
  op: "update",
  saved_snippet: snippetObject(snippet),
});

export const snippetRemoved = (saved_snippet_id: number): PlainEvent => ({
  type: "saved_snippets",
  op: "remove",
  saved_snippet_id,
});
