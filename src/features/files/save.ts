// Turns a draft into a file: its type, its thumbnail, its path and its record.
import { Refusal } from "../../contract/errors/general.ts";
import { strippedPieces } from "../../pictures/strip-metadata/strip.ts";
import type { Realm } from "../../realm.ts";
import type { Attachment } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { addFile, type NewFile } from "./actions.ts";
import { blobsOf } from "./blobs.ts";
import { digestOf } from "./digest.ts";
import { discardRefused } from "./discard.ts";
import { inspectPicture, thumbnailOf, transcodedOf, typeOf } from "./images.ts";
import { draftOf, blobName, blobNames, thumbnailPathOf, transcodedPathOf } from "./blob-names.ts";
import { isTranscoded, PICTURE_TYPES, plainType, UNKNOWN_TYPE } from "./rules.ts";

export interface ReceivedUpload {
  path_id: string;
  name: string;
  /** The content type that the client gave. */
  content_type: string;
}

/**
 * Stores the bytes before the record, so that no record lacks its bytes. The cleanup deletes bytes
 * without a record.
 */
export async function keepFile(
  realm: Realm,
  user: User,
  upload: ReceivedUpload,
): Promise<Attachment> {
  const file = await keepBytes(realm, upload);
  try {
    const attachment = await realm.write((tx) => addFile(tx, user, file));
    // Until here, the request could be retried as a whole.
    await blobsOf(realm).drop(draftOf(upload.path_id));
    return attachment;
  } catch (error) {
    if (error instanceof Refusal) await discardRefused(realm, blobNames(file), error);
    throw error;
  }
}

/** Moves a draft and its thumbnails to their paths, and returns the fields of the record. */
export async function keepBytes(realm: Realm, upload: ReceivedUpload): Promise<NewFile> {
  const blobs = blobsOf(realm);
  const { path_id, name } = upload;
  const draft = await draftWithoutMetadata(realm, draftOf(path_id));
  const bytes = (await blobs.draft(draft))!;
  // Read now, because the draft will soon be moved.
  const { size } = bytes;
  const content_type = await contentTypeOf(bytes, upload);
  const picture = PICTURE_TYPES.has(content_type) ? await inspectImage(bytes) : undefined;
  const sha256 = await digestOf(bytes);
  const file = { path_id, name, size, content_type, image: picture?.image ?? null, sha256 };
  try {
    if (picture) await blobs.put(thumbnailPathOf(path_id), picture.thumbnail);
    if (picture && isTranscoded(content_type)) {
      await blobs.put(transcodedPathOf(path_id), await transcodedOf(picture.bytes));
    }
    await blobs.store(draft, blobName(path_id));
    return file;
  } catch (error) {
    if (draft !== draftOf(path_id)) await blobs.drop(draft);
    if (error instanceof Refusal) await discardRefused(realm, blobNames(file), error);
    throw error;
  }
}

/**
 * Returns a draft of the picture without its metadata, or the same draft. The original stays until
 * the file is stored, because the request may be retried.
 */
async function draftWithoutMetadata(realm: Realm, draft: string): Promise<string> {
  if (realm.read.settings.keep_picture_metadata) return draft;
  const blobs = blobsOf(realm);
  const came = (await blobs.draft(draft))!;
  const bytes = await strippedPieces(came, await typeOf(came));
  if (!bytes) return draft;
  const name = `${draft}-bare`;
  await blobs.drop(name);
  await blobs.append(name, bytes);
  return name;
}

/**
 * The bytes decide whether a file is an image. For other files the client's type is used, because
 * none of them can execute.
 */
async function contentTypeOf(bytes: Blob, { name, content_type }: ReceivedUpload): Promise<string> {
  const value = plainType(content_type);
  const detectedType = await typeOf(bytes);
  if (PICTURE_TYPES.has(value)) return detectedType || UNKNOWN_TYPE;
  if (value !== UNKNOWN_TYPE) return value;
  return detectedType || plainType(Bun.file(name.replaceAll("/", "")).type);
}

/** undefined if the file is not an image with a thumbnail. */
async function inspectImage(bytes: Blob) {
  try {
    const { width, height, animated, bytes: legible } = await inspectPicture(bytes);
    const thumbnail = await thumbnailOf(legible);
    return { image: { width, height, animated }, thumbnail, bytes: legible };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
