// Uploads a file in one request: streams it to disk, and stores its record when it is complete.
import Type from "typebox";
import { fileMissing, fileTooLarge, filesTooMany } from "../../../contract/errors/realm.ts";
import { endpoint } from "../../../endpoint.ts";
import { readForm } from "../../../server/body/uploads.ts";
import { blobsOf } from "../blobs.ts";
import { type ReceivedUpload, keepFile } from "../save.ts";
import { draftOf, newPathId } from "../blob-names.ts";
import { incomingUpload, checkQuota } from "../quota.ts";
import { MIB, shownName } from "../rules.ts";
import { uploadUrl } from "../wire.ts";

export const postUpload = endpoint({
  summary: "Upload a file",
  tag: "Files",
  params: {},
  body: "raw",
  answer: Type.Object({ uri: Type.String(), url: Type.String(), filename: Type.String() }),
  refuses: ["REALM_UPLOAD_QUOTA", "FILE_STORE_UNAVAILABLE"],
  async run({ realm, user, request }) {
    const blobs = blobsOf(realm);
    let received: ReceivedUpload | undefined;
    checkQuota(realm.read, 0);
    const arriving = incomingUpload(realm);
    try {
      await readForm(request, async (file) => {
        if (received) throw filesTooMany();
        const name = shownName(file.name);
        const { content_type, bytes } = file;
        received = { path_id: newPathId(name), name, content_type };
        const max = realm.config.max_upload_mib;
        const within = limitedBytes(bytes, max * MIB, () => fileTooLarge(max));
        await blobs.append(draftOf(received.path_id), arriving.within(within));
      });
      if (!received) throw fileMissing();
      const { path_id, name: filename } = await keepFile(realm, user, received);
      return { uri: uploadUrl(path_id), url: uploadUrl(path_id), filename };
    } catch (error) {
      if (received) await blobs.drop(draftOf(received.path_id));
      throw error;
    } finally {
      arriving.release();
    }
  },
});

/** Passes the bytes on, and throws if there are too many. */
export async function* limitedBytes(
  bytes: AsyncIterable<Uint8Array>,
  max: number,
  refusal: () => Error,
): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > max) throw refusal();
    yield chunk;
  }
}
