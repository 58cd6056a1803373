// Access to a file: for its uploader, and for users who can read a message or a topic note that
// links to it.
import { attachmentNotFound, fileNotFound } from "../../contract/errors/realm.ts";
import type { Reader } from "../../realm.ts";
import type { Attachment } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import type { UploadInfo } from "../../text/markdown/context.ts";
import { canReadMessage } from "../messages/access.ts";
import { SPECTATOR, type Viewer } from "../rights/rules.ts";
import { isTranscoded } from "./rules.ts";
import { notesOf } from "./wire.ts";

export function fileAt(reader: Reader, path_id: string): Attachment | undefined {
  return reader.attachments.findBy("path", path_id);
}

export function canReadFile(reader: Reader, viewer: Viewer, file: Attachment): boolean {
  if (viewer !== SPECTATOR && viewer.user_id === file.user_id) return true;
  const range = { from: [file.id], to: [file.id + 1] };
  for (const { message_id } of reader.attachment_uses.range(range)) {
    const message = reader.messages.get(message_id);
    if (message && canReadMessage(reader, viewer, message)) return true;
  }
  return viewer !== SPECTATOR && canReadNoteOf(reader, viewer, file);
}

/** A note is for users who can read the newest message of its topic. */
function canReadNoteOf(reader: Reader, user: User, { id }: Attachment): boolean {
  return notesOf(reader, id).some((topic_id) => {
    const newest = reader.messages.get(reader.topics.get(topic_id)?.last_id ?? 0);
    return newest !== undefined && canReadMessage(reader, user, newest);
  });
}

/** Returns the file. Reports a missing file, because the caller is known. */
export function accessFile(reader: Reader, user: User, path_id: string): Attachment {
  const file = fileAt(reader, path_id);
  if (!file || !canReadFile(reader, user, file)) throw fileNotFound();
  return file;
}

export function accessOwnFile(reader: Reader, { user_id }: User, id: number): Attachment {
  const file = reader.attachments.get(id);
  if (file?.user_id !== user_id) throw attachmentNotFound();
  return file;
}

/** The data about linked files that rendering a message needs. */
export function uploadInfo(reader: Reader, author: User, path_id: string): UploadInfo | undefined {
  const file = fileAt(reader, path_id);
  if (!file || !canReadFile(reader, author, file)) return undefined;
  const { content_type, image } = file;
  const transcoded = isTranscoded(content_type);
  return { content_type, ...(image && { image: { ...image, ready: true, transcoded } }) };
}

/** The files that a text links to and that its author may read, each once. */
export function filesNamed(
  reader: Reader,
  author: User,
  path_ids: readonly string[],
): Attachment[] {
  return [...new Set(path_ids)].flatMap((path_id) => {
    const file = fileAt(reader, path_id);
    return file && canReadFile(reader, author, file) ? [file] : [];
  });
}
