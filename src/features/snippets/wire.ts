// What a person's clients see of the snippets that the person saved.
import type { PlainEvent } from "../../events.ts";
import type { Reader } from "../../realm.ts";
import type { SavedSnippet } from "../../records-messages.ts";
import type { User } from "../../records.ts";

export function snippetObject(snippet: SavedSnippet) {
  const { saved_snippet_id, title, content, date_created } = snippet;
  return { id: saved_snippet_id, title, content, date_created };
}

export function snippetsSnapshot(reader: Reader, { user_id }: User) {
  const snippets = reader.saved_snippets.range({ from: [user_id], to: [user_id + 1] });
  return { saved_snippets: [...snippets].map(snippetObject) };
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
