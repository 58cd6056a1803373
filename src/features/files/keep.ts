// From a draft to a file: what it is, its smaller form, its place, and its record.
import { Refusal } from "../../errors.ts";
import { perRealm, type Realm } from "../../realm.ts";
import type { Attachment } from "../../records-messages.ts";
import type { User } from "../../records.ts";
import { addFile } from "./actions.ts";
import { blobsOf } from "./blobs.ts";
import { seen, thumbnailOf, transcodedOf, typeOf } from "./picture.ts";
import { discardRefused } from "./discard.ts";
import { draftOf, placeOf, placesOf, thumbnailPlaceOf, transcodedPlaceOf } from "./places.ts";
import { isTranscoded, PICTURE_TYPES, plainType, UNKNOWN_TYPE } from "./rules.ts";

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
  const picture = PICTURE_TYPES.has(content_type) ? await looked(realm, bytes) : undefined;
  const file = { path_id, name, size, content_type, image: picture?.image ?? null };
  try {
    if (picture) await blobs.put(thumbnailPlaceOf(path_id), picture.thumbnail);
    if (picture && isTranscoded(content_type)) {
      await blobs.put(transcodedPlaceOf(path_id), await transcodedOf(picture.bytes));
    }
    await blobs.keep(draftOf(path_id), placeOf(path_id));
    return await realm.write((tx) => addFile(tx, user, file));
  } catch (error) {
    if (error instanceof Refusal) await discardRefused(realm, placesOf(file), error);
    throw error;
  }
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
async function looked(realm: Realm, bytes: Blob) {
  try {
    return await inTurn(realm)(async () => {
      const { width, height, animated, bytes: legible } = await seen(bytes);
      const thumbnail = await thumbnailOf(legible);
      return { image: { width, height, animated }, thumbnail, bytes: legible };
    });
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Large pictures take much memory while they are worked on: one at a time. */
export const inTurn = perRealm(oneByOne);

/** Those that move take long, and nobody who uploads another picture waits for them. */
export const oneMoving = perRealm(oneByOne);

function oneByOne() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
}
