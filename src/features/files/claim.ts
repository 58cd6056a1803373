// Messages and topic notes claim the files that they link to, and release them again.
import type { Reader, Writer } from "../../realm.ts";
import type { Attachment } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { filesNamed } from "./access.ts";
import { attachmentObject, attachmentUpdated, isUsed } from "./wire.ts";

/**
 * Attaches the files that the sender may read to a new message, and emits events to their owners.
 */
export function claimFiles(
  tx: Writer,
  sender: User,
  message_id: number,
  path_ids: readonly string[],
): void {
  for (const file of filesNamed(tx, sender, path_ids)) hold(tx, file, message_id);
}

/**
 * Detaches files that an edited message no longer links to. Must be called before the event of the
 * edit.
 */
export function reclaimFiles(
  tx: Writer,
  editor: User,
  message_id: number,
  path_ids: readonly string[],
): void {
  const before = filesOf(tx, message_id);
  const after = filesNamed(tx, editor, path_ids);
  const isIncluded = (files: Attachment[]) => (file: Attachment) =>
    files.some((f) => f.id === file.id);
  for (const file of before) {
    if (isIncluded(after)(file)) continue;
    detach(tx, file, message_id);
    emitAttachment(tx, file.id);
  }
  for (const file of after) if (!isIncluded(before)(file)) hold(tx, file, message_id);
}

/** Detaches the files of a deleted message without events. Unused files are deleted later. */
export function releaseFiles(tx: Writer, message_id: number): void {
  for (const file of filesOf(tx, message_id)) detach(tx, file, message_id);
}

export function filesOf(reader: Reader, message_id: number): Attachment[] {
  const uses = reader.attachment_uses.listBy("message", message_id);
  return uses.flatMap((use) => reader.attachments.get(use.attachment_id) ?? []);
}

/** The attachments of a message that no other message links to. */
export function detachedOf(reader: Reader, attachments: readonly Attachment[]) {
  const now = attachments.flatMap((file) => reader.attachments.get(file.id) ?? []);
  const detached = now.filter((file) => file.unused_since !== null);
  return detached.map((file) => attachmentObject(reader, file));
}

/**
 * Must be called when the note of a topic was written. The note claims the files that it links to,
 * and releases those of its previous version.
 */
export function claimForNote(
  tx: Writer,
  editor: User,
  topic_id: number,
  path_ids: readonly string[],
): void {
  const after = filesNamed(tx, editor, path_ids);
  for (const { attachment_id } of tx.note_attachment_uses.listBy("topic", topic_id)) {
    if (after.some(({ id }) => id === attachment_id)) continue;
    tx.note_attachment_uses.delete(attachment_id, topic_id);
    releaseUnused(tx, attachment_id);
  }
  for (const file of after) {
    tx.note_attachment_uses.put({ attachment_id: file.id, topic_id });
    if (file.unused_since !== null) tx.attachments.put({ ...file, unused_since: null });
  }
}

/** Must be called when the note of a topic was deleted. */
export function releaseNote(tx: Writer, topic_id: number): void {
  for (const { attachment_id } of tx.note_attachment_uses.listBy("topic", topic_id)) {
    tx.note_attachment_uses.delete(attachment_id, topic_id);
    releaseUnused(tx, attachment_id);
  }
}

function hold(tx: Writer, file: Attachment, message_id: number): void {
  tx.attachment_uses.put({ attachment_id: file.id, message_id });
  if (file.unused_since !== null) tx.attachments.put({ ...file, unused_since: null });
  emitAttachment(tx, file.id);
}

function detach(tx: Writer, file: Attachment, message_id: number): void {
  tx.attachment_uses.delete(file.id, message_id);
  releaseUnused(tx, file.id);
}

function releaseUnused(tx: Writer, attachment_id: number): void {
  const file = tx.attachments.get(attachment_id);
  if (!file || isUsed(tx, attachment_id)) return;
  tx.attachments.put({ ...file, unused_since: tx.now });
}

function emitAttachment(tx: Writer, attachment_id: number): void {
  const file = tx.attachments.get(attachment_id)!;
  tx.emit(attachmentUpdated(tx, file), { to: "people", user_ids: [file.user_id] });
}
