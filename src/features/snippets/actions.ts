// Creates, changes and deletes saved snippets: texts that a user saves for reuse.
import Type from "typebox";
import { snippetNotFound, tooShort } from "../../contract/errors/messages.ts";
import { snippetShape } from "../../contract/shapes/personal.ts";
import { list, nothing } from "../../contract/shapes/value-types.ts";
import { endpoint, int, optional, textOf } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import type { SavedSnippet } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { checkListLength } from "../messages/list-limits.ts";
import { MESSAGE_LENGTH_MAX } from "../messages/rules.ts";
import { SNIPPET_TITLE_LENGTH_MAX, SNIPPETS_MAX } from "./rules.ts";
import {
  snippetAdded,
  snippetRemoved,
  snippetsOf,
  snippetsSnapshot,
  snippetUpdated,
} from "./wire.ts";

type SnippetFields = Pick<SavedSnippet, "title" | "content">;

function saveSnippet(tx: Writer, { user_id }: User, fields: SnippetFields): number {
  checkWording(fields);
  checkRoom([...snippetsOf(tx, user_id), fields]);

  const saved_snippet_id = tx.next("saved_snippets");
  const snippet = { user_id, saved_snippet_id, ...fields, date_created: tx.now };
  tx.saved_snippets.put(snippet);
  tx.emit(snippetAdded(snippet), { to: "people", user_ids: [user_id] });
  return saved_snippet_id;
}

function rewordSnippet(tx: Writer, user: User, id: number, fields: Partial<SnippetFields>): void {
  const before = accessSnippet(tx, user, id);
  const { title = before.title, content = before.content } = fields;
  checkWording({ title, content });
  if (title === before.title && content === before.content) return;
  const others = snippetsOf(tx, user.user_id).filter((other) => other.saved_snippet_id !== id);
  checkRoom([...others, { title, content }]);

  const snippet = { ...before, title, content };
  tx.saved_snippets.put(snippet);
  tx.emit(snippetUpdated(snippet), { to: "people", user_ids: [user.user_id] });
}

function deleteSnippet(tx: Writer, user: User, id: number): void {
  const { user_id } = accessSnippet(tx, user, id);

  tx.saved_snippets.delete(user_id, id);
  tx.emit(snippetRemoved(id), { to: "people", user_ids: [user_id] });
}

function checkRoom(snippets: readonly SnippetFields[]): void {
  const texts = snippets.map((snippet) => [snippet.title, snippet.content]);
  checkListLength("saved snippets", SNIPPETS_MAX, texts);
}

const title = textOf({ max: SNIPPET_TITLE_LENGTH_MAX, trimmed: true, line: true });
const content = textOf({ max: MESSAGE_LENGTH_MAX, trimmed: true });

export const getSnippets = endpoint({
  summary: "List your saved snippets",
  tag: "Drafts",
  params: {},
  answer: Type.Object({ saved_snippets: list(snippetShape) }),
  run: ({ realm, user }) => snippetsSnapshot(realm.read, user),
});

export const postSnippet = endpoint({
  summary: "Save a snippet",
  tag: "Drafts",
  params: { title, content },
  answer: Type.Object({ saved_snippet_id: Type.Integer() }),
  async run({ realm, user }, fields) {
    return { saved_snippet_id: await realm.write((tx) => saveSnippet(tx, user, fields)) };
  },
});

export const patchSnippet = endpoint({
  summary: "Change a saved snippet",
  tag: "Drafts",
  params: { saved_snippet_id: int, title: optional(title), content: optional(content) },
  answer: nothing,
  async run({ realm, user }, { saved_snippet_id, ...input }) {
    const fields = Object.fromEntries(
      Object.entries(input).filter(([, value]) => value !== undefined),
    );
    await realm.write((tx) => rewordSnippet(tx, user, saved_snippet_id, fields));
    return {};
  },
});

export const removeSnippet = endpoint({
  summary: "Delete a saved snippet",
  tag: "Drafts",
  params: { saved_snippet_id: int },
  answer: nothing,
  async run({ realm, user }, { saved_snippet_id }) {
    await realm.write((tx) => deleteSnippet(tx, user, saved_snippet_id));
    return {};
  },
});

function accessSnippet(tx: Writer, { user_id }: User, id: number): SavedSnippet {
  const snippet = tx.saved_snippets.get(user_id, id);
  if (!snippet) throw snippetNotFound();
  return snippet;
}

function checkWording(fields: SnippetFields): void {
  for (const name of ["title", "content"] as const) if (fields[name] === "") throw tooShort(name);
}
