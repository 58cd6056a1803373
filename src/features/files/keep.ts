// From a draft to a file: what it is, its smaller form, its place, and its record.
import { fileTypeFromBuffer } from "file-type";
import { Refusal } from "../../errors.ts";
import { perRealm, type Realm } from "../../realm.ts";
import type { Attachment, User } from "../../records.ts";
import { addFile } from "./actions.ts";
import { blobsOf } from "./blobs.ts";
import { pictureIn, thumbnailOf } from "./picture.ts";
import { deleteBytes, draftOf, placeOf, thumbnailPlaceOf } from "./places.ts";
import { PICTURE_TYPES, plainType, UNKNOWN_TYPE } from "./rules.ts";

const HEAD_BYTES = 4_100;

export interface Arrived {
  path_id: string;
  name: string;
  /** What the client believes it to be. */
  content_type: string;
}

/** The bytes are kept first, so that no record ever lacks them; the round takes what is left. */
export async function keepFile(realm: Realm, user: User, arrived: Arrived): Promise<Attachment> {
  const blobs = blobsOf(realm);
  const { path_id, name } = arrived;
  const bytes = (await blobs.draft(draftOf(path_id)))!;
  // It is asked of the disk, where the draft soon is no more.
  const { size } = bytes;
  const content_type = await contentTypeOf(bytes, arrived);
  const seen = PICTURE_TYPES.has(content_type) ? await looked(realm, bytes) : undefined;
  if (seen) await blobs.put(thumbnailPlaceOf(path_id), seen.thumbnail);
  await blobs.keep(draftOf(path_id), placeOf(path_id));
  const file = { path_id, name, size, content_type, image: seen?.image ?? null };
  try {
    return await realm.write((tx) => addFile(tx, user, file));
  } catch (error) {
    if (error instanceof Refusal) await deleteBytes(blobs, path_id);
    throw error;
  }
}

/** A picture is one by its bytes; of the rest, the client is believed, as nothing of it runs. */
async function contentTypeOf(bytes: Blob, { name, content_type }: Arrived): Promise<string> {
  const given = plainType(content_type);
  const head = new Uint8Array(await bytes.slice(0, HEAD_BYTES).arrayBuffer());
  const found = (await fileTypeFromBuffer(head))?.mime;
  if (PICTURE_TYPES.has(given)) return found ?? UNKNOWN_TYPE;
  if (given !== UNKNOWN_TYPE) return given;
  return found ?? plainType(Bun.file(name.replaceAll("/", "")).type);
}

/** undefined: it is no picture that can be shown smaller, and a file all the same. */
async function looked(realm: Realm, bytes: Blob) {
  try {
    const { width, height, animated } = await pictureIn(bytes);
    const thumbnail = await inTurn(realm)(() => thumbnailOf(bytes));
    return { image: { width, height, animated }, thumbnail };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Large pictures take much memory while they are worked on: one at a time. */
export const inTurn = perRealm(() => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
});
