// The data of uploaded files for clients: URLs, the attachment object, and its events.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { Attachment } from "../../schema/records-messages.ts";
import { REALM_ID } from "../realm/rules.ts";
import { ANIMATED_FORMAT, STILL_FORMAT, THUMBNAIL } from "./rules.ts";

export function uploadUrl(path_id: string): string {
  return `/user_uploads/${path_id}`;
}

export function attachmentObject(reader: Reader, file: Attachment) {
  const { id, name, path_id, size, create_time } = file;
  return { id, name, path_id, size, create_time, message_ids: messagesOf(reader, id) };
}

/** Ids of the messages that link to the attachment, ascending. */
export function messagesOf(reader: Reader, attachment_id: number): number[] {
  const range = { from: [attachment_id], to: [attachment_id + 1] };
  return [...reader.attachment_uses.range(range)].map((use) => use.message_id);
}

/** Ids of the topics whose notes link to the attachment, ascending. */
export function notesOf(reader: Reader, attachment_id: number): number[] {
  const range = { from: [attachment_id], to: [attachment_id + 1] };
  return [...reader.note_attachment_uses.range(range)].map((use) => use.topic_id);
}

export const isUsed = (reader: Reader, attachment_id: number): boolean =>
  messagesOf(reader, attachment_id).length > 0 || notesOf(reader, attachment_id).length > 0;

export function spaceUsed(reader: Reader): number {
  return reader.upload_space.get(REALM_ID)?.bytes ?? 0;
}

export function attachmentAdded(reader: Reader, file: Attachment): PlainEvent {
  return attachmentEvent(reader, "add", attachmentObject(reader, file));
}

export function attachmentUpdated(reader: Reader, file: Attachment): PlainEvent {
  return attachmentEvent(reader, "update", attachmentObject(reader, file));
}

export function attachmentRemoved(reader: Reader, { id }: Attachment): PlainEvent {
  return attachmentEvent(reader, "remove", { id });
}

function attachmentEvent(reader: Reader, op: string, attachment: object): PlainEvent {
  return { type: "attachment", op, attachment, upload_space_used: spaceUsed(reader) };
}

/** The thumbnail formats that clients are told about. */
export const THUMBNAIL_FORMATS = [
  { name: ANIMATED_FORMAT, animated: true },
  { name: STILL_FORMAT, animated: false },
].map((format) => ({
  ...format,
  max_width: THUMBNAIL.width,
  max_height: THUMBNAIL.height,
  format: "webp",
}));
