// Resumable uploads with the tus 1.0 protocol: create, append, query and cancel.
import { Refusal } from "../../../contract/errors/general.ts";
import { fileTooLarge, tusRefused, uploadQuotaReached } from "../../../contract/errors/realm.ts";
import { endpoint, text } from "../../../endpoint.ts";
import { perRealm, type Reader, type Realm, type Writer } from "../../../realm.ts";
import type { ResumableUpload } from "../../../schema/records-messages.ts";
import type { User } from "../../../schema/records.ts";
import { urlFor } from "../../../server/caller/scheme.ts";
import { bodyChunks } from "../../../server/body/body-timeouts.ts";
import { fileAt } from "../access.ts";
import { blobsOf } from "../blobs.ts";
import { keepFile } from "../save.ts";
import type { Blobs } from "../blob-store.ts";
import { draftOf, newPathId } from "../blob-names.ts";
import { checkQuota, isExpired, UPLOAD_SECONDS } from "../quota.ts";
import { MIB, plainType, shownName } from "../rules.ts";
import { uploadUrl } from "../wire.ts";
import { metadataOf, wholeNumber } from "./tus-headers.ts";
import { limitedBytes } from "./upload.ts";

const VERSION = "1.0.0";
/** Maximum of unfinished uploads per user. */
const UNFINISHED_MAX = 20;
const PIECE_TYPE = "application/offset+octet-stream";

const HEADERS = {
  "Tus-Resumable": VERSION,
  "Cache-Control": "no-store",
};

export const beginUpload = endpoint({
  summary: "Start an upload in parts",
  tag: "Files",
  params: {},
  refuses: ["REALM_UPLOAD_QUOTA", "FILE_STORE_UNAVAILABLE"],
  body: "raw",
  async run({ realm, user, request }) {
    checkVersion(request);
    const { headers } = request;
    if (headers.has("upload-defer-length")) throw tusRefused(411, "The length must be known.");
    const size = wholeNumber(headers.get("upload-length"));
    if (size === undefined) throw tusRefused(411, "Upload-Length is missing.");
    checkSize(realm, size);
    const { filename = "", filetype = "" } = metadataOf(headers.get("upload-metadata"));
    const name = shownName(filename);
    const path_id = newPathId(name, true);
    const content_type = plainType(filetype);
    const upload = { path_id, name, content_type, size };
    const recorded = await realm.write((tx) => recordUpload(tx, user, upload));
    try {
      await blobsOf(realm).append(draftOf(path_id), emptyStream());
    } catch (error) {
      await realm.write((tx) => tx.resumable_uploads.delete(path_id));
      throw error;
    }
    const Location = `${urlFor(realm, request)}/api/v1/tus/${encodeURI(path_id)}`;
    return new Response(null, { status: 201, headers: { ...headersOf(recorded), Location } });
  },
});

type NewUpload = Pick<ResumableUpload, "path_id" | "name" | "content_type" | "size">;

/** Reserves the declared length in the quota. */
function recordUpload(tx: Writer, { user_id }: User, started: NewUpload): ResumableUpload {
  const open = tx.resumable_uploads
    .listBy("user", user_id)
    .filter((upload) => !isExpired(tx, upload));
  if (open.length >= UNFINISHED_MAX) {
    throw tusRefused(429, "Too many uploads are in progress. Finish or delete some first.");
  }
  checkRoom(tx, started.size);

  const upload = { ...started, user_id, created: tx.now };
  tx.resumable_uploads.put(upload);
  return upload;
}

/** Includes the time at which the server deletes an incomplete upload. */
function headersOf({ created }: ResumableUpload) {
  const expires = new Date((created + UPLOAD_SECONDS) * 1000).toUTCString();
  return { ...HEADERS, "Upload-Expires": expires };
}

export const getUploadOffset = endpoint({
  summary: "Get how much of an upload has arrived",
  tag: "Files",
  params: { path_id: text },
  async run({ realm, user }, { path_id }) {
    const upload = accessUpload(realm, user, path_id);
    const offset = await offsetOf(blobsOf(realm), upload);
    const payload = { "Upload-Offset": String(offset), "Upload-Length": String(upload.size) };
    return new Response(null, { headers: { ...headersOf(upload), ...payload } });
  },
});

export const addToUpload = endpoint({
  summary: "Add a part to an upload",
  tag: "Files",
  params: { path_id: text },
  refuses: ["REALM_UPLOAD_QUOTA", "FILE_STORE_UNAVAILABLE"],
  body: "raw",
  async run({ realm, user, request }, { path_id }) {
    checkVersion(request);
    if (plainType(request.headers.get("content-type") ?? "") !== PIECE_TYPE) {
      throw tusRefused(415, `The content type must be ${PIECE_TYPE}.`);
    }
    const upload = accessUpload(realm, user, path_id);
    const busy = appendingUploads(realm);
    if (busy.has(path_id)) throw tusRefused(423, "Another request is adding to this upload.");
    busy.add(path_id);
    try {
      return await appendBytes(realm, user, request, upload);
    } finally {
      busy.delete(path_id);
    }
  },
});

/** Uploads to which a request is appending now. */
const appendingUploads = perRealm(() => new Set<string>());

async function appendBytes(realm: Realm, user: User, request: Request, upload: ResumableUpload) {
  const blobs = blobsOf(realm);
  const { path_id, size } = upload;
  const offset = await offsetOf(blobs, upload);
  if (wholeNumber(request.headers.get("upload-offset")) !== offset) {
    throw tusRefused(409, "Upload-Offset does not match the current offset of the upload.");
  }
  const tooManyBytes = () => tusRefused(413, "The request exceeds Upload-Length.");
  const pieces = limitedBytes(bodyChunks(request.body), size - offset, tooManyBytes);
  await blobs.append(draftOf(path_id), pieces);
  const newOffset = await offsetOf(blobs, upload);
  const payload = { "Upload-Offset": String(newOffset) };
  if (newOffset < size) {
    return new Response(null, { status: 204, headers: { ...headersOf(upload), ...payload } });
  }
  try {
    const { name: filename } = await keepFile(realm, user, upload);
    return Response.json(
      { url: uploadUrl(path_id), filename },
      { headers: { ...HEADERS, ...payload } },
    );
  } catch (error) {
    // Its bytes were deleted, so the reservation ends.
    if (isFinal(error)) await realm.write((tx) => tx.resumable_uploads.delete(path_id));
    throw asTusError(error);
  }
}

export const cancelUpload = endpoint({
  summary: "Delete an upload in parts",
  tag: "Files",
  params: { path_id: text },
  body: "raw",
  async run({ realm, user, request }, { path_id }) {
    checkVersion(request);
    const upload = accessUpload(realm, user, path_id);
    if (appendingUploads(realm).has(path_id))
      throw tusRefused(423, "Another request is adding to this upload.");
    await realm.write((tx) => tx.resumable_uploads.delete(upload.path_id));
    await blobsOf(realm).drop(draftOf(path_id));
    return new Response(null, { status: 204, headers: HEADERS });
  },
});

function accessUpload({ read }: Realm, { user_id }: User, path_id: string): ResumableUpload {
  const upload = read.resumable_uploads.get(path_id);
  if (upload?.user_id === user_id) {
    if (isExpired(read, upload)) throw uploadGone();
    return upload;
  }
  const isComplete = fileAt(read, path_id)?.user_id === user_id;
  throw isComplete
    ? tusRefused(403, "The upload is complete.")
    : tusRefused(404, "There is no such upload.");
}

async function offsetOf(blobs: Blobs, { path_id }: ResumableUpload): Promise<number> {
  const draft = await blobs.draft(draftOf(path_id));
  if (!draft) throw uploadGone();
  return draft.size;
}

const uploadGone = () => tusRefused(410, "The upload no longer exists; start again.");

function checkVersion({ headers }: Request): void {
  if (headers.get("tus-resumable") === VERSION) return;
  throw tusRefused(412, "This server supports tus 1.0.0.", { "Tus-Version": VERSION });
}

function checkSize(realm: Realm, size: number): void {
  const { max_upload_mib } = realm.config;
  if (size > max_upload_mib * MIB) throw tusRefused(413, fileTooLarge(max_upload_mib).message);
  checkRoom(realm.read, size);
}

function checkRoom(reader: Reader, size: number): void {
  try {
    checkQuota(reader, size);
  } catch {
    throw tusRefused(413, uploadQuotaReached().message);
  }
}

const isFinal = (error: unknown) => error instanceof Refusal && error.cause === undefined;

/** The quota may have been lowered, or the file can be stored by a later request. */
function asTusError(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const { cause, message } = error;
  return cause === undefined
    ? tusRefused(413, message)
    : withTusErrors(tusRefused(503, message), cause);
}

const withTusErrors = (refusal: Refusal, cause: unknown) => Object.assign(refusal, { cause });

async function* emptyStream(): AsyncIterable<Uint8Array> {}
