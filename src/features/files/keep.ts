// From a draft to a file: what it is, its smaller form, its place, and its record.
import { Refusal } from "../../contract/errors/general.ts";
import { bare } from "../../pictures/bare/bare.ts";
import type { Realm } from "../../realm.ts";
import type { Attachment } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { addFile, type NewFile } from "./actions.ts";
import { blobsOf } from "./blobs.ts";
import { digestOf } from "./digest.ts";
import { discardRefused } from "./discard.ts";
import { seen, thumbnailOf, transcodedOf, typeOf } from "./picture.ts";
import { draftOf, placeOf, placesOf, thumbnailPlaceOf, transcodedPlaceOf } from "./places.ts";
import { isTranscoded, PICTURE_TYPES, plainType, UNKNOWN_TYPE } from "./rules.ts";

export interface Arrived {
  path_id: string;
  name: string;
  /** The content type that the client gave. */
  content_type: string;
}

/** The bytes are kept first, so that no record ever lacks them; the round takes what is left. */
export async function keepFile(realm: Realm, user: User, arrived: Arrived): Promise<Attachment> {
  const file = await keepBytes(realm, arrived);
  try {
    const attachment = await realm.write((tx) => addFile(tx, user, file));
    // Until now the whole could be tried again.
    await blobsOf(realm).drop(draftOf(arrived.path_id));
    return attachment;
  } catch (error) {
    if (error instanceof Refusal) await discardRefused(realm, placesOf(file), error);
    throw error;
  }
}

/** Gives a draft and its smaller forms their places, and says what the record is to be. */
export async function keepBytes(realm: Realm, arrived: Arrived): Promise<NewFile> {
  const blobs = blobsOf(realm);
  const { path_id, name } = arrived;
  const draft = await bareDraft(realm, draftOf(path_id));
  const bytes = (await blobs.draft(draft))!;
  // It is asked of the disk, where the draft soon is no more.
  const { size } = bytes;
  const content_type = await contentTypeOf(bytes, arrived);
  const picture = PICTURE_TYPES.has(content_type) ? await looked(bytes) : undefined;
  const sha256 = await digestOf(bytes);
  const file = { path_id, name, size, content_type, image: picture?.image ?? null, sha256 };
  try {
    if (picture) await blobs.put(thumbnailPlaceOf(path_id), picture.thumbnail);
    if (picture && isTranscoded(content_type)) {
      await blobs.put(transcodedPlaceOf(path_id), await transcodedOf(picture.bytes));
    }
    await blobs.keep(draft, placeOf(path_id));
    return file;
  } catch (error) {
    if (draft !== draftOf(path_id)) await blobs.drop(draft);
    if (error instanceof Refusal) await discardRefused(realm, placesOf(file), error);
    throw error;
  }
}

/**
 * Returns a draft of the picture without its metadata, or the same draft. The original stays until
 * the file is stored, because the request may be retried.
 */
async function bareDraft(realm: Realm, draft: string): Promise<string> {
  if (realm.read.settings.keep_picture_metadata) return draft;
  const blobs = blobsOf(realm);
  const came = (await blobs.draft(draft))!;
  const bytes = await bare(came, await typeOf(came));
  if (!bytes) return draft;
  const name = `${draft}-bare`;
  await blobs.drop(name);
  await blobs.append(name, bytes);
  return name;
}

/** A picture is one by its bytes; of the rest, the client is believed, as nothing of it runs. */
async function contentTypeOf(bytes: Blob, { name, content_type }: Arrived): Promise<string> {
  const given = plainType(content_type);
  const found = await typeOf(bytes);
  if (PICTURE_TYPES.has(given)) return found || UNKNOWN_TYPE;
  if (given !== UNKNOWN_TYPE) return given;
  return found || plainType(Bun.file(name.replaceAll("/", "")).type);
}

/** undefined: it is no picture that can be shown smaller, and a file all the same. */
async function looked(bytes: Blob) {
  try {
    const { width, height, animated, bytes: legible } = await seen(bytes);
    const thumbnail = await thumbnailOf(legible);
    return { image: { width, height, animated }, thumbnail, bytes: legible };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
