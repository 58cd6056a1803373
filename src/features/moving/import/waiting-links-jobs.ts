// Rewrites links to messages that were imported after the message with the link.
import type { Realm, Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { ImportedRow } from "../../../schema/records-moving.ts";
import { claimFiles } from "../../files/claim.ts";
import { renderedBy } from "../../messages/content/compose.ts";
import { withContent } from "../../messages/edit/content.ts";
import { reindexMessages } from "../../search/index.ts";
import { checksumOf, type Row } from "../write-row.ts";
import type { MessageLinks } from "./message-links.ts";
import { LINKS_STEP, MESSAGES_STEP } from "./steps.ts";

const AT_ONCE = 200;
/** Requests of a running server wait for one batch at most, so batches are smaller there. */
const SERVING_AT_ONCE = 10;

/** Links whose targets are still not imported wait for a later export. */
export async function rewriteWaiting(
  realm: Realm,
  import_id: number,
  links: MessageLinks,
  isServing: boolean,
  onRewritten: (links: number) => void,
): Promise<void> {
  let to: (number | string)[] = [import_id, LINKS_STEP + 1];
  for (;;) {
    const limit = isServing ? SERVING_AT_ONCE : AT_ONCE;
    const range = { from: [import_id, LINKS_STEP], to, reverse: true, limit };
    const marks = [...realm.read.imported.range(range)];
    const last = marks.at(-1);
    if (!last) return;
    to = [import_id, LINKS_STEP, last.source_key];
    const body = (tx: Writer) => rewriteBatch(tx, marks, links);
    // A second run of the same export writes nothing.
    const hasChanges = marks.some((mark) => isChanged(realm, mark, links));
    if (hasChanges) onRewritten(await (isServing ? realm.writeStep(body) : realm.write(body)));
  }
}

function isChanged({ read }: Realm, { row_key }: ImportedRow, links: MessageLinks): boolean {
  const message = read.messages.get(...row_key);
  if (!message) return true;
  const rewritten = links.rewrite(read, message.content, message);
  return rewritten.links > 0 || rewritten.waiting === 0;
}

interface Edit {
  readonly before: Message;
  readonly after: Message;
  readonly links: number;
}

/** Returns the number of links that it rewrote. */
function rewriteBatch(tx: Writer, marks: readonly ImportedRow[], links: MessageLinks): number {
  const edits = marks.flatMap((mark) => rewriteMessage(tx, mark, links) ?? []);
  reindexMessages(tx, edits);
  return edits.reduce((sum, edit) => sum + edit.links, 0);
}

function rewriteMessage(tx: Writer, mark: ImportedRow, links: MessageLinks): Edit | undefined {
  const { import_id, source_key, row_key } = mark;
  const before = tx.messages.get(...row_key);
  const rewritten = before && links.rewrite(tx, before.content, before);
  if (!rewritten || rewritten.waiting === 0) tx.imported.delete(import_id, LINKS_STEP, source_key);
  if (!rewritten || rewritten.links === 0) return undefined;
  const author = tx.users.get(before.sender_id)!;
  const rendered = renderedBy(tx, author, rewritten.content);
  if (!rendered) return undefined;
  const after = withContent(tx, author, before, rewritten.content, rendered);
  claimFiles(tx, author, before.id, rendered.upload_path_ids);
  const messageMark = tx.imported.get(import_id, MESSAGES_STEP, source_key);
  const isOwn = messageMark?.checksum === checksum(before);
  tx.messages.put(after);
  // An undo deletes the message unless a user changed it.
  if (messageMark && isOwn) tx.imported.put({ ...messageMark, checksum: checksum(after) });
  return { before, after, links: rewritten.links };
}

const checksum = (message: Message) => checksumOf("messages", message as unknown as Row);
