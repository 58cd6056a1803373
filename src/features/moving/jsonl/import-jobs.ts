// Imports a JSONL export into a data directory that has no organization yet.
import { createReadStream } from "node:fs";
import type { Realm } from "../../../realm.ts";
import { type SequenceName, SEQUENCES } from "../../../schema/schema.ts";
import { blobsOf } from "../../files/blobs.ts";
import { REALM_ID } from "../../realm/rules.ts";
import type { Blobs } from "../../files/blob-store.ts";
import type { Item } from "../write-row.ts";
import { BulkWriter } from "../bulk-writer-jobs.ts";
import { MovingRefused } from "../errors.ts";
import { reportProgress } from "../import-progress.ts";
import { type MovingReport, Reporting, unlessBroken } from "../report.ts";
import { beginRun, finishRun, runOf } from "../import-runs.ts";
import { type FileLine, FILES_STEP, JsonlArchive } from "./archive.ts";
import { FORMAT } from "./format.ts";

/**
 * Reads the whole export and writes nothing. `realm` is absent if the data directory does not exist
 * yet.
 */
export async function planJsonl(
  realm: Realm | undefined,
  directory: string,
): Promise<MovingReport> {
  const { reporting } = await surveyArchive(realm, directory);
  return reporting.end(reporting.hasFaults ? "refused" : "planned");
}

/** Imports an export, or resumes an interrupted import of it. */
export async function importJsonl(realm: Realm, directory: string): Promise<MovingReport> {
  const { reporting, archive } = await surveyArchive(realm, directory);
  if (!archive || reporting.hasFaults) return reporting.end("refused");
  return unlessBroken(reporting, () => write(realm, archive, reporting));
}

async function write(realm: Realm, archive: JsonlArchive, reporting: Reporting): Promise<void> {
  const { report } = reporting;
  const rowsFound = Object.values(report.found).reduce((sum, count) => sum + count, 0);
  const { id, sequences } = archive.format;
  const path = archive.directory;
  const { import_id } = await realm.write((tx) => {
    for (const name of SEQUENCES) {
      const shortfall = (sequences[name] ?? 0) - tx.last(name);
      if (shortfall > 0) tx.next(name satisfies SequenceName, shortfall);
    }
    // Imported messages do not notify anyone.
    tx.mail_progress.put({ realm_id: REALM_ID, message_id: tx.last("messages") });
    return beginRun(tx, { product: FORMAT, source: id, path });
  });
  report.import_id = import_id;
  let rowsWritten = 0;
  const writer = new BulkWriter(realm, import_id, (table) => {
    reporting.countWritten(table);
    reportProgress(++rowsWritten, rowsFound);
  });
  const blobs = blobsOf(realm);
  for await (const file of archive.files()) {
    const isKept = realm.read.imported.has(import_id, FILES_STEP, file.place);
    if (!isKept) await storeFile(blobs, file);
    await writer.add(fileItem(file));
  }
  for await (const item of archive.items(() => realm.read.secret)) await writer.add(item);
  await writer.flush();
  if (rowsWritten > 0 || realm.read.imports.get(import_id)!.state !== "done") {
    await finishRun(realm, import_id, "done");
  }
}

/** Every record is checked before the first is written. */
async function surveyArchive(realm: Realm | undefined, directory: string) {
  const reporting = new Reporting(FORMAT, directory);
  let archive: JsonlArchive | undefined;
  try {
    archive = await JsonlArchive.open(directory);
    if (realm) checkIsFree(realm, archive);
    for (const name of archive.unexpectedFiles())
      reporting.lost("An unknown file is skipped.", name);
    for (const place of archive.format.missing) {
      reporting.lost("The bytes of an uploaded file are missing in the export.", String(place));
    }
    for await (const _ of archive.files(reporting));
    for await (const _ of archive.items(unwritten, reporting));
    if (!reporting.report.found["realm"])
      reporting.fault("realm.jsonl: the organization is missing");
  } catch (error) {
    if (!(error instanceof MovingRefused)) throw error;
    reporting.fault(error.message);
  }
  return { reporting, archive };
}

/** A plan encrypts nothing. */
const unwritten = () => {
  throw new Error("a plan writes nothing");
};

function checkIsFree({ read }: Realm, { format }: JsonlArchive): void {
  const before = runOf(read, FORMAT, format.id);
  const isResumed = before !== undefined && before.state !== "undone";
  if (!read.realm.has(1) || isResumed) return;
  throw new MovingRefused(
    "The data directory already contains an organization. A JSONL export keeps the IDs of its " +
      "accounts, channels and messages, so it cannot be added to another organization, not even " +
      "to an empty one. Pass a new directory with --data.",
  );
}

/** Verifies the bytes before the file is moved to its path. */
async function storeFile(blobs: Blobs, { place, path, sha256 }: FileLine): Promise<void> {
  const draft = `imported-${new Bun.CryptoHasher("sha256").update(place).digest("hex")}`;
  const hash = new Bun.CryptoHasher("sha256");
  await blobs.drop(draft);
  await blobs.append(draft, hashed(createReadStream(path), hash));
  if (hash.digest("hex") !== sha256) {
    await blobs.drop(draft);
    throw new MovingRefused("its checksum differs from files.jsonl", `files/${place}`);
  }
  await blobs.store(draft, place);
}

async function* hashed(pieces: AsyncIterable<Uint8Array>, hash: Bun.CryptoHasher) {
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}

function fileItem({ place }: FileLine): Item {
  // The bytes are stored already.
  const write = () => ({ table: "files", row_key: [place], checksum: 0 });
  return { step: FILES_STEP, source_key: place, bytes: place.length, write };
}
