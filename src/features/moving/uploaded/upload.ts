// Endpoints for owners to upload an archive in pieces, from where an earlier request ended.
import { mkdirSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import Type from "typebox";
import {
  importArchiveTooLarge,
  importBusy,
  importOffsetWrong,
  importPieceTooLarge,
  importUploadBusy,
  importUploadExists,
  importUploadMissing,
  importWithoutSpace,
} from "../../../contract/errors/realm.ts";
import { nothing } from "../../../contract/shapes/value-types.ts";
import { endpoint, nonNegativeInt, text } from "../../../endpoint.ts";
import type { Realm } from "../../../realm.ts";
import { bodyChunks } from "../../../server/body/body-timeouts.ts";
import { secret } from "../../files/blob-names.ts";
import { addressName, MIB, shownName } from "../../files/rules.ts";
import { limitedBytes } from "../../files/upload/upload.ts";
import { importsDirectory } from "../../realm/export-paths.ts";
import { ARCHIVE_GIB_MAX, ARCHIVE_SPACE_FACTOR, GIB, PIECE_BYTES_MAX } from "./rules.ts";
import { accessUpload, currentOf, forgetUpload, type Upload, uploadPath } from "./state.ts";

const received = Type.Object({ received: Type.Integer() });

export const beginImportUpload = endpoint({
  summary: "Start to upload an archive that you want to import",
  tag: "Organization",
  params: { name: text, size: nonNegativeInt },
  answer: received,
  run({ realm }, { name, size }) {
    const { stored, task } = currentOf(realm);
    if (task) throw importBusy();
    if (stored.upload) throw importUploadExists();
    if (size > ARCHIVE_GIB_MAX * GIB) throw importArchiveTooLarge(ARCHIVE_GIB_MAX);
    checkRoom(realm, size);
    const displayedName = shownName(name);
    const file = addressName(displayedName, true);
    const upload = { key: secret(), name: displayedName, file, size, created: realm.read.now };
    const path = uploadPath(realm, upload);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, "", { mode: 0o600 });
    forgetUpload(realm, { upload, report: null });
    return { received: 0 };
  },
});

export const addToImportUpload = endpoint({
  summary: "Add a piece to an uploaded archive",
  tag: "Organization",
  params: { offset: nonNegativeInt },
  answer: received,
  body: "raw",
  async run({ realm, request }, { offset }) {
    const current = currentOf(realm);
    const upload = accessUpload(realm);
    if (current.task) throw importBusy();
    if (current.isReceiving) throw importUploadBusy();
    const size = receivedOf(realm, upload);
    if (size !== offset) throw importOffsetWrong(size);
    checkRoom(realm, upload.size - size);
    current.isReceiving = true;
    try {
      await append(uploadPath(realm, upload), offset, upload.size, request);
      return { received: receivedOf(realm, upload) };
    } finally {
      current.isReceiving = false;
    }
  },
});

/** If the request is interrupted, the bytes that arrived are kept. */
async function append(path: string, offset: number, size: number, request: Request) {
  const pieceBytesMax = Math.min(size - offset, PIECE_BYTES_MAX);
  // Appends whole chunks: a full disk writes only a part, and later pieces would leave a hole.
  const file = await open(path, "a");
  try {
    for await (const chunk of limitedBytes(
      bodyChunks(request.body),
      pieceBytesMax,
      importPieceTooLarge,
    )) {
      await file.appendFile(chunk);
    }
  } finally {
    await file.close();
  }
}

export const deleteImportUpload = endpoint({
  summary: "Delete an uploaded archive",
  tag: "Organization",
  params: {},
  answer: nothing,
  run({ realm }) {
    const { task, isReceiving } = currentOf(realm);
    accessUpload(realm);
    if (task) throw importBusy();
    if (isReceiving) throw importUploadBusy();
    forgetUpload(realm);
    return {};
  },
});

export function receivedOf(realm: Realm, upload: Upload): number {
  const size = statSync(uploadPath(realm, upload), { throwIfNoEntry: false })?.size;
  if (size === undefined) throw importUploadMissing();
  return size;
}

function checkRoom(realm: Realm, size: number): void {
  mkdirSync(importsDirectory(realm), { recursive: true, mode: 0o700 });
  const { bavail, bsize } = statfsSync(importsDirectory(realm));
  checkSpace(size, bavail * bsize);
}

export function checkSpace(size: number, freeBytes: number): void {
  const neededBytes = size * ARCHIVE_SPACE_FACTOR;
  if (freeBytes < neededBytes)
    throw importWithoutSpace(Math.ceil(neededBytes / MIB), Math.floor(freeBytes / MIB));
}
