// Messages hold on to the files that they link to, and let go of them again.
import type { Reader, Writer } from "../../realm.ts";
import type { Attachment } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { filesNamed } from "./access.ts";
import { attachmentObject, attachmentUpdated, messagesOf } from "./wire.ts";

/** A new message holds the files that its sender may read; their owners hear of it. */
export function claimFiles(
  tx: Writer,
  sender: User,
  message_id: number,
  path_ids: readonly string[],
): void {
  for (const file of filesNamed(tx, sender, path_ids)) hold(tx, file, message_id);
}

/** An edit: what the message links to no more is let go. Told before the edit itself. */
export function claimAnew(
  tx: Writer,
  editor: User,
  message_id: number,
  path_ids: readonly string[],
): void {
  const before = filesOf(tx, message_id);
  const after = filesNamed(tx, editor, path_ids);
  const isIn = (files: Attachment[]) => (file: Attachment) => files.some((f) => f.id === file.id);
  for (const file of before) {
    if (isIn(after)(file)) continue;
    letGo(tx, file, message_id);
    tell(tx, file.id);
  }
  for (const file of after) if (!isIn(before)(file)) hold(tx, file, message_id);
}

/** A message goes: nobody is told, and the files are removed in their time. */
export function releaseFiles(tx: Writer, message_id: number): void {
  for (const file of filesOf(tx, message_id)) letGo(tx, file, message_id);
}

export function filesOf(reader: Reader, message_id: number): Attachment[] {
  const uses = reader.attachment_uses.by("message", message_id);
  return uses.flatMap((use) => reader.attachments.get(use.attachment_id) ?? []);
}

/** The attachments of a message that no other message links to. */
export function detachedOf(reader: Reader, held: readonly Attachment[]) {
  const now = held.flatMap((file) => reader.attachments.get(file.id) ?? []);
  const detached = now.filter((file) => file.unused_since !== null);
  return detached.map((file) => attachmentObject(reader, file));
}

function hold(tx: Writer, file: Attachment, message_id: number): void {
  tx.attachment_uses.put({ attachment_id: file.id, message_id });
  if (file.unused_since !== null) tx.attachments.put({ ...file, unused_since: null });
  tell(tx, file.id);
}

function letGo(tx: Writer, file: Attachment, message_id: number): void {
  tx.attachment_uses.delete(file.id, message_id);
  if (messagesOf(tx, file.id).length > 0) return;
  tx.attachments.put({ ...file, unused_since: tx.now });
}

function tell(tx: Writer, attachment_id: number): void {
  const file = tx.attachments.get(attachment_id)!;
  tx.emit(attachmentUpdated(tx, file), { to: "people", user_ids: [file.user_id] });
}
