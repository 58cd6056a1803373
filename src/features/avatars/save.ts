// Receives an uploaded image, and stores its variants together with its record.
import { Refusal, malformedForm } from "../../contract/errors/general.ts";
import { pictureNotSingle, pictureTooLarge } from "../../contract/errors/realm.ts";
import type { Realm, Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { readForm } from "../../server/body/uploads.ts";
import { blobsOf } from "../files/blobs.ts";
import { discardRefused } from "../files/discard.ts";
import { MIB } from "../files/rules.ts";
import { limitedBytes } from "../files/upload/upload.ts";
import { accessActiveUser } from "../people/access.ts";

export interface PictureFile {
  path: string;
  bytes: Uint8Array;
}

interface UploadedPicture {
  bytes: Uint8Array<ArrayBuffer>;
  /** The fields of the form besides the file. */
  fields: Map<string, string>;
}

/** The single file of a form, small enough for memory. */
export async function readPicture(
  request: Request,
  label: string,
  mib: number,
): Promise<UploadedPicture> {
  const input: Uint8Array<ArrayBuffer>[] = [];
  const fields = await readForm(request, async (file) => {
    if (input.length > 0) throw pictureNotSingle(label);
    const chunks: Uint8Array[] = [];
    input.push(new Uint8Array());
    const within = limitedBytes(file.bytes, mib * MIB, () => pictureTooLarge(mib));
    for await (const chunk of within) chunks.push(chunk);
    input[0] = new Uint8Array(Buffer.concat(chunks));
  }).catch(rejectEmptyForm(label));
  const [bytes] = input;
  if (!bytes) throw pictureNotSingle(label);
  return { bytes, fields };
}

/** The parser rejects an empty form. */
function rejectEmptyForm(label: string) {
  return (error: unknown): never => {
    const isNothing = error instanceof Refusal && error.message === malformedForm().message;
    throw isNothing ? pictureNotSingle(label) : error;
  };
}

/**
 * Stores files before the record, so that no record lacks its files; deletes them after an error.
 * `act` receives the caller's account in its current state.
 */
export async function storePictures<T>(
  realm: Realm,
  user: User,
  pictures: readonly PictureFile[],
  action: (tx: Writer, user: User) => T extends PromiseLike<unknown> ? never : T,
): Promise<T> {
  const blobs = blobsOf(realm);
  try {
    for (const { path, bytes } of pictures) await blobs.put(path, bytes);
    return await realm.write((tx) => action(tx, accessActiveUser(tx, user)));
  } catch (error) {
    const paths = pictures.map(({ path }) => path);
    if (error instanceof Refusal) await discardRefused(realm, paths, error);
    throw error;
  }
}
