// Quota reserved for uploads that are not complete yet.
import { uploadQuotaReached } from "../../contract/errors/realm.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import { perRealm, type Reader, type Realm } from "../../realm.ts";
import type { ResumableUpload } from "../../schema/records-messages.ts";
import { MIB } from "./rules.ts";
import { spaceUsed } from "./wire.ts";

/** Counted from its creation; an upload that is not complete by then is deleted. */
export const UPLOAD_SECONDS = DAY_SECONDS;

export function isExpired({ now }: Reader, { created }: ResumableUpload): boolean {
  return created < now - UPLOAD_SECONDS;
}

/** Files, and the declared lengths of unfinished resumable uploads, count alike. */
export function checkQuota(reader: Reader, size: number): void {
  const { upload_quota_mib: quota } = reader.config;
  if (quota === 0) return;
  const used = spaceUsed(reader) + reservedBytes(reader);
  if (used + size > quota * MIB) throw uploadQuotaReached();
}

function reservedBytes(reader: Reader): number {
  let bytes = 0;
  for (const upload of reader.resumable_uploads.range()) {
    if (!isExpired(reader, upload)) bytes += upload.size;
  }
  return bytes;
}

/** The check reads all reservations, so it does not run for every chunk. */
const CHECK_INTERVAL_BYTES = MIB;

/** Bytes of uploads in one request that have arrived and are not files yet. */
const incomingUploads = perRealm(() => ({ bytes: 0 }));

interface IncomingUpload {
  /** Passes the bytes on. Throws at most one MiB after the quota is exceeded. */
  within(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Must be called when the upload was stored as a file, or has failed. */
  release(): void;
}

export function incomingUpload(realm: Realm): IncomingUpload {
  const all = incomingUploads(realm);
  let ownBytes = 0;
  let checked = 0;
  return {
    async *within(pieces) {
      for await (const piece of pieces) {
        ownBytes += piece.length;
        all.bytes += piece.length;
        if (checked === 0 || ownBytes - checked >= CHECK_INTERVAL_BYTES) {
          checkQuota(realm.read, all.bytes);
          checked = ownBytes;
        }
        yield piece;
      }
    },
    release() {
      all.bytes -= ownBytes;
      ownBytes = 0;
    },
  };
}
