// Uploaded files of users: adding, listing and deleting them.
import Type from "typebox";
import { attachmentShape } from "../../contract/shapes/personal.ts";
import { list, nothing } from "../../contract/shapes/value-types.ts";
import { endpoint, int } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import type { Attachment } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { accessActiveUser } from "../people/access.ts";
import { REALM_ID } from "../realm/rules.ts";
import { accessOwnFile } from "./access.ts";
import { discardLater } from "./discard.ts";
import { blobNames } from "./blob-names.ts";
import { checkQuota } from "./quota.ts";
import {
  attachmentAdded,
  attachmentObject,
  attachmentRemoved,
  messagesOf,
  notesOf,
  spaceUsed,
} from "./wire.ts";

export type NewFile = Pick<
  Attachment,
  "path_id" | "name" | "size" | "content_type" | "image" | "sha256"
>;

/** Adds the record of a file whose bytes are stored. */
export function addFile(tx: Writer, user: User, file: NewFile): Attachment {
  const { user_id } = accessActiveUser(tx, user);
  // The file replaces the quota reservation of a resumable upload in this transaction.
  const reserved = tx.resumable_uploads.get(file.path_id)?.size ?? 0;
  checkQuota(tx, file.size - reserved);

  tx.resumable_uploads.delete(file.path_id);
  const created = { create_time: tx.now, unused_since: tx.now };
  const attachment: Attachment = { id: tx.next("attachments"), user_id, ...file, ...created };
  tx.attachments.put(attachment);
  tx.upload_space.put({ realm_id: REALM_ID, bytes: spaceUsed(tx) + file.size });
  tx.emit(attachmentAdded(tx, attachment), { to: "people", user_ids: [user_id] });
  return attachment;
}

/** Messages that link to it are not changed. */
function deleteFile(tx: Writer, user: User, id: number): void {
  const file = accessOwnFile(tx, user, id);

  forgetFile(tx, file);
  tx.emit(attachmentRemoved(tx, file), { to: "people", user_ids: [user.user_id] });
}

export function forgetFile(tx: Writer, file: Attachment): void {
  const { id, size } = file;
  for (const message_id of messagesOf(tx, id)) tx.attachment_uses.delete(id, message_id);
  for (const topic_id of notesOf(tx, id)) tx.note_attachment_uses.delete(id, topic_id);
  discardLater(tx, blobNames(file));
  tx.attachments.delete(id);
  tx.upload_space.put({ realm_id: REALM_ID, bytes: spaceUsed(tx) - size });
}

export const getAttachments = endpoint({
  summary: "List your files",
  tag: "Files",
  params: {},
  answer: Type.Object({ attachments: list(attachmentShape), upload_space_used: Type.Integer() }),
  run({ realm: { read }, user }) {
    const own = read.attachments.listBy("owner", user.user_id);
    const attachments = own.map((file) => attachmentObject(read, file));
    return { attachments, upload_space_used: spaceUsed(read) };
  },
});

export const deleteAttachment = endpoint({
  summary: "Delete one of your files",
  tag: "Files",
  params: { attachment_id: int },
  answer: nothing,
  async run({ realm, user }, { attachment_id }) {
    await realm.write((tx) => deleteFile(tx, user, attachment_id));
    return {};
  },
});
