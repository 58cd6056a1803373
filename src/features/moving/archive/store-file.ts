// Stores the bytes of a file in an archive; a damaged file is left out.
import type { Realm } from "../../../realm.ts";
import { draftOf } from "../../files/blob-names.ts";
import { blobsOf } from "../../files/blobs.ts";
import { unlessDamaged } from "./damage.ts";

export const DAMAGED_FILE = "An uploaded file is damaged: only its name is imported.";

/** Returns false, and deletes the draft, if the bytes are damaged. */
export async function storeDraft(
  realm: Realm,
  path_id: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  const [blobs, draft] = [blobsOf(realm), draftOf(path_id)];
  await blobs.drop(draft);
  const storedPath = await unlessDamaged(
    async () => {
      await blobs.append(draft, bytes);
      return true;
    },
    () => {},
  );
  if (!storedPath) await blobs.drop(draft);
  return storedPath === true;
}
