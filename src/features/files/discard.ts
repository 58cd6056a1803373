// Deletes unused bytes with a job that retries, since a bucket may be unreachable.
import type { Refusal } from "../../contract/errors/general.ts";
import type { Realm, Writer } from "../../realm.ts";
import type { DueJob } from "../../schema/records.ts";
import { blobsOf } from "./blobs.ts";
import { deletionLock } from "./deletion-lock.ts";

export const DISCARD = "discard bytes";
export const DISCARDS_AT_ONCE = 10;

/** Enqueues the deletion in the transaction that makes the files superfluous. */
export function discardLater(tx: Writer, paths: readonly string[]): void {
  if (paths.length > 0) tx.enqueue(DISCARD, tx.now * 1000, paths);
}

export async function discard(realm: Realm, { payload }: DueJob): Promise<void> {
  const blobs = blobsOf(realm);
  await deletionLock(realm).untilReleased();
  for (const path of payload as string[]) await blobs.delete(path);
}

/** Deletes the files of a rejected request. Does not wait for a bucket that has just failed. */
export async function discardRefused(
  realm: Realm,
  paths: readonly string[],
  { cause }: Refusal,
): Promise<void> {
  const blobs = blobsOf(realm);
  try {
    if (cause !== undefined) throw cause;
    for (const path of paths) await blobs.delete(path);
  } catch {
    await realm.write((tx) => discardLater(tx, paths));
  }
}
