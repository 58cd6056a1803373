// Adds messages to the search index and removes them, within the transaction that changes them.
import type { Reader, Writer } from "../../realm.ts";
import type { FreshTerms, Message } from "../../schema/records-messages.ts";
import { plainText } from "../../text/plain-text.ts";
import { termList, termListOfHtml } from "../../text/search/term-list.ts";
import { termsOf } from "../../text/search/words.ts";
import { HAS_ATTACHMENT, HAS_IMAGE, HAS_LINK } from "../messages/rules.ts";
import { TermChanges } from "./change.ts";
import { beginSegment } from "./merge.ts";
import { firstIdOf, idsIn, isOpen, numberAt } from "./segments.ts";

/** The parts of a message that are indexed. Its topic is indexed separately. */
type IndexedMessage = Pick<Message, "id" | "content" | "rendered_content" | "bits">;

/** Bits of a message that narrows such as `has:link` look for. */
export const MARKS = [HAS_LINK, HAS_IMAGE, HAS_ATTACHMENT];
/** With more, each would rewrite pages that the next ones change again. */
const UNINDEXED_AT_ONCE_MAX = 10;

/** Indexes a new message, whose id is the highest. */
export function indexMessage(tx: Writer, message: IndexedMessage): void {
  const { id, bits } = message;
  for (const mark of MARKS) if (bits & mark) tx.marked_messages.add([mark], id);
  const number = numberAt(0, id);
  if (!tx.search_segments.has(0, number)) beginSegment(tx, number);
  tx.search_fresh.put(new MessageTerms(message));
}

/** Computes the terms of all messages in open segments. */
export function* freshTermsOf(reader: Reader): Iterable<FreshTerms> {
  for (const segment of reader.search_segments.range()) {
    if (!isOpen(segment)) continue;
    const first = firstIdOf(segment);
    const range = { from: [first], to: [first + idsIn(segment.level)] };
    for (const message of reader.messages.sound(ignoreDamage, range))
      yield new MessageTerms(message);
  }
}

/** The check of all rows finds damaged ones. */
export const ignoreDamage = () => {};

/** The terms of a message. They are computed when first needed: a batch takes half as long. */
export class MessageTerms implements FreshTerms {
  readonly id: number;
  private text: Pick<Message, "content" | "rendered_content"> | undefined;
  private list: readonly string[] = [];
  private bytes: Uint8Array | undefined;

  constructor({ id, content, rendered_content }: IndexedMessage) {
    this.id = id;
    this.text = { content, rendered_content };
  }

  get terms(): readonly string[] {
    const { text } = this;
    if (text) {
      const { content, rendered_content } = text;
      this.list = rendered_content === null ? termList(content) : termListOfHtml(rendered_content);
      this.text = undefined;
    }
    return this.list;
  }

  get line(): Uint8Array {
    return (this.bytes ??= encoder.encode(` ${this.terms.join(" ")} `));
  }
}

const encoder = new TextEncoder();

/** Updates the index after an edit of a message. */
export function reindexMessage(tx: Writer, before: IndexedMessage, after: IndexedMessage): void {
  reindexMessages(tx, [{ before, after }]);
}

/** Updates the index for edited messages. A page that several of them change is written once. */
export function reindexMessages(
  tx: Writer,
  edits: readonly { readonly before: IndexedMessage; readonly after: IndexedMessage }[],
): void {
  const changes = new TermChanges(tx);
  for (const { before, after } of edits) {
    const { id } = after;
    for (const mark of MARKS) {
      if (after.bits & mark) tx.marked_messages.add([mark], id);
      else if (before.bits & mark) tx.marked_messages.remove([mark], id);
    }
    const isSame =
      after.content === before.content && after.rendered_content === before.rendered_content;
    if (isSame) continue;
    if (isFresh(tx, id)) tx.search_fresh.put(new MessageTerms(after));
    else changeTerms(changes, id, termsOf(textOf(before)), termsOf(textOf(after)));
  }
  changes.make();
}

function changeTerms(
  changes: TermChanges,
  id: number,
  old: ReadonlySet<string>,
  now: ReadonlySet<string>,
): void {
  for (const term of old.difference(now)) changes.add(id, term, false);
  for (const term of now.difference(old)) changes.add(id, term, true);
}

/**
 * For deleted messages. If there are many, their index entries are removed later; until then no
 * narrow finds them.
 */
export function unindexMessages(tx: Writer, messages: readonly IndexedMessage[]): void {
  const changes = new TermChanges(tx);
  const areMany = messages.length > UNINDEXED_AT_ONCE_MAX;
  for (const message of messages) {
    const { id, bits } = message;
    for (const mark of MARKS) if (bits & mark) tx.marked_messages.remove([mark], id);
    if (isFresh(tx, id)) tx.search_fresh.delete(id);
    else if (areMany) tx.search_gone.add([0], id);
    else for (const term of termsOf(textOf(message))) changes.add(id, term, false);
  }
  changes.make();
}

export function textOf({
  content,
  rendered_content,
}: Pick<Message, "content" | "rendered_content">): string {
  return rendered_content === null ? content : plainText(rendered_content);
}

export function isFresh(reader: Pick<Reader, "search_segments">, id: number): boolean {
  const segment = reader.search_segments.get(0, numberAt(0, id));
  return segment !== undefined && isOpen(segment);
}
