// Deletes files without a message, unfinished uploads, and bytes without a row.
import { DAY_SECONDS, HOUR_SECONDS } from "../../contract/units.ts";
import type { Reader, Realm, Writer } from "../../realm.ts";
import type { Attachment } from "../../schema/records-messages.ts";
import { forgetFile } from "./actions.ts";
import { blobsOf } from "./blobs.ts";
import { deletionLock } from "./deletion-lock.ts";
import type { Blobs } from "./blob-store.ts";
import { draftOf, isOwned, KINDS } from "./blob-names.ts";
import { isExpired } from "./quota.ts";
import { UNUSED_DAYS } from "./rules.ts";

const STEP_FILES_MAX = 100;
/** Maximum number of steps per run; the next run continues with the rest. */
const TURN_STEPS_MAX = 20;
/** Age of unfinished uploads, and of bytes without a row, before they are deleted. */
const DRAFT_SECONDS = DAY_SECONDS;
const SHARDS = 256;

export async function purgeFiles(realm: Realm): Promise<void> {
  if (!realm.read.realm.has(1) || deletionLock(realm).isHeld) return;
  const blobs = blobsOf(realm);
  await purgeUnused(realm);
  await purgeUploads(realm, blobs);
  await purgeStrays(realm, blobs);
}

/** Files that deleted messages link to stay at least as long as those messages. */
async function purgeUnused(realm: Realm): Promise<void> {
  const days = Math.max(UNUSED_DAYS, realm.config.archive_days);
  const before = realm.read.now - days * DAY_SECONDS;
  let from = 0;
  for (let step = 0; step < TURN_STEPS_MAX; step++) {
    const range = { from: [from], to: [before], limit: STEP_FILES_MAX };
    const unusedFiles = [...realm.read.attachments.scanIndex("unused", [], range)];
    const attachments = await realm.write((tx) => forgetUnused(tx, unusedFiles));
    if (unusedFiles.length < STEP_FILES_MAX) return;
    // Files in use remain, and the next step continues after them.
    if (attachments.length === 0) from = unusedFiles.at(-1)!.unused_since! + 1;
  }
}

function forgetUnused(tx: Writer, unusedFiles: readonly Attachment[]): Attachment[] {
  if (unusedFiles.length === 0) return [];
  const isUsedInDrafts = usedInDrafts(tx);
  const attachments = unusedFiles.filter(({ id, path_id }) => {
    const file = tx.attachments.get(id);
    return file !== undefined && file.unused_since !== null && !isUsedInDrafts(path_id);
  });
  for (const file of attachments) forgetFile(tx, file);
  return attachments;
}

/** Files of scheduled messages and drafts are in use. */
function usedInDrafts(reader: Reader): (path_id: string) => boolean {
  const texts: string[] = [];
  for (const { content } of reader.scheduled_messages.range()) texts.push(content);
  for (const { content } of reader.drafts.range()) texts.push(content);
  const linking = texts.filter((content) => content.includes("/user_uploads/"));
  return (path_id) => linking.some((content) => content.includes(path_id));
}

async function purgeUploads(realm: Realm, blobs: Blobs): Promise<void> {
  const before = realm.read.now - DRAFT_SECONDS;
  const { read } = realm;
  const expiredUploads = [...read.resumable_uploads.range()].filter((upload) =>
    isExpired(read, upload),
  );
  if (expiredUploads.length > 0) {
    await realm.write((tx) => {
      for (const { path_id } of expiredUploads) tx.resumable_uploads.delete(path_id);
    });
    // The quota of these uploads is free again, so their bytes must be deleted.
    for (const { path_id } of expiredUploads) await blobs.drop(draftOf(path_id));
  }
  const referenced = new Set(
    [...realm.read.resumable_uploads.range()].map(({ path_id }) => draftOf(path_id)),
  );
  for (const draft of await blobs.draftsBefore(before * 1000)) {
    if (!referenced.has(draft)) await blobs.drop(draft);
  }
}

/**
 * Deletes bytes whose record was never stored because of a crash. Checks a few folders per hour.
 */
async function purgeStrays(realm: Realm, blobs: Blobs): Promise<void> {
  const before = (realm.read.now - DRAFT_SECONDS) * 1000;
  const hour = Math.floor(realm.read.now / HOUR_SECONDS);
  const shard = (hour % SHARDS).toString(16).padStart(2, "0");
  for (const kind of KINDS) {
    for (const name of await blobs.namesBefore(`${kind}/${shard}`, before)) {
      if (!isOwned(realm.read, name)) await blobs.delete(name);
    }
  }
}
